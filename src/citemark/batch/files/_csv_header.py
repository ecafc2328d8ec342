"""The header of a CSV file: the names of its columns, and what stands between its cells."""

from __future__ import annotations

import csv
import re
from collections import Counter
from itertools import chain, dropwhile
from typing import TYPE_CHECKING, Final

from citemark.batch._columns import INPUT
from citemark.batch._faults import BatchFileError
from citemark.batch._record import RecordError, as_text
from citemark.batch.files._csv_cells import is_guarded, unguarded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citemark.batch.files._lines import Lines

__all__ = ["read_header", "said_of"]

DELIMITERS: Final = ",;\t"

MAX_HEADER: Final = 1 << 22
"""Bytes: a quote that is not closed is told before a great file is read."""

_QUOTED: Final = re.compile(r'(?:^|(?<=[,;\t]))"[^"]*(?:""[^"]*)*("?)')
"""A cell in quotes, up to the last of them or to the end of the line."""

_SAID: Final = re.compile(r'"?sep=([^"\r\n\0])"?[\r\n]*', re.IGNORECASE)
"""A first line that names the delimiter, as Excel reads and writes it."""

_RETURN: Final = "a carriage return stands alone, outside quotes"


def read_header(lines: Lines) -> tuple[tuple[str, ...], str]:
    """Return the names of the columns, in order, and the delimiter.

    Raises:
        BatchFileError: There is no header, or one without ``answer``, or with a name twice.
    """
    try:
        names, delimiter = _names(lines)
    except RecordError as error:
        raise BatchFileError(lines.path, "format", f"its header {error}") from None
    except csv.Error as error:
        reason = f"its header is not CSV: {said_of(error)}"
        raise BatchFileError(lines.path, "format", reason) from None
    columns = tuple(map(_column, names))
    if is_guarded(columns):
        columns = tuple(map(unguarded, columns))
    if "answer" not in columns and "cited" not in columns:  # an output
        raise BatchFileError(lines.path, "format", 'no column is called "answer"')
    name, count = Counter(columns).most_common(1)[0]
    if count > 1:
        reason = f'{count} columns are called "{name}"; rename one'
        raise BatchFileError(lines.path, "format", reason)
    return columns, delimiter


def said_of(error: csv.Error) -> str:
    """Return what the reader says; where it speaks of how files are opened, what it met."""
    said = str(error)
    return _RETURN if said.startswith("new-line") else said


def _names(lines: Lines) -> tuple[list[str], str]:
    texts = map(as_text, dropwhile(bytes.isspace, _bounded(lines)))
    first = next(texts, "")
    said = _SAID.fullmatch(first)
    begun: list[str] = []
    if said is not None:
        delimiter = said[1]
    else:
        begun, delimiter = _begun(chain([first], texts))
    rows = csv.reader(chain(begun, texts), delimiter=delimiter, strict=True)
    return next(filter(None, rows), []), delimiter


def _bounded(lines: Lines) -> Iterator[bytes]:
    weight = 0
    while data := lines.read(MAX_HEADER):
        weight += len(data)
        if weight > MAX_HEADER:
            lines.refuse_long(MAX_HEADER, 1)
        yield data


def _begun(texts: Iterator[str]) -> tuple[list[str], str]:
    """Read lines until they tell the delimiter: what stands most often outside quotes."""
    taken: list[str] = []
    found = dict.fromkeys(DELIMITERS, 0)
    is_open = False
    for text in texts:
        taken.append(text)
        outside, is_open = _outside(text, is_open=is_open)
        found = {one: found[one] + outside.count(one) for one in DELIMITERS}
        if any(found.values()) or not is_open:
            break
    return taken, max(DELIMITERS, key=found.__getitem__)


def _outside(text: str, *, is_open: bool) -> tuple[str, bool]:
    """Return a line without its cells in quotes, and whether the last of them goes on."""
    whole = f'"{text}' if is_open else text
    ends = [quoted[1] for quoted in _QUOTED.finditer(whole)]
    return _QUOTED.sub("", whole), ends[-1:] == [""]


def _column(name: str) -> str:
    name = name.strip()
    return name.lower() if name.lower() in INPUT else name
