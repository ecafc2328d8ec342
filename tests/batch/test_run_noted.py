"""What is told of the rows of a run, in figures and rejects, is what stands in its output."""

from __future__ import annotations

import csv
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from batch_kit import jsonl, loaded, row

from citemark.batch import _limit, annotate_row
from citemark.batch.arrow import _build
from citemark.batch.files import read_rows
from citemark.batch.history import rerender_row, upgrade_row
from citemark.batch.run import Run

MOST = 20_000
TEAM = "b" * MOST


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder in which the test is."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder, name, rows):
    if name.endswith(".csv"):
        with (folder / name).open("w", newline="") as file:
            table = csv.DictWriter(file, ["id", "answer", "team"], extrasaction="ignore")
            table.writeheader()
            table.writerows(rows)
    elif name.endswith(".parquet"):
        pq.write_table(pa.Table.from_pylist(rows), folder / name)
    else:
        (folder / name).write_bytes(jsonl(rows))


def rejects_of(folder, output):
    """Id and error of each."""
    both = output == "both.parquet"
    path = folder / f"{output}.rejects.{'parquet' if both else 'jsonl'}"
    if both:
        rows = pq.read_table(path).select(["id", "citemark_reject"]).to_pylist()
        return [(str(one["id"]), one["citemark_reject"]) for one in rows]
    rows = loaded(path.read_bytes())
    return [(str(one["id"]), one["citemark_reject"]["error"]) for one in rows]


@pytest.mark.parametrize("output", ["out.jsonl", "out.csv", "out.parquet", "-"])
@pytest.mark.parametrize("given", ["in.jsonl", "in.csv"])
def test_rows_that_are_too_long_by_what_passes_through(
    folder, monkeypatch, capfdbinary, given, output
):
    """Only who writes them sees that: they are counted, and among the rejects as they were."""
    monkeypatch.setattr(_limit, "MAX_RECORD", MOST)
    rows = [row(1, team="a"), row(2, team=TEAM, answer=None), row(3, team=TEAM), row(4)]
    write(folder, given, rows)
    tally = Run([given], output, workers=0).go()
    assert (tally.rows, tally.errors, tally.nulls) == (4, 2, 0)
    if output == "-":
        found = loaded(capfdbinary.readouterr().out)
    else:
        found = [one for _, one in read_rows(output)]
        kept = loaded((folder / f"{output}.rejects.jsonl").read_bytes())
        assert [one["team"] for one in kept] == [TEAM, TEAM]
        assert rejects_of(folder, output) == [(one["id"], one["error"]) for one in found[1:3]]
    assert [bool(one["error"]) for one in found] == [False, True, True, False]


def test_rows_that_no_batch_of_a_table_holds(folder, monkeypatch):
    """They are counted, and among the rejects: from a table to a table too."""
    monkeypatch.setattr(_build, "MAX_TEXT", 2_000)
    write(folder, "in.parquet", [row(1), row(2, answer="long [1]. " * 300), row(3)])
    assert Run(["in.parquet"], "both.parquet", workers=0).go().errors == 1
    [(id_, error)] = rejects_of(folder, "both.parquet")
    found = pq.read_table("both.parquet")["error"].to_pylist()
    assert (id_, found) == ("2", [None, error, None])


@pytest.mark.parametrize("make", [upgrade_row, rerender_row])
def test_older_rows_that_are_not_what_a_table_holds(folder, make):
    """As lines they go through; as a table each of them is an error that is told."""
    rows = [json.loads(json.dumps(annotate_row(row(number)))) for number in range(4)]
    rows[1]["formats"], rows[2]["citations"] = {"number": "x"}, [5]
    write(folder, "in.jsonl", rows)
    assert Run(["in.jsonl"], "out.jsonl", workers=0, make=make).go().errors == 0
    assert Run(["in.jsonl"], "out.parquet", workers=0, make=make).go().errors == 2
    found = [(one["id"], one["error"]) for _, one in read_rows("out.parquet")]
    said = [("1", "formats"), ("2", "citations")]
    assert found[1:3] == [(id_, f"{name}: is not what the column holds") for id_, name in said]
    assert rejects_of(folder, "out.parquet") == found[1:3]
    assert [error for _, error in (found[0], found[3])] == [None, None]
