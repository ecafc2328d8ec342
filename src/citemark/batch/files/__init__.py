"""Files of rows: what they are by their endings, and how their rows are read.

``.jsonl``, ``.ndjson`` and ``.json`` hold an object on each line, ``.csv`` and ``.tsv`` a table
with a header; ``.gz`` or ``.zst`` after that is compressed.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Literal, TypeAlias

from citemark.batch._faults import BatchFileError, reading
from citemark.batch._record import RecordError
from citemark.batch.files._compressed import BLOCK, COMPRESSIONS, decompressed
from citemark.batch.files._csv import CsvReader, CsvWriter
from citemark.batch.files._jsonl import REJECT, JsonLinesReader, JsonLinesWriter
from citemark.batch.files._lines import Lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = [
    "ENDINGS",
    "STDIO",
    "FileFormat",
    "OpenFile",
    "file_format",
    "opened",
    "read_rows",
    "writer_of",
]

FileFormat: TypeAlias = Literal["jsonl", "csv"]

STDIO: Final = "-"
"""Stands for stdin and stdout."""

ENDINGS: Final[dict[str, FileFormat]] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".csv": "csv",
    ".tsv": "csv",
}


def file_format(name: str) -> FileFormat:
    """Return what a file is by its ending; stdin and stdout are JSON Lines.

    Raises:
        BatchFileError: It has an ending that is not known.

    >>> file_format("answers/may.csv.gz")
    'csv'
    """
    if name == STDIO:
        return "jsonl"
    path = Path(name.lower())
    if path.suffix in COMPRESSIONS:
        path = path.with_suffix("")
    if path.suffix not in ENDINGS:
        known = ", ".join(ENDINGS)
        reason = f"has no ending that is known: {known}, and .gz or .zst after it"
        raise BatchFileError(name, "format", reason)
    return ENDINGS[path.suffix]


class OpenFile:
    """A file that is being read.

    Args:
        path: Its name, or ``-`` for stdin.
        raw: Its bytes as they are.
    """

    def __init__(self, path: str, raw: IO[bytes]) -> None:
        """Read its header, if it has one."""
        self.path, self._raw = path, raw
        self.lines = Lines(decompressed(raw, path), path)
        kind = CsvReader if file_format(path) == "csv" else JsonLinesReader
        self.reader: CsvReader | JsonLinesReader = kind.of(self.lines)
        self.state = self._state()

    @property
    def columns(self) -> Sequence[str] | None:
        """Names of the columns; None if each row has its own."""
        return self.reader.columns if isinstance(self.reader, CsvReader) else None

    @property
    def size(self) -> int | None:
        """Bytes of the file as it is; None for a pipe."""
        return self.state[0] if self.state else None

    @property
    def taken(self) -> int:
        """Bytes that were read of it, as they are in the file."""
        return self._raw.tell() if self.state else self.lines.offset

    def require_same(self) -> None:
        """Refuse a file that was written to since it was opened.

        Raises:
            BatchFileError: It was.
        """
        if self._state() != self.state:
            raise BatchFileError(self.path, "changed", "was written to while it was read")

    def _state(self) -> tuple[int, int] | None:
        if self.path == STDIO:
            return None
        with reading(self.path):
            found = os.fstat(self._raw.fileno())
            known = Path(self.path).stat()
        if (found.st_ino, found.st_dev) != (known.st_ino, known.st_dev):
            return (-1, -1)  # another file has its name
        is_regular = os.path.isfile(self.path)  # noqa: PTH113  as cheap
        return (found.st_size, found.st_mtime_ns) if is_regular else None


@contextmanager
def opened(path: str) -> Iterator[OpenFile]:
    """Open a file of rows, and close it.

    Raises:
        BatchFileError: It cannot be read, or is none.
    """
    if path == STDIO:
        yield OpenFile(path, sys.stdin.buffer)
        return
    with reading(path):
        raw = Path(path).open("rb", buffering=BLOCK)  # noqa: SIM115  closed below
    with raw:
        yield OpenFile(path, raw)


def read_rows(path: str) -> Iterator[tuple[int, dict[str, Any] | RecordError]]:
    """Yield each row of a file with the number of its line; an error for one that is none.

    Raises:
        BatchFileError: The file cannot be read.
    """
    with opened(path) as file:
        for line, data in file.reader.records(file.lines):
            try:
                row = file.reader.parse(data)
            except RecordError as error:
                yield line, error
            else:
                row.pop(REJECT, None)
                yield line, row


def writer_of(path: str, columns: Sequence[str] | None) -> CsvWriter | JsonLinesWriter:
    """Return what writes rows to a file of that name.

    Args:
        path: Name of the file.
        columns: Names of the columns of the input, if they are known.
    """
    return CsvWriter.of(columns) if file_format(path) == "csv" else JsonLinesWriter()
