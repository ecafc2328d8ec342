"""Rows that stand as text in a rejects file, whatever anybody made of it."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest
from batch_kit import jsonl, loaded, row_or_reason
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from citemark.batch._record import RecordError
from citemark.batch.files._csv import CsvReader
from citemark.batch.files._jsonl import JsonLinesReader
from citemark.batch.run import Run

READER = JsonLinesReader()

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)


def mended(**reject):
    """The row that a reject is, or why it is none."""
    try:
        return READER.parse(jsonl([{"citemark_reject": reject}]))
    except RecordError as error:
        return row_or_reason(error)


@pytest.mark.parametrize(
    "columns", [None, 5, "ab", {"a": 1}, ["answer", [1]], ["answer", None], ["a", "a"]]
)
def test_columns_that_are_none_are_an_error_of_the_row(columns):
    """Of that row alone."""
    reason = "its columns are no list of names, each another"
    assert mended(raw="a,b", columns=columns) == reason


@pytest.mark.parametrize("delimiter", ["", ";;", 5, [";"], "\n", "\r", '"', "\0"])
def test_delimiters_that_are_none_are_an_error_of_the_row(delimiter):
    """Of that row alone."""
    reason = "its delimiter is no single character that may be one"
    assert mended(raw="a,b", columns=["a", "b"], delimiter=delimiter) == reason


def test_a_raw_that_is_no_text_is_an_error_of_the_row():
    """Null is not read as a text."""
    found = [mended(raw=5), mended(raw=None), mended(raw_base64=5), mended(raw_base64="é")]
    assert found == [*["its raw is no text"] * 3, "its raw_base64 is no Base64"]
    assert mended(raw_base64="/w==") == "is not UTF-8: byte 0xff at byte 1"
    assert mended(raw="1;a", columns=["id", "answer"], delimiter=";") == {
        "id": "1",
        "answer": "a",
    }


@given(
    st.dictionaries(st.sampled_from(["raw", "raw_base64", "columns", "delimiter", "x"]), JSON)
)
def test_whatever_stands_in_a_reject_is_an_error_of_the_row(reject):
    """And can be written as a reject again."""
    data = json.dumps({"citemark_reject": reject}).encode() + b"\n"
    try:
        READER.parse(data)
    except RecordError:
        assert READER.raw(data)
    else:
        READER.is_repeated(data)


@given(st.binary(), st.sampled_from([",", ";", "\t", "|", " "]))
def test_whatever_stands_in_csv_is_an_error_of_the_row(data, delimiter):
    """And can be written as a reject."""
    reader = CsvReader(("id", "answer"), delimiter)
    try:
        reader.parse(data)
    except RecordError:
        assert reader.raw(data)


def rejects_of(folder, data, name="in.jsonl"):
    """Lines of the rejects file of a run, and how many rows failed."""
    (folder / name).write_bytes(data)
    output = folder / f"{name}.out.jsonl"
    tally = Run([str(folder / name)], str(output), workers=0).go()
    return loaded((folder / f"{output}.rejects.jsonl").read_bytes()), tally.errors


def test_a_reject_that_nobody_can_read_ends_no_run(tmp_path):
    """It fails, and stands in the rejects as it was."""
    bad = {"citemark_reject": {"raw": "a,b", "columns": None}}
    rejects, errors = rejects_of(tmp_path, jsonl([{"answer": "a"}, bad, {"answer": "b"}]))
    assert (errors, len(rejects)) == (1, 1)
    assert rejects[0]["citemark_reject"]["raw"] == "a,b"
    assert rejects[0]["citemark_reject"]["columns"] is None


def test_a_reject_in_a_table_that_nobody_can_read_ends_no_run(tmp_path):
    """It stands in the rejects as it was, too."""
    bad = {"raw": "a,b", "columns": ["a", "a"]}
    rows = [{"answer": "a", "citemark_reject": None}, {"answer": None, "citemark_reject": bad}]
    data = pa.BufferOutputStream()
    parquet.write_table(pa.Table.from_pylist(rows), data)
    [reject], errors = rejects_of(tmp_path, data.getvalue().to_pybytes(), "in.parquet")
    assert errors == 1
    assert reject["citemark_reject"].items() >= bad.items()


@pytest.mark.parametrize(
    "line",
    [
        '{"answer":Infinity,"id":2}',
        '{"answer":5,"x":[NaN]}',
        '{"answer":5,"x":1e999}',
        '{"answer":5,"x":"\\ud800"}',
        '{"answer":5,"\\udfff":1}',
        '{"answer":"a","answer":5}',
        '{"answer":5,"x":{"a":1,"a":2}}',
    ],
)
def test_a_row_that_json_cannot_repeat_is_kept_as_its_line(tmp_path, line):
    """Once, and when it is fed back in; mended, it becomes a row."""
    data = line.encode() + b"\r\n"
    [reject], _ = rejects_of(tmp_path, data)
    assert {*reject} == {"citemark_reject"}
    assert reject["citemark_reject"]["raw"] == line
    [again], _ = rejects_of(tmp_path, jsonl([reject]), "again.jsonl")
    assert again["citemark_reject"]["raw"] == line


def test_a_row_that_json_repeats_is_kept_as_a_row(tmp_path):
    """Its columns can be mended there; a reject that says more than JSON is a line too."""
    reject = {"file": "a", "line": 1, "error": "no"}
    given_row = {"answer": 5, "x": 1.50, "y": "é", "z": [None, {"a": 1}]}
    [found], _ = rejects_of(tmp_path, jsonl([given_row | {"citemark_reject": reject}]))
    assert {name: found[name] for name in given_row} == given_row
    assert "raw" not in found["citemark_reject"]
    line = '{"answer":Infinity,"citemark_reject":{"file":"a"}}'
    [found], _ = rejects_of(tmp_path, line.encode(), "more.jsonl")
    assert found["citemark_reject"]["raw"] == line
