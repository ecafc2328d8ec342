"""Records out of a text: JSON, JSON Lines or CSV, told apart by how it starts.

Names of files say little (``.json`` often holds JSON Lines), so they only decide for CSV.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from citemark.cli._csv import read_rows
from citemark.cli._io import BadInputError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Record", "read_records"]

CSV_NAMES: Final = (".csv", ".tsv")

BYTE_ORDER_MARK: Final = "\ufeff"

EXPECTED: Final = (
    'expected a JSON list of objects with an "id", an object with such a list under "sources", '
    "JSON Lines, or CSV with a header row (id,title,url,text,page)"
)


@dataclass(frozen=True, slots=True)
class Record:
    """A record as it was read, and where it stands."""

    value: object
    """A mapping, if all is well."""

    where: str
    """Place for messages: ``sources.csv: record 2 (line 3)``."""


def read_records(text: str, where: str) -> list[Record]:
    """Return the records of a text.

    Args:
        text: JSON, JSON Lines or CSV.
        where: Name of the file, for messages.

    Raises:
        BadInputError: It is none of these.
    """
    text = text.lstrip(BYTE_ORDER_MARK)  # programs that each add one leave two
    start = text.lstrip()[:1]
    if not start:
        raise BadInputError(where, f"is empty; {EXPECTED}")
    if where.lower().endswith(CSV_NAMES) or not (start in "[{" or _is_json(text)):
        return [Record(row, place) for row, place in read_rows(text, where, EXPECTED)]
    return _json(text, where)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _json(text: str, where: str) -> list[Record]:
    try:
        value = _parse(text, where)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            if text.lstrip().startswith("{"):
                return list(_json_lines(text, where))
            reason = f"more follows where the list ends; {EXPECTED}"
            raise BadInputError(f"{where}: line {error.lineno}", reason) from None
        raise BadInputError(f"{where}: line {error.lineno}", _not_json(error)) from None
    records = _listed(value)
    if records is None:
        raise BadInputError(where, f"holds no list of records; {EXPECTED}")
    return [Record(item, f"{where}: record {n}") for n, item in enumerate(records, 1)]


def _listed(value: object) -> list[object] | None:
    """Return the records in a JSON value: a list, an object that has one, or one record."""
    if isinstance(value, dict):
        lone = [value] if {"id", "page_content"} & value.keys() else None
        value = value.get("sources", lone)
    return value if isinstance(value, list) else None


def _json_lines(text: str, where: str) -> Iterator[Record]:
    filled = ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())
    for position, (number, line) in enumerate(filled, 1):
        place = f"{where}: record {position} (line {number})"
        try:
            yield Record(_parse(line, place), place)
        except json.JSONDecodeError as error:
            reason = f"{_not_json(error)}; in JSON Lines each line is one object"
            raise BadInputError(place, reason) from None


def _parse(text: str, where: str) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        raise
    except RecursionError:
        raise BadInputError(where, "is nested too deeply; give flat records") from None
    except ValueError as error:  # a number of more digits than Python reads
        raise BadInputError(where, f"is not JSON that can be read: {error}") from None


def _not_json(error: json.JSONDecodeError) -> str:
    return f"is not JSON: {error.msg} at column {error.colno}"
