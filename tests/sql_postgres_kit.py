"""Answers in PostgreSQL, and what a run made of them."""

from __future__ import annotations

import psycopg
import pytest
from postgres_kit import PASSWORD, QUOTED, ask
from sql_kit import SIDE, digest

from citemark.batch.sql import SqlError


def fill(url, rows, key="bigint", table="answers"):
    """Make a table of answers."""
    ask(url, f"CREATE TABLE {table} (id {key} PRIMARY KEY, answer text, sources text)")
    with psycopg.connect(url) as connection:
        connection.cursor().executemany(f"INSERT INTO {table} VALUES (%s, %s, %s)", rows)
    return url


def made(url, table=SIDE):
    """Return a digest of all that was made of the answers."""
    return digest(ask(url, f"SELECT a::text FROM {table} AS a"))


def refused(run):
    """Return the kind of fault and the message, which holds no password."""
    with pytest.raises(SqlError) as caught:
        run.go()
    assert PASSWORD not in str(caught.value)
    assert QUOTED not in repr(caught.value)
    return caught.value.fault, str(caught.value)
