"""Parquet and Arrow IPC files: read in bounded batches, as tables or as lines, and written."""

from __future__ import annotations

import json
import os
import struct
from datetime import UTC, date, datetime, time
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from batch_kit import SOURCES
from growth_kit import assert_linear
from table_kit import ENDINGS, read, rows_of, table_of, write

from citemark.batch import BatchOptions, SourcesTable, annotate_row
from citemark.batch._faults import BatchFileError
from citemark.batch._record import unread_in
from citemark.batch._strict import encode
from citemark.batch.arrow import OUTPUT_SCHEMA, _build, _lines, _open, _write, annotate_batch
from citemark.batch.arrow._build import batches_of
from citemark.batch.arrow._gather import gather
from citemark.batch.arrow._open import OpenTable
from citemark.batch.arrow._write import TableWriter
from citemark.batch.files import file_format, held, opened, read_rows
from citemark.batch.rows import OUTPUT

OPTIONS = BatchOptions(to=("text",))
ROWS = rows_of(2_500)


def batches(path):
    with held(str(path)) as file:
        return [*OpenTable(file).batches()]


def gathered(tmp_path, lines, columns=None, name="out.parquet"):
    """The table that lines become."""
    (tmp_path / "lines").write_bytes(b"".join(lines))
    with (tmp_path / "lines").open("rb") as file:
        size = gather(file, tmp_path / name, name, columns)
    assert (tmp_path / name).stat().st_size == size
    return read(tmp_path / name)


@pytest.mark.parametrize("ending", ENDINGS)
def test_batches_of_a_table(tmp_path, ending):
    """All rows in order, with their types, whatever the groups of the file are."""
    path = tmp_path / f"in{ending}"
    write(path, table_of(ROWS))
    with held(str(path)) as file:
        table = OpenTable(file)
        shares = [table.taken for _ in table.batches()]
        assert table.taken == file.size
    assert shares == sorted(shares)
    found = batches(path)
    assert pa.Table.from_batches(found).equals(table_of(ROWS))
    assert max(batch.num_rows for batch in found) <= 1_024


@pytest.mark.parametrize("ending", ENDINGS)
def test_cut_off_input(tmp_path, ending):
    """A table that was cut off is told."""
    path = tmp_path / f"in{ending}"
    write(path, table_of(ROWS))
    path.write_bytes(path.read_bytes()[:-2_000])
    with pytest.raises(BatchFileError) as caught:
        batches(path)
    assert caught.value.fault == ("unreadable" if ending == ".arrows" else "truncated")


@pytest.mark.parametrize("data", [b"", b"{}\n" * 500], ids=["empty", "lines"])
@pytest.mark.parametrize("ending", ENDINGS)
def test_what_is_no_table(tmp_path, ending, data):
    """It is told by the name of the file."""
    path = tmp_path / f"in{ending}"
    path.write_bytes(data)
    with pytest.raises(BatchFileError, match=path.name) as caught:
        batches(path)
    assert caught.value.fault == "unreadable"


def test_groups_are_bounded(tmp_path, monkeypatch):
    """Groups of rows of an output are cut by rows and by bytes."""
    monkeypatch.setattr(_write, "GROUP_ROWS", 1_000)
    path = tmp_path / "out.parquet"
    given = table_of(ROWS)
    with TableWriter(path, path.name, given.schema) as writer:
        for batch in given.to_batches(max_chunksize=300):
            writer.write(batch)
        writer.finish()
    file = pq.ParquetFile(path)
    sizes = [file.metadata.row_group(n).num_rows for n in range(file.num_row_groups)]
    assert sizes == [1_200, 1_200, 100]
    assert file.read().equals(given)


def test_what_is_not_finished_is_removed(tmp_path):
    """Whether or not rows were written."""
    for given in (table_of(ROWS), table_of(ROWS).slice(0, 0)):
        with TableWriter(tmp_path / ".part", "out.parquet", given.schema) as writer:
            for batch in given.to_batches():
                writer.write(batch)
            writer._flush()  # noqa: SLF001  as a full group would be
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    "texts",
    [
        [os.urandom(2_500).hex() for _ in range(40)],
        ["x"] * 300 + [os.urandom(2_500).hex() for _ in range(40)],
        ["same " * 1_000] * 200,
    ],
    ids=["all", "later", "repeated"],
)
def test_heavy_rows_are_read_few_at_once(tmp_path, monkeypatch, texts):
    """The size of what is read at once is that of rows, not their number."""
    monkeypatch.setattr(_open, "MAX_BYTES", 10_000)
    path = tmp_path / "in.parquet"
    pq.write_table(pa.table({"answer": texts}), path, row_group_size=100)
    found = batches(path)
    assert [text for batch in found for text in batch["answer"].to_pylist()] == texts
    heavy = [batch.num_rows for batch in found if batch.nbytes > 40_000]
    assert not heavy, heavy


def test_table_as_lines(tmp_path):
    """A table is read row for row, by the number of the row."""
    path = tmp_path / "in.parquet"
    write(path, table_of(ROWS[:50]).drop_columns(["seen"]))
    found = [*read_rows(str(path))]
    assert [line for line, _ in found] == [*range(1, 51)]
    assert [row for _, row in found] == pq.read_table(path).to_pylist()


def test_types_that_json_has_not(tmp_path):
    """Times and numbers become texts; objects are objects; what is empty in one is left out."""
    seen = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
    given = pa.table(
        {
            "answer": pa.array(["Yes [1].", None], pa.large_string()),
            "sources": [[{"id": "a", "url": None}], [{"id": "b", "url": "https://b.example"}]],
            "late": pa.array([1, None], pa.timestamp("ns")),
            "far": pa.array([2**60, 0], pa.timestamp("s")),
            "seen": pa.array([seen, None]),
            "day": [date(2024, 5, 6), None],
            "hour": [time(7, 8), None],
            "price": [Decimal("1.50"), None],
            "meta": pa.array([[("lang", "de")], []], pa.map_(pa.string(), pa.string())),
            "kept": [{"x": 1, "y": None}, None],
            "bytes": [b"\xff", None],
            "nan": [float("nan"), 1.5],
        }
    )
    path = tmp_path / "in.arrow"
    write(path, given)
    (_, first), (_, second) = read_rows(str(path))
    assert first.pop("far").startswith("<value out of range")
    assert second.pop("far") == "1970-01-01T00:00:00"
    assert first == {
        "answer": "Yes [1].",
        "sources": [{"id": "a"}],
        "late": "1970-01-01T00:00:00.000000001",
        "seen": "2024-05-06T07:08:09.000000Z",
        "day": "2024-05-06",
        "hour": "07:08:00.000000",
        "price": "1.50",
        "meta": {"lang": "de"},
        "kept": {"x": 1, "y": None},
        "bytes": "/w==",
        "nan": None,
    }
    assert "url" in second["sources"][0]
    assert [name for name in given.schema.names if second.get(name) is not None] == [
        "sources",
        "meta",
        "nan",
    ]


def test_a_cell_that_cannot_be_read(tmp_path):
    """It is known why, and all else of its row is there; in JSON it is null."""
    offsets = pa.array([0, 3, 4, 5], pa.int32()).buffers()[1]
    broken = pa.StringArray.from_buffers(3, offsets, pa.py_buffer(b"Yes\xffN"))
    path = tmp_path / "in.arrow"
    write(path, pa.table({"id": [1, 2, 3], "answer": broken}))
    found = [row for _, row in read_rows(str(path))]
    assert (found[0], found[2]) == ({"id": 1, "answer": "Yes"}, {"id": 3, "answer": "N"})
    [reason] = unread_in(found[1])
    assert reason.startswith("answer: UnicodeDecodeError")
    with opened(str(path)) as file:
        records = [data for _, data in file.reader.records(file.lines)]
        assert file.reader.raw(records[1]) == {"raw": '{"id":2,"answer":null}'}


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (["id", "text"], 'no column is called "answer", only id, text'),
        (["answer", "answer"], '2 columns are called "answer"'),
    ],
)
def test_a_table_without_answers(tmp_path, columns, message):
    """It is told before a row is read, as of CSV."""
    path = tmp_path / "in.parquet"
    write(path, pa.Table.from_arrays([pa.array(["x"])] * 2, names=columns))
    with pytest.raises(BatchFileError) as caught, opened(str(path)):
        pass
    assert (caught.value.fault, caught.value.reason) == ("format", message)


def test_reading_a_great_row_is_linear():
    """A line is handed on in pieces; what is left is not copied for each."""

    def work(size):
        line = b"x" * size

        def read_all():
            stream = _lines._Stream(one for one in [line])  # noqa: SLF001  alone
            while stream.read(1 << 16):
                pass

        return read_all

    assert_linear(work(4_000_000), work(40_000_000))


def test_tables_are_compressed_inside():
    """An ending after theirs is refused."""
    assert file_format("A.PARQUET") == "table"
    with pytest.raises(BatchFileError, match="is compressed inside"):
        file_format("a.parquet.gz")
    with pytest.raises(BatchFileError, match=r"and \.gz or \.zst after it; \.parquet"):
        file_format("a.txt.gz")


def test_lines_become_a_table(tmp_path):
    """The table that the rows would have become; what passes through stands as JSON."""
    lines = [encode(annotate_row(one, OPTIONS, SourcesTable())) + b"\n" for one in ROWS[:300]]
    found = gathered(tmp_path, lines)
    direct = annotate_batch(pa.RecordBatch.from_pylist(ROWS[:300]), OPTIONS)
    names = [name for name in direct.schema.names if name not in ("team", "content_digest")]
    assert found.select(names).to_pylist() == direct.select(names).to_pylist()
    assert json.loads(found["input_columns"][4].as_py()) == {"team": "t1"}


def test_lines_whose_columns_are_known(tmp_path):
    """These stay columns."""
    lines = [encode(annotate_row(one | {"error": "e", "n": 1})) + b"\n" for one in ROWS[:3]]
    found = gathered(tmp_path, lines, ["team", "input_error", "n"])
    assert found.schema.names == [*OUTPUT, "team", "input_error", "n"]
    assert found.select(["team", "input_error", "n"]).to_pylist()[1] == {
        "team": "t1",
        "input_error": "e",
        "n": "1",
    }


@pytest.mark.parametrize("size", [0, 300])
def test_lines_are_gathered_in_pieces(tmp_path, monkeypatch, size):
    """Of a few rows; and none give no rows, of the same columns."""
    monkeypatch.setattr(_build, "MAX_ROWS", 7)
    lines = [encode(annotate_row(one, OPTIONS)) + b"\n" for one in ROWS[:size]]
    found = gathered(tmp_path, lines)
    assert (found.num_rows, found.schema.names) == (size, [*OUTPUT, "input_columns"])
    assert found["id"].to_pylist() == [str(n) for n in range(size)]


def test_values_that_are_not_of_their_column():
    """An older row may hold anything: what does not fit is left out, and said."""
    row = annotate_row({"id": 1, "answer": "Yes [1].", "sources": SOURCES}, OPTIONS)
    odd = row | {
        "cited": encode(row["cited"]).decode(),
        "rendered": [["text", "Yes"]],
        "citations": "none",
        "schema": 2**40,
        "formats": {"number": "x"},
        "issues": [{"message": 7}],
    }
    [batch] = batches_of([row, odd], [], OUTPUT_SCHEMA)
    first, second = batch.to_pylist()
    assert first["citations"] == row["citations"]
    assert (second["cited"], second["rendered"]) == (odd["cited"], [("text", "Yes")])
    assert [second[name] for name in ("citations", "schema", "formats", "issues")] == [None] * 4
    assert second["error"] == "; ".join(
        f"{name}: is not what the column holds"
        for name in ("citations", "issues", "formats", "schema")
    )


def test_responses_are_objects(tmp_path):
    """In a struct, each response has the fields of all: what is empty is not there."""
    path = tmp_path / "in.arrow"
    write(
        path,
        pa.table({"answer": [{"text": "Yes.", "usage": None}, {"text": None, "usage": 1}]}),
    )
    found = [row["answer"] for _, row in read_rows(str(path))]
    assert found == [{"text": "Yes."}, {"usage": 1}]


@pytest.mark.parametrize("ending", [".arrow", ".arrows"])
def test_a_table_with_broken_bytes(tmp_path, ending):
    """Arrow IPC has no checksums: what would be read outside of a column ends no process."""
    path = tmp_path / f"in{ending}"
    write(path, pa.table({"answer": ["12345", "67890", "x"]}))
    data = path.read_bytes()
    good, bad = struct.pack("<4i", 0, 5, 10, 11), struct.pack("<4i", 0, 2**30, 10, 11)
    assert data.count(good) == 1
    path.write_bytes(data.replace(good, bad))
    with pytest.raises(BatchFileError) as caught:
        list(read_rows(str(path)))
    assert caught.value.fault == "unreadable"
