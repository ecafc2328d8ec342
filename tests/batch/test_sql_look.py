"""What a run over a database would do, and what becomes of one answer; nothing is written."""

from __future__ import annotations

import pytest
from sql_kit import OPTIONS, RECORDS, SIDE, ask, fill, refused, run

from citemark.batch import BatchOptions, SourcesTable, annotate_row
from citemark.batch.sql import SqlDryRun, SqlSources, SqlState
from citemark.batch.where import read_where

COUNT = 60


@pytest.fixture
def url(tmp_path):
    """A file of 60 answers."""
    return fill(tmp_path / "a.db", COUNT)


def schema(url):
    return ask(url, "SELECT sql FROM sqlite_schema")


def test_before_the_first_run(url):
    """All is new, and both tables would be made; none is."""
    before = schema(url)
    found = run(url).dry_run()
    assert found == SqlDryRun(
        state=SqlState(answers=COUNT, made=0, unfinished=0),
        makes=('"answers_citations"', '"answers_citations_work"'),
        rows=COUNT,
        why={"new": COUNT},
    )
    assert run(url).explain("3")["why"] == "new"
    assert schema(url) == before


@pytest.mark.parametrize(
    ("settings", "rows", "why"),
    [
        ({}, 2, {"content": 1, "new": 1}),
        ({"retry_errors": True}, 4, {"content": 1, "new": 1, "error": 2}),
        ({"options": BatchOptions(to=("html",))}, 60, {"options": 59, "new": 1}),
        ({"sources": SourcesTable([{"id": "x"}])}, 60, {"sources": 59, "new": 1}),
        ({"limit": 10}, 1, {"content": 1}),
        ({"where": [read_where("id=70")]}, 1, {"new": 1}),
    ],
    ids=["again", "errors", "options", "sources", "limit", "where"],
)
def test_it_is_what_a_run_does(url, monkeypatch, settings, rows, why):
    """The same answers, for a reason; the tables are as they were until then."""
    monkeypatch.setattr("citemark.batch.sql._look.PAGE", 25)
    run(url).go()
    ask(url, "UPDATE answers SET answer = 'New [2].' WHERE id = 3")
    ask(url, "DELETE FROM answers WHERE id = 5")
    ask(url, "INSERT INTO answers VALUES (70, 'Late [1].', ?)", RECORDS)
    before = ask(url, f"SELECT * FROM {SIDE}")
    told = []
    found = run(url, report=lambda tally: told.append(tally.done), **settings).dry_run()
    assert (found.rows, found.why, found.makes) == (rows, why, ())
    assert ask(url, f"SELECT * FROM {SIDE}") == before
    tally = run(url, **settings).go()
    assert (tally.rows, tally.kept, tally.kept_errors, tally.left_out) == (
        found.rows,
        found.kept,
        found.kept_errors,
        found.left_out,
    )
    assert tally.done == tally.total == told[-1]


def test_an_older_schema_is_a_reason(url):
    """So is it for one answer."""
    run(url).go()
    ask(url, f"UPDATE {SIDE} SET schema = 0 WHERE answer_id < 4")
    assert run(url).dry_run().why == {"schema": 4}
    assert [run(url).explain(id_)["why"] for id_ in ("3", "4")] == ["schema", None]


def test_one_answer_in_full(url):
    """As it is read, with its sources, and what becomes of it."""
    run(url).go()
    found = run(url).explain("1")
    row = {"id": 1, "answer": "Claim 1 stands [1], and [1] too.\n", "sources": RECORDS}
    assert found == {
        "table": "answers",
        "action": "keep",
        "why": None,
        "input": row,
        "output": annotate_row(row, OPTIONS),
    }
    assert run(url, where=[read_where("id=2")]).explain("1")["action"] == "leave out"
    assert run(url).explain("77") is None


def test_one_answer_with_sources_of_a_table(tmp_path):
    """They stand in the row, or why there are none in what becomes of it."""
    url = fill(tmp_path / "a.db", schema="id TEXT, answer TEXT, sources TEXT")
    ask(url, 'CREATE TABLE chunks (id TEXT, "set" TEXT, n INTEGER, title TEXT)')
    ask(url, "INSERT INTO chunks VALUES ('a', 'may', 1, 'Terms')")
    ask(url, "INSERT INTO answers VALUES ('x', 'One [1].', 'may'), ('y', 'One [1].', 'june')")
    chunks = SqlSources("chunks", order="n")
    assert run(url, tables=chunks).explain("x")["input"]["sources"] == [
        {"id": "a", "title": "Terms"}
    ]
    error = run(url, tables=chunks).explain("y")["output"]["error"]
    assert error == "RowSourcesError: sources: the table has none named 'june'"


@pytest.mark.parametrize(
    ("type_", "key", "id_"),
    [
        ("INTEGER", -7, "-7"),
        ("", 7, "7"),
        ("", 7.5, "7.5"),
        ("TEXT", "7", "7"),
        ("BLOB", b"a7", "a7"),
        ("REAL", 1e300, "1e+300"),
        ("TEXT", "\0é", "\0é"),
    ],
)
def test_ids_are_found_as_they_are_shown(tmp_path, type_, key, id_):
    """Whatever their type, and that of the column."""
    url = fill(tmp_path / "a.db", schema=f"id {type_}, answer TEXT, sources TEXT")
    ask(url, "INSERT INTO answers VALUES (?, 'One [1].', '[]')", key)
    assert run(url).explain(id_)["input"]["answer"] == "One [1]."
    assert [run(url).explain(other) for other in ("8", "x", "\udcff", "")] == [None] * 4


def test_rows_that_failed_are_shown_by_a_statement(url):
    """With their ids and reasons."""
    run(url).go()
    rows = ask(url, run(url).failed_rows())
    assert [id_ for id_, _ in rows] == [9, 59]
    assert all(error.startswith("RowSourcesError: sources: no JSON") for _, error in rows)


def test_what_cannot_be_run_is_refused(url):
    """As a run would be."""
    ask(url, f"CREATE TABLE {SIDE} (x)")
    assert refused(run(url), "dry_run") == refused(run(url))
    assert run(url, into="other").dry_run().rows == COUNT
