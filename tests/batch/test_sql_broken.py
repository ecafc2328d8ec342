"""Runs that are broken off lose nothing, and double nothing."""

from __future__ import annotations

import pickle
import random
import sqlite3
from contextlib import closing, contextmanager

import pytest
from sql_kit import (
    SIDE,
    ask,
    broken_in_a_page,
    fill,
    kill_when,
    made,
    run,
    started,
)

from citemark.batch.sql import SqlState
from citemark.batch.sql import _reader as reader
from citemark.batch.sql._pages import Pages
from citemark.batch.sql._work import Done, RangeJob, RangeTask

COUNT = 60
MANY = 240


@pytest.fixture
def url(tmp_path):
    """A file of answers."""
    return fill(tmp_path / "a.db", COUNT)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The digest of an unbroken run over so many answers."""
    folder = tmp_path_factory.mktemp("whole")

    def digest_of(count):
        url = fill(folder / f"{count}.db", count)
        run(url).go()
        return made(url)

    return {count: digest_of(count) for count in (COUNT, MANY)}


def test_a_broken_run_is_gone_on_with(url, whole, monkeypatch):
    """The rest is done, the result is that of an unbroken run."""
    monkeypatch.setattr("citemark.batch.sql._plan.RANGE", 10)

    def stop(tally):
        if tally.rows >= 30:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(url, report=stop).go()
    assert run(url).state() == SqlState(answers=60, made=30, unfinished=4)
    left = run(url, resume=True).dry_run()
    assert (left.rows, left.kept, run(url).dry_run().kept) == (30, 0, 30)
    tally = run(url, resume=True).go()
    assert (tally.total, tally.rows, tally.kept) == (30, 30, 0)
    assert (tally.errors, tally.kept_errors) == (1, 1)
    assert made(url) == whole[COUNT]
    assert run(url, resume=True).go().kept == 60


def test_a_page_is_written_as_a_whole_or_not(url, whole, monkeypatch):
    """Its rows, and how far its range is, are one transaction."""
    monkeypatch.setattr(Pages.after, "__defaults__", (10,))
    with monkeypatch.context() as patch:
        broken_in_a_page(patch)
        with pytest.raises(KeyboardInterrupt):
            run(url).go()
    assert run(url).state() == SqlState(answers=60, made=20, unfinished=1)
    assert run(url, resume=True).go().rows == 40
    assert made(url) == whole[COUNT]


@pytest.mark.slow
def test_kills_at_random_points_lose_and_double_nothing(tmp_path, whole):
    """Processes are killed while they write; two others give the result of an unbroken run."""
    broken = fill(tmp_path / "broken.db", MANY)
    rng = random.Random(7)  # noqa: S311  no secret
    for kill in range(3):
        wanted = 60 * kill + rng.randrange(1, 60)
        kill_when(started(broken), lambda n=wanted: _count(broken) >= n)
    assert 0 < _count(broken) < MANY
    assert run(broken, resume=True, workers=2).go().errors > 0
    assert made(broken) == whole[MANY]
    assert run(broken).state() == SqlState(answers=MANY, made=MANY, unfinished=0)


def _count(url):
    try:
        [(count,)] = ask(url, f"SELECT count(*) FROM {SIDE}")
    except sqlite3.OperationalError:  # there is no table yet
        return 0
    return count


class Death(BaseException):
    """The end of a process."""


@contextmanager
def _dying(job, workers):  # noqa: ARG001  it stands for ``pool.each``
    """Give what a pool does whose processes die of a task: its parts, and what is left."""

    def ask(task):
        process = pickle.loads(pickle.dumps(job))  # noqa: S301  of this test
        try:
            return process.run(task)
        finally:
            process.close()

    def do(task):
        try:
            return ask(task)
        except Death:
            parts = job.split(task)
        if len(parts) > 1:
            return job.join([do(part) for part in parts])
        return job.failed(task, "it died")

    yield lambda tasks: map(do, tasks)


@pytest.mark.parametrize("page", [1, 20])
def test_an_answer_that_ends_its_process_is_a_row_with_an_error(url, monkeypatch, page):
    """All others are made, with the pages after it; it may be a page of its own."""
    monkeypatch.setattr(Pages.after, "__defaults__", (page,))
    monkeypatch.setattr("citemark.batch.sql.each", _dying)
    monkeypatch.setattr("citemark.batch.sql.WAIT", "there is nobody to wait for")
    annotate = reader.annotate_row

    def deadly(row, *rest):
        if row["id"] == 16:
            raise Death
        return annotate(row, *rest)

    monkeypatch.setattr(reader, "annotate_row", deadly)
    tally = run(url).go()
    assert (_count(url), tally.errors + tally.kept_errors) == (COUNT, 3)
    found = ask(url, f"SELECT answer_id, error FROM {SIDE} WHERE error LIKE '%it died%'")
    assert found == [(16, "it died")]


def test_a_range_does_not_go_back(url, monkeypatch):
    """Another run may have done an answer over which a process of this one died."""
    monkeypatch.setattr(Pages.after, "__defaults__", (10,))
    with monkeypatch.context() as patch:
        broken_in_a_page(patch)
        with pytest.raises(KeyboardInterrupt):
            run(url).go()
    work = f"SELECT run, number, after FROM {SIDE}_work"
    [(plan, number, after)] = ask(url, work)
    with closing(RangeJob(run(url)._settings())) as job:  # noqa: SLF001  of a process of it
        assert job.run(RangeTask(plan, number, key=3)) == Done()
        assert ask(url, work) == [(plan, number, after)]
        assert job.run(RangeTask(plan, number, key=after + 1)).rows == 1
