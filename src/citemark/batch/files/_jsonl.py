"""JSON Lines: a row is an object on a line of its own."""

from __future__ import annotations

import base64
import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from citemark.batch._faults import BatchFileError
from citemark.batch._limit import within_limit
from citemark.batch._record import RecordError, as_text
from citemark.batch._strict import encode, is_strict
from citemark.batch.files import _csv
from citemark.batch.files._needed import Needed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from citemark.batch.files._lines import Lines

__all__ = ["IS_ARRAY", "REJECT", "JsonLinesReader", "JsonLinesWriter"]

IS_ARRAY: Final = "is a JSON array; write each of its objects on a line, as jq -c '.[]' does"
"""Of a file that begins with ``[``: over several lines, no line of it is JSON."""

REJECT: Final = "citemark_reject"
"""Column of a rejects file: why a row is there; and if it cannot be read, how it stood."""


@dataclass(frozen=True, slots=True)
class JsonLinesReader:
    """Reads rows; those of a rejects file are read as they were, or as they were mended."""

    @classmethod
    def of(cls, lines: Lines) -> JsonLinesReader:  # noqa: ARG003  there is no header
        """Return the reader of a file."""
        return cls()

    def records(self, lines: Lines) -> Iterator[tuple[int, bytes]]:
        """Yield number and bytes of each line that is not blank.

        Raises:
            BatchFileError: The file holds an array, and not an object on each line; or no row
                of the first batch has an answer.
        """
        is_first = not lines.offset
        needed = Needed(lines) if is_first else None
        while data := lines.read():
            if data.isspace():
                continue
            if is_first and data.lstrip().startswith(b"["):
                raise BatchFileError(lines.path, "format", IS_ARRAY)
            is_first = False
            if needed and needed.is_told(data):
                needed = None
            yield lines.line, data
        if needed:
            needed.require()

    def parse(self, data: bytes) -> dict[str, Any]:
        """Return the row of a line.

        Raises:
            RecordError: It is none.
        """
        row = _object(as_text(data.rstrip(b"\r\n")), is_cut=not data.endswith(b"\n"))
        reject = row.pop(REJECT, None)
        return _mended(reject) if isinstance(reject, dict) and _RAWS & reject.keys() else row

    def is_repeated(self, data: bytes) -> bool:
        """Whether JSON holds all that a line does, or that it stands for as a reject."""
        reject = _reject_in(data)
        if reject is None:
            return _is_repeated(as_text(data))
        return "columns" in reject or _is_repeated(_raw_of(reject))

    def raw(self, data: bytes) -> dict[str, Any]:
        """Return a line that cannot be read, as a rejects file has it."""
        reject = _reject_in(data)
        if reject is not None:
            return {name: value for name, value in reject.items() if name in _KEPT}
        try:
            return {"raw": as_text(data).rstrip("\r\n")}
        except RecordError:
            return {"raw_base64": base64.b64encode(data.rstrip(b"\r\n")).decode()}


_RAWS: Final = {"raw", "raw_base64"}
_KEPT: Final = {*_RAWS, "columns", "delimiter"}


def _object(text: str, *, is_cut: bool = False) -> dict[str, Any]:
    try:
        row = json.loads(text)
    except json.JSONDecodeError as error:
        cut = "; it has no newline: the file may be cut off" if is_cut else ""
        raise RecordError(f"is not JSON: {error.msg} at column {error.colno}{cut}") from None
    except RecursionError:
        raise RecordError("is nested too deeply") from None
    except ValueError as error:  # a number of more digits than Python reads
        raise RecordError(f"is not JSON that can be read: {error}") from None
    if not isinstance(row, dict):
        what = (
            "a list; write each of its objects on a line" if isinstance(row, list) else "none"
        )
        raise RecordError(f"expected an object, found {what}")
    return row


def _reject_in(data: bytes) -> dict[str, Any] | None:
    """Return what a line of a rejects file says of a row that stands there as text."""
    try:
        reject = _object(as_text(data)).get(REJECT)
    except RecordError:
        return None
    return reject if isinstance(reject, dict) and _RAWS & reject.keys() else None


def _mended(reject: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row that stands as raw text in a rejects file, mended or not."""
    text = _raw_of(reject)
    if "columns" in reject:
        return _csv.mended_row(text, reject["columns"], reject.get("delimiter"))
    return _object(text)


def _raw_of(reject: Mapping[str, Any]) -> str:
    raw, encoded = reject.get("raw"), reject.get("raw_base64")
    if isinstance(raw, str):
        return raw
    if not isinstance(encoded, str):
        raise RecordError("its raw is no text")
    try:
        return as_text(base64.b64decode(encoded, validate=True))
    except ValueError as error:
        if isinstance(error, RecordError):
            raise
        raise RecordError("its raw_base64 is no Base64") from None


def _is_repeated(text: str) -> bool:
    """Whether a row of JSON is the same when it is written again.

    Infinity, NaN, numbers that are too great and halves of surrogate pairs are not, and of
    a name that stands twice one value is lost.
    """
    return is_strict(json.loads(text, object_pairs_hook=_once))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; one that JSON cannot hold if a name in it stands twice."""
    found = dict(pairs)
    return found if len(found) == len(pairs) else {"": math.nan}


@dataclass(frozen=True, slots=True)
class JsonLinesWriter:
    """Writes rows."""

    head: bytes = b""
    """What stands before the first row."""

    def encode(self, row: Mapping[str, Any]) -> tuple[bytes, Mapping[str, Any]]:
        """Return a row as a line that can be read again, and so: see ``within_limit``."""
        return within_limit(row, _line)


def _line(row: Mapping[str, Any]) -> bytes:
    return encode(row) + b"\n"
