"""Answers in a database beside the same rows without one: SQLite, and PostgreSQL if installed.

A run reads all answers, makes their rows and writes them into an empty side table.  CPU seconds
are those of the client; the details have seconds by the clock, the server's included.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import tempfile
import time
from contextlib import closing, contextmanager
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpus import answers, slices
from measure import Row, best, main

from citemark.batch import BatchOptions, annotate_row
from citemark.batch.sql import SqlRun

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from postgres_kit import Server, programs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

ROWS = 1_000
SIZE = 800
"""Code points of an answer, about those of a chat."""

OPTIONS = BatchOptions(label="number")
TABLE = "CREATE TABLE answers (id INTEGER PRIMARY KEY, answer TEXT, sources TEXT)"
SIDE = "answers_citations"


def rows(effort: float) -> list[Row]:
    """Return CPU of a row in each database, made and only looked at, beside processing."""
    count, rounds = max(int(ROWS * effort), 10), max(int(3 * effort), 1)
    given = _rows(count)
    found = []
    for name, database in (("SQLite", _sqlite), ("PostgreSQL", _postgres)):
        if database is _postgres and programs() is None:
            continue
        with database(given) as (url, empty):
            found += _compare(name, url, empty, given, rounds)
    return found


def _compare(
    name: str, url: str, empty: Callable[[], None], given: Sequence[Any], rounds: int
) -> list[Row]:
    run = SqlRun(url, OPTIONS, workers=0)
    seconds = {"make": inf, "look": inf}
    works = [partial(_timed, seconds, what, run) for what in seconds]
    alone, make, look = inf, inf, inf
    for _ in range(rounds):
        empty()
        alone = min(alone, *best([partial(_alone, given)], 1, time.process_time))
        make = min(make, *best(works[:1], 1, time.process_time))
        look = min(look, *best(works[1:], 1, time.process_time))
    count = len(given)
    rates = {what: count / took for what, took in seconds.items()}
    details = {"rows_a_second_alone": count / alone, "rows_a_second_by_the_clock": rates}
    made = Row(
        f"{name}: read, made, written; a row", make / count * 1e6, "µs", alone / count * 1e6,
        "`annotate_row`", details=details,
    )  # fmt: skip
    return [made, Row(f"{name}: read, found the same; a row", look / count * 1e6, "µs")]


def _rows(count: int) -> list[tuple[int, str, str]]:
    texts = [text[:SIZE] for text in slices()]
    sources = [source for sample in answers() for source in sample.sources]
    records = json.dumps(
        [{"id": one.id, "title": one.title, "url": one.url} for one in sources]
    )
    return [(n, texts[n % len(texts)], records) for n in range(count)]


def _alone(given: Sequence[tuple[int, str, str]]) -> None:
    for id_, answer, sources in given:
        annotate_row({"id": id_, "answer": answer, "sources": sources}, OPTIONS)


def _timed(seconds: dict[str, float], what: str, run: SqlRun) -> None:
    start = time.perf_counter()
    run.go()
    seconds[what] = min(seconds[what], time.perf_counter() - start)


@contextmanager
def _sqlite(given: Sequence[Any]) -> Iterator[tuple[str, Callable[[], None]]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.db"
        with closing(sqlite3.connect(path, isolation_level=None)) as database:
            database.execute(TABLE)
            database.execute("BEGIN")
            database.executemany("INSERT INTO answers VALUES (?, ?, ?)", given)
            database.execute("COMMIT")
            yield (
                f"sqlite:///{path}",
                partial(database.execute, f"DROP TABLE IF EXISTS {SIDE}"),
            )


@contextmanager
def _postgres(given: Sequence[Any]) -> Iterator[tuple[str, Callable[[], None]]]:
    import psycopg  # noqa: PLC0415  not without a server

    folder = programs()
    assert folder  # noqa: S101  else nobody asks
    server = Server(folder)
    server.start(is_safe=True)
    try:
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute(TABLE)
            write = "INSERT INTO answers VALUES (%s, %s, %s)"
            connection.cursor().executemany(write, given)
            connection.execute("ANALYZE answers")
            yield server.url, partial(connection.execute, f"DROP TABLE IF EXISTS {SIDE}")
    finally:
        server.remove()


if __name__ == "__main__":
    main(rows)
