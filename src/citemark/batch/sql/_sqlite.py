"""SQLite, with the standard library."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from citemark.batch.sql._faults import RowRefusedError, SqlError, SqlFault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager

__all__ = ["Sqlite", "UndecodedText"]

PREFIX: Final = "sqlite:///"
PATIENCE: Final = 60
"""Seconds that a process waits for others to have written."""

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


class UndecodedText(bytes):
    """A text that is no UTF-8."""

    __slots__ = ()


class Sqlite:
    """A connection to a file."""

    mark = "?"
    json = "TEXT"

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
        with self._faults():
            self._connection = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode=rw",
                uri=True,
                timeout=PATIENCE,
                isolation_level=None,
            )
            self._connection.text_factory = _text
        try:
            self.run("SELECT count(*) FROM sqlite_schema")
        except SqlError:
            self.close()
            raise

    def quoted(self, name: str) -> str:
        return '"' + name.replace('"', '""') + '"'

    def bare(self, expression: str) -> str:
        return f"+{expression}"  # an index on a column without type serves no other comparison

    def size(self, expression: str) -> str:
        return f"length(CAST({expression} AS BLOB))"

    def run(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        with self._faults():
            return self._connection.execute(statement, tuple(values)).fetchall()

    def run_each(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        with self._faults():
            self._connection.executemany(statement, rows)

    def change(self, statement: str, values: Sequence[object] = ()) -> int:
        with self._faults():
            return self._connection.execute(statement, tuple(values)).rowcount

    def columns(self, table: str) -> list[str]:
        with self._faults():
            found = self._connection.execute(f"SELECT * FROM {table} LIMIT 0")
            return [column[0] for column in found.description]

    def has_table(self, table: str) -> bool:
        try:
            self.columns(table)
        except SqlError as error:
            if error.fault != "missing":
                raise
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

    @contextmanager
    def writing(self) -> Iterator[None]:
        self.run("BEGIN IMMEDIATE")
        try:
            yield
            self.run("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.rollback()
            raise

    planning = writing

    @contextmanager
    def trying(self) -> Iterator[None]:
        self.run("SAVEPOINT citemark_row")
        try:
            yield
        except RowRefusedError:
            self.run("ROLLBACK TO citemark_row")
            raise
        finally:
            if self._connection.in_transaction:
                self.run("RELEASE citemark_row")

    def claim(self, statement: str) -> str:
        return statement  # what two processes did, only the first of them can write

    def close(self) -> None:
        self._connection.close()

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.DataError, sqlite3.IntegrityError, OverflowError) as error:
            raise RowRefusedError(f"the database refuses it: {error}") from None
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorname", "").removeprefix("SQLITE_").split("_")[0]
            is_missing = str(error).startswith(("no such table", "no such column"))
            fault = "missing" if is_missing else FAULTS.get(code, "failed")
            raise SqlError(self.url, fault, str(error)) from None


def _text(data: bytes) -> str | bytes:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return UndecodedText(data)
