"""Arrow batches out of annotated rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import pyarrow as pa

from citemark.batch._strict import encode, plain
from citemark.batch.arrow._schema import OUTPUT_SCHEMA

__all__ = ["Rows"]

MAX_TEXT: Final = 2**31 - 1
"""Bytes that all texts of a column of a batch can have."""

ALWAYS: Final = ("id", "schema", "version", "options_digest", "content_digest")
"""Columns that a row has whatever becomes of its answer."""


@dataclass(slots=True)
class Rows:
    """Annotated rows that become a batch together."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    weight: int = 0
    """Bytes of them, about."""

    def add(self, row: dict[str, Any]) -> None:
        """Add a row.  One that no batch can hold becomes one with an error."""
        found = _ready(row)
        weight = _weight(found)
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
        made = [_column([row[one.name] for row in self.rows], one) for one in OUTPUT_SCHEMA]
        return pa.RecordBatch.from_arrays([*made, *passed], schema=schema)


def _ready(row: dict[str, Any]) -> dict[str, Any]:
    cited, rendered, formats = row["cited"], row["rendered"], row["formats"]
    return row | {
        "cited": None if cited is None else encode(cited),
        "rendered": None if rendered is None else [*rendered.items()],
        "formats": None if formats is None else [*formats.items()],
    }


def _weight(row: dict[str, Any]) -> int:
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
