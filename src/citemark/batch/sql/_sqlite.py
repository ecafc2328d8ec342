"""SQLite, with the standard library."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from citemark.batch.sql._database import Database, UndecodedText
from citemark.batch.sql._faults import RowRefusedError, SqlError, SqlFault, others_write
from citemark.batch.sql._presence import leave, shared

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager

    from citemark.errors import CitemarkError

__all__ = ["Sqlite"]

PREFIX: Final = "sqlite:///"
PATIENCE: Final = 60
"""Seconds that a process waits for others to have written."""

LEAVING: Final = 1_000
"""Milliseconds that it waits, when it ends, to remove a file of its own."""

FAULTS: Final[dict[str, SqlFault]] = {
    "BUSY": "locked",
    "LOCKED": "locked",
    "READONLY": "read-only",
    "PERM": "read-only",
    "FULL": "full",
    "CANTOPEN": "unreachable",
    "NOTADB": "format",
    "CORRUPT": "format",
}
"""By the first word of SQLite's names of errors."""

NO_ROOM: Final = {"SQLITE_IOERR_WRITE", "SQLITE_IOERR_SHMSIZE"}
"""Names of errors of quotas and limits of the size of files, which SQLite calls no room."""

MISSING: Final = ("no such table", "no such column", "unknown database")
"""How messages begin of what is not there; they have no name of their own."""


class Sqlite(Database):
    """A connection to a file."""

    mark = "?"
    json = "TEXT"
    error = sqlite3.Error

    def __init__(self, url: str) -> None:
        """Open a file that is there; ``sqlite:///a.db`` is relative, ``sqlite:////`` is not.

        Raises:
            SqlError: There is none, or it cannot be opened.
        """
        self.url = url
        path = Path(url.removeprefix(PREFIX))
        if not url.startswith(PREFIX) or url == PREFIX or path.name == ":memory:":
            raise SqlError(url, "url", "expected a file, as in sqlite:///answers.db")
        if not path.is_file():
            raise SqlError(url, "missing", "no such file")
        self._path = path.resolve()
        with self._faults():
            self._connection = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode=rw",
                uri=True,
                timeout=PATIENCE,
                isolation_level=None,
            )
            self._connection.text_factory = _text
        try:
            self.run("SELECT count(*) FROM sqlite_master")
        except SqlError:
            self.close()
            raise

    def quoted(self, name: str) -> str:
        return '"' + name.replace('"', '""') + '"'

    def shown(self, name: str) -> str:
        return name

    def bare(self, expression: str) -> str:
        return f"+{expression}"  # an index on a column without type serves no other comparison

    def size(self, expression: str) -> str:
        return f"length(CAST({expression} AS BLOB))"

    def as_key(self, expression: str) -> str:
        return expression

    def as_named(self, value: object) -> object:
        return value  # a text is a number to a column of numbers, and to no other

    def forms(self, id_: str) -> list[object]:
        found: list[object] = [id_, id_.encode("utf-8", "surrogateescape")]
        for kind in (int, float):
            with suppress(ValueError):
                found.append(kind(id_))
        return found

    def is_same(self, table: str, other: str) -> bool:
        return _folded(table) == _folded(other)

    def has_table(self, table: str) -> bool:
        try:
            self.columns(table)
        except SqlError as error:
            name = table[1:-1].replace('"."', ".").replace('""', '"')
            is_gone = error.reason == f"no such table: {name}"
            if not is_gone and not error.reason.startswith("unknown database"):
                raise  # it may be a view of a table that is gone
            return False
        return True

    def create(
        self,
        table: str,
        like: tuple[str, str],  # noqa: ARG002  keys need no type: a value keeps its own
        definitions: Sequence[tuple[str, str]],
        key: str,
    ) -> None:
        given = ", ".join(f"{name} {kind}".strip() for name, kind in definitions)
        self.run(f"CREATE TABLE {table} ({given}, PRIMARY KEY ({key}))")

    def reading(self) -> AbstractContextManager[None]:
        return nullcontext()  # who reads in a transaction cannot write once another one did

    def writing(self) -> AbstractContextManager[None]:
        return self._transaction("BEGIN IMMEDIATE")

    planning = writing

    @contextmanager
    def present(self, work: str, run: str) -> Iterator[None]:
        lock = self._path.with_name(f"{self._path.name}-citemark-{_digest(_folded(work))}")
        try:
            with ExitStack() as stack:
                with self.planning():
                    if not stack.enter_context(shared(lock, int(run[:8], 16) - 2**31)):
                        raise others_write(self.url)
                yield
        finally:
            with suppress(SqlError):
                self.run(f"PRAGMA busy_timeout = {LEAVING}")
                with self.planning():
                    leave(lock)
            self.run(f"PRAGMA busy_timeout = {PATIENCE * 1_000}")  # what follows may wait

    def claim(self, statement: str) -> str:
        return statement  # what two processes did, only the first of them can write

    def _told(self, error: Exception) -> CitemarkError:
        is_of_value = (sqlite3.DataError, sqlite3.IntegrityError, UnicodeEncodeError)
        if isinstance(error, (*is_of_value, OverflowError)):
            return RowRefusedError(f"the database refuses it: {error}")
        name = getattr(error, "sqlite_errorname", "")
        code = "FULL" if name in NO_ROOM else name.removeprefix("SQLITE_").split("_")[0]
        is_missing = str(error).startswith(MISSING)
        fault = "missing" if is_missing else FAULTS.get(code, "failed")
        return SqlError(self.url, fault, str(error) + self._hint(error, fault))

    def _hint(self, error: Exception, fault: SqlFault) -> str:
        """Return what a message of SQLite leaves out."""
        if getattr(error, "sqlite_errorname", "") in NO_ROOM:
            return ": there is no room, or the file may grow no further"
        is_shut = os.access(self._path, os.R_OK) and not os.access(self._path.parent, os.W_OK)
        if fault in {"unreachable", "read-only"} and is_shut:
            return (
                f": SQLite makes files of its own in {self._path.parent}, even to read a file "
                "in WAL mode, and may not write there; copy the file elsewhere"
            )
        return ""


def _folded(table: str) -> str:
    """Return a name as SQLite compares it: it folds the letters of ASCII only."""
    return table.encode().lower().decode().removeprefix('"main".')


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=4).hexdigest()


def _text(data: bytes) -> str | bytes:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return UndecodedText(data)
