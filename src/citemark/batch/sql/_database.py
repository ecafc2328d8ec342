"""What the run needs of a database, whichever it is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, ClassVar

from citemark.batch._arguments import require_type
from citemark.batch.sql._faults import RowRefusedError, SqlError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from citemark.errors import CitemarkError

__all__ = ["Database", "UndecodedText", "open_database", "require_url"]


class UndecodedText(bytes):
    """A text that is no UTF-8."""

    __slots__ = ()

    @property
    def fault(self) -> str:
        """What is wrong with it, where."""
        try:
            self.decode()
        except UnicodeDecodeError as error:
            return f"no UTF-8: the byte at {error.start} is {self[error.start]:#04x}"
        return ""


class Database(ABC):
    """A connection, which one thread uses.

    Statements raise ``SqlError``, or ``RowRefusedError`` for a value that is not taken.
    """

    mark: ClassVar[str]
    """Stands for a parameter."""

    json: ClassVar[str]
    """Type of columns that hold JSON as it was written."""

    error: ClassVar[type[Exception]]
    """What the library raises."""

    url: str
    _connection: Any
    """As every library of PEP 249 has it."""

    def run(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return all rows that a statement gives."""
        with self._faults():
            cursor = self._connection.execute(self._sent(statement), tuple(values))
            return cursor.fetchall() if cursor.description else []

    def run_each(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        """Run a statement for each row."""
        with self._faults():
            self._connection.cursor().executemany(self._sent(statement), rows)

    def change(self, statement: str, values: Sequence[object] = ()) -> int:
        """Return how many rows a statement changed."""
        with self._faults():
            return int(self._connection.execute(self._sent(statement), tuple(values)).rowcount)

    def columns(self, table: str) -> list[str]:
        """Return the names of the columns of a table, given as in a statement."""
        with self._faults():
            statement = self._sent(f"SELECT * FROM {table} LIMIT 0")
            found = self._connection.execute(statement, ())
            return [column[0] for column in found.description or ()]

    @contextmanager
    def telling(self) -> Iterator[None]:
        """Raise ``SqlError`` where no row can be told of a value that is not taken."""
        try:
            yield
        except RowRefusedError as error:
            raise SqlError(self.url, "failed", str(error)) from None

    @contextmanager
    def trying(self) -> Iterator[None]:
        """Undo a statement that raised ``RowRefusedError``, and no more than that."""
        self.run("SAVEPOINT citemark_row")
        try:
            yield
        except RowRefusedError:
            self.run("ROLLBACK TO SAVEPOINT citemark_row")
            self.run("RELEASE SAVEPOINT citemark_row")
            raise
        self.run("RELEASE SAVEPOINT citemark_row")

    def close(self) -> None:
        """End the connection."""
        self._connection.close()

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        self.run(begin)
        try:
            yield
            self.run("COMMIT")
        except BaseException:
            with suppress(self.error):
                self._connection.rollback()
            raise

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except UnicodeDecodeError as error:
            raise SqlError(self.url, "format", f"a text is no UTF-8: {error}") from None
        except (self.error, UnicodeEncodeError, OverflowError) as error:
            raise self._told(error) from None

    def _sent(self, statement: str) -> Any:  # noqa: ANN401  what the library takes
        """Return a statement as it is sent."""
        return statement

    @abstractmethod
    def _told(self, error: Exception) -> CitemarkError:
        """Return what is raised for an error of the library."""

    @abstractmethod
    def quoted(self, name: str) -> str:
        """Return a name as it stands in a statement."""

    @abstractmethod
    def shown(self, name: str) -> str:
        """Return a quoted name as it stands in a statement without parameters."""

    @abstractmethod
    def bare(self, expression: str) -> str:
        """Return an expression that is compared without the type of its column."""

    @abstractmethod
    def size(self, expression: str) -> str:
        """Return an expression for the bytes of a value."""

    @abstractmethod
    def as_key(self, expression: str) -> str:
        """Return an expression for an id that can be given back as a parameter."""

    @abstractmethod
    def as_named(self, value: object) -> object:
        """Return a value that was read, as a parameter for a column of any type."""

    def named(self, table: str, column: str) -> str:  # noqa: ARG002  for others
        """Return a parameter that is compared with a column.

        Args:
            table: As it stands in statements.
            column: Its name as it is.
        """
        return self.mark

    def as_read(self, table: str, columns: Iterable[str]) -> dict[str, str]:  # noqa: ARG002
        """Return how to read columns whose values the library would not tell from texts.

        Args:
            table: As it stands in statements.
            columns: As they stand there.

        Returns:
            By the columns that need it, an expression with ``{}`` for the value.
        """
        return {}

    def misfit(self, table: str, column: str, of: tuple[str, str]) -> str | None:  # noqa: ARG002
        """Return the type that a column needs to hold the values of another; None if it does.

        Args:
            table: As it stands in statements.
            column: Its name as it is.
            of: Table and column of the values.
        """
        return None

    @abstractmethod
    def forms(self, id_: str) -> list[object]:
        """Return the values that may be shown as an id is, as parameters."""

    @abstractmethod
    def is_same(self, table: str, other: str) -> bool:
        """Whether two names, given as in a statement, are those of one table."""

    @abstractmethod
    def has_table(self, table: str) -> bool:
        """Whether there is a table, given as in a statement."""

    @abstractmethod
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
            like: Table as in a statement, and name of its column as it is; columns without a
                type get that of its values.
            definitions: Name and type of each column.
            key: Names of the columns of the primary key.
        """

    @abstractmethod
    def reading(self) -> AbstractContextManager[None]:
        """Hold a transaction in which a page is read and written, or ended on an error."""

    @abstractmethod
    def writing(self) -> AbstractContextManager[None]:
        """Hold what is written of a page: all or nothing."""

    @abstractmethod
    def planning(self) -> AbstractContextManager[None]:
        """Hold a transaction in which no other run makes tables or plans."""

    @abstractmethod
    def present(self, work: str, run: str) -> AbstractContextManager[None]:
        """Keep runs of another kind away, for as long as this one lives.

        Args:
            work: The table of ranges, given as in a statement.
            run: A digest; that of all runs of a kind.

        Raises:
            SqlError: From its beginning: one is there.
        """

    @abstractmethod
    def claim(self, statement: str) -> str:
        """Return a statement that leaves out rows that another connection holds."""


def require_url(url: object) -> None:
    """Refuse what is no text.

    Raises:
        ArgumentTypeError: It is none.
    """
    require_type("url", url, str, 'a URL as str, as in "sqlite:///answers.db"')


def open_database(url: str) -> Database:
    """Return a connection.

    Raises:
        ArgumentTypeError: The URL is no text.
        SqlError: There is none.
    """
    require_url(url)
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
