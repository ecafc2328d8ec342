"""Names of columns: those that are read, those that are written, and all others."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

__all__ = ["INPUT", "OTHERS", "OUTPUT", "others_of", "passed_names"]

INPUT: Final = ("id", "answer", "sources", "dialect", "provider", "request", "options")
"""Columns that are read.  All others pass through."""

OUTPUT: Final = (
    "id",
    "cited",
    "rendered",
    "citations",
    "unresolved",
    "issues",
    "formats",
    "checks",
    "schema",
    "version",
    "options_digest",
    "content_digest",
    "error",
)
"""Columns that are written.  One of such a name that passes through becomes ``input_...``."""

OTHERS: Final = "input_columns"
"""Column for those that pass through from a file that does not say which there are."""


def passed_names(names: Iterable[str]) -> dict[str, str]:
    """Return the names under which columns pass through, and which column has each.

    Columns that are read are left out; none takes the place of another.
    """
    given = dict.fromkeys(name for name in names if name not in INPUT)
    found: dict[str, str] = {}
    for name in given:
        free = name
        while free in OUTPUT or free in found or (free != name and free in given):
            free = f"input_{free}"
        found[free] = name
    return found


def others_of(row: Mapping[str, Any]) -> Any:  # noqa: ANN401  what stands in that column
    """Return the columns of a row that pass through, as one; None for none.

    What an output has in that column already, which passed through twice, stays as it is.
    """
    found = {name: value for name, value in row.items() if name not in OUTPUT}
    if found.keys() == {OTHERS} and _is_object(found[OTHERS]):
        return found[OTHERS]
    return found or None


def _is_object(value: object) -> bool:
    if value is None or isinstance(value, Mapping):
        return True
    try:
        return isinstance(value, str) and isinstance(json.loads(value), dict)
    except (ValueError, RecursionError):
        return False
