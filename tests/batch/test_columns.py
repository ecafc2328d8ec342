"""Columns that pass through: none is lost or changed, from whatever file to whatever file."""

from __future__ import annotations

import csv
import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from batch_kit import jsonl, loaded
from hypothesis import given
from hypothesis import strategies as st

from citemark.batch import BatchOptions
from citemark.batch._columns import others_of, passed_names
from citemark.batch.files import read_rows
from citemark.batch.files._csv import CsvReader, CsvWriter
from citemark.batch.files._csv_cells import guarded, unguarded
from citemark.batch.files._lines import Lines
from citemark.batch.history import rerender_row, upgrade_row
from citemark.batch.outputs import stats_of
from citemark.batch.rows import OUTPUT, annotate_row
from citemark.batch.run import Run

ADDED = {"answer": "mine", "dialect": "d", "options": "o", "team": "t"}
"""Columns that somebody adds to an output; some are called as those that are read."""

NUMBERS = ["-0.5", "-7", "+49301234", "+49 30 1234", "-1,5", "+1.5e-7", "-.5", "-1,234.5"]
FORMULAS = ["=1+1", "+x", "-1+2", "@a", "\t=1", "-", "+", "-1e", "+1 2x", "-1;2", "＝1", "+ 1"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder in which the test is."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(before, after, make=annotate_row):
    return Run([before], after, BatchOptions(), workers=0, overwrite=True, make=make).go()


def rows_in(path):
    """Rows of an output, without None."""
    found = pq.read_table(path).to_pylist() if path.endswith(".parquet") else None
    rows = found or [row for _, row in read_rows(path)]
    return [{name: value for name, value in row.items() if value is not None} for row in rows]


@pytest.mark.parametrize("output", ["out.csv", "out.parquet"])
def test_a_column_called_as_the_one_of_all_others(folder, output):
    """It stands in it, beside them."""
    others = [{"input_columns": "mine", "team": "y"}, {"input_columns": "mine"}, {"team": "y"}]
    others += [{"input_columns": {"a": 1}, "team": None}, {}]
    rows = [{"id": 1, "answer": "x", **one} for one in others]
    (folder / "in.jsonl").write_bytes(jsonl(rows))
    run("in.jsonl", output)
    found = [row.get("input_columns") for row in rows_in(output)]
    assert [one and json.loads(one) for one in found] == [*others[:-1], None]


def test_others_that_passed_through_before_stay():
    """An output as JSON Lines, of one as CSV, has them in that column."""
    for kept in ({"a": 1}, '{"a": 1}', None):
        assert others_of({"id": 1, "input_columns": kept}) == kept
    for odd in ("{", "[1]", "[" * 100_000, 5):
        assert others_of({"input_columns": odd}) == {"input_columns": odd}


@pytest.mark.parametrize("make", [rerender_row, upgrade_row])
@pytest.mark.parametrize("again", ["again.csv", "again.parquet", "again.jsonl"])
def test_columns_that_were_added_to_an_output(folder, again, make):
    """All stay as they are, whatever they are called."""
    (folder / "in.csv").write_text("id,answer\n1,Yes.\n")
    run("in.csv", "out.csv")
    with (folder / "out.csv").open(newline="") as file:
        [known] = csv.DictReader(file)
    with (folder / "more.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, [*known, *ADDED])
        writer.writeheader()
        writer.writerow(known | ADDED)
    assert run("more.csv", again, make).errors == 0
    [row] = rows_in(again)
    assert {name: row.get(name) for name in ADDED} == ADDED


def test_numbers_and_formulas_come_back(folder):
    """From CSV through CSV to JSON Lines; no spreadsheet runs what stands between."""
    texts = [*NUMBERS, *FORMULAS, *(f"'{text}" for text in FORMULAS), "''=x", "'tis", "a"]
    with (folder / "in.csv").open("w", newline="") as file:
        csv.writer(file).writerows(
            [("id", "answer", "=team"), *((one, "x", one) for one in texts)]
        )
    run("in.csv", "out.csv")
    with (folder / "out.csv").open(newline="") as file:
        written = [row["id"] for row in csv.DictReader(file)]
    assert written[: len(NUMBERS)] == NUMBERS
    assert all(one.startswith("'") for one in written[len(NUMBERS) : -2])
    run("out.csv", "twice.csv", upgrade_row)
    assert (folder / "twice.csv").read_bytes() == (folder / "out.csv").read_bytes()
    run("twice.csv", "out.jsonl", rerender_row)
    found = loaded((folder / "out.jsonl").read_bytes())
    assert [(row["id"], row["=team"]) for row in found] == [(one, one) for one in texts]
    assert stats_of(["twice.csv"]).rows == len(texts)


@given(st.text(st.sampled_from("'=+-@ 1.,e\t＝a\n")) | st.text())
def test_guards_are_taken_off_as_they_are_put_on(text):
    """Whatever the text is; none that is run is written."""
    assert unguarded(guarded(text)) == text
    assert guarded(text) in {text, f"'{text}"}
    assert unguarded(guarded(guarded(text))) == guarded(text)


@given(
    st.lists(
        st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])), max_size=5
    )
)
def test_csv_that_is_written_is_read_as_it_was(texts):
    """An output, cell for cell, names too; an empty text is null."""
    names = [f"{text.strip()}-{n}" for n, text in enumerate(texts)]
    row = (
        dict.fromkeys(OUTPUT)
        | {"id": "-1", "error": "=x"}
        | dict(zip(names, texts, strict=True))
    )
    writer = CsvWriter.of(names)
    lines = Lines(io.BytesIO(writer.head + writer.encode(row)[0]), "a.csv")
    reader = CsvReader.of(lines)
    [(_, data)] = reader.records(lines)
    assert reader.parse(data) == {name: value or None for name, value in row.items()}


def test_an_output_of_which_columns_were_left_out(folder):
    """It is known as one by those that tell where its answers come from."""
    head = "id,cited,options_digest,team"
    (folder / "in.csv").write_text(f"{head}\n'=1,,d,''=x\n")
    [(_, row)] = read_rows("in.csv")
    assert (row["id"], row["team"]) == ("=1", "'=x")


def test_an_input_is_read_as_it_stands(folder):
    """An apostrophe in a file that is no output is one of its text."""
    (folder / "in.csv").write_text("id,answer\n'=1,'-x\n")
    assert [row for _, row in read_rows("in.csv")] == [{"id": "'=1", "answer": "'-x"}]


def broken(text=b"a\xffb"):
    """A column of texts of which the second is no UTF-8."""
    offsets = pa.array([0, 1, 2, 3], pa.int32()).buffers()[1]
    return pa.StringArray.from_buffers(3, offsets, pa.py_buffer(text))


@pytest.mark.parametrize("output", ["out.jsonl", "out.csv", "out.parquet"])
@pytest.mark.parametrize("name", ["id", "team", "citemark_unreadable"])
def test_cells_that_cannot_be_read_and_are_not_needed(folder, output, name):
    """The row is made; the error says which cell it is, if it is not left as it is."""
    columns = {"id": ["1", "2", "3"], "answer": ["x", "y", "z"], name: broken()}
    with pa.ipc.new_file(folder / "in.arrow", pa.table(columns).schema) as file:
        file.write_table(pa.table(columns))
    errors = run("in.arrow", output).errors
    table = output == "out.parquet"
    assert errors == (0 if table and name != "id" else 1)
    if table and name != "id":
        return
    found = rows_in(output)
    assert all(row["cited"] for row in found)
    assert found[1]["error"].startswith(f"{name}: UnicodeDecodeError")
    assert name not in found[1]
    if not table:
        [reject] = loaded((folder / f"{output}.rejects.jsonl").read_bytes())
        assert (reject["answer"], reject[name]) == ("y", None)


@pytest.mark.parametrize("name", ["answer", "sources", "options"])
def test_cells_that_cannot_be_read_and_are_needed(folder, name):
    """Their row has its id, and what passes through."""
    columns = {"id": ["1", "2", "3"], "answer": ["x", "y", "z"], name: broken(b"n\xffn")}
    columns["team"] = ["p", "q", "r"]
    table = pa.table(columns)
    with pa.ipc.new_file(folder / "in.arrow", table.schema) as file:
        file.write_table(table)
    run("in.arrow", "out.jsonl")
    row = loaded((folder / "out.jsonl").read_bytes())[1]
    assert (row["id"], row["team"], row["cited"]) == ("2", "q", None)
    assert row["error"].startswith(f"{name}: UnicodeDecodeError")


@pytest.mark.parametrize("name", ["id", "team", "error"])
def test_outputs_with_cells_that_cannot_be_read(folder, name):
    """They are made again if that needs none of these, and counted."""
    (folder / "in.jsonl").write_bytes(jsonl([{"id": n, "answer": "x"} for n in range(3)]))
    run("in.jsonl", "out.parquet")
    table = pq.read_table("out.parquet")
    index = table.schema.get_field_index(name)
    if index >= 0:
        table = table.set_column(index, name, broken())
    else:
        table = table.append_column(name, broken())
    with pa.ipc.new_file(folder / "bad.arrow", table.schema) as file:
        file.write_table(table)
    run("bad.arrow", "again.jsonl", upgrade_row)
    row = loaded((folder / "again.jsonl").read_bytes())[1]
    assert row["cited"]
    assert f"{name}: UnicodeDecodeError" in row["error"]
    assert stats_of(["bad.arrow"]).rows == (2 if name == "error" else 3)


def test_names_of_columns_that_pass_through():
    """Of an input, those that are read are none; what a writer is told stays as it is."""
    assert [*passed_names(["id", "answer", "error", "team"])] == ["input_error", "team"]
    assert CsvWriter.of(["answer", "team"]).columns == (*OUTPUT, "answer", "team")
