"""Arrow batches out of annotated rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from citemark.batch._forms import joined
from citemark.batch._strict import encode, plain
from citemark.batch.arrow._schema import OUTPUT_SCHEMA

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["Rows", "batches_of", "fitted"]

MAX_ROWS: Final = 1024
MAX_BYTES: Final = 16 << 20
"""Of a batch that comes out, without columns that pass through.  One row may have more."""

MAX_TEXT: Final = 2**31 - 1
"""Bytes that all texts of a column of a batch can have."""

ALWAYS: Final = ("id", "schema", "version", "options_digest", "content_digest")
"""Columns that a row has whatever becomes of its answer."""

UNFIT: Final = (
    pa.ArrowException,
    TypeError,
    ValueError,
    OverflowError,
    AttributeError,
    LookupError,
)
"""What a value raises that is not of its column: nobody says what stands in an older output."""


@dataclass(slots=True)
class Rows:
    """Annotated rows that become a batch together."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    weight: int = 0
    """Bytes of them, about."""

    @property
    def is_full(self) -> bool:
        """Whether they should become a batch now."""
        return len(self.rows) >= MAX_ROWS or self.weight >= MAX_BYTES

    def add(self, row: Mapping[str, Any]) -> None:
        """Add a row.  One that no batch can hold becomes one with an error."""
        try:
            found = _ready(row)
            weight = _weight(found)
        except UNFIT:
            found = _fitting(row)
            weight = len(encode(found))
        if weight > MAX_TEXT:
            found = dict.fromkeys(row) | {name: row[name] for name in ALWAYS}
            found["error"] = f"the row would have {weight:,} bytes; a batch holds {MAX_TEXT:,}"
            weight = 0
        self.rows.append(found)
        self.weight += weight

    def batch(self, passed: list[pa.Array], schema: pa.Schema) -> pa.RecordBatch:
        """Return the rows, with columns that pass through.

        Raises:
            OverflowError: They are more than a batch holds.
        """
        if self.weight > MAX_TEXT:
            raise OverflowError(f"rows of {self.weight:,} bytes; a batch holds {MAX_TEXT:,}")
        try:
            made = self._columns()
        except UNFIT:
            self.rows = [_fitting(row) for row in self.rows]
            made = self._columns()
        return pa.RecordBatch.from_arrays([*made, *passed], schema=schema)

    def _columns(self) -> list[pa.Array]:
        return [_column([row[one.name] for row in self.rows], one) for one in OUTPUT_SCHEMA]


def batches_of(
    rows: Iterable[Mapping[str, Any]], passed: list[pa.Array], schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """Yield rows in batches that are bounded in rows and bytes; an empty one for none.

    Args:
        rows: Annotated, in order.
        passed: Columns that pass through, of as many rows.
        schema: Of all columns.
    """
    held, first, count = Rows(), 0, 0
    for row in rows:
        held.add(row)
        if held.is_full:
            count = len(held.rows)
            yield held.batch([column.slice(first, count) for column in passed], schema)
            held, first = Rows(), first + count
    if held.rows or not count:
        yield held.batch([column.slice(first) for column in passed], schema)


def fitted(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a row without what its columns do not hold, and with an error that says so."""
    found = _fitting(row)
    lost = _lost(row, found)
    return {**row, **dict.fromkeys(lost), "error": found["error"]} if lost else row


def _ready(row: Mapping[str, Any]) -> dict[str, Any]:
    cited, rendered, formats = row["cited"], row["rendered"], row["formats"]
    return {
        **row,
        "cited": cited if cited is None or isinstance(cited, str) else encode(cited),
        "rendered": None if rendered is None else [*rendered.items()],
        "formats": None if formats is None else [*formats.items()],
    }


def _fitting(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row without what its columns do not hold, and with an error that says so."""
    found = {one.name: _fit(row[one.name], one) for one in OUTPUT_SCHEMA}
    lost = [f"{name}: is not what the column holds" for name in _lost(row, found)]
    found["error"] = joined([*filter(None, [found["error"]]), *lost])
    return found


def _lost(row: Mapping[str, Any], found: Mapping[str, Any]) -> list[str]:
    return [name for name, one in found.items() if one is None and row[name] is not None]


def _fit(value: Any, column: pa.Field) -> Any:  # noqa: ANN401  of a column
    if column.name == "cited" and isinstance(value, dict):
        return encode(value)
    try:
        if pa.types.is_map(column.type):
            pairs = value.items() if isinstance(value, dict) else value
            value = [tuple(pair) for pair in pairs]
        _column([value], column)
    except UNFIT:
        return None
    return value


def _weight(row: Mapping[str, Any]) -> int:
    texts = [text for _, text in row["rendered"] or ()]
    texts += row["unresolved"] or ()
    texts += [
        text for issue in row["issues"] or () for text in (issue["message"], issue["key"])
    ]
    return len(row["cited"] or b"") + sum(map(_size, texts))


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def _column(values: list[Any], column: pa.Field) -> pa.Array:
    """Return values as a column; a response may hold halves of surrogate pairs, as JSON can."""
    try:
        return pa.array(values, column.type)
    except UnicodeError:
        return pa.array([_well_formed(value, column.type) for value in values], column.type)


def _well_formed(value: Any, kind: pa.DataType) -> Any:  # noqa: ANN401  of a column
    if isinstance(value, bytes):
        return value
    found = plain(value)
    return [tuple(pair) for pair in found] if found and pa.types.is_map(kind) else found
