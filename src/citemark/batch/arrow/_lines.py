"""A table read as lines of JSON: where rows meet those of other files.

A line is an object; for a row with cells that cannot be read, a list of it and of why not.

Conditions, digests, offsets and resuming are then those of lines.
"""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, Final

from citemark.batch._faults import BatchFileError
from citemark.batch._record import RecordError, Unread, readable, unread_in
from citemark.batch._strict import encode
from citemark.batch.arrow._open import OpenTable
from citemark.batch.arrow._read import cells_of
from citemark.batch.arrow._schema import RowSchemaError, require_columns
from citemark.batch.files._jsonl import REJECT, JsonLinesReader

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    import pyarrow as pa

    from citemark.batch.arrow._read import Row
    from citemark.batch.files._held import HeldFile
    from citemark.batch.files._lines import Lines

__all__ = ["LinesOfTable", "TableReader"]

BUFFER: Final = 1 << 18


class LinesOfTable:
    """A table that is read as lines.

    Args:
        file: Its ending says what it is.

    Raises:
        BatchFileError: It cannot be read, or holds no rows of answers.
    """

    def __init__(self, file: HeldFile) -> None:
        """Read its schema."""
        self._table = OpenTable(file)
        _require_rows(file.path, self._table.schema)
        names = self._table.schema.names
        self.reader = TableReader(tuple(name for name in names if name != REJECT))

    @property
    def taken(self) -> int:
        """Bytes of the file that were read, about."""
        return self._table.taken

    def lines(self) -> IO[bytes]:
        """Return its rows, a line for each."""
        return io.BufferedReader(_Stream(self._encoded()), BUFFER)

    def _encoded(self) -> Generator[bytes, None, None]:
        for batch in self._table.batches():
            for rows in cells_of(batch, batch.schema.names):
                yield from map(_line, rows)


@dataclass(frozen=True, slots=True)
class TableReader:
    """Reads rows of a table that stand as lines."""

    columns: tuple[str, ...]
    """Names of the columns of the table, in order."""

    def records(self, lines: Lines) -> Iterator[tuple[int, bytes]]:
        """Yield number and line of each row."""
        while data := lines.read():
            yield lines.line, data

    def parse(self, data: bytes) -> dict[str, Any]:
        """Return the row of a line, with ``Unread`` for each cell that cannot be read.

        Raises:
            RecordError: It is a reject that is no row.
        """
        if not data.startswith(b"["):
            return JsonLinesReader().parse(data)
        row: dict[str, Any]
        row, unread = json.loads(data)
        return row | {name: Unread(reason) for name, reason in unread.items()}

    def raw(self, data: bytes) -> dict[str, Any]:
        """Return what can be read of a row, as a rejects file has it."""
        try:
            return {"raw": encode(self.parse(data)).decode()}
        except RecordError:  # a reject that is no row
            return JsonLinesReader().raw(data)


def _line(row: Row) -> bytes:
    if not unread_in(row):
        return encode(row) + b"\n"
    unread = {name: one.reason for name, one in row.items() if isinstance(one, Unread)}
    return encode([readable(row), unread]) + b"\n"


class _Stream(io.RawIOBase):
    """Lines as a stream of bytes."""

    def __init__(self, lines: Generator[bytes, None, None]) -> None:
        self._lines, self._ready = lines, memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401  as ``io`` has it
        self._ready = self._ready or memoryview(next(self._lines, b""))
        count = min(len(buffer), len(self._ready))
        buffer[:count], self._ready = self._ready[:count], self._ready[count:]
        return count

    def close(self) -> None:
        self._lines.close()
        super().close()


def _require_rows(path: str, schema: pa.Schema) -> None:
    """Refuse a table that holds neither answers nor what was made of them.

    Raises:
        BatchFileError: It has no such column, or two of one name.
    """
    try:
        require_columns(schema.names, any_of=("answer", "cited"))
    except RowSchemaError as error:
        raise BatchFileError(path, "format", str(error)) from None
