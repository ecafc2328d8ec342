"""CSV with a header row, as spreadsheets and databases write it (RFC 4180).

Cells are texts: ``sources``, ``request`` and ``options`` hold JSON, and an empty cell is null.
"""

from __future__ import annotations

import base64
import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from citemark.batch._faults import BatchFileError
from citemark.batch._record import RecordError, as_text
from citemark.batch._strict import encode, plain
from citemark.batch.files._lines import MAX_RECORD
from citemark.batch.rows import INPUT, OUTPUT, passed_names
from citemark.renderers.csv import harmless

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from citemark.batch.files._lines import Lines

__all__ = ["OTHERS", "CsvReader", "CsvWriter", "row_of"]

OTHERS: Final = "input_columns"
"""Column for those that pass through from a file that does not say which there are."""

DELIMITERS: Final = ",;\t"
MAX_CELL: Final = 2**31 - 1
"""The greatest limit that fits where a C ``long`` has 32 bits."""

csv.field_size_limit(MAX_CELL)  # answers are longer than the 128 kB of the default


@dataclass(frozen=True, slots=True)
class CsvReader:
    """Reads rows below a header."""

    columns: tuple[str, ...]
    """Names in the header, in order."""

    delimiter: str
    """Comma, semicolon or tab: what the header has most of."""

    @classmethod
    def of(cls, lines: Lines) -> CsvReader:
        """Read the header.

        Raises:
            BatchFileError: There is none, or one without ``answer``, or with a name twice.
        """
        try:
            text = as_text(_whole_record(lines))
        except RecordError as error:
            raise BatchFileError(lines.path, "format", f"its header {error}") from None
        delimiter = max(DELIMITERS, key=text.count)
        names = _cells(text, delimiter) if text.strip() else []
        columns = tuple(map(_column, names))
        if "answer" not in columns and "cited" not in columns:  # an output
            raise BatchFileError(lines.path, "format", 'no column is called "answer"')
        twice = [name for name in columns if columns.count(name) > 1]
        if twice:
            reason = f'{columns.count(twice[0])} columns are called "{twice[0]}"; rename one'
            raise BatchFileError(lines.path, "format", reason)
        return cls(columns, delimiter)

    def records(self, lines: Lines) -> Iterator[tuple[int, bytes]]:
        """Yield the first line's number and the bytes of each row that is not empty."""
        taken: list[bytes] = []
        rows = csv.reader(_taking(lines, taken), delimiter=self.delimiter, strict=True)
        while True:
            first = lines.line + 1
            try:
                is_blank = not any(next(rows))
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
    except (csv.Error, TypeError) as error:
        raise RecordError(f"is not CSV: {error}") from None
    if len(cells) != len(columns):
        reason = f"has {len(cells)} cells below a header of {len(columns)}"
        raise RecordError(f'{reason}; cells that hold the delimiter stand in "quotes"')
    return {name: cell or None for name, cell in zip(columns, cells, strict=True)}


def _cells(text: str, delimiter: str) -> list[str]:
    lines = io.StringIO(text, newline="")
    rows = [row for row in csv.reader(lines, delimiter=delimiter, strict=True) if row]
    if len(rows) > 1:
        raise RecordError("holds more than one row")
    return rows[0] if rows else []


def _column(name: str) -> str:
    name = name.strip()
    return name.lower() if name.lower() in INPUT else name


def _taking(lines: Lines, taken: list[bytes]) -> Iterator[str]:
    """Yield lines as text of any bytes, and keep those of the record that is read."""
    weight = 0
    while data := lines.read():
        weight = len(data) if not taken else weight + len(data)
        if weight > MAX_RECORD:
            lines.refuse_long()
        taken.append(data)
        yield data.decode("utf-8", "surrogateescape")


def _whole_record(lines: Lines) -> bytes:
    """Return the first record that is not blank: quotes may hold newlines."""
    data = lines.read()
    while data and not data.strip():
        data = lines.read()
    while data.count(b'"') % 2 and (more := lines.read()):
        data += more
    return data


@dataclass(frozen=True, slots=True)
class CsvWriter:
    """Writes rows: nested values as JSON, and no cell that a spreadsheet would run."""

    columns: tuple[str, ...]
    """Names in the header, in order."""

    @classmethod
    def of(cls, passed: Sequence[str] | None) -> CsvWriter:
        """Return a writer for rows of such further columns; None if they are not known."""
        return cls((*OUTPUT, *([OTHERS] if passed is None else passed_names(passed))))

    @property
    def head(self) -> bytes:
        """The header row."""
        return _line([harmless(name) for name in self.columns])

    def encode(self, row: Mapping[str, Any]) -> bytes:
        """Return a row as a record."""
        known = {name: row.get(name) for name in self.columns}
        if self.columns[-1] == OTHERS and OTHERS not in row:
            known[OTHERS] = {k: v for k, v in row.items() if k not in OUTPUT} or None
        return _line([_cell(value) for value in known.values()])


def _cell(value: object) -> object:
    value = plain(value)
    if isinstance(value, (dict, list)):
        return encode(value).decode()
    return harmless(value) if isinstance(value, str) else value


def _line(cells: Sequence[object]) -> bytes:
    line = io.StringIO()
    csv.writer(line, quoting=csv.QUOTE_NONNUMERIC).writerow(cells)
    return line.getvalue().encode()
