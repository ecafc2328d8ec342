"""Rows of an output as they were made, whatever file they stand in."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from citemark.batch._record import RecordError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["failed_before", "stored_row"]

NESTED: Final = ("cited", "rendered", "citations", "unresolved", "issues", "formats", "checks")
"""Columns that tables hold as JSON text."""

MAPS: Final = ("rendered", "formats")
"""Columns that typed tables hold as lists of pairs."""


def stored_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row of an output with its nested columns read, and its schema as a number.

    Raises:
        RecordError: It is none.
    """
    missing = [name for name in ("cited", "schema") if name not in row]
    if missing:
        raise RecordError(f'is no row of an output: it has no "{missing[0]}"')
    found = dict(row)
    for name in NESTED:
        if isinstance(value := found.get(name), str):
            found[name] = _read(name, value)
    for name in MAPS:
        if isinstance(value := found.get(name), (list, tuple)):
            found[name] = _map(name, value)
    found["schema"] = _schema(found["schema"])
    return found


def failed_before(row: Mapping[str, Any], made: Mapping[str, Any]) -> bool:
    """Whether a row of an output failed when it was made, and nothing was tried with it since.

    Args:
        row: Of the output.
        made: What became of it; what renders it again has another digest of options.
    """
    same = ("error", "options_digest")
    return made["error"] is not None and all(row.get(name) == made[name] for name in same)


def _read(name: str, text: str) -> Any:  # noqa: ANN401  whatever JSON has
    try:
        return json.loads(text) if text else None
    except (ValueError, RecursionError):
        raise RecordError(f"its {name} is not JSON") from None


def _map(name: str, pairs: Sequence[Any]) -> dict[str, Any]:
    try:
        return {str(key): value for key, value in pairs}
    except (TypeError, ValueError):
        raise RecordError(f"its {name} is no list of pairs") from None


def _schema(value: object) -> int:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:  # noqa: PLR2004  digits
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise RecordError("its schema is no number")
