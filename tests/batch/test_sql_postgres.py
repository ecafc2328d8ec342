"""Answers in PostgreSQL: a real server, that is stopped while it is used."""

from __future__ import annotations

import os
import random
from itertools import count

import pytest
from postgres_kit import PASSWORD, QUOTED, Server, programs
from server_kit import wait_until
from sql_kit import RECORDS, answers, broken_in_a_page, digest, kill_when, run, started

from citemark.batch import BatchOptions
from citemark.batch.sql import SqlError, SqlSources, SqlState
from citemark.batch.sql._pages import Pages

psycopg = pytest.importorskip("psycopg")
pytestmark = pytest.mark.slow

COUNT, RANGE = 500, 50
SCHEMAS = count()


@pytest.fixture(scope="module")
def server():
    """A server that all tests of this file share; it runs, when a test begins."""
    folder = programs()
    if folder is None:
        reason = "PostgreSQL is not installed (Debian: apt-get install postgresql)"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    server = Server(folder)
    server.start()
    yield server
    server.remove()


@pytest.fixture
def url(server):
    """The URL of a schema of its own."""
    name = f"test{next(SCHEMAS)}"
    ask(server.url, f"CREATE SCHEMA {name}")
    return f"{server.url}?options=-csearch_path%3D{name}"


def ask(url, statement, *values):
    """Return what a statement gives."""
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(statement, values or None)
        return cursor.fetchall() if cursor.description else []


def fill(url, rows, key="bigint", table="answers"):
    """Make a table of answers."""
    ask(url, f"CREATE TABLE {table} (id {key} PRIMARY KEY, answer text, sources text)")
    with psycopg.connect(url) as connection:
        connection.cursor().executemany(f"INSERT INTO {table} VALUES (%s, %s, %s)", rows)
    return url


def made(url, table="answers_citations"):
    """Return a digest of all that was made of the answers."""
    return digest(ask(url, f"SELECT a::text FROM {table} AS a"))


def refused(run):
    """Return the kind of fault and the message, which holds no password."""
    with pytest.raises(SqlError) as caught:
        run.go()
    assert PASSWORD not in str(caught.value)
    assert QUOTED not in repr(caught.value)
    return caught.value.fault, str(caught.value)


KEYS = {
    "bigint": [-(2**63), -1, 0, 2**63 - 1],
    "text": ["", "b'\"; DROP TABLE answers; --", "%s", "ä", "日本"],
    'text COLLATE "C"': ["B", "a", "ä"],
    "uuid": [f"{n:032x}" for n in (0, 10, 2**127)],
    "numeric": ["-1.50", "0", "1e30"],
    "timestamptz": ["2026-01-01T00:00:00.000001Z", "2026-01-01T00:00:00.000002Z"],
    "bytea": [b"", b"\x00", b"\xff"],
    "double precision": [-0.1, 0.1, 1e300],
}


@pytest.mark.parametrize("key", KEYS)
def test_ids_of_any_type(url, monkeypatch, key):
    """What has an order is read page by page, and found again."""
    monkeypatch.setattr(Pages.after, "__defaults__", (2,))
    monkeypatch.setattr("citemark.batch.sql._plan.RANGE", 3)
    fill(url, [(one, "It is [1].", RECORDS) for one in KEYS[key]], key)
    assert run(url).go().rows == len(KEYS[key])
    assert run(url).go().kept == len(KEYS[key])
    join = "SELECT count(*) FROM answers JOIN answers_citations ON answer_id = id"
    assert ask(url, join) == [(len(KEYS[key]),)]


def test_names_are_quoted(url):
    """Whatever schemas, tables and columns are called, they are names and nothing else."""
    odd = "a\"; DROP TABLE x; -- %s ? 'q"
    quoted = '"' + odd.replace('"', '""') + '"'
    ask(
        url,
        f'CREATE SCHEMA "Sch.x"; CREATE TABLE "Sch.x".{quoted} ({quoted} int, "order" text)',
    )
    ask(url, f"INSERT INTO \"Sch.x\".{quoted} VALUES (1, 'It is [1].')")
    names = {"table": f'"Sch.x".{quoted}', "key": odd, "columns": {"answer": "order"}}
    assert run(url, **names).go().rows == 1
    assert run(url, **names).go().kept == 1
    assert refused(run(url, table="x" * 60))[0] == "names"


def test_new_changed_and_deleted_answers(url):
    """Found by digests; the table of the answers is one that the user may only read."""
    fill(url, answers(120))
    ask(url, f"CREATE ROLE reader LOGIN PASSWORD '{PASSWORD}'")
    schema = url.rpartition("%3D")[2]
    ask(url, f"GRANT SELECT ON answers TO reader; GRANT USAGE ON SCHEMA {schema} TO reader")
    reader = url.replace("ann:", "reader:")
    assert refused(run(reader))[0] == "refused"
    ask(url, f"GRANT CREATE ON SCHEMA {schema} TO reader")
    tally = run(reader).go()
    assert (tally.rows, tally.errors, tally.nulls) == (120, 3, 3)
    ask(
        url,
        "UPDATE answers SET answer = 'New [2].' WHERE id = 3; DELETE FROM answers WHERE id = 4",
    )
    tally = run(reader).go()
    assert (tally.rows, tally.kept, tally.deleted, tally.deleted_ids) == (1, 118, 1, ("4",))


def test_sources_of_a_table(url):
    """Ids as an array or JSON, or a set; a value that cannot be an id is not there."""
    ask(url, 'CREATE TABLE chunks (id int, "set" uuid, n int, title text, metadata jsonb)')
    name = "0" * 32
    ask(
        url,
        "INSERT INTO chunks VALUES (8, %s, 2, 'A', '{\"x\": 1}'), (9, %s, 1, 'B', NULL)",
        name,
        name,
    )
    ask(url, "CREATE TABLE answers (id int PRIMARY KEY, answer text, sources jsonb)")
    given = ["[8]", '["9", "8"]', f'"{name}"', '["x"]', '"may"']
    for n, sources in enumerate(given):
        ask(url, "INSERT INTO answers VALUES (%s, 'One [8], two [9].', %s)", n, sources)
    tables = SqlSources("chunks", order="n")
    run(url, BatchOptions(label="id"), tables=tables).go()
    found = ask(url, "SELECT citations, error FROM answers_citations ORDER BY answer_id")
    ids = [
        (citations and [one["id"] for one in citations], error) for citations, error in found
    ]
    missing = "RowSourcesError: sources: the table has none named"
    assert ids[:2] == [(["8"], None), (["8", "9"], None)]
    assert ids[3:] == [(None, f"{missing} 'x'"), (None, f"{missing} 'may'")]


def test_what_a_json_column_cannot_hold_is_stored_all_the_same(url):
    """NUL in a response, numbers of thousands of digits, lone surrogates."""
    ask(url, "CREATE TABLE answers (id int PRIMARY KEY, answer json, provider text)")
    odd = '{"content": "a\\u0000 [1] \\ud800"}', '{"content": ' + "9" * 5_000 + "}"
    for n, answer in enumerate(odd):
        ask(url, "INSERT INTO answers VALUES (%s, %s, 'openai')", n, answer)
    assert run(url).go().rows == 2


def test_faults_are_told_apart(server, url):
    """None of the messages has the password, however it is written."""
    fill(url, answers(3))
    assert refused(run(url.replace(QUOTED, "wr%40ng")))[0] == "unreachable"
    assert refused(run(url.replace(QUOTED, "s3cret/wörd")))[0] == "url"
    assert refused(run(f"{url}&pasword=s3cret"))[0] == "url"
    assert refused(run(url.replace(str(server.port), "1")))[0] == "unreachable"
    assert refused(run(url, table="nope"))[0] == "missing"
    assert refused(run(f"{url}%20-cdefault_transaction_read_only%3Don"))[0] == "read-only"


@pytest.fixture
def whole(url, monkeypatch):
    """The digest of an unbroken run over the answers of the database."""
    monkeypatch.setattr("citemark.batch.sql._plan.RANGE", RANGE)
    fill(url, answers(COUNT))
    run(url, into="whole").go()
    return made(url, "whole")


def test_a_server_that_is_stopped(server, url, whole):
    """The error says so; a later run does the rest, with the result of an unbroken one."""
    stop = iter([server.stop])
    try:
        fault, _ = refused(run(url, report=lambda _: next(stop, int)(), workers=2))
    finally:
        server.start()
    assert fault in {"stopped", "unreachable"}  # who connects later finds no server
    state = run(url).state()
    assert 0 < state.made < COUNT
    assert state == SqlState(COUNT, state.made, 11 - state.made // RANGE)
    tally = run(url, resume=True).go()
    assert (tally.rows, tally.kept) == (COUNT - state.made, 0)
    assert made(url) == whole


def test_a_page_is_written_as_a_whole_or_not(url, whole, monkeypatch):
    """Its rows, and how far its range is, are one transaction."""
    with monkeypatch.context() as patch:
        broken_in_a_page(patch)
        with pytest.raises(KeyboardInterrupt):
            run(url).go()
    assert run(url).state() == SqlState(answers=COUNT, made=100, unfinished=9)
    assert run(url, resume=True).go().rows == 400
    assert made(url) == whole


def test_two_runs_side_by_side(url, whole):
    """They share the ranges: no answer is done twice, and both end when all are done."""
    others = []

    def join(tally):
        if not others:
            others.append(started(url))
            wait_until(lambda: _count(url) > tally.rows)

    tally = run(url, report=join).go()
    assert (tally.rows < COUNT, tally.kept) == (True, 0)
    assert made(url) == whole
    assert others[0].wait() == 0


def test_a_range_that_another_process_has_is_waited_for(url, whole):
    """What it holds is locked, until its connection ends."""
    held = []
    waited = []

    def hold(tally):
        if not held:
            connection = psycopg.connect(url)
            last = (
                "SELECT 1 FROM answers_citations_work ORDER BY number DESC LIMIT 1 FOR UPDATE"
            )
            connection.execute(last)
            held.append(connection)
        elif tally.waiting:
            waited.append(tally.waiting)
            held[0].close()

    assert run(url, report=hold).go().rows == COUNT
    assert waited[0] == 1
    assert made(url) == whole


def test_kills_at_random_points_lose_and_double_nothing(url, whole):
    """Clients are killed while they write; the last result is that of an unbroken run."""
    rng = random.Random(5)  # noqa: S311  no secret
    for kill in range(2):
        wanted = 200 * kill + rng.randrange(1, 200)
        kill_when(started(url, workers=2 * kill), lambda n=wanted: _count(url) >= n)
    assert _count(url) > 0
    run(url, resume=True).go()
    assert made(url) == whole


def _count(url):
    [(found,)] = ask(url, "SELECT to_regclass('answers_citations') IS NOT NULL")
    return ask(url, "SELECT count(*) FROM answers_citations")[0][0] if found else 0
