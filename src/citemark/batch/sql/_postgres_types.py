"""Types of PostgreSQL: what its catalogues say of them, and how their values are read."""

from __future__ import annotations

import json
from typing import Any, Final, NamedTuple

from psycopg.adapt import Loader

from citemark.batch.sql._database import UndecodedText

__all__ = ["KIND", "OTHERS", "UNKNOWN", "BytesLoader", "Kind", "read_json"]


class Kind(NamedTuple):
    """A type of a column; of a domain, the type that it is made of."""

    name: str
    """As it stands in a statement, without a length."""

    length: int
    """What ``varchar(3)`` or ``numeric(9, 2)`` say; -1 if nothing."""

    is_composite: bool


KIND: Final = """
    WITH RECURSIVE kind AS (
        SELECT t.oid, t.typtype, t.typbasetype, t.typtypmod, a.atttypmod AS length
        FROM pg_attribute AS a JOIN pg_type AS t ON t.oid = a.atttypid
        WHERE a.attrelid = to_regclass(%s) AND a.attname = %s AND NOT a.attisdropped
        UNION ALL
        SELECT t.oid, t.typtype, t.typbasetype, t.typtypmod, kind.typtypmod
        FROM kind JOIN pg_type AS t ON t.oid = kind.typbasetype WHERE kind.typtype = 'd'
    )
    SELECT format_type(oid, -1), length, typtype = 'c' FROM kind WHERE typtype <> 'd'
"""
"""Asks for the ``Kind`` of a column of a table."""

UNKNOWN: Final = """
    SELECT a.attname, t.oid FROM pg_attribute AS a JOIN pg_type AS t ON t.oid = a.atttypid
    WHERE a.attrelid = to_regclass(%s) AND a.attname = ANY(%s) AND NOT a.attisdropped
    AND t.typcategory IN ('A', 'C')
"""
"""Asks which columns of a table are arrays or of several values, and for their types."""

OTHERS: Final = """
    SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND classid = CAST(%s AS oid) AND objid <> CAST(%s AS oid) LIMIT 1
"""
"""Asks for a process with an advisory lock on the first number that has another second one."""


class BytesLoader(Loader):
    """Reads texts of any bytes."""

    def load(self, data: bytes | bytearray | memoryview) -> str | bytes:
        try:
            return bytes(data).decode()
        except UnicodeDecodeError:
            return UndecodedText(data)


def read_json(text: str | bytes) -> Any:  # noqa: ANN401  any JSON
    """Return a value; its text if it has, say, a number that Python does not read."""
    try:
        return json.loads(text)
    except UnicodeDecodeError:
        return UndecodedText(text.encode() if isinstance(text, str) else text)
    except (ValueError, RecursionError):
        return text if isinstance(text, str) else text.decode()
