"""Answers in PostgreSQL: a real server, that is stopped while it is used."""

from __future__ import annotations

import random
import threading
from contextlib import suppress

import psycopg
import pytest
from postgres_kit import PASSWORD, QUOTED, ask, own_schema, shared_server
from server_kit import WAIT, wait_until
from sql_kit import (
    RANGE,
    RECORDS,
    SIDE,
    answers,
    broken_in_a_page,
    digest,
    kill_when,
    run,
    started,
)

from citemark.batch import BatchOptions
from citemark.batch.sql import SqlError, SqlSources, SqlState
from citemark.batch.sql._pages import Pages
from citemark.batch.sql._plan import Plan
from citemark.batch.sql.outputs import stats_of_table
from citemark.batch.where import read_where

pytestmark = pytest.mark.slow

COUNT = 200


@pytest.fixture
def server(request):
    """A server that all tests share; it runs, when a test begins."""
    return shared_server(request)


@pytest.fixture
def url(server):
    """The URL of a schema of its own."""
    return own_schema(server)


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
    "double precision": [-0.1, 0.1, 1e300, float("nan")],
    "date": ["-infinity", "0044-03-15 BC", "2026-01-01", "infinity"],
    "interval": ["1 mon", "-2 days", "00:00:00.000001"],
    "int[]": ["{}", "{1}", "{1,2}", "{2}"],
    "inet": ["10.0.0.1", "10.0.0.1/24", "::1"],
    "int4range": ["[1,2)", "[3,5)", "empty"],
    "char(3)": ["a", "ab", "abc"],
    "bit(3)": ["001", "101"],
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
    [(shown,)] = ask(url, "SELECT id::text FROM answers ORDER BY id DESC LIMIT 1")
    assert run(url).explain(shown)["action"] == "keep"
    assert stats_of_table(url).rows == len(KEYS[key])


def test_settings_of_a_server_do_not_matter(url):
    """How it shows dates and bytes, and what it isolates."""
    ask(url, "CREATE TABLE answers (id timestamptz, answer text, day date, tenant uuid)")
    ask(
        url,
        "INSERT INTO answers SELECT timestamptz '2026-02-01 00:00Z' + n * interval '40 days', "
        "'One [1].', date '2026-02-03' + n, md5(n::text)::uuid FROM generate_series(0, 9) n",
    )
    odd = "%20-cdatestyle%3DSQL,DMY%20-cdefault_transaction_isolation%3Dserializable"
    assert run(url + odd).go().rows == 10
    assert run(url).go().kept == 10
    assert run(url, where=[read_where("day=2026-02-04")]).dry_run().kept == 1
    tenant = "c4ca4238-a0b9-2382-0dcc-509a6f75849b"
    assert run(url, where=[read_where(f"tenant={tenant}")]).dry_run().kept == 1


def test_a_database_that_can_only_be_read(url):
    """What would be done is told all the same, and what was."""
    ask(url, 'CREATE TABLE chunks (id text, "set" text, n int[], score numeric)')
    ask(url, "INSERT INTO chunks VALUES ('a', '1', '{1}', 0.25), ('b', '1', '{2}', NULL)")
    ask(url, "CREATE TABLE answers (id int PRIMARY KEY, answer text)")
    ask(url, "INSERT INTO answers VALUES (1, 'One [1].'), (2, 'One [1].')")
    tables = SqlSources("chunks", order="n")
    only_read = f"{url}%20-cdefault_transaction_read_only%3Don"
    assert run(only_read, tables=tables).dry_run().why == {"new": 2}
    run(url, tables=tables).go()
    assert run(only_read, tables=tables).dry_run().kept == 2
    sources = run(only_read, tables=tables).explain("1")["input"]["sources"]
    assert sources == [{"id": "a", "score": 0.25}, {"id": "b", "score": None}]
    assert stats_of_table(only_read).to_dict()["citations"] == 1


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
    assert ask(url, run(url, **names).failed_rows()) == []
    assert refused(run(url, table="x" * 60))[0] == "names"
    assert refused(run(url, table="ODD"))[1].endswith("there is no table 'ODD'")
    ask(url, "CREATE TABLE odd (x int)")
    assert refused(run(url, table="ODD"))[1].endswith("there is no table 'ODD', but 'odd'")


def test_new_changed_and_deleted_answers(url):
    """Found by digests; the table of the answers is one that the user may only read."""
    fill(url, answers(60))
    ask(url, f"CREATE ROLE reader LOGIN PASSWORD '{PASSWORD}'")
    schema = url.rpartition("%3D")[2]
    ask(url, f"GRANT SELECT ON answers TO reader; GRANT USAGE ON SCHEMA {schema} TO reader")
    reader = url.replace("ann:", "reader:")
    assert refused(run(reader))[0] == "refused"
    ask(url, f"GRANT CREATE ON SCHEMA {schema} TO reader")
    tally = run(reader).go()
    assert (tally.rows, tally.errors, tally.nulls) == (60, 2, 2)
    ask(
        url,
        "UPDATE answers SET answer = 'New [2].' WHERE id = 3; DELETE FROM answers WHERE id = 4",
    )
    tally = run(reader).go()
    assert (tally.rows, tally.kept, tally.deleted, tally.deleted_ids) == (1, 58, 1, ("4",))


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
    ask(
        url, "CREATE TABLE unordered (id json, answer text); INSERT INTO unordered VALUES ('1')"
    )
    assert refused(run(url, table="unordered"))[0] == "keys"
    assert refused(run(f"{url}%20-cdefault_transaction_read_only%3Don"))[0] == "read-only"


@pytest.fixture(scope="module")
def whole(request):
    """The digest of an unbroken run over the answers of ``many``."""
    url = fill(own_schema(shared_server(request)), answers(COUNT))
    run(url).go()
    return made(url)


@pytest.fixture
def many(url, monkeypatch):
    """The URL of many answers, of which a range has few."""
    monkeypatch.setattr("citemark.batch.sql._plan.RANGE", RANGE)
    return fill(url, answers(COUNT))


@pytest.fixture
def count(many):
    """How many rows are made: asked over one connection, since it is asked often."""
    with psycopg.connect(many, autocommit=True) as connection:

        def asked():
            with suppress(psycopg.errors.UndefinedTable):
                return connection.execute(f"SELECT count(*) FROM {SIDE}").fetchone()[0]
            return 0

        yield asked


def test_a_server_that_is_stopped(server, many, whole):
    """The error says so; a later run does the rest, with the result of an unbroken one."""
    stop = iter([server.stop])
    try:
        fault, _ = refused(run(many, report=lambda _: next(stop, int)()))
    finally:
        server.start()
    assert fault == "stopped"
    state = run(many).state()
    assert state == SqlState(COUNT, RANGE, COUNT // RANGE)
    tally = run(many, resume=True).go()
    assert (tally.rows, tally.kept) == (COUNT - RANGE, 0)
    assert made(many) == whole


def test_a_page_is_written_as_a_whole_or_not(many, whole, monkeypatch):
    """Its rows, and how far its range is, are one transaction."""
    with monkeypatch.context() as patch:
        broken_in_a_page(patch)
        with pytest.raises(KeyboardInterrupt):
            run(many).go()
    assert run(many).state() == SqlState(COUNT, 2 * RANGE, COUNT // RANGE - 1)
    assert run(many, resume=True).go().rows == COUNT - 2 * RANGE
    assert made(many) == whole


def test_two_runs_side_by_side(many, whole, count):
    """They share the ranges: no answer is done twice, and both end when all are done."""
    others = []

    def join(tally):
        if not others:
            others.append(started(many))
            wait_until(lambda: count() > tally.rows)

    tally = run(many, report=join).go()
    assert (tally.rows < COUNT, tally.kept) == (True, 0)
    assert made(many) == whole
    others[0].join()
    assert others[0].exitcode == 0


def test_two_runs_that_begin_at_once(many, whole, monkeypatch):
    """The second one waits for the plan of the first, whatever the server isolates."""
    strict = f"{many}%20-cdefault_transaction_isolation%3Dserializable"
    make, total = Plan.make, Plan._total  # noqa: SLF001  where it waits
    is_planning = threading.Event()
    second = threading.Thread(target=lambda: run(strict).go())

    def make_later(self, limit=None):
        if threading.current_thread() is second:
            assert is_planning.wait(WAIT)
        make(self, limit)

    def wait(self, limit):
        if not is_planning.is_set():
            is_planning.set()
            waiting = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
            wait_until(lambda: ask(many, waiting))
        return total(self, limit)

    monkeypatch.setattr(Plan, "make", make_later)
    monkeypatch.setattr(Plan, "_total", wait)
    second.start()
    run(strict).go()
    second.join()
    assert run(many).state() == SqlState(COUNT, COUNT, 0)
    assert made(many) == whole


def test_a_range_that_another_process_has_is_waited_for(many, whole, monkeypatch):
    """What it holds is locked, until its connection ends."""
    monkeypatch.setattr("citemark.batch.sql.WAIT", 0.01)
    held = []
    waited = []

    def hold(tally):
        if not held:
            connection = psycopg.connect(many)
            last = (
                "SELECT 1 FROM answers_citations_work ORDER BY number DESC LIMIT 1 FOR UPDATE"
            )
            connection.execute(last)
            held.append(connection)
        elif tally.waiting:
            waited.append(tally.waiting)
            held[0].close()

    assert run(many, report=hold).go().rows == COUNT
    assert waited[0] == 1
    assert made(many) == whole


def test_kills_at_random_points_lose_and_double_nothing(many, whole, count):
    """Clients are killed while they write; the last result is that of an unbroken run."""
    rng = random.Random(5)  # noqa: S311  no secret
    for kill in range(2):
        wanted = 60 * kill + rng.randrange(1, 60)
        kill_when(started(many, workers=2 * kill), lambda n=wanted: count() >= n)
    assert 0 < count() < COUNT
    run(many, resume=True).go()
    assert made(many) == whole
