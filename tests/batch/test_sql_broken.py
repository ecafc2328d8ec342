"""Runs that are broken off lose nothing, and double nothing."""

from __future__ import annotations

import random
import sqlite3

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

from citemark.batch import BatchOptions
from citemark.batch.sql import SqlState
from citemark.batch.sql._pages import Pages
from citemark.renderers._registry import added


@pytest.fixture
def url(tmp_path):
    """A file of 120 answers."""
    return fill(tmp_path / "a.db", 120)


def test_a_broken_run_is_gone_on_with(url, tmp_path, monkeypatch):
    """The rest is done, the result is that of an unbroken run."""
    whole = fill(tmp_path / "whole.db", 120)
    run(whole).go()
    monkeypatch.setattr("citemark.batch.sql._plan.RANGE", 20)

    def stop(tally):
        if tally.rows >= 60:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(url, report=stop).go()
    assert run(url).state() == SqlState(answers=120, made=60, unfinished=4)
    tally = run(url, resume=True).go()
    assert (tally.total, tally.rows, tally.kept) == (60, 60, 0)
    assert made(url) == made(whole)
    assert run(url, resume=True).go().kept == 120


def test_a_page_is_written_as_a_whole_or_not(url, tmp_path, monkeypatch):
    """Its rows, and how far its range is, are one transaction."""
    whole = fill(tmp_path / "whole.db", 120)
    run(whole).go()
    monkeypatch.setattr(Pages.after, "__defaults__", (20,))
    with monkeypatch.context() as patch:
        broken_in_a_page(patch)
        with pytest.raises(KeyboardInterrupt):
            run(url).go()
    assert run(url).state() == SqlState(answers=120, made=40, unfinished=1)
    assert run(url, resume=True).go().rows == 80
    assert made(url) == made(whole)


@pytest.mark.slow
def test_kills_at_random_points_lose_and_double_nothing(tmp_path):
    """Processes are killed while they write; the last result is that of an unbroken run."""
    whole, broken = (fill(tmp_path / f"{name}.db", 1_500) for name in ("whole", "broken"))
    run(whole).go()
    rng = random.Random(7)  # noqa: S311  no secret
    for kill in range(3):
        wanted = 400 * kill + rng.randrange(1, 400)
        kill_when(started(broken, workers=kill % 2 * 2), lambda n=wanted: _count(broken) >= n)
    assert _count(broken) > 0
    assert run(broken, resume=True).go().errors > 0
    assert made(broken) == made(whole)
    assert run(broken).state() == SqlState(answers=1_500, made=1_500, unfinished=0)


def _count(url):
    try:
        [(count,)] = ask(url, f"SELECT count(*) FROM {SIDE}")
    except sqlite3.OperationalError:  # there is no table yet
        return 0
    return count


@pytest.mark.slow
def test_several_processes_give_the_same(url, tmp_path):
    """Two at once, each with a connection of its own."""
    whole = fill(tmp_path / "whole.db", 120)
    run(whole).go()
    assert run(url, workers=2).go().rows == 120
    assert made(url) == made(whole)


@pytest.mark.slow
def test_an_answer_that_ends_its_process_is_a_row_with_an_error(tmp_path, monkeypatch, request):
    """All others are made."""
    url = fill(tmp_path / "a.db", 30)
    package = tmp_path / "deadly-1.dist-info"
    package.mkdir()
    (package / "entry_points.txt").write_text("[citemark.renderers]\ndeadly = deadly:Deadly\n")
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: deadly\nVersion: 1\n")
    (tmp_path / "deadly.py").write_text(
        "import os\nclass Deadly:\n name = 'deadly'\n def render(self, answer):\n"
        "  return os._exit(7) if 'Claim 16' in answer.text else 'alive'\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    request.addfinalizer(added.cache_clear)
    added.cache_clear()
    tally = run(url, BatchOptions(to=("deadly",)), workers=1).go()
    assert (tally.rows, tally.errors) == (30, 2)
    error = "the worker ended with exit code 7"
    assert ask(url, f"SELECT error FROM {SIDE} WHERE answer_id = 16") == [(error,)]
