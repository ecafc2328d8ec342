"""CSV with a header row, as spreadsheets and databases write it (RFC 4180).

Cells are texts: ``sources``, ``request`` and ``options`` hold JSON, and an empty cell is null.
"""

from __future__ import annotations

import base64
import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from citemark.batch._columns import OTHERS, OUTPUT, others_of
from citemark.batch._limit import within_limit
from citemark.batch._record import MAX_RECORD, RecordError, as_text
from citemark.batch._strict import encode, plain
from citemark.batch.files._csv_cells import guarded, is_guarded, unguarded
from citemark.batch.files._csv_header import read_header, said_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from citemark.batch.files._lines import Lines

__all__ = ["CsvReader", "CsvWriter", "mended_row"]

MAX_CELL: Final = 2**31 - 1
"""The greatest limit that fits where a C ``long`` has 32 bits."""

NO_DELIMITERS: Final = '"\r\n\0'

UNCLOSED: Final = "; a quote is not closed: all lines below are in it"
SEVERAL: Final = (
    "holds more than one row; put them into a CSV file of their own, below the same header"
)

csv.field_size_limit(MAX_CELL)  # answers are longer than the 128 kB of the default


@dataclass(frozen=True, slots=True)
class CsvReader:
    """Reads rows below a header."""

    columns: tuple[str, ...]
    """Names in the header, in order."""

    delimiter: str
    """What stands between cells."""

    @classmethod
    def of(cls, lines: Lines) -> CsvReader:
        """Read the header.

        Raises:
            BatchFileError: There is none, or one without ``answer``, or with a name twice.
        """
        return cls(*read_header(lines))

    def records(self, lines: Lines) -> Iterator[tuple[int, bytes]]:
        """Yield the first line's number and the bytes of each row; a blank line is none."""
        taken: list[bytes] = []
        rows = csv.reader(_taking(lines, taken), delimiter=self.delimiter, strict=True)
        while True:
            first = lines.line + 1
            try:
                is_blank = not next(rows)
            except StopIteration:
                return
            except csv.Error:
                is_blank = False
            data = b"".join(taken)
            taken.clear()
            if not is_blank:
                yield first, data

    def parse(self, data: bytes) -> dict[str, Any]:
        """Return the row of a record.

        Raises:
            RecordError: It is none.
        """
        return row_of(as_text(data), self.columns, self.delimiter)

    def raw(self, data: bytes) -> dict[str, Any]:
        """Return a record that cannot be read, as a rejects file has it."""
        how = {"columns": self.columns, "delimiter": self.delimiter}
        try:
            return {"raw": as_text(data).rstrip("\r\n"), **how}
        except RecordError:
            return {"raw_base64": base64.b64encode(data.rstrip(b"\r\n")).decode(), **how}


def row_of(text: str, columns: Sequence[str], delimiter: str) -> dict[str, Any]:
    """Return the row that a record is.

    Raises:
        RecordError: It is none.
    """
    try:
        cells = _cells(text, delimiter)
    except csv.Error as error:
        hint = UNCLOSED if "unexpected end" in str(error) else ""
        raise RecordError(f"is not CSV: {said_of(error)}{hint}") from None
    if len(cells) != len(columns):
        reason = f"has {len(cells)} cells below a header of {len(columns)}"
        raise RecordError(f'{reason}; cells that hold the delimiter stand in "quotes"')
    if is_guarded(columns):
        cells = [*map(unguarded, cells)]
    return {name: cell or None for name, cell in zip(columns, cells, strict=True)}


def mended_row(
    text: str,
    columns: Any,  # noqa: ANN401  whatever JSON has
    delimiter: Any,  # noqa: ANN401  likewise
) -> dict[str, Any]:
    """Return the row that a record is which stands in a rejects file.

    Args:
        text: The record.
        columns: Names in its header, in order.
        delimiter: What stands between its cells; a comma if None.

    Raises:
        RecordError: It is none, or its header is no list of names.
    """
    is_names = isinstance(columns, list) and all(isinstance(one, str) for one in columns)
    if not is_names or len({*columns}) != len(columns):
        raise RecordError("its columns are no list of names, each another")
    delimiter = "," if delimiter is None else delimiter
    if not isinstance(delimiter, str) or len(delimiter) != 1 or delimiter in NO_DELIMITERS:
        raise RecordError("its delimiter is no single character that may be one")
    return row_of(text, columns, delimiter)


def _cells(text: str, delimiter: str) -> list[str]:
    lines = io.StringIO(text, newline="")
    rows = filter(None, csv.reader(lines, delimiter=delimiter, strict=True))
    cells = next(rows, [])
    if next(rows, None) is not None:
        raise RecordError(SEVERAL)
    return cells


def _taking(lines: Lines, taken: list[bytes]) -> Iterator[str]:
    """Yield lines as text of any bytes, and keep those of the record that is read."""
    weight = 0
    while data := lines.read():
        weight = len(data) if not taken else weight + len(data)
        if weight > MAX_RECORD:
            lines.refuse_long(MAX_RECORD, lines.line - len(taken))
        taken.append(data)
        yield data.decode("utf-8", "surrogateescape")


@dataclass(frozen=True, slots=True)
class CsvWriter:
    """Writes rows: nested values as JSON, and no cell that a spreadsheet would run."""

    columns: tuple[str, ...]
    """Names in the header, in order."""

    has_others: bool
    """Whether the last column holds all that pass through."""

    @classmethod
    def of(cls, passed: Sequence[str] | None) -> CsvWriter:
        """Return a writer for rows of such further columns; None if they are not known."""
        further = [OTHERS] if passed is None else passed
        return cls((*OUTPUT, *further), has_others=passed is None)

    @property
    def head(self) -> bytes:
        """The header row."""
        return _line([guarded(name) for name in self.columns])

    def encode(self, row: Mapping[str, Any]) -> tuple[bytes, Mapping[str, Any]]:
        """Return a row as a record that can be read again, and so: see ``within_limit``."""
        return within_limit(row, self._encoded)

    def _encoded(self, row: Mapping[str, Any]) -> bytes:
        known = {name: row.get(name) for name in self.columns}
        if self.has_others:
            known[OTHERS] = others_of(row)
        return _line([_cell(value) for value in known.values()])


def _cell(value: object) -> object:
    value = plain(value)
    if isinstance(value, (dict, list)):
        return encode(value).decode()
    return guarded(value) if isinstance(value, str) else value


def _line(cells: Sequence[object]) -> bytes:
    line = io.StringIO()
    csv.writer(line, quoting=csv.QUOTE_NONNUMERIC).writerow(cells)
    return line.getvalue().encode()
