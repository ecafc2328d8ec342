"""Rows that would be too long to be read again, and files in which nothing is read."""

from __future__ import annotations

import json

import pytest
from batch_kit import jsonl, loaded, row

from citemark.batch import BatchOptions, _limit, annotate_row
from citemark.batch._faults import BatchFileError
from citemark.batch.files import _needed, read_rows
from citemark.batch.files._csv import CsvWriter
from citemark.batch.files._jsonl import JsonLinesWriter
from citemark.batch.history import rerender_row
from citemark.batch.outputs import stats_of
from citemark.batch.run import Run

HTML = BatchOptions(to=("html", "json"))
MOST = 20_000


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder in which the test is; rows have little room."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(_limit, "MAX_RECORD", MOST)
    return tmp_path


@pytest.mark.parametrize("output", ["out.jsonl", "out.csv", "out.parquet"])
def test_a_row_that_would_be_too_long(folder, output):
    """It keeps its id and what passes through, has an error, and is among the rejects."""
    rows = [row(1, team="a"), row(2, answer="long [1]. " * 1_000, team="b"), row(3, team="c")]
    (folder / "in.jsonl").write_bytes(jsonl(rows))
    tally = Run(["in.jsonl"], output, HTML, workers=0).go()
    assert (tally.rows, tally.errors) == (3, 1)
    [reject] = loaded((folder / f"{output}.rejects.jsonl").read_bytes())
    assert reject.pop("citemark_reject")["error"].startswith("the row would have ")
    assert reject == rows[1]
    found = [one for _, one in read_rows(output)]
    assert [one["cited"] is None for one in found] == [False, True, False]
    assert (found[1]["id"], found[1]["rendered"]) == ("2", None)
    assert "b" in json.dumps(found[1].get("team") or found[1]["input_columns"])
    assert stats_of([output]).rows == 3


def test_a_row_that_is_too_long_when_it_is_rendered_again():
    """It says so too, and the answer is not lost: it stands in the output that was read."""
    short = annotate_row(row(1, answer="long [1]. " * 100))
    found = rerender_row(short, BatchOptions(to=("html", "json", "markdown", "text")))
    assert (found["cited"], found["id"]) == (None, "1")
    assert found["error"].startswith("the row would have ")


@pytest.mark.parametrize("writer", [JsonLinesWriter(), CsvWriter.of(None)])
@pytest.mark.parametrize("where", ["cited", "rendered", "team"])
def test_no_record_is_too_long(writer, where):
    """Whatever makes it so; what a maker did not see is left out when it is written."""
    made = annotate_row(row(1)) | {where: {"text": "x" * 30_000}}
    data, written = writer.encode(made)
    assert len(data) < MOST
    assert written["error"].startswith("the row would have 0 MB")
    assert b"the row would have 0 MB; one may have 0" in data
    assert len(writer.encode(annotate_row(row(1)))[0]) < MOST


@pytest.mark.parametrize("count", [1, 3, 300])
def test_rows_without_the_column_that_is_read(folder, count):
    """A misspelt column is told as in tables, by all names of the first row."""
    (folder / "in.jsonl").write_bytes(
        jsonl([{"id": n, "body": "answer"} for n in range(count)])
    )
    with pytest.raises(BatchFileError) as caught:
        Run(["in.jsonl"], "out.jsonl", workers=0).go()
    reason = 'have no "answer", only id, body; rename a column, or write null there'
    if count == 1:
        reason = reason.replace("have", "the row has", 1)
    else:
        reason = f"the first {min(count, 256)} rows {reason}"
    assert (caught.value.fault, caught.value.reason) == ("format", reason)
    assert not (folder / "out.jsonl").exists()


@pytest.mark.parametrize(
    "line",
    [
        b'{"id":1,"answer":null}',
        b'{"\\u0061nswer":"x"}',
        b'{"cited":null}',
        b'{"citemark_reject":{"raw":"x"}}',
    ],
)
def test_rows_that_leave_out_what_is_null(folder, line):
    """One of the first rows that names an answer is enough."""
    lines = [b"not JSON", b"[1]", b"{}", *[b'{"id":1}'] * 100, line, *[b"{}"] * 400]
    (folder / "in.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    assert Run(["in.jsonl"], "out.jsonl", workers=0).go().rows == len(lines)


def test_files_of_no_row_at_all(folder, monkeypatch):
    """They are no mistake; and of great rows, few are looked at."""
    monkeypatch.setattr(_needed, "MAX_BYTES", 10)
    for data, rows in ((b"", 0), (b"\n\n", 0), (b"not JSON\n", 1)):
        (folder / "in.jsonl").write_bytes(data)
        assert Run(["in.jsonl"], "out.jsonl", workers=0, overwrite=True).go().rows == rows
    (folder / "in.jsonl").write_bytes(b'{"body":"xxxxxxx"}\n{"answer":"x"}\n')
    with pytest.raises(BatchFileError, match="only body"):
        Run(["in.jsonl"], "out.jsonl", workers=0, overwrite=True).go()
