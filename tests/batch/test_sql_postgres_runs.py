"""Runs over PostgreSQL: a real server that is stopped, runs side by side, clients that die."""

from __future__ import annotations

import random
import threading
import time
from contextlib import suppress

import psycopg
import pytest
from postgres_kit import ask, own_schema, shared_server
from server_kit import WAIT, wait_until
from sql_kit import RANGE, SIDE, answers, broken_in_a_page, kill_when, run, started
from sql_postgres_kit import fill, made, refused

from citemark.batch.sql import SqlState
from citemark.batch.sql._plan import Plan

pytestmark = pytest.mark.slow

COUNT = 200


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


def test_an_equal_run_that_begins_anew_meanwhile(many):
    """What the first one made is looked at again, and not counted as there before."""
    ask(many, "UPDATE answers SET answer = 'One [1].' WHERE id = 0")
    others = []

    def begin_anew(_):
        if not others:
            others.append(run(many, begin=stop))
            with pytest.raises(KeyboardInterrupt):
                others[0].go()

    tally = run(many, report=begin_anew).go()
    assert (tally.rows, tally.kept, tally.again) == (COUNT, 0, RANGE)
    assert run(many).go().kept == COUNT


def stop(_):
    raise KeyboardInterrupt


def test_answers_that_are_deleted_while_ranges_are_made(many, monkeypatch):
    """A limit takes those that are left."""
    total = Plan._total  # noqa: SLF001  where they are counted

    def delete(self, limit):
        found = total(self, limit)
        ask(many, f"DELETE FROM answers WHERE id >= {COUNT // 2 + 5}")
        return found

    monkeypatch.setattr(Plan, "_total", delete)
    assert run(many, limit=COUNT - 10).go().rows == COUNT // 2 + 5


def test_a_server_that_ends_idle_sessions(many, whole):
    """A run waits for its processes, and is not idle."""
    strict = f"{many}%20-cidle_session_timeout%3D50ms"
    naps = iter([0.2])
    assert run(strict, report=lambda _: time.sleep(next(naps, 0))).go().rows == COUNT
    assert made(many) == whole
