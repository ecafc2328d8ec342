"""Answers in a database, and what a run made of them."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from citemark.batch import BatchOptions
from citemark.batch.sql import SqlError, SqlNames, SqlRun
from citemark.batch.sql._pages import Pages

SIDE = "answers_citations"
RANGE = 20
"""Answers of a range, where a run is broken off."""

OPTIONS = BatchOptions(to=("text",))
RECORDS = json.dumps([{"id": "faq", "title": "Questions"}, {"id": "pol", "title": "Policy"}])

FORKS = multiprocessing.get_context("forkserver")
"""Starts processes at once: what they import was imported before."""

FORKS.set_forkserver_preload(["sql_forked"])


def answers(count):
    """Yield id, answer and sources of so many answers; one in fifty is null, one fails."""
    for n in range(count):
        answer = None if n % 50 == 7 else f"Claim {n} stands [1], and [{n % 5}] too.\n"
        yield n, answer, "[1" if n % 50 == 9 else RECORDS


def fill(path, count=0, schema="id INTEGER PRIMARY KEY, answer TEXT, sources TEXT"):
    """Make a file of answers, and return its URL."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(f"CREATE TABLE answers ({schema})")
        database.executemany("INSERT INTO answers VALUES (?, ?, ?)", answers(count))
    return f"sqlite:///{path}"


def ask(url, statement, *values):
    """Return what a statement gives."""
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as database, database:
        return database.execute(statement, values).fetchall()


def digest(rows):
    """Return a digest of rows."""
    return hashlib.sha256(repr(sorted(map(repr, rows))).encode()).hexdigest()


def made(url):
    """Return a digest of all that was made of the answers of a file."""
    return digest(ask(url, f"SELECT * FROM {SIDE}"))


def run(url, options=OPTIONS, **settings):
    """Run in this process, unless it is said otherwise."""
    fields = {"table", "key", "columns", "into"} & {*settings}
    names = {name: settings.pop(name) for name in fields}
    tables = settings.pop("tables", None)
    names |= {"sources": tables} if tables else {}
    return SqlRun(url, options, SqlNames(**names), **{"workers": 0, **settings})


def broken_in_a_page(monkeypatch):
    """Let the third page of a run be the last, broken off after its rows were written."""
    write, pages = Pages.write, []

    def break_off(self, made, options):
        pages.append(write(self, made, options))
        if len(pages) == 3:
            raise KeyboardInterrupt
        return pages[-1]

    monkeypatch.setattr(Pages, "write", break_off)


def started(url, workers=0):
    """Start a run in a process of its own, that goes on where another one ended, slowly."""
    from sql_forked import go_on

    process = FORKS.Process(target=go_on, args=(url, workers))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(__file__).parent))  # where the server looks
        process.start()
    return process


def kill_when(process, holds, wait=60):
    """Kill a process, as the system does, once something holds; it may have ended before."""
    deadline = time.monotonic() + wait
    while process.is_alive() and not holds():
        assert time.monotonic() < deadline
        time.sleep(0.005)
    process.kill()
    process.join()


def refused(run, what="go"):
    """Return the kind of fault, and the message without the name of the database."""
    with pytest.raises(SqlError) as caught:
        getattr(run, what)()
    return caught.value.fault, caught.value.reason
