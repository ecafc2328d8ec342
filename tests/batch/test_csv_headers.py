"""Headers of CSV: what stands between cells, how far they go, and what is said of the rest."""

from __future__ import annotations

import gzip
import io
from contextlib import suppress

import pytest
from batch_kit import row_or_reason
from growth_kit import assert_linear

from citemark.batch._faults import BatchFileError
from citemark.batch.files import _csv_header, read_rows
from citemark.batch.files._csv import UNCLOSED, CsvReader
from citemark.batch.files._line_ends import with_line_feeds
from citemark.batch.files._lines import Lines


def read(tmp_path, data, name="a.csv"):
    """Line and row of each, or why it is none."""
    (tmp_path / name).write_bytes(data)
    return [(line, row_or_reason(one)) for line, one in read_rows(str(tmp_path / name))]


@pytest.mark.parametrize(
    ("data", "line", "columns"),
    [
        (b'id,5" disk,answer\n1,x,yes\n', 2, ["id", '5" disk', "answer"]),
        (b'5"" disk,"an ""id""",answer\n1,x,yes\n', 2, ['5"" disk', 'an "id"', "answer"]),
        (b'"a; b; c",id,answer\n1,x,yes\n', 2, ["a; b; c", "id", "answer"]),
        (b'"a,\nb,\nc";id;answer\n1;x;yes\n', 4, ["a,\nb,\nc", "id", "answer"]),
        (b'id;"a""\n;"",b";answer\n1;x;yes\n', 3, ["id", 'a"\n;",b', "answer"]),
        (b'id,"x;y\n,z",answer\n1,x,yes\n', 3, ["id", "x;y\n,z", "answer"]),
        (b"\xef\xbb\xbfsep=;\r\nid;a,b,c;answer\r\n1;x;yes", 3, ["id", "a,b,c", "answer"]),
        (b'"SEP=|"\nid|a,b,c|answer\n1|x|yes', 3, ["id", "a,b,c", "answer"]),
        (b"sep=\t\nid\ta,b,c\tanswer\n1\tx\tyes", 3, ["id", "a,b,c", "answer"]),
        (b"\n \t\nid,x,answer\r1,x,yes".replace(b"\n", b"\r"), 4, ["id", "x", "answer"]),
        (b'id,"x\ry",answer\r1,x,yes\r', 3, ["id", "x\ny", "answer"]),
    ],
)
def test_a_header_is_read(tmp_path, data, line, columns):
    """With quotes in cells and around them, over lines, and whatever ends these."""
    cells = dict(zip(columns, ["1", "x", "yes"], strict=True))
    assert read(tmp_path, data) == [(line, cells)]
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(data))
    assert [row for _, row in read_rows(str(tmp_path / "a.csv.gz"))] == [cells]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b'id,"answer"x\n1,yes\n', "its header is not CSV: ',' expected after '\"'"),
        (b'id,"answer\n1,yes\n', "its header is not CSV: unexpected end of data"),
        (
            b"id,answer\r1,yes\n",
            "its header is not CSV: a carriage return stands alone, outside quotes",
        ),
        (b"sep=;\n", 'no column is called "answer"'),
        (b"sep=;\nid,answer\n", 'no column is called "answer"'),
        (b'id,"a\nb\xe9",answer\n', "its header is not UTF-8: byte 0xe9 at byte 2"),
        (b'answer,"' + b"x\n" * 500, "line 1 starts a row of more than 0 MB"),
        (b'"' + b"x\n" * 500, "line 1 starts a row of more than 0 MB"),
        (b"x" * 1_001, "line 1 starts a row of more than 0 MB"),
    ],
)
def test_what_is_no_header_is_one_error(tmp_path, monkeypatch, data, reason):
    """With the name of the file; a quote that is not closed ends it after some megabytes."""
    monkeypatch.setattr(_csv_header, "MAX_HEADER", 1_000)
    with pytest.raises(BatchFileError) as found:
        read(tmp_path, data)
    assert (found.value.fault, str(found.value)) == (
        "format",
        f"{tmp_path / 'a.csv'}: {reason}",
    )


def test_only_a_blank_line_is_no_row(tmp_path):
    """Cells that are all empty are a row without an answer."""
    assert read(tmp_path, b'id,answer\n1,a\n,\n\r\n"",""\n\n2,b\n') == [
        (2, {"id": "1", "answer": "a"}),
        (3, {"id": None, "answer": None}),
        (5, {"id": None, "answer": None}),
        (7, {"id": "2", "answer": "b"}),
    ]
    assert read(tmp_path, b'answer\n\n""\na') == [(3, {"answer": None}), (4, {"answer": "a"})]


def test_a_stray_quote_says_how_far_it_goes(tmp_path):
    """And which row it spoils."""
    assert read(tmp_path, b'id,answer\n1,"a\n2,b\n3,c\n') == [
        (
            2,
            f"is not CSV: unexpected end of data{UNCLOSED}",
        )
    ]
    several = (
        "holds more than one row; put them into a CSV file of their own, below the same header"
    )
    assert read(tmp_path, b"id,answer\n1,a\r2,b\n3,c\n") == [
        (2, several),
        (3, {"id": "3", "answer": "c"}),
    ]


def test_lines_that_end_in_cr_keep_their_place():
    """Bytes are as many, wherever the stream is cut."""
    data = b"id,answer\r" + b"1,yes\r" * 100_000
    stream = with_line_feeds(io.BufferedReader(io.BytesIO(data)), "a.csv")
    assert stream.read() == data.replace(b"\r", b"\n")
    for kept in (b"id,answer\r\n1,a\rb\r\n", b"answer\r", b"", b"answer\n1\r2\r"):
        assert with_line_feeds(io.BufferedReader(io.BytesIO(kept)), "a.csv").read() == kept


@pytest.mark.parametrize(
    "header",
    [
        lambda size: b'"' + b"x\n" * size + b'",answer\n',
        lambda size: b'id,5" disk,answer\n' + b"1,x,yes\n" * size,
        lambda size: b"answer" + b"".join(b",c%d" % one for one in range(size)) + b"\n",
        lambda size: b"answer" + b',"' * size + b"\n",
    ],
)
def test_headers_are_read_in_linear_time(header):
    """Of many lines, many columns and many quotes."""

    def work(size):
        data = header(size)

        def read_header():
            with suppress(BatchFileError):
                CsvReader.of(Lines(io.BytesIO(data), "a.csv"))

        return read_header

    assert_linear(work(20_000), work(200_000))
