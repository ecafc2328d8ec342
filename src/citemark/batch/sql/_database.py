"""What the run needs of a database, whichever it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from citemark.batch.sql._faults import SqlError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from contextlib import AbstractContextManager

__all__ = ["Database", "open_database"]


class Database(Protocol):
    """A connection, which one thread uses.

    Statements raise ``SqlError``, or ``RowRefusedError`` for a value that is not taken.
    """

    url: str
    mark: str
    """Stands for a parameter."""

    json: str
    """Type of columns that hold JSON as it was written."""

    def quoted(self, name: str) -> str:
        """Return a name as it stands in a statement."""

    def bare(self, expression: str) -> str:
        """Return an expression that is compared without the type of its column."""

    def size(self, expression: str) -> str:
        """Return an expression for the bytes of a value."""

    def run(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return all rows that a statement gives."""

    def run_each(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        """Run a statement for each row."""

    def change(self, statement: str, values: Sequence[object] = ()) -> int:
        """Return how many rows a statement changed."""

    def columns(self, table: str) -> list[str]:
        """Return the names of the columns of a table, given as in a statement."""

    def has_table(self, table: str) -> bool:
        """Whether there is a table, given as in a statement."""

    def create(
        self,
        table: str,
        like: tuple[str, str],
        definitions: Sequence[tuple[str, str]],
        key: str,
    ) -> None:
        """Make a table; all names are given as in a statement.

        Args:
            table: Its name.
            like: Table and column whose type is that of columns without one.
            definitions: Name and type of each column.
            key: Names of the columns of the primary key.
        """

    def reading(self) -> AbstractContextManager[None]:
        """Hold a transaction in which a page is read and written, or ended on an error."""

    def writing(self) -> AbstractContextManager[None]:
        """Hold what is written of a page: all or nothing."""

    def trying(self) -> AbstractContextManager[None]:
        """Undo a statement that raised ``RowRefusedError``, and no more than that."""

    def planning(self) -> AbstractContextManager[None]:
        """Hold a transaction in which no other run makes tables or plans."""

    def claim(self, statement: str) -> str:
        """Return a statement that leaves out rows that another connection holds."""

    def close(self) -> None:
        """End the connection."""


def open_database(url: str) -> Database:
    """Return a connection.

    Raises:
        SqlError: There is none.
    """
    if url.startswith("sqlite:"):
        from citemark.batch.sql._sqlite import Sqlite  # noqa: PLC0415  as below

        return Sqlite(url)
    if url.startswith(("postgresql://", "postgres://")):
        try:
            from citemark.batch.sql._postgres import Postgres  # noqa: PLC0415  has psycopg
        except ImportError as error:
            reason = f"needs psycopg ({error}): pip install 'citemark[postgres]'"
            raise SqlError(url, "driver", reason) from None
        return Postgres(url)
    raise SqlError(url, "url", "is neither sqlite:///FILE nor postgresql://HOST/DATABASE")
