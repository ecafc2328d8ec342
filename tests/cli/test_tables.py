"""Parquet and Arrow IPC files in the commands."""

from __future__ import annotations

import json

import pyarrow.parquet as pq
import pytest
from table_kit import read, rows_of, table_of, write


@pytest.fixture
def folder(tmp_path):
    """The folder in which the command is run, with a table."""
    write(tmp_path / "in.parquet", table_of(rows_of(20)))
    return tmp_path


def test_a_table_becomes_a_table(citemark, folder):
    """With rejects beside it, which are named; then it is rendered again, and counted."""
    done = citemark("batch", "in.parquet", "-o", "out.parquet", "--check", "--workers", "0")
    assert done.code == 3
    assert done.err.startswith("20 rows in ")
    assert done.err.endswith(
        "1 failed\nRows that failed are kept, as they were, in out.parquet.rejects.parquet\n"
    )
    again = citemark(
        "rerender", "out.parquet", "-o", "new.arrow", "-t", "text", "--workers", "0"
    )
    assert (again.code, ", 1 had failed when it was made" in again.err) == (
        0,
        True,
    )
    assert read(folder / "new.arrow")["kept"].to_pylist() == [*range(20)]
    citemark("batch", "in.parquet", "-o", "out.jsonl", "--check", "--workers", "0")
    figures = [
        json.loads(citemark("stats", name, "--format", "json").out)
        for name in ("out.parquet", "new.arrow", "out.jsonl")
    ]
    assert figures[0] == figures[2]
    assert figures[1]["figures"] == figures[0]["figures"]
    assert figures[0]["answers"] == 19


def test_dry_run_and_resume(citemark, folder):
    """As of lines."""
    arguments = ["batch", "in.parquet", "-o", "out.parquet", "--workers", "0", "--limit", "5"]
    size = f"{(folder / 'in.parquet').stat().st_size:,}"
    names = f"in.parquet -> out.parquet, {size} bytes\n"
    assert citemark(*arguments, "--dry-run").out == f"new: {names}"
    assert citemark(*arguments).code == 0
    assert pq.read_table("out.parquet").num_rows == 5
    assert citemark(*arguments, "--dry-run", "--resume").out == f"skip: {names}"
    again = citemark(*arguments, "--resume")
    assert (again.code, "5 were there already" in again.err) == (0, True)


@pytest.mark.usefixtures("folder")
def test_one_row_is_explained(citemark):
    """What it was, where it stands, and what becomes of it."""
    done = citemark("batch", "in.parquet", "--explain", "9", "--to", "text")
    found = json.loads(done.out)
    assert (done.code, found["line"], found["input"]["kept"]) == (0, 10, 9)
    assert found["output"]["rendered"]["text"].startswith("Order 9")


def test_mistakes(citemark, folder):
    """One line, code 2."""
    (folder / "in.parquet.gz").write_bytes(b"")
    for name, said in {
        "in.parquet.gz": ".parquet is compressed inside; decompress it, and leave out the .gz",
        "none.parquet": "no such file",
    }.items():
        done = citemark("batch", name, "-o", "x.jsonl")
        assert (done.code, done.err) == (2, f"Error: {name}: {said}\n")
