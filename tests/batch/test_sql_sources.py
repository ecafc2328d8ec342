"""Sources that stand in the database, or are given to the run."""

from __future__ import annotations

import json

import pytest
from sql_kit import (
    SIDE,
    ask,
    fill,
    refused,
    run,
)

from citemark.batch import BatchOptions, SourcesTable
from citemark.batch.sql import SqlSources


@pytest.fixture
def stored(tmp_path):
    """Answers that refer to a table of sources, and that table."""
    url = fill(tmp_path / "s.db", schema="id TEXT PRIMARY KEY, answer TEXT, sources")
    ask(
        url,
        'CREATE TABLE chunks (id TEXT, "set" TEXT, position INTEGER, title TEXT, junk BLOB)',
    )
    records = [("a", "may", 2), ("b", "may", 1), ("c", "june", 1), ("b", "x", 1)]
    for id_, name, position in records:
        title = f"{name} {id_}"
        ask(url, "INSERT INTO chunks VALUES (?, ?, ?, ?, x'00')", id_, name, position, title)
    return url


CHUNKS = SqlSources("chunks", order="position")


@pytest.mark.parametrize(
    ("sources", "cited", "error"),
    [
        ("may", ["b", "a"], None),
        ('["a", "c"]', ["a", "c"], None),
        ('[{"id": "own"}]', ["own"], None),
        (None, [], None),
        ("[]", [], None),
        ("july", [], "RowSourcesError: sources: the table has none named 'july'"),
        ('["a", "z"]', [], "RowSourcesError: sources: the table has none named 'z'"),
        ('["b"]', [], "RowSourcesError: sources: several sets have 'b'; name the set"),
        (
            "[1",
            [],
            "RowSourcesError: sources: no JSON (Expecting ','",
        ),
    ],
)
def test_sources_of_a_table(stored, sources, cited, error):
    """A set in its order, or ids in theirs; what is not there is an error of the row."""
    ask(stored, "INSERT INTO answers VALUES ('1', 'One [1], two [2].', ?)", sources)
    run(stored, tables=CHUNKS).go()
    [(citations, found)] = ask(stored, f"SELECT citations, error FROM {SIDE}")
    found = found and found.partition(" delimiter")[0]  # the rest depends on Python
    assert ([one["id"] for one in json.loads(citations or "[]")], found) == (cited, error)
    assert run(stored, tables=CHUNKS).go().kept == 1


def test_sets_called_by_the_ids_of_answers(stored):
    """Where answers have no column of sources; a changed source makes its answers anew."""
    for id_ in ("may", "june", "none"):
        ask(stored, "INSERT INTO answers (id, answer) VALUES (?, 'One [1].')", id_)
    ask(stored, "ALTER TABLE answers DROP COLUMN sources")
    assert run(stored, tables=CHUNKS).go().errors == 0
    found = ask(
        stored, f"SELECT answer_id, json_extract(citations, '$[0].id') FROM {SIDE} ORDER BY 1"
    )
    assert found == [("june", "c"), ("may", "b"), ("none", None)]
    ask(stored, "UPDATE chunks SET title = 'New' WHERE id = 'c'")
    tally = run(stored, tables=CHUNKS).go()
    assert (tally.rows, tally.kept) == (1, 2)


def test_sets_without_an_order_are_refused(stored):
    """The numbers in an answer would name any of them."""
    ask(stored, "INSERT INTO answers VALUES ('1', 'One [1].', 'may')")
    run(stored, tables=SqlSources("chunks")).go()
    [(error,)] = ask(stored, f"SELECT error FROM {SIDE}")
    assert error == "RowSourcesError: sources: it names a set, and no column orders the sets"
    ask(stored, "ALTER TABLE answers DROP COLUMN sources")
    fault, reason = refused(run(stored, tables=SqlSources("chunks")))
    assert (fault, "--sources-column order=NAME" in reason) == ("names", True)


def test_two_in_one_place_are_refused(stored):
    """Nobody can tell which of them was first."""
    ask(stored, "UPDATE chunks SET position = 1")
    ask(stored, "INSERT INTO answers VALUES ('1', 'One [1].', 'may')")
    run(stored, tables=CHUNKS).go()
    error = "RowSourcesError: sources: two of 'may' have the same place in 'position'"
    assert ask(stored, f"SELECT error FROM {SIDE}") == [(error,)]


def test_sources_that_the_run_is_given(stored):
    """Answers refer to them as rows of a file do."""
    ask(stored, "INSERT INTO answers VALUES ('1', 'One [1].', 'may')")
    run(stored, sources=SourcesTable([{"id": "m", "set": "may"}])).go()
    assert ask(stored, f"SELECT json_extract(citations, '$[0].id') FROM {SIDE}") == [("m",)]


def test_columns_that_are_called_otherwise(stored):
    """Fields of a record are found by the names that are given; others are left out."""
    ask(stored, "ALTER TABLE chunks ADD COLUMN passage TEXT")
    ask(stored, "ALTER TABLE chunks ADD COLUMN score TEXT")
    ask(stored, "ALTER TABLE chunks ADD COLUMN metadata TEXT")
    ask(
        stored,
        "UPDATE chunks SET passage = 'Wide.', score = '0.5', metadata = ?, title = 'no'",
        '{"x": [1]}',
    )
    ask(stored, "INSERT INTO answers VALUES ('1', 'One [1].', 'june')")
    columns = {"text": "passage", "title": None, "kind": "set"}
    [found] = run(
        stored, tables=SqlSources("chunks", order="position", columns=columns)
    ).explain("1")["input"]["sources"]
    assert found == {
        "id": "c",
        "kind": "june",
        "metadata": {"x": [1]},
        "score": 0.5,
        "text": "Wide.",
    }


@pytest.mark.parametrize(
    ("columns", "fault"),
    [({"nope": "title"}, "names"), ({"title": "nope"}, "missing"), ({"id": "title"}, "names")],
)
def test_columns_that_are_not_there_are_refused(stored, columns, fault):
    """Before anything is written."""
    tables = SqlSources("chunks", order="position", columns=columns)
    assert refused(run(stored, tables=tables))[0] == fault


def test_names_of_numbers(tmp_path):
    """7 and "7" are one name, whatever type the columns have, or none as those of a view."""
    url = fill(tmp_path / "n.db", schema="id INTEGER PRIMARY KEY, answer TEXT, sources TEXT")
    ask(url, 'CREATE TABLE given (id, "set" INTEGER, n INTEGER)')
    ask(url, "INSERT INTO given VALUES (1, 7, 1), (2, 7, 2), (3, 8, 1)")
    ask(url, 'CREATE VIEW chunks AS SELECT id + 0 AS id, "set" + 0 AS "set", n FROM given')
    ask(url, "INSERT INTO answers (id, answer) VALUES (7, 'Two [2].'), (8, 'One [1].')")
    ask(url, "CREATE VIEW bare AS SELECT id, answer FROM answers")
    ask(url, "UPDATE answers SET sources = '[2, 3]' WHERE id = 7")
    chunks = SqlSources("chunks", order="n")
    expected = {"bare": [["2"], ["3"]], "answers": [["3"], []]}
    for table, cited in expected.items():
        options = BatchOptions(label="number")
        assert run(url, options, table=table, tables=chunks).go().errors == 0
        rows = ask(url, f"SELECT citations FROM {table}_citations ORDER BY answer_id")
        assert [[one["id"] for one in json.loads(row)] for (row,) in rows] == cited


@pytest.mark.parametrize(
    ("column", "set_", "keys"),
    [
        ("TEXT COLLATE NOCASE", "may", ["may", "MAY", "May"]),
        ("TEXT COLLATE RTRIM", "may", ["may", "may "]),
        ("INTEGER", 7, ["7", "07", "7.0"]),
        ("REAL", 7.0, ["7", "7.0"]),
        ("TEXT", "7", ["7"]),
    ],
)
@pytest.mark.parametrize("is_named", [True, False], ids=["named", "by key"])
def test_the_database_says_which_set_is_meant(tmp_path, column, set_, keys, is_named):
    """As in a join: how it writes a name does not matter, nor that others have it too."""
    url = fill(tmp_path / "a.db", schema="id TEXT PRIMARY KEY, answer TEXT, sources TEXT")
    ask(url, f'CREATE TABLE chunks (id TEXT, "set" {column}, n INTEGER)')
    ask(url, "INSERT INTO chunks VALUES ('c', ?, 2), ('b', ?, 1), ('d', 'x', 1)", set_, set_)
    for key in (*keys, "none"):
        ask(url, "INSERT INTO answers VALUES (?, 'One [1], two [2].', ?)", key, key)
    if not is_named:
        ask(url, "ALTER TABLE answers DROP COLUMN sources")
    run(url, tables=SqlSources("chunks", order="n")).go()
    rows = ask(url, f"SELECT answer_id, citations FROM {SIDE}")
    found = {key: [one["id"] for one in json.loads(cited or "[]")] for key, cited in rows}
    assert found == {**{key: ["b", "c"] for key in keys}, "none": []}


@pytest.mark.parametrize("column", ["id", "title"])
def test_texts_of_sources_that_are_none(stored, column):
    """They are an error of the row, and not shown as something else."""
    ask(stored, f"UPDATE chunks SET {column} = CAST(x'41ff' AS TEXT) WHERE id = 'a'")
    ask(stored, "INSERT INTO answers VALUES ('1', 'One [1].', 'may'), ('2', 'x', 'june')")
    ask(stored, "INSERT INTO answers VALUES ('3', 'x', CAST(x'ff' AS TEXT))")
    run(stored, tables=CHUNKS).go()
    errors = ask(stored, f"SELECT error FROM {SIDE} ORDER BY answer_id")
    fault = "no UTF-8: the byte at"
    assert errors == [
        (f"RowSourcesError: sources: the {column} of one of 'may' is {fault} 1 is 0xff",),
        (None,),
        (f"TextTypeError: sources: {fault} 0 is 0xff",),
    ]


def test_an_error_that_was_mended_is_gone(stored):
    """And comes back, though the records stand in the same order each time."""
    ask(stored, "INSERT INTO answers VALUES ('1', 'One [1].', 'may')")
    errors = []
    for place in (2, 3, 2):
        ask(stored, "UPDATE chunks SET position = ? WHERE id = 'b' AND \"set\" = 'may'", place)
        assert run(stored, tables=CHUNKS).go().rows == 1
        assert run(stored, tables=CHUNKS).go().kept == 1
        errors += ask(stored, f"SELECT error IS NOT NULL FROM {SIDE}")
    assert errors == [(1,), (0,), (1,)]
