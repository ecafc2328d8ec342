"""Types of columns of Arrow: what files cannot hold is told before a row is made."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from table_kit import ENDINGS, read

from citemark.batch import BatchOptions
from citemark.batch._faults import BatchFileError
from citemark.batch.run import Run


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder in which the test is."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def runs(kind=None):
    return pc.run_end_encode(pa.array([1, 1, 2], kind or pa.int64()))


def union():
    numbers = pa.array([1, 2, 3])
    return pa.UnionArray.from_sparse(pa.array([0, 0, 0], pa.int8()), [numbers])


REFUSED = {
    "interval": lambda: pa.array([(1, 2, 3)] * 3, pa.month_day_nano_interval()),
    "union": union,
    "empty": lambda: pa.array([{}] * 3, pa.struct([])),
    "inner": lambda: pa.array([[{}]] * 3, pa.list_(pa.struct([]))),
}
"""What Parquet has not."""

KEPT = {
    "short": lambda: pa.array([1, None, 3], pa.int8()),
    "seconds": lambda: pa.array([1, None, -3], pa.timestamp("s", "UTC")),
    "nano": lambda: pa.array([2**60, None, 3], pa.timestamp("ns")),
    "span": lambda: pa.array([1, None, 3], pa.duration("us")),
    "price": lambda: pa.array([1, None, 3], pa.int64()).cast(pa.decimal256(60, 2)),
    "half": lambda: pa.array([1.5, None, 3], pa.float16()),
    "view": lambda: pa.array(["a", None, "b"], pa.string_view()),
    "map": lambda: pa.array([[("a", 1)], None, []], pa.map_(pa.string(), pa.int64())),
    "pair": lambda: pa.array([[1, 2], None, [3, 4]], pa.list_(pa.int64(), 2)),
    "null": lambda: pa.nulls(3),
    "codes": lambda: pa.array(["a", None, "a"]).dictionary_encode(),
    "numbers": lambda: pa.array([7, None, 7], pa.int64()).dictionary_encode(),
    "objects": lambda: pa.DictionaryArray.from_arrays([0, None, 0], pa.array([{"x": 1}])),
    "runs": runs,
}


def run(columns, output="out.parquet", given="in.arrow"):
    table = pa.table({"id": [1, 2, 3], "answer": ["x", "y", "z"], **columns})
    with pa.ipc.new_file(given, table.schema) as file:
        file.write_table(table)
    return Run([given], output, BatchOptions(), workers=0, overwrite=True).go()


@pytest.mark.parametrize("name", REFUSED)
def test_types_that_parquet_has_not(folder, name):
    """The column is named, and what to do; nothing is made.  Arrow IPC has them."""
    column = REFUSED[name]()
    with pytest.raises(BatchFileError) as caught:
        run({"team": ["a"] * 3, name: column})
    assert caught.value.fault == "format"
    said = f'column "{name}" is of a type that the file cannot have, {column.type}: cast it'
    assert caught.value.reason.startswith(said)
    assert "write .arrow" in caught.value.reason
    made = [one.name for one in folder.iterdir() if "manifest" not in one.name]
    assert [*filter(lambda one: "lock" not in one, made)] == ["in.arrow"]
    for output in ("out.arrow", "out.arrows"):
        assert run({name: column}, output).errors == 0
        assert read(folder / output)[name].to_pylist() == column.to_pylist()


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", KEPT)
def test_values_pass_through(folder, ending, name):
    """From Arrow IPC to each kind of table; codes may become the values that they stand for."""
    column = KEPT[name]()
    assert run({name: column}, f"out{ending}").errors == 0
    assert read(folder / f"out{ending}")[name].to_pylist() == column.to_pylist()


def test_codes_of_other_things_than_texts_become_values(folder):
    """In Arrow IPC all do; Parquet keeps those of texts."""
    made = {"numbers": KEPT["numbers"](), "codes": KEPT["codes"](), "runs": runs()}
    run(made)
    found = pq.read_table(folder / "out.parquet").schema
    assert pa.types.is_dictionary(found.field("codes").type)
    assert (found.field("numbers").type, found.field("runs").type) == (pa.int64(), pa.int64())
    run(made, "out.arrow")
    assert [read(folder / "out.arrow").schema.field(name).type for name in made] == [
        pa.int64(),
        pa.string(),
        pa.int64(),
    ]


def test_a_value_that_parquet_has_not(folder):
    """The column is named; Arrow IPC has it."""
    far = pa.array([1, 2**60, None], pa.timestamp("s"))
    with pytest.raises(BatchFileError) as caught:
        run({"far": far})
    said = 'column "far", timestamp[s], has a value that the file cannot have: Integer overflow'
    assert caught.value.reason.startswith(said)
    assert not (folder / "out.parquet").exists()
    assert run({"far": far}, "out.arrow").errors == 0
    assert read(folder / "out.arrow")["far"].equals(pa.chunked_array([far]))


@pytest.mark.parametrize(
    ("name", "new"),
    [("in.arrow", "new_stream"), ("in.feather", "new_stream"), ("in.arrows", "new_file")],
)
def test_streams_and_files_of_arrow_are_told_apart_by_what_is_in_them(folder, name, new):
    """Many call both .arrow."""
    table = pa.table({"answer": ["x", "y"], "n": [1, 2]})
    with getattr(pa.ipc, new)(name, table.schema) as file:
        file.write_table(table)
    Run([name], "out.parquet", workers=0).go()
    assert read(folder / "out.parquet")["n"].to_pylist() == [1, 2]
    data = (folder / name).read_bytes()
    (folder / name).write_bytes(data[:-20])
    with pytest.raises(BatchFileError, match=r"cut off|cannot be read"):
        Run([name], "again.parquet", workers=0).go()
