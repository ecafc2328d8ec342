"""Rows of files: read line by line, whatever stands in them, and written safely."""

from __future__ import annotations

import csv
import gzip
import io
import json
import sys
import tracemalloc
from functools import partial
from itertools import pairwise

import pytest
import zstandard
from batch_kit import jsonl, row, row_or_reason
from growth_kit import assert_linear
from hypothesis import given
from hypothesis import strategies as st

from citemark.batch._faults import BatchFileError
from citemark.batch.files import _lines, file_format, opened, read_rows
from citemark.batch.files._compressed import compressor, decompressed
from citemark.batch.files._csv import UNCLOSED, CsvReader, CsvWriter
from citemark.batch.files._lines import Lines, batches
from citemark.batch.rows import OUTPUT

ROWS = [row(number) for number in range(3)]

SKIPPABLE = b"\x50\x2a\x4d\x18" + (5_000).to_bytes(4, "little") + b"x" * 5_000
"""A frame of zstd that holds what others put there (RFC 8878, 3.1.2)."""


packed = partial(gzip.compress, mtime=0)  # the time would be in the names of tests


def write(tmp_path, name, data):
    (tmp_path / name).write_bytes(data)
    return str(tmp_path / name)


def read(path):
    """Line and row of each, or why it is none."""
    return [(line, row_or_reason(one)) for line, one in read_rows(path)]


def members(pack):
    """Rows as three members, one after the other: how chunks are written."""
    return b"".join(pack(jsonl([one])) for one in ROWS)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.jsonl", jsonl(ROWS)),
        ("a.NDJSON", b"\xef\xbb\xbf" + jsonl(ROWS)),
        ("a.json", jsonl(ROWS).replace(b"\n", b"\r\n").rstrip()),
        ("a.jsonl.gz", packed(jsonl(ROWS))),
        ("a.jsonl.gz", members(packed) + b"\0" * 512),
        ("a.jsonl.zst", zstandard.compress(jsonl(ROWS))),
        ("a.jsonl.zst", members(zstandard.compress)),
        ("a.jsonl.GZ", b"\0" + members(packed) + b"\0" * 5_000 + packed(b"\n")),
        ("A.JSONL.ZST", SKIPPABLE + members(zstandard.compress) + SKIPPABLE),
    ],
)
def test_rows_are_read(tmp_path, name, data):
    """From any ending, compressed or not, with and without marks."""
    assert read(write(tmp_path, name, data)) == list(enumerate(ROWS, 1))


def test_lines_that_are_no_rows_are_told_apart(tmp_path):
    """Each with its number; blank lines are none."""
    lines = [
        b'{"answer": "x"}', b"", b"[1]", b"  ", b'"x"', b'{"id":', b'{"id": "caf\xe9"}',
        b"[" * 100_000, b'{"n": ' + b"9" * 5000 + b"}", b'{"id": 2}', b'{"id": 3',
    ]  # fmt: skip
    digits = (
        "is not JSON that can be read: Exceeds the limit (4300 digits) for integer string "
        "conversion: value has 5000 digits; use sys.set_int_max_str_digits() to increase the "
        "limit"
    )
    cut = (
        "is not JSON: Expecting ',' delimiter at column 9; it has no newline: the file may be "
    )
    assert read(write(tmp_path, "a.jsonl", b"\n".join(lines))) == [
        (1, {"answer": "x"}),
        (3, "expected an object, found a list; write each of its objects on a line"),
        (5, "expected an object, found none"),
        (6, "is not JSON: Expecting value at column 7"),
        (7, "is not UTF-8: byte 0xe9 at byte 12"),
        (8, "is nested too deeply"),
        (9, digits),
        (10, {"id": 2}),
        (11, cut + "cut off"),
    ]


def test_rows_of_csv(tmp_path):
    """Cells over several lines, quotes, empty cells, and records that are none."""
    data = (
        b"\xef\xbb\xbfID;Answer;Team\r\n"
        b'1;"Ten ""days""\r\n[1]; or more";x\r\n'
        b"\r\n;;\r\n"
        b"2;;\r\n"
        b"3;a;b;c\r\n"
        b"4;a\r\n"
        b'5;"a"b;c\r\n'
        b"6;caf\xe9;c\r\n"
        b'7;"cut'
    )
    assert read(write(tmp_path, "a.csv", data)) == [
        (2, {"id": "1", "answer": 'Ten "days"\r\n[1]; or more', "Team": "x"}),
        (5, {"id": None, "answer": None, "Team": None}),
        (6, {"id": "2", "answer": None, "Team": None}),
        (7, 'has 4 cells below a header of 3; cells that hold the delimiter stand in "quotes"'),
        (8, 'has 2 cells below a header of 3; cells that hold the delimiter stand in "quotes"'),
        (9, "is not CSV: ';' expected after '\"'"),
        (10, "is not UTF-8: byte 0xe9 at byte 6"),
        (
            11,
            f"is not CSV: unexpected end of data{UNCLOSED}",
        ),
    ]


@given(st.lists(st.tuples(st.text(), st.text()), max_size=5))
def test_csv_is_read_as_the_standard_library_reads_it(cells):
    """Records are cut where they end, whatever their cells hold."""
    cells = [tuple(cell.replace("\0", "") for cell in pair) for pair in cells]
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL).writerows([("answer", "b"), *cells])
    data = text.getvalue().encode("utf-8", "replace")
    lines = Lines(io.BytesIO(data), "a.csv")
    reader = CsvReader.of(lines)
    found = [tuple(reader.parse(record).values()) for _, record in reader.records(lines)]
    known = [*csv.reader(io.StringIO(data.decode(), newline=""))][1:]
    assert found == [tuple(cell or None for cell in one) for one in known]
    assert lines.offset == len(data)


@pytest.mark.parametrize(
    ("name", "data", "fault", "reason"),
    [
        ("a.txt", b"", "format", "has no ending that is known"),
        ("a.csv", b"", "format", 'no column is called "answer"'),
        ("a.csv", b"id,text\n", "format", 'no column is called "answer"'),
        ("a.csv", b"answer,a,a\n", "format", '2 columns are called "a"'),
        ("a.csv", b"answer,caf\xe9\n", "format", "its header is not UTF-8"),
        ("a.jsonl", "{}".encode("utf-16"), "format", "is UTF-16"),
        ("a.jsonl.gz", packed(jsonl(ROWS))[:-9], "truncated", "it was cut off"),
        ("a.jsonl.zst", zstandard.compress(jsonl(ROWS))[:-9], "truncated", "it was cut off"),
        ("a.jsonl.gz", b"no gzip", "unreadable", "is no gz file"),
        ("a.jsonl.zst", b"no zstd", "unreadable", "is no zst file"),
        ("a.jsonl.GZ", b"no gzip", "unreadable", "is no gz file"),
        ("a.jsonl.gz", packed(b"{}\n") + b"\0\0xx", "unreadable", "is no gz file"),
        ("a.jsonl.zst", SKIPPABLE[:-1], "truncated", "it was cut off"),
        ("a.jsonl.zst", zstandard.compress(b"{}\n") + b"no zstd", "unreadable", "is no zst"),
    ],
)
def test_files_that_cannot_be_read_are_told_apart(tmp_path, name, data, fault, reason):
    """One clear error, with the name of the file."""
    path = write(tmp_path, name, data)
    with pytest.raises(BatchFileError) as found:
        read(path)
    assert (found.value.fault, found.value.path) == (fault, path)
    assert reason in str(found.value)


def test_a_missing_file_and_a_folder():
    """As the system has it."""
    faults = []
    for path in ("/nowhere/a.jsonl", "/dev/null/a.jsonl"):
        with pytest.raises(BatchFileError) as found, opened(path):
            pass
        faults.append(found.value.fault)
    assert faults == ["missing", "unreadable"]


def test_zstd_names_its_extra(tmp_path, monkeypatch):
    """Who has not installed it is told how."""
    path = write(tmp_path, "a.jsonl.zst", zstandard.compress(b"{}"))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(BatchFileError, match=r"pip install 'citemark\[zstd\]'"):
        read(path)


@given(st.lists(st.integers(0, 40), max_size=30), st.integers(1, 60))
def test_batches_are_bounded_in_rows_and_bytes(sizes, most):
    """Each has at most so many bytes but for its last row, and the last one is marked."""
    old, _lines.MAX_BYTES = _lines.MAX_BYTES, most
    try:
        data = b"".join(b'{"a":"%b"}\n' % (b"x" * size) for size in sizes)
        lines = Lines(io.BytesIO(data), "a")
        records = ((lines.line, line) for line in iter(lines.read, b""))
        found = [*batches(lines, records)]
    finally:
        _lines.MAX_BYTES = old
    assert b"".join(line for batch in found for _, line in batch.records) == data
    for batch in found:
        assert sum(len(line) for _, line in batch.records[:-1]) < most
    assert [batch.is_last for batch in found] == [False] * (len(found) - 1) + [True]
    assert all(one.offset < two.offset or two.is_last for one, two in pairwise(found))
    assert found[-1].offset == len(data)


@pytest.mark.parametrize(("name", "data"), [("a.jsonl", b'{"a": "'), ("a.csv", b'answer\n"')])
def test_a_row_without_end_is_not_read_as_a_whole(tmp_path, monkeypatch, name, data):
    """A file without newlines, or a quote that is not closed, is an error."""
    monkeypatch.setattr(_lines, "MAX_RECORD", 1000)
    monkeypatch.setattr("citemark.batch.files._csv.MAX_RECORD", 1000)
    path = write(
        tmp_path, name, data + b"x\n" * 10_000 if "csv" in name else data + b"x" * 10_000
    )
    with pytest.raises(BatchFileError, match="a row of more than"):
        read(path)


def test_csv_that_is_written_runs_nothing_and_keeps_all():
    """Formulas are disarmed; nested values are JSON; columns of unknown name are kept."""
    writer = CsvWriter.of(None)
    given_row = dict.fromkeys(OUTPUT) | {
        "id": "=1+1",
        "citations": [{"id": "a"}],
        "schema": 1,
        "error": '+x "\r\n',
        "team": ["x"],
    }
    text = (writer.head + writer.encode(given_row)[0]).decode()
    [found] = csv.DictReader(io.StringIO(text, newline=""))
    assert found["id"] == "'=1+1"
    assert json.loads(found["citations"]) == [{"id": "a"}]
    assert (found["schema"], found["error"]) == ("1", "'+x \"\r\n")
    assert json.loads(found["input_columns"]) == {"team": ["x"]}


def test_columns_of_csv_stay_columns():
    """In their order, after those that are written always."""
    writer = CsvWriter.of(["team", "input_error", "=cmd"])
    assert writer.columns == (*OUTPUT, "team", "input_error", "=cmd")
    assert b"'=cmd" in writer.head


def test_endings():
    """In any case."""
    assert [file_format(name) for name in ("a.JSONL.GZ", "b/a.tsv.zst", "-")] == [
        "jsonl",
        "csv",
        "jsonl",
    ]


@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_what_is_packed_tightly_is_read_once(ending):
    """A few bytes may hold megabytes: what is left of these is not copied for each piece."""
    pack = {".gz": packed, ".zst": zstandard.compress}[ending]

    def work(size):
        data = pack(b" " * size)

        def read_all():
            file = decompressed(io.BytesIO(data), f"a.jsonl{ending}")
            while file.read(1 << 16):
                pass

        return read_all

    assert_linear(work(4_000_000), work(40_000_000))


def test_what_is_packed_tightly_is_unpacked_step_by_step():
    """A few kilobytes of zstd may hold hundreds of megabytes: memory does not."""
    pack = zstandard.ZstdCompressor().compressobj()
    data = b"".join(pack.compress(b" " * (1 << 20)) for _ in range(200)) + pack.flush()
    tracemalloc.start()
    try:
        assert decompressed(io.BytesIO(data), "a.jsonl.zst").read(10) == b" " * 10
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 100 << 20


def test_what_is_written_is_compressed_by_its_ending_in_any_case():
    """As it is read."""
    for ending in (".gz", ".GZ", ".zst", ".ZST"):
        made = compressor(f"a.jsonl{ending}")(b"{}")
        assert made != b"{}"
        assert decompressed(io.BytesIO(made), f"a.jsonl{ending}").read() == b"{}"
