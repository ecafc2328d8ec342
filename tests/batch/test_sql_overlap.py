"""Runs over one database that overlap, or follow one of other options that was broken off."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager

import pytest
from sql_kit import OPTIONS, RECORDS, SIDE, ask, fill, refused, run

from citemark.batch import BatchOptions
from citemark.batch.sql._sqlite import Sqlite
from citemark.batch.sql._work import _Worker

COUNT = 60
WORK = f"{SIDE}_work"
OTHER = BatchOptions(to=("html",))
ELSEWHERE = ("locked", "another run, with other options, is writing there; wait for it to end")


@pytest.fixture
def url(tmp_path, monkeypatch):
    """A file of answers, in ranges of ten."""
    monkeypatch.setattr("citemark.batch.sql._plan.RANGE", 10)
    return fill(tmp_path / "a.db", COUNT)


def stop(*_):
    raise KeyboardInterrupt


def stopped_at(rows):
    """Return what stops a run that has so many rows."""
    return lambda tally: tally.rows < rows or stop()


def digests(url):
    """Return with how many options rows were made."""
    return ask(url, f"SELECT options_digest, count(*) FROM {SIDE} GROUP BY 1")


def meanwhile(monkeypatch, number, action):
    """Do something after a page was read, and before it is written."""
    annotated, pages = _Worker._annotated, []  # noqa: SLF001  between reading and writing

    def hooked(self, page, failure):
        made = annotated(self, page, failure)
        pages.append(page)
        if len(pages) == number:
            action()
        return made

    monkeypatch.setattr(_Worker, "_annotated", hooked)


@pytest.mark.parametrize("number", [1, 3])
def test_what_was_read_for_an_earlier_plan_is_not_noted_in_a_later_one(
    url, monkeypatch, number
):
    """Answers that came or changed below it are done."""

    def begin_anew():
        ask(url, "INSERT INTO answers SELECT -n, 'New [1].', ? FROM "
            "(SELECT row_number() OVER () AS n FROM answers LIMIT 15)", RECORDS)  # fmt: skip
        ask(url, "UPDATE answers SET answer = 'Changed [1].' WHERE id BETWEEN 1 AND 20")
        ask(url, "DELETE FROM answers WHERE id = 29")
        with pytest.raises(KeyboardInterrupt):
            run(url, begin=stop).go()

    meanwhile(monkeypatch, number, begin_anew)
    run(url).go()
    found = run(url).dry_run()
    assert (found.rows, found.state.unfinished) == (0, 0)


def test_a_run_of_the_same_kind_that_begins_meanwhile(url, monkeypatch):
    """It may do all that there is; the first one ends too."""
    tallies = []
    meanwhile(monkeypatch, 2, lambda: tallies.append(run(url).go()))
    tally = run(url).go()
    assert (tallies[0].rows, tallies[0].kept) == (COUNT - 10, 10)
    assert (tally.rows, run(url).dry_run().kept) == (10, COUNT)


def test_a_later_run_takes_the_place_of_one_that_was_broken_off(url):
    """Nothing is left of it, so that it begins anew when it is to go on."""
    with pytest.raises(KeyboardInterrupt):
        run(url, report=stopped_at(30)).go()
    assert ask(url, f"SELECT count(*) FROM {WORK}") == [(4,)]
    run(url, OTHER).go()
    assert digests(url) == [(OTHER.digest, COUNT)]
    assert ask(url, f"SELECT count(*) FROM {WORK}") == [(0,)]
    assert run(url, resume=True).dry_run().rows == COUNT
    tally = run(url, resume=True).go()
    assert (tally.goes_on, tally.rows) == (False, COUNT)
    assert digests(url) == [(OPTIONS.digest, COUNT)]
    assert ask(url, f"SELECT count(*) FROM {WORK}") == [(0,)]


def test_two_that_were_broken_off(url):
    """The first one begins anew: rows of the other one are among those that it had made."""
    for options in (OPTIONS, OTHER):
        with pytest.raises(KeyboardInterrupt):
            run(url, options, report=stopped_at(20)).go()
    assert run(url, OTHER).state().unfinished == 5
    assert run(url).state().unfinished == 0
    assert run(url, resume=True).go().total == COUNT
    assert digests(url) == [(OPTIONS.digest, COUNT)]


def test_runs_of_another_kind_are_kept_away(url, tmp_path):
    """As long as one lives, and not longer; those of the same kind are welcome."""
    seen = []

    def look(_):
        if not seen:
            seen.append(refused(run(url, OTHER)))
            seen.append(refused(run(url, limit=5, resume=True)))
            seen.append(run(url, OTHER, into="elsewhere").go().rows)
            seen.append(run(url, OTHER).dry_run().rows)
            seen.append(run(url, resume=True).go().total)

    run(url, report=look).go()
    assert seen == [ELSEWHERE, ELSEWHERE, COUNT, COUNT, COUNT - 10]
    assert digests(url) == [(OPTIONS.digest, COUNT)]
    assert run(url, OTHER).go().rows == COUNT
    with pytest.raises(KeyboardInterrupt):
        run(url, begin=stop).go()
    assert run(url, OTHER).go().kept == COUNT
    assert [path.name for path in tmp_path.iterdir()] == ["a.db"]


def test_a_file_in_which_others_write_when_a_run_ends(url, tmp_path, monkeypatch):
    """What it shared may stay, and keeps nobody away."""
    monkeypatch.setattr("citemark.batch.sql._sqlite.LEAVING", 0)
    with closing(sqlite3.connect(tmp_path / "a.db", isolation_level=None)) as other:

        def hold(tally):
            other.execute("BEGIN IMMEDIATE")
            stop(tally)

        with pytest.raises(KeyboardInterrupt):
            run(url, report=hold).go()
        other.execute("ROLLBACK")
    assert len([*tmp_path.iterdir()]) == 2
    assert run(url, OTHER).go().rows == COUNT
    assert len([*tmp_path.iterdir()]) == 1


@contextmanager
def _nothing(path, kind):  # noqa: ARG001  it stands for ``shared``
    yield True


def test_a_run_that_loses_its_plan_stops(url, monkeypatch):
    """Where no run can be kept away; pages of the plan that it had are written no more."""
    monkeypatch.setattr("citemark.batch.sql._sqlite.shared", _nothing)

    def begin_another():
        with pytest.raises(KeyboardInterrupt):
            run(url, OTHER, begin=stop).go()

    meanwhile(monkeypatch, 3, begin_another)
    assert refused(run(url)) == ELSEWHERE
    assert ask(url, f"SELECT count(*) FROM {SIDE}") == [(20,)]
    assert run(url, OTHER, resume=True).go().rows == COUNT


@pytest.mark.parametrize("content", [b"no database " * 90, None], ids=["odd", "folder"])
def test_where_nothing_can_be_shared(url, tmp_path, content):
    """A run goes on all the same."""
    seen = []
    run(url, report=lambda _: seen.extend(tmp_path.glob("*-citemark-*"))).go()
    path = seen[0]
    assert not path.exists()
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    assert run(url, OTHER).go().rows == COUNT


def test_an_equal_run_that_begins_anew_meanwhile(url, monkeypatch):
    """Rows that this run made are looked at again, and not counted as there before."""
    run(url).go()
    ask(url, "UPDATE answers SET answer = 'New [1].' WHERE id < 15")

    def begin_anew():
        with pytest.raises(KeyboardInterrupt):
            run(url, begin=stop).go()

    meanwhile(monkeypatch, 3, begin_anew)
    tally = run(url).go()
    assert (tally.rows, tally.kept, tally.again) == (15, 5, COUNT)
    assert (tally.errors + tally.kept_errors, tally.done) == (2, COUNT + 20)


def test_who_has_ended_waits_as_long_as_before(url):
    """Only to remove its file it waits for less."""
    database = Sqlite(url)
    before = database.run("PRAGMA busy_timeout")
    with database.present('"work"', "0" * 32):
        assert database.run("PRAGMA busy_timeout") == before
    assert database.run("PRAGMA busy_timeout") == before
    database.close()
