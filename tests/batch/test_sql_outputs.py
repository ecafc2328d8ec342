"""Figures over a side table."""

from __future__ import annotations

import pytest
from sql_kit import OPTIONS, SIDE, answers, ask, fill, run

from citemark.batch import annotate_row
from citemark.batch.sql import SqlError, SqlNames
from citemark.batch.sql.outputs import stats_of_table
from citemark.batch.stats import Stats
from citemark.model import Source

COUNT = 30


@pytest.fixture
def url(tmp_path):
    """A file of answers, of which all are done."""
    url = fill(tmp_path / "a.db", COUNT)
    run(url).go()
    return url


def test_figures_are_those_of_the_rows(url, monkeypatch):
    """Page by page, in order of the ids; the sources that nothing cites too."""
    monkeypatch.setattr("citemark.batch.sql.outputs.PAGE", 7)
    given = [Source(id="faq"), Source(id="never")]
    expected = Stats(given)
    for id_, answer, sources in answers(COUNT):
        expected.add(annotate_row({"id": id_, "answer": answer, "sources": sources}, OPTIONS))
    told = []
    found = stats_of_table(
        url, given=given, report=lambda tally: told.append((tally.rows, tally.total))
    )
    assert found.to_dict() == expected.to_dict()
    assert told == [(7, 30), (14, 30), (21, 30), (28, 30), (30, 30)]


def test_rows_of_this_version_count(url):
    """Others stand beside them; if there are no others, it says so."""
    ask(url, f"UPDATE {SIDE} SET version = '0.0.9' WHERE answer_id < 10")
    assert stats_of_table(url).rows == 20
    ask(url, f"UPDATE {SIDE} SET version = '0.0.9'")
    assert _refused(url).startswith("answers_citations has rows of citemark 0.0.9 only; run ")
    ask(url, f"DELETE FROM {SIDE}")
    assert stats_of_table(url).rows == 0


def test_rows_that_are_not_as_they_were_made(url):
    """They are counted, and named."""
    ask(url, f"UPDATE {SIDE} SET cited = '[' WHERE answer_id = 4")
    found = stats_of_table(url).to_dict()
    assert (found["rows"], found["unread"]) == (29, 1)
    assert found["unread_rows"][0]["name"] == "answers_citations, 4"


def test_other_tables_are_refused(url):
    """And those that are not there."""
    assert _refused(url, SqlNames(into="answers")) == (
        "answers is not what a run writes: it has no column 'answer_id'"
    )
    assert _refused(url, SqlNames("nope")) == "there is no table 'nope_citations'"


def _refused(url, names=None):
    with pytest.raises(SqlError) as caught:
        stats_of_table(url, names)
    return caught.value.reason
