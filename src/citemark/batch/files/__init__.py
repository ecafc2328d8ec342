"""Files of rows: what they are by their endings, and how their rows are read.

``.jsonl``, ``.ndjson`` and ``.json`` hold an object on each line, ``.csv`` and ``.tsv`` a table
with a header; ``.gz`` or ``.zst`` after that is compressed.  ``.parquet``, ``.arrow``,
``.feather`` and ``.arrows`` are tables with types, which need the extra ``arrow``.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Literal, TypeAlias

from citemark.batch._faults import BatchFileError, reading
from citemark.batch._record import RecordError
from citemark.batch.files._compressed import BLOCK, COMPRESSIONS, decompressed
from citemark.batch.files._csv import CsvReader, CsvWriter
from citemark.batch.files._held import STDIO, HeldFile, held
from citemark.batch.files._jsonl import REJECT, JsonLinesReader, JsonLinesWriter
from citemark.batch.files._line_ends import with_line_feeds
from citemark.batch.files._lines import Lines
from citemark.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from citemark.batch.arrow._lines import LinesOfTable, TableReader

__all__ = [
    "ENDINGS",
    "STDIO",
    "TABLES",
    "FileFormat",
    "HeldFile",
    "OpenFile",
    "file_format",
    "held",
    "is_table",
    "opened",
    "read_rows",
    "require_readable",
    "writer_of",
]

FileFormat: TypeAlias = Literal["jsonl", "csv", "table"]

TABLES: Final = (".parquet", ".arrow", ".feather", ".arrows")
"""Endings of tables with types: Parquet; Arrow IPC files; and an Arrow IPC stream."""

SQLITE_MAGIC: Final = b"SQLite format 3\0"

ENDINGS: Final[dict[str, FileFormat]] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".csv": "csv",
    ".tsv": "csv",
    **dict.fromkeys(TABLES, "table"),
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
    is_compressed = path.suffix in COMPRESSIONS
    ending = path.with_suffix("").suffix if is_compressed else path.suffix
    if ending not in ENDINGS:
        lines = ", ".join(one for one in ENDINGS if one not in TABLES)
        reason = f"has no ending that is known: {lines}, and .gz or .zst after it"
        reason += f"; {', '.join(TABLES)}"
        raise BatchFileError(name, "format", reason)
    if is_compressed and ending in TABLES:
        reason = (
            f"{ending} is compressed inside; decompress it, and leave out the {path.suffix}"
        )
        raise BatchFileError(name, "format", reason)
    return ENDINGS[ending]


def is_table(name: str) -> bool:
    """Whether a file is a table with types, by its ending."""
    return name.lower().endswith(TABLES)


def require_readable(name: str) -> None:
    """Refuse a file of whose kind none can be read or written.

    Raises:
        BatchFileError: It is a database; or its ending is not known, or needs an extra that is
            not installed.
    """
    if _is_sqlite(name):
        raise BatchFileError(name, "format", f"is a SQLite database; give sqlite:///{name}")
    if file_format(name) != "table":
        return
    try:
        import citemark.batch.arrow  # noqa: F401, PLC0415  needs an extra
    except MissingExtraError as error:
        raise BatchFileError(name, "format", str(error)) from None


def _is_sqlite(name: str) -> bool:
    """Whether a file, if there is one, is a database, whatever its ending."""
    path = Path(name)
    if name == STDIO or not path.is_file():
        return False
    with reading(name), path.open("rb") as file:
        return file.read(len(SQLITE_MAGIC)) == SQLITE_MAGIC


class OpenFile(HeldFile):
    """A file whose rows are read one after the other; those of a table as lines of JSON.

    Args:
        path: Its name, or ``-`` for stdin.
        raw: Its bytes as they are.
    """

    def __init__(self, path: str, raw: IO[bytes]) -> None:
        """Read its header, if it has one."""
        super().__init__(path, raw)
        self._table = _table_of(self) if is_table(path) else None
        self.lines = Lines(self._stream(), path)
        self.reader = self._reader()

    @property
    def columns(self) -> Sequence[str] | None:
        """Names of the columns; None if each row has its own."""
        return None if isinstance(self.reader, JsonLinesReader) else self.reader.columns

    @property
    def taken(self) -> int:
        """Bytes that were read of it, as they are in the file."""
        if self._table is not None:
            return self._table.taken
        return self.raw.tell() if self._known else self.lines.offset

    def _stream(self) -> IO[bytes]:
        if self._table is not None:
            return self._table.lines()
        stream = decompressed(self.raw, self.path)
        is_csv = file_format(self.path) == "csv"
        return with_line_feeds(stream, self.path) if is_csv else stream

    def _reader(self) -> CsvReader | JsonLinesReader | TableReader:
        if self._table is not None:
            return self._table.reader
        return (CsvReader if file_format(self.path) == "csv" else JsonLinesReader).of(
            self.lines
        )


def _table_of(file: HeldFile) -> LinesOfTable:
    from citemark.batch.arrow._lines import LinesOfTable  # noqa: PLC0415  needs an extra

    return LinesOfTable(file)


@contextmanager
def opened(path: str) -> Iterator[OpenFile]:
    """Open a file of rows, and close it.

    Raises:
        BatchFileError: It cannot be read, or is none.
    """
    if path == STDIO:
        if sys.stdin is None:  # by the shell: <&-
            raise BatchFileError("stdin", "unreadable", "is closed")
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
        path: Name of the file; a table is made of lines when all are there.
        columns: Names of those that pass through; None if they are not known.
    """
    return CsvWriter.of(columns) if file_format(path) == "csv" else JsonLinesWriter()
