"""PostgreSQL, with psycopg: the extra ``postgres``."""

from __future__ import annotations

import time
from contextlib import contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING, Any, Final

import psycopg
from psycopg.types.json import set_json_loads
from psycopg.types.string import TextLoader

from citemark.batch.sql._database import Database
from citemark.batch.sql._faults import RowRefusedError, SqlError, SqlFault, others_write
from citemark.batch.sql._postgres_session import BEGIN, NO_END, NO_LIMITS
from citemark.batch.sql._postgres_types import (
    KIND,
    OTHERS,
    UNKNOWN,
    BytesLoader,
    Kind,
    read_json,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
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

NO_ENCODING: Final = "SQL_ASCII"
"""What a server calls the encoding of a database that takes any bytes for texts."""

TEXTS: Final = ("text", "varchar", "bpchar", "name", 0)
"""Types of texts; 0 stands for all that are not known, as enums."""

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

GONE: Final = 20
"""Looks, a tenth of a second apart, until a run that is seen is one that goes on: a server may
learn of the end of a client a moment later."""

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
        self._connection = self._connected("utf8")
        self._encoding = "utf8"
        if self._connection.info.parameter_status("server_encoding") == NO_ENCODING:
            self._connection.close()  # the server would look at what it sends, and refuse it
            self._encoding = NO_ENCODING
            self._connection = self._connected(NO_ENCODING)
        set_json_loads(read_json, self._connection)
        has_any = self._encoding == NO_ENCODING
        for name in (*AS_TEXT, *(TEXTS if has_any else ())):
            loader = BytesLoader if has_any else TextLoader
            self._connection.adapters.register_loader(name, loader)
        self.run(NO_END)

    def _connected(self, encoding: str) -> psycopg.Connection[Any]:
        more: dict[str, Any] = {"application_name": "citemark", "client_encoding": encoding}
        if "connect_timeout" not in self.url:
            more["connect_timeout"] = PATIENCE
        try:
            # Prepared statements would not work through a pooler of transactions.
            return psycopg.connect(self.url, autocommit=True, prepare_threshold=None, **more)
        except psycopg.ProgrammingError:
            reason = "the URL cannot be read: expected postgresql://USER@HOST:PORT/DATABASE"
            raise SqlError(self.url, "url", reason) from None
        except psycopg.Error as error:
            raise SqlError(self.url, "unreachable", _said(error)) from None

    def columns(self, table: str) -> list[str]:
        with self._faults():
            cursor = self._connection.execute(self._sent(f"SELECT * FROM {table} LIMIT 0"), ())
            found = cursor.pgresult
            names = [found.fname(n) or b"" for n in range(found.nfields)] if found else []
            return [name.decode() for name in names]  # whatever the encoding

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

    def named(self, table: str, column: str) -> str:
        kind = self._kind(table, column)
        return f"CAST(%s AS {kind.name.replace('%', '%%')})" if kind else "%s"

    def as_read(self, table: str, columns: Iterable[str]) -> dict[str, str]:
        names = {self.shown(column)[1:-1].replace('""', '"'): column for column in columns}
        found = self.run(UNKNOWN, [self.shown(table), [*names]])
        known = self._connection.adapters.types
        return {names[name]: "to_json({})" for name, oid in found if known.get(oid) is None}

    def misfit(self, table: str, column: str, of: tuple[str, str]) -> str | None:
        own, other = self._kind(table, column), self._kind(*of)
        if own is None or other is None:
            return None
        has_room = own.length in (-1, other.length)
        return None if own.name == other.name and has_room else other.name

    def _kind(self, table: str, column: str) -> Kind | None:
        """Return the type of a column, of a domain what it is made of; None if there is none.

        Raises:
            SqlError: It is of several values.
        """
        found = self.run(KIND, [self.shown(table), column])
        if not found:
            return None
        kind = Kind(*found[0])
        if kind.is_composite:
            reason = f"{column!r} is of the composite type {kind.name}; make a view in which "
            reason += f"it is one value, as in {self.quoted(column)}::text"
            raise SqlError(self.url, "keys", reason)
        return kind

    def is_same(self, table: str, other: str) -> bool:
        statement = "SELECT to_regclass(%s) = to_regclass(%s)"
        return table == other or bool(
            self.run(statement, [self.shown(table), self.shown(other)])[0][0]
        )

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
        kind = self._kind(*like)
        value = f"a.{self.quoted(like[1])}"
        # Without its length, which may grow, and what a domain demands, which says "not null".
        value = f"CAST({value} AS {kind.name.replace('%', '%%')})" if kind else value
        typed = ", ".join(f"{value} AS {name}" for name in keys)
        self.run(f"CREATE TABLE {table} AS SELECT {typed} FROM {like[0]} AS a WITH NO DATA")
        added = [f"ADD {name} {kind}" for name, kind in definitions if kind]
        self.run(f"ALTER TABLE {table} {', '.join(added)}, ADD PRIMARY KEY ({key})")

    def reading(self) -> AbstractContextManager[None]:
        return self._transaction(BEGIN)

    def writing(self) -> AbstractContextManager[None]:
        return nullcontext()  # in the transaction of ``reading``

    @contextmanager
    def planning(self) -> Iterator[None]:
        with self.reading():
            self.run("SELECT pg_advisory_xact_lock(%s)", [LOCK])
            yield

    @contextmanager
    def present(self, work: str, run: str) -> Iterator[None]:
        [(table,)] = self.run("SELECT CAST(to_regclass(%s) AS oid)", [self.shown(work)])
        keys = table, int(run[:8], 16)
        holder = self._connected(self._encoding)
        try:
            with self.planning():
                self._require_alone(*keys)
                # Ends with the transaction: a pooler may give a session to others.
                with self._faults():
                    holder.execute("BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY")
                    holder.execute(NO_LIMITS)
                    signed = [key - 2**32 if key >= 2**31 else key for key in keys]
                    holder.execute("SELECT pg_advisory_xact_lock_shared(%s, %s)", signed)
            yield
        finally:
            with suppress(psycopg.Error):
                holder.execute("ROLLBACK")
            holder.close()

    def _require_alone(self, table: int, kind: int) -> None:
        for _ in range(GONE):
            found = self.run(OTHERS, [table, kind])
            if not found:
                return
            time.sleep(0.1)
        raise others_write(self.url, f"process {found[0][0]} of the server")

    def _sent(self, statement: str) -> bytes:
        return statement.encode()  # in UTF-8, whatever the encoding

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


def _said(error: Exception) -> str:
    """Return the first line: those after it repeat the statement."""
    return str(error).strip().partition("\n")[0]
