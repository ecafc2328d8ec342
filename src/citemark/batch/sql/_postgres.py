"""PostgreSQL, with psycopg: the extra ``postgres``."""

from __future__ import annotations

import json
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, Final

import psycopg
from psycopg.types.json import set_json_loads
from psycopg.types.string import TextLoader

from citemark.batch.sql._database import Database
from citemark.batch.sql._faults import RowRefusedError, SqlError, SqlFault

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager

    from citemark.errors import CitemarkError

__all__ = ["Postgres"]

MAX_NAME: Final = 63
"""Bytes of a name; longer ones would be cut, and might then be those of another table."""

LOCK: Final = 0x63697465
"""Number of the advisory lock under which tables and plans are made: ``cite`` in ASCII."""

PATIENCE: Final = 30
"""Seconds to wait for a connection, unless the URL says otherwise."""

FAULTS: Final[dict[str, SqlFault]] = {
    "25006": "read-only",
    "28": "refused",
    "42501": "refused",
    "42P01": "missing",
    "42703": "missing",
    "3F000": "missing",
    "3D000": "missing",
    "53100": "full",
    "55P03": "locked",
    "42704": "keys",
    "42883": "keys",
    "57P": "stopped",
    "08": "stopped",
}
"""By the beginning of SQLSTATE (PostgreSQL 15, appendix A)."""

ROW_FAULTS: Final = ("22", "23", "54")
"""Classes of SQLSTATE that are about a value: data, integrity, limits."""

AS_TEXT: Final = (
    "uuid",
    "numeric",
    "date",
    "time",
    "timetz",
    "timestamp",
    "timestamptz",
    "interval",
    "inet",
    "cidr",
)
"""Types that JSON has not: their text says more than Python's values, which cannot be infinite,
or before Christ."""

UNSAFE: Final = frozenset("/?#[]@ ")
"""Characters of user and password that have to be escaped."""


class Postgres(Database):
    """A connection to a server."""

    mark = "%s"
    error = psycopg.Error
    json = "json"  # not jsonb, which refuses the NUL that an answer may hold

    def __init__(self, url: str) -> None:
        """Connect.

        Raises:
            SqlError: There is no connection.
        """
        self.url = url
        if UNSAFE & {*url.partition("://")[2].rpartition("@")[0]}:
            reason = "write / ? # @ and brackets in user and password as %2F %3F %23 %40"
            raise SqlError(url, "url", reason)
        more: dict[str, Any] = {"application_name": "citemark", "client_encoding": "utf8"}
        if "connect_timeout" not in url:
            more["connect_timeout"] = PATIENCE
        try:
            # Prepared statements would not work through a pooler of transactions.
            self._connection = psycopg.connect(
                url, autocommit=True, prepare_threshold=None, **more
            )
        except psycopg.ProgrammingError:
            reason = "the URL cannot be read: expected postgresql://USER@HOST:PORT/DATABASE"
            raise SqlError(url, "url", reason) from None
        except psycopg.Error as error:
            raise SqlError(url, "unreachable", _said(error)) from None
        set_json_loads(_json, self._connection)
        for name in AS_TEXT:
            self._connection.adapters.register_loader(name, TextLoader)

    def quoted(self, name: str) -> str:
        if len(name.encode()) > MAX_NAME:
            reason = f"PostgreSQL cuts names after {MAX_NAME} bytes; name a shorter one (into)"
            raise SqlError(self.url, "names", f"{name}: {reason}")
        return '"' + name.replace('"', '""').replace("%", "%%") + '"'

    def bare(self, expression: str) -> str:
        return expression

    def shown(self, name: str) -> str:
        return name.replace("%%", "%")

    def size(self, expression: str) -> str:
        return f"octet_length(CAST({expression} AS text))"

    def as_key(self, expression: str) -> str:
        return f"CAST({expression} AS text)"  # whose type the server finds where it is used

    def as_named(self, value: object) -> object:
        return str(value)

    def forms(self, id_: str) -> list[object]:
        return [id_]

    def has_table(self, table: str) -> bool:
        # Who reads a table learns of others that came since the transaction began.
        statement = "SELECT 1 FROM pg_class WHERE oid = to_regclass(%s)"
        return bool(self.run(statement, [self.shown(table)]))

    def create(
        self,
        table: str,
        like: tuple[str, str],
        definitions: Sequence[tuple[str, str]],
        key: str,
    ) -> None:
        keys = [name for name, kind in definitions if not kind]
        typed = ", ".join(f"a.{like[1]} AS {name}" for name in keys)
        self.run(f"CREATE TABLE {table} AS SELECT {typed} FROM {like[0]} AS a WITH NO DATA")
        added = [f"ADD {name} {kind}" for name, kind in definitions if kind]
        self.run(f"ALTER TABLE {table} {', '.join(added)}, ADD PRIMARY KEY ({key})")

    def reading(self) -> AbstractContextManager[None]:
        # A server may have another default; then two runs could not share the ranges.
        return self._transaction("BEGIN ISOLATION LEVEL READ COMMITTED")

    def writing(self) -> AbstractContextManager[None]:
        return nullcontext()  # in the transaction of ``reading``

    @contextmanager
    def planning(self) -> Iterator[None]:
        with self.reading():
            self.run("SELECT pg_advisory_xact_lock(%s)", [LOCK])
            yield

    def claim(self, statement: str) -> str:
        return f"{statement} FOR UPDATE SKIP LOCKED"

    def _told(self, error: Exception) -> CitemarkError:
        state = getattr(error, "sqlstate", None) or ""
        if self._connection.broken or self._connection.closed:
            reason = f"the connection was lost ({_said(error)}); --resume does the rest"
            return SqlError(self.url, "stopped", reason)
        is_local = not state and not isinstance(error, psycopg.OperationalError)
        if is_local or state.startswith(ROW_FAULTS):
            return RowRefusedError(f"the database refuses it: {_said(error)}")
        known = (FAULTS[start] for start in FAULTS if state.startswith(start))
        return SqlError(self.url, next(known, "failed"), _said(error))


def _json(text: str | bytes) -> Any:  # noqa: ANN401  any JSON
    """Return a value; its text if it has, say, a number that Python does not read."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text if isinstance(text, str) else text.decode("utf-8", "replace")


def _said(error: Exception) -> str:
    """Return the first line: those after it repeat the statement."""
    return str(error).strip().partition("\n")[0]
