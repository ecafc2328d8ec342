"""Names of files on the command line: an address is refused before it is taken for one.

The secrets of all arguments are kept out of what is said of mistakes.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from citemark._addresses import DATABASES, hidden, is_address, scheme_of, shown_address
from citemark.cli._io import BadInputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["FILE", "FileName", "refuse_address", "secrets_hidden"]

DATABASE_ENDINGS: Final = (".db", ".sqlite", ".sqlite3")
"""What files of SQLite are often called."""

SQLITE_MAGIC: Final = b"SQLite format 3\0"

FORMS: Final = "sqlite:///FILE or postgresql://USER@HOST/NAME"


class FileName(click.ParamType):  # type: ignore[type-arg]
    """The name of a file or folder, or ``-``.

    Args:
        instead: What to do instead of giving a database here.
        or_database: Whether one can be given.
    """

    name = "file"

    def __init__(self, instead: str = "", *, or_database: bool = False) -> None:
        """Keep what is said of databases."""
        self._instead, self._or_database = instead, or_database

    def convert(
        self,
        value: Any,  # noqa: ANN401  as click has it
        param: click.Parameter | None,  # noqa: ARG002  as click has it
        ctx: click.Context | None,  # noqa: ARG002
    ) -> str:
        """Return a name as it is; the scheme of a database in small letters.

        Raises:
            BadInputError: It is empty; or an address, and none that can be used here.
        """
        name = str(value)
        if not name:  # a variable of the shell that is not set
            raise BadInputError("''", "names no file")
        if not is_address(name):
            self._refuse_database(name)
            return name
        scheme = scheme_of(name)
        if scheme in DATABASES and self._or_database:
            return scheme + name.lstrip()[len(scheme) :]
        raise BadInputError(shown_address(name), self._reason(scheme))

    def _refuse_database(self, name: str) -> None:
        """Refuse the file of a database, where others are read as rows."""
        if not (self._or_database or self._instead):
            return
        is_one = _is_sqlite(name)
        if not is_one and not name.lower().endswith(DATABASE_ENDINGS):
            return
        if self._instead:
            what = "is a SQLite database" if is_one else "is called as databases are"
            raise BadInputError(name, f"{what}; {self._instead}")
        what = (
            "is a SQLite database;" if is_one else "is called as databases are; if it is one,"
        )
        raise BadInputError(name, f"{what} give sqlite:///{name}")

    def _reason(self, scheme: str) -> str:
        bare = scheme.partition("+")[0]
        if bare in DATABASES and not self._or_database:
            return f"is a database; {self._instead or 'give a file'}"
        forms = f", {FORMS}" if self._or_database else ""
        return f"{scheme} is no scheme that is read here; give a file or folder{forms}"


def _is_sqlite(name: str) -> bool:
    try:
        if not Path(name).is_file():  # a pipe would lose what is looked at
            return False
        with Path(name).open("rb") as file:
            return file.read(len(SQLITE_MAGIC)) == SQLITE_MAGIC
    except (OSError, ValueError):  # which is told when it is read
        return False


FILE: Final = FileName()


def refuse_address(
    _context: click.Context, _option: click.Parameter, value: str | None
) -> str | None:
    """Refuse an address, as a callback of an option with another type."""
    return None if value is None else FILE.convert(value, None, None)


@contextlib.contextmanager
def secrets_hidden(arguments: Sequence[str]) -> Iterator[None]:
    """Keep passwords that stand in arguments out of messages: of click too."""
    bare = [one.partition("=")[2] if one.startswith("--") else one for one in arguments]
    try:
        yield
    except click.ClickException as error:
        for one in sorted(bare, key=len, reverse=True):  # a secret may hold a shorter one
            error.message = hidden(error.message, one)  # type: ignore[misc]
        raise
