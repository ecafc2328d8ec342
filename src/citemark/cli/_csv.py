"""Rows of a CSV table with a header row, as people export it from a spreadsheet."""

from __future__ import annotations

import csv
import io
import sys
from typing import TYPE_CHECKING, Any, Final

from citemark.cli._io import BadInputError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["read_rows"]

DELIMITERS: Final = ",;\t"
"""Comma, what spreadsheets write where numbers have commas, tab."""

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
    csv.field_size_limit(sys.maxsize)  # passages are longer than the 128 kB of the default
    delimiter = max(DELIMITERS, key=text.split("\n", 1)[0].count)
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        head = [name.strip().lower() for name in next(lines)]
        if "id" not in head:
            raise BadInputError(f"{where}: line 1", f'no column is called "id"; {expected}')
        filled = ((lines.line_num, row) for row in lines if any(row))
        for position, (number, row) in enumerate(filled, 1):
            place = f"{where}: record {position} (line {number})"
            yield _record(head, row, place), place
    except csv.Error as error:
        raise BadInputError(f"{where}: line {lines.line_num}", f"is not CSV: {error}") from None


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
