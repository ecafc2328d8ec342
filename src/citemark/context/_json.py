"""JSON style: one object a line, so that a line end begins a source and nothing else does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citemark.context._rows import Row

__all__ = ["write"]


def write(rows: Sequence[Row]) -> str:
    """Return the sources as JSON Lines."""
    return "\n".join(json.dumps(_object(row), ensure_ascii=False) for row in rows)


def _object(row: Row) -> dict[str, str | int | float]:
    label: dict[str, str] = {"id": row.label} if row.label else {}
    text = {"text": row.passage} if row.passage else {}
    return {**label, **dict(row.fields), **text}
