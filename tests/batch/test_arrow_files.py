"""Parquet and Arrow IPC files: whole or not at all, and no column loses its type."""

from __future__ import annotations

import json
import os
import signal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from batch_kit import row

from citemark.batch import BatchOptions, SourcesTable, annotate_row
from citemark.batch._faults import BatchFileError
from citemark.batch._strict import encode
from citemark.batch.arrow import _io, annotate_batch
from citemark.batch.arrow.files import annotate_file, lines_of, write_table
from citemark.batch.files._jsonl import REJECT
from citemark.batch.where import read_where

OPTIONS = BatchOptions(to=("text",))
ROWS = [row(number, team=f"t{number % 3}", options=None) for number in range(2_500)]
ROWS[7]["options"] = '{"unknown": 1}'
ENDINGS = [".parquet", ".arrow", ".arrows"]


def table(rows=ROWS):
    given = pa.Table.from_pylist(rows)
    kept = pa.array(range(len(rows)), pa.uint16())
    return given.append_column("kept", kept).append_column(
        "seen", kept.cast("int64").cast("timestamp[ms]")
    )


def write(path, given):
    if path.suffix == ".parquet":
        pq.write_table(given, path, row_group_size=900)
        return
    start = pa.ipc.new_stream if path.suffix == ".arrows" else pa.ipc.new_file
    with path.open("wb") as file, start(file, given.schema) as out:
        out.write_table(given, max_chunksize=700)


def read(path):
    if path.suffix == ".parquet":
        return pq.read_table(path)
    start = pa.ipc.open_stream if path.suffix == ".arrows" else pa.ipc.open_file
    with path.open("rb") as file:
        return start(file).read_all()


@pytest.mark.parametrize("ending", ENDINGS)
def test_table_in_table_out(tmp_path, ending):
    """Rows are those of a batch, with types; those that failed stand beside, as they were."""
    path, output = tmp_path / f"in{ending}", tmp_path / f"out{ending}"
    write(path, table())
    tally = annotate_file(str(path), str(output), OPTIONS)
    expected = annotate_batch(table().combine_chunks().to_batches()[0], OPTIONS)
    assert read(output).to_pylist() == expected.to_pylist()
    assert read(output).schema.names == expected.schema.names
    assert read(output).schema.types[-3:] == expected.schema.types[-3:]
    assert (tally.rows, tally.errors, tally.nulls) == (2_500, 1, 0)
    [reject] = read(tmp_path / f"out{ending}.rejects{ending}").to_pylist()
    assert (reject["id"], reject["kept"], reject["options"]) == (7, 7, '{"unknown": 1}')
    assert "unknown" in reject[REJECT]
    assert len(list(tmp_path.iterdir())) == 3


def test_rejects_are_fed_back_in(tmp_path):
    """A table of rejects is one of rows; why they failed is no column of theirs."""
    path, again = tmp_path / "in.parquet", tmp_path / "again.parquet"
    write(path, table())
    annotate_file(str(path), str(tmp_path / "out.parquet"), OPTIONS)
    tally = annotate_file(str(tmp_path / "out.parquet.rejects.parquet"), str(again), OPTIONS)
    assert (tally.rows, tally.errors) == (1, 1)
    assert REJECT not in read(again).schema.names


def test_same_in_processes(tmp_path):
    """Several processes make the same file; a row that kills them is one with an error."""
    path = tmp_path / "in.arrow"
    write(path, table(ROWS[:300]))
    for workers in (0, 2):
        output = str(tmp_path / f"{workers}.arrow")
        annotate_file(str(path), output, OPTIONS, workers=workers)
    assert read(tmp_path / "0.arrow").equals(read(tmp_path / "2.arrow"))


def test_conditions_and_limit(tmp_path):
    """Rows are taken by conditions on any column, and no more than asked for."""
    path, output = tmp_path / "in.parquet", tmp_path / "out.parquet"
    write(path, table())
    where = [read_where("team=t1"), read_where("id!=4")]
    tally = annotate_file(str(path), str(output), where=where, limit=400)
    assert (tally.rows, tally.errors) == (400, 1)
    assert read(output)["kept"].to_pylist()[:3] == [1, 7, 10]


def test_dictionaries(tmp_path):
    """Parquet and streams keep them; a file, in which they cannot change, has the values."""
    given = table(ROWS[:20])
    names = given["team"].combine_chunks().dictionary_encode()
    given = given.set_column(given.schema.get_field_index("team"), "team", names)
    for ending, kind in [(".arrow", pa.string()), (".parquet", names.type)]:
        path, output = tmp_path / f"in{ending}", tmp_path / f"out{ending}"
        write(path, given)
        annotate_file(str(path), str(output), OPTIONS)
        found = read(output)
        assert found.schema.field("team").type == kind
        assert found["team"].to_pylist() == given["team"].to_pylist()


def test_empty_table(tmp_path):
    """No rows give no rows, of the same columns."""
    path, output = tmp_path / "in.parquet", tmp_path / "out.parquet"
    write(path, table().slice(0, 0))
    assert annotate_file(str(path), str(output)).rows == 0
    assert read(output).schema.names[-2:] == ["kept", "seen"]


@pytest.mark.parametrize("ending", ENDINGS)
def test_cut_off_input(tmp_path, ending):
    """A table that was cut off is told; no output is left, and an earlier one stays."""
    path, output = tmp_path / f"in{ending}", tmp_path / f"out{ending}"
    write(path, table())
    path.write_bytes(path.read_bytes()[:-2_000])
    output.write_bytes(b"earlier")
    with pytest.raises(BatchFileError) as caught:
        annotate_file(str(path), str(output))
    assert caught.value.fault == ("unreadable" if ending == ".arrows" else "truncated")
    assert output.read_bytes() == b"earlier"
    assert sorted(one.name for one in tmp_path.iterdir()) == [path.name, output.name]


@pytest.mark.parametrize("data", [b"", b"{}\n" * 500], ids=["empty", "lines"])
@pytest.mark.parametrize("ending", ENDINGS)
def test_what_is_no_table(tmp_path, ending, data):
    """It is told by the name of the file."""
    path = tmp_path / f"in{ending}"
    path.write_bytes(data)
    with pytest.raises(BatchFileError, match=path.name) as caught:
        annotate_file(str(path), str(tmp_path / "out.parquet"))
    assert caught.value.fault == "unreadable"
    with pytest.raises(BatchFileError, match="no such file"):
        annotate_file(str(tmp_path / f"other{ending}"), str(tmp_path / "out.parquet"))


def test_full_disk(tmp_path):
    """It is told as that, not as an error of the library."""
    path, output = tmp_path / "in.parquet", tmp_path / "out.parquet"
    write(path, table())
    pid = os.fork()
    if not pid:
        _write_little(path, output)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert list(tmp_path.iterdir()) == [path]


def _write_little(path, output):
    import resource

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
    try:
        annotate_file(str(path), str(output), OPTIONS)
    except BatchFileError as error:
        os._exit(0 if error.fault == "full" else 2)
    os._exit(3)


def test_groups_are_bounded(tmp_path, monkeypatch):
    """Groups of rows of the output are cut by rows and by bytes."""
    monkeypatch.setattr(_io, "GROUP_ROWS", 1_000)
    path, output = tmp_path / "in.parquet", tmp_path / "out.parquet"
    write(path, table())
    annotate_file(str(path), str(output))
    file = pq.ParquetFile(output)
    sizes = [file.metadata.row_group(n).num_rows for n in range(file.num_row_groups)]
    assert sum(sizes) == 2_500
    assert max(sizes) < 2_000


def test_heavy_rows_are_read_one_by_one(tmp_path, monkeypatch):
    """The size of what is read at once is that of rows, not their number."""
    monkeypatch.setattr(_io, "MAX_BYTES", 10_000)
    path = tmp_path / "in.parquet"
    texts = [os.urandom(2_500).hex() for _ in range(20)]
    write(path, pa.table({"answer": texts}))
    with _io.opened_table(str(path)) as given:
        counts = [batch.num_rows for batch in given.batches]
    assert sum(counts) == 20
    assert max(counts) <= 2


def test_table_as_lines(tmp_path):
    """A table is read as lines of JSON, row for row."""
    path = tmp_path / "in.parquet"
    write(path, table(ROWS[:50]).drop_columns(["seen"]))
    with lines_of(str(path)) as lines:
        found = [json.loads(line) for line in lines]
    expected = pq.read_table(path).to_pylist()
    assert found == expected


def test_lines_as_table(tmp_path):
    """Annotated rows as lines become the table that they would have become."""
    output = tmp_path / "out.parquet"
    lines = [encode(annotate_row(one, OPTIONS, SourcesTable())) for one in ROWS]
    assert write_table(lines, str(output)) == 2_500
    found = read(output)
    direct = annotate_batch(pa.RecordBatch.from_pylist(ROWS), OPTIONS)
    names = [name for name in direct.schema.names if name not in ("team", "content_digest")]
    assert found.select(names).to_pylist() == direct.select(names).to_pylist()
    assert json.loads(found["input_columns"][4].as_py()) == {"team": "t1"}
