"""Answers in a database: SQLite, which every machine has."""

from __future__ import annotations

import json
import sqlite3

import pytest
from sql_kit import (
    OPTIONS,
    RECORDS,
    SIDE,
    answers,
    ask,
    fill,
    refused,
    run,
)

from citemark import Answer, render
from citemark.batch import BatchOptions, SourcesTable, annotate_row
from citemark.batch.sql._pages import Pages
from citemark.batch.where import read_where

JSON = ("cited", "rendered", "citations", "unresolved", "issues", "formats", "checks")


@pytest.fixture
def url(tmp_path):
    """A file of 60 answers."""
    return fill(tmp_path / "a.db", 60)


def test_rows_are_those_of_a_file(url):
    """The side table has what ``annotate_row`` gives, nulls and errors too."""
    tally = run(url).go()
    assert (tally.total, tally.rows, tally.errors, tally.nulls) == (60, 60, 2, 2)
    names = [*JSON, "schema", "version", "options_digest", "content_digest", "error"]
    rows = ask(url, f"SELECT answer_id, {', '.join(names)} FROM {SIDE} ORDER BY answer_id")
    for (id_, *values), (n, answer, sources) in zip(rows, answers(60), strict=True):
        row = annotate_row({"id": n, "answer": answer, "sources": sources}, OPTIONS)
        found = dict(zip(names, values, strict=True))
        found |= {name: json.loads(found[name]) for name in JSON if found[name]}
        assert {"id": str(id_), **found} == row


def test_a_stored_answer_renders_without_its_sources(url):
    """What stands in ``cited`` is the answer."""
    run(url).go()
    [(cited, rendered)] = ask(url, f"SELECT cited, rendered FROM {SIDE} WHERE answer_id = 1")
    assert render(Answer.from_dict(json.loads(cited)), "text") == json.loads(rendered)["text"]


def test_answers_are_only_read(url):
    """Table, schema and content stay as they were."""
    ask(url, "CREATE TRIGGER t BEFORE UPDATE ON answers BEGIN SELECT raise(FAIL, 'no'); END")
    before = ask(url, "SELECT * FROM answers"), ask(url, "SELECT sql FROM sqlite_schema")
    run(url).go()
    after = ask(url, "SELECT sql FROM sqlite_schema")
    assert (ask(url, "SELECT * FROM answers"), after[: len(before[1])]) == before


def test_only_new_and_changed_answers_are_made_again(url):
    """Found by digests; what was deleted is told, and stays."""
    run(url).go()
    tally = run(url).go()
    assert (tally.rows, tally.kept, tally.kept_errors, tally.deleted) == (0, 60, 2, 0)
    ask(url, "UPDATE answers SET answer = 'New [2].' WHERE id IN (3, 4)")
    ask(url, "UPDATE answers SET sources = '[]' WHERE id = 5")
    ask(url, "DELETE FROM answers WHERE id IN (20, 21)")
    ask(url, "INSERT INTO answers VALUES (500, 'Late [1].', ?)", RECORDS)
    tally = run(url).go()
    assert (tally.rows, tally.kept) == (4, 55)
    assert (tally.deleted, tally.deleted_ids) == (2, ("20", "21"))
    [(text,)] = ask(url, f"SELECT rendered FROM {SIDE} WHERE answer_id = 3")
    assert json.loads(text)["text"].startswith("New [1].")


@pytest.mark.parametrize(
    "settings",
    [
        {"options": BatchOptions(to=("markdown",))},
        {"sources": SourcesTable([{"id": "x"}])},
    ],
    ids=["options", "sources"],
)
def test_other_options_or_sources_make_all_again(url, settings):
    """A row tells what it was made with."""
    run(url).go()
    assert run(url, **settings).go().rows == 60
    assert run(url, **settings).go().rows == 0


def test_another_version_has_rows_of_its_own(url):
    """Rows of an older version stay beside those of this one."""
    run(url).go()
    ask(url, f"UPDATE {SIDE} SET version = '0.0.9'")
    assert run(url).go().rows == 60
    counts = ask(url, f"SELECT version, count(*) FROM {SIDE} GROUP BY 1 ORDER BY 1")
    assert [count for _, count in counts] == [60, 60]


def test_rows_with_errors_are_made_again_when_asked(url):
    """Only they are."""
    run(url).go()
    tally = run(url, retry_errors=True).go()
    assert (tally.rows, tally.errors, tally.kept) == (2, 2, 58)


@pytest.mark.parametrize(
    ("type_", "keys"),
    [
        ("TEXT PRIMARY KEY", ["", "a", "B", "b'\"; DROP TABLE answers; --", "\0", "ä", "日本"]),
        ("BLOB PRIMARY KEY", [b"", b"\xff\x00", b"a"]),
        ("REAL PRIMARY KEY", [-1.5, 0.0, 2.25, 1e300]),
        ("INTEGER PRIMARY KEY", [-(2**63), -1, 0, 2**63 - 1]),
        ("TEXT COLLATE NOCASE PRIMARY KEY", ["a", "B", "c", "D"]),
        ("PRIMARY KEY", [1, "1", 1.5, b"1", "x"]),
    ],
)
def test_ids_of_any_type(tmp_path, monkeypatch, type_, keys):
    """What has an order is read page by page, and found again."""
    monkeypatch.setattr(Pages.after, "__defaults__", (2,))
    monkeypatch.setattr("citemark.batch.sql._plan.RANGE", 3)
    url = fill(tmp_path / "a.db", schema=f"id {type_}, answer TEXT, sources TEXT")
    for key in keys:
        ask(url, "INSERT INTO answers VALUES (?, 'It is [1].', '[]')", key)
    assert run(url).go().rows == len(keys)
    assert run(url).go().kept == len(keys)
    join = f"SELECT count(*) FROM answers JOIN {SIDE} ON answer_id IS +id"
    assert ask(url, join) == [(len(keys),)]


@pytest.mark.parametrize(("collation", "key"), [("NOCASE", "A"), ("RTRIM", "a  ")])
def test_an_id_that_is_written_otherwise_is_another_one(tmp_path, collation, key):
    """Where its column takes both for the same, too: the row of the old one is told."""
    schema = f"id TEXT COLLATE {collation} PRIMARY KEY, answer TEXT, sources TEXT"
    url = fill(tmp_path / "a.db", schema=schema)
    for id_ in ("a", "b"):
        ask(url, "INSERT INTO answers VALUES (?, 'It is [1].', '[]')", id_)
    assert run(url).go().deleted == 0
    ask(url, "UPDATE answers SET id = ? WHERE id = 'a'", key)
    tally = run(url).go()
    assert (tally.rows, tally.kept, tally.deleted, tally.deleted_ids) == (1, 1, 1, ("a",))


def test_names_are_quoted(tmp_path):
    """Whatever tables and columns are called, they are names and nothing else."""
    odd = "a\"; DROP TABLE x; -- %s ? {0} 'q"
    path = tmp_path / "a b%20?c.db"
    url = f"sqlite:///{path}"
    quoted = odd.replace('"', '""')
    with sqlite3.connect(path) as database:
        database.execute(
            f'CREATE TABLE "{quoted}" ("{quoted}" INTEGER PRIMARY KEY, "order" TEXT)'
        )
        database.execute(f"INSERT INTO \"{quoted}\" VALUES (1, 'It is [1].')")
    database.close()
    names = {"table": f'"{quoted}"', "key": odd, "columns": {"answer": "order"}}
    assert run(url, **names).go().rows == 1
    assert ask(url, f'SELECT answer_id, error FROM "{quoted}_citations"') == [(1, None)]


def test_conditions_and_limit(url):
    """They may ask for any column; the limit is for the answers that are looked at."""
    ask(url, "ALTER TABLE answers ADD COLUMN team TEXT")
    ask(url, "UPDATE answers SET team = 'red' WHERE id % 2")
    assert run(url, where=[read_where("team=red")], limit=31).go().rows == 15
    assert ask(url, f"SELECT max(answer_id) FROM {SIDE}") == [(29,)]
    assert run(url, limit=0).go().total == 0
    assert refused(run(url, where=[read_where("tem=red")])) == (
        "missing",
        "where: no column 'tem' is read",
    )


def test_pages_are_bounded_in_bytes(url, monkeypatch):
    """A page ends before it gets too heavy; an answer that is heavier has a page of its own."""
    monkeypatch.setattr("citemark.batch.sql._pages.MAX_BYTES", 1_000)
    ask(url, "UPDATE answers SET answer = ? WHERE id = 30", "x" * 5_000)
    sizes = []
    monkeypatch.setattr("citemark.batch.sql._pages.Pages.write", _noting(sizes))
    assert run(url).go().rows == 60
    assert sum(sizes) == 60
    assert max(sizes) <= 1_000 // len(RECORDS) + 1


def _noting(sizes):
    write = Pages.write

    def noted(self, made, options):
        sizes.append(len(made))
        return write(self, made, options)

    return noted


@pytest.mark.parametrize("name", ["provider", "sources"])
def test_conditions_on_a_column_that_is_left_out(tmp_path, name):
    """It is compared, and read as nothing else."""
    url = fill(tmp_path / "a.db", 3, "id INTEGER PRIMARY KEY, answer TEXT, given TEXT")
    ask(url, f"ALTER TABLE answers ADD COLUMN {name} TEXT")
    ask(url, f"UPDATE answers SET {name} = 'acme' WHERE id < 2")
    given = {"columns": {name: None}, "where": [read_where(f"{name}=acme")]}
    tally = run(url, **given).go()
    assert (tally.rows, tally.errors, tally.left_out) == (2, 0, 1)
    assert run(url, columns={name: None}).dry_run().kept == 2
