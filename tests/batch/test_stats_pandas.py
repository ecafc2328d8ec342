"""Rows of outputs as pandas has them: NaN for empty cells, arrays for lists."""

from __future__ import annotations

import json

import pytest

from citemark.batch import BatchOptions
from citemark.batch.history import rerender_row, upgrade_row
from citemark.batch.outputs import stats_of
from citemark.batch.run import Run
from citemark.batch.stats import Stats

pandas = pytest.importorskip("pandas")
pytest.importorskip("pyarrow")

TEXTS = ["Boats rot [1].", "Boats [9].", None, "Why?", 7]
READERS = {
    ".csv": pandas.read_csv,
    ".parquet": pandas.read_parquet,
    ".jsonl": lambda path: pandas.read_json(path, lines=True),
}


@pytest.fixture(params=READERS)
def output(request, tmp_path):
    """An output, and its rows as pandas reads them."""
    given = [
        {"id": f"r{number}", "answer": text, "sources": [{"id": "a"}]}
        for number, text in enumerate(TEXTS)
    ]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in given))
    path = str(tmp_path / f"out{request.param}")
    options = BatchOptions(check=True, to=("text",))
    Run([str(tmp_path / "in.jsonl")], path, options, workers=0).go()
    return path, READERS[request.param](path).to_dict("records")


def test_figures_are_those_of_the_file(output):
    """Numbers beside empty cells are floats."""
    path, rows = output
    stats = Stats()
    for row in rows:
        stats.add(row)
    known = stats.to_dict()
    assert known == stats_of([path]).to_dict()
    assert (known["rows"], known["nulls"], known["errors"], known["unread"]) == (5, 1, 1, 0)


@pytest.mark.parametrize("make", [upgrade_row, rerender_row])
def test_rows_are_made_again(output, make):
    """One without an answer is none with an error."""
    _, rows = output
    made = [make(row) for row in rows]
    assert [row["error"] is None for row in made] == [True, True, True, True, False]
    assert [row["cited"] is None for row in made] == [False, False, True, False, True]
