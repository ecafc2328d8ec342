"""Rows of a CSV table with a header row, as people export it from a spreadsheet."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any, Final

from citemark.cli._io import BadInputError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["read_rows"]

DELIMITERS: Final = ",;\t"
"""Comma, what spreadsheets write where numbers have commas, tab."""

MAX_CELL: Final = 2**31 - 1
"""The greatest limit that fits where a C ``long`` has 32 bits, as on Windows."""

MAX_DIGITS: Final = 10
"""Longer numbers are no page numbers."""


def read_rows(text: str, where: str, expected: str) -> Iterator[tuple[dict[str, Any], str]]:
    """Return each row that is not empty as a record, with its place for messages.

    Args:
        text: The table; the delimiter is what its header has most of.
        where: Name of the file.
        expected: What should be there, for the message if this is no such table.

    Raises:
        BadInputError: It is not such a table.
    """
    csv.field_size_limit(MAX_CELL)  # passages are longer than the 128 kB of the default
    delimiter = max(DELIMITERS, key=text.lstrip().split("\n", 1)[0].count)
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    filled = ((lines.line_num, row) for row in lines if any(row))
    try:
        number, cells = next(filled, (1, []))
        head = _head(cells, f"{where}: line {number}", expected)
        for position, (number, row) in enumerate(filled, 1):
            place = f"{where}: record {position} (line {number})"
            yield _record(head, row, place), place
    except csv.Error as error:
        raise BadInputError(f"{where}: line {lines.line_num}", f"is not CSV: {error}") from None


def _head(cells: list[str], where: str, expected: str) -> list[str]:
    from citemark.records import FIELDS

    names = [cell.strip().lower() for cell in cells]
    if "id" not in names:
        raise BadInputError(where, f'no column is called "id"; {expected}')
    twice = next((name for name in names if name in FIELDS and names.count(name) > 1), None)
    if twice is not None:
        reason = f'{names.count(twice)} columns are called "{twice}"; rename all but one'
        raise BadInputError(where, reason)
    return names


def _record(head: list[str], row: list[str], where: str) -> dict[str, Any]:
    if len(row) > len(head):
        reason = f"has {len(row)} cells below a header of {len(head)}"
        raise BadInputError(where, f'{reason}; put cells that hold the delimiter in "quotes"')
    filled: dict[str, Any] = {
        name: cell for name, cell in zip(head, row, strict=False) if name and cell
    }
    if "page" in filled:
        filled["page"] = _page(filled["page"])
    if "score" in filled:
        filled["score"] = _score(filled["score"])
    return filled


def _page(cell: str) -> int | str:
    """Return a page number as such, but ``iv`` and ``007`` as they are."""
    is_number = cell.isascii() and cell.isdecimal() and len(cell) <= MAX_DIGITS
    return int(cell) if is_number and cell[0] != "0" else cell


def _score(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None
