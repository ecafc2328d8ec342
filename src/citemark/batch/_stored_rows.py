"""Rows of an output as they were made, whatever file they stand in."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from citemark.batch._columns import OUTPUT
from citemark.batch._record import RecordError, unread_in
from citemark.batch._strict import plain
from citemark.batch.rows import is_null
from citemark.renderers import renderer_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["COLUMNS", "error_parts", "failed_before", "stored_row"]

NESTED: Final = ("cited", "rendered", "citations", "unresolved", "issues", "formats", "checks")
"""Columns that tables hold as JSON text."""

COLUMNS: Final = ("id", *NESTED)
"""Columns that an error can be of; other errors are of a renderer, or of the whole row."""

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
    if unread := unread_in(row, OUTPUT[1:]):
        raise RecordError(f"cannot be read: {'; '.join(unread)}")
    found = {name: None if is_null(value) else value for name, value in row.items()}
    for name in NESTED:
        value = found.get(name)
        if isinstance(value, str):
            found[name] = _read(name, value)
        elif not isinstance(value, (dict, list, tuple)):  # arrays, as pandas has them
            found[name] = plain(value)
    for name in MAPS:
        if isinstance(value := found.get(name), (list, tuple)):
            found[name] = _map(name, value)
    found["schema"] = _schema(found["schema"])
    return found


def failed_before(row: Mapping[str, Any], made: Mapping[str, Any]) -> bool:
    """Whether a row of an output failed when it was made, and nothing failed that was tried.

    Args:
        row: Of the output.
        made: What became of it; what renders it again has another digest of options.
    """
    if made["error"] is None:
        return False
    if row.get("options_digest") == made["options_digest"]:
        return bool(row.get("error") == made["error"])
    before, parts = error_parts(row), error_parts(made)
    kept = [part for name, part in parts.items() if name in COLUMNS and name in before]
    return bool("; ".join(kept) == made["error"])


def error_parts(row: Mapping[str, Any]) -> dict[str, str]:
    """Return the errors of a row by the column or the renderer that each is of.

    What is of neither is left out.

    >>> error_parts({"error": "checks: ValueError: no; sorry; text: KeyError: 'x'"})
    {'checks': 'checks: ValueError: no; sorry', 'text': "text: KeyError: 'x'"}
    """
    error = row.get("error")
    if not isinstance(error, str):
        return {}
    names = "|".join(map(re.escape, (*COLUMNS, *renderer_names())))
    parts = re.split(rf"(?:\A|; )(?=(?:{names}): )", error)[1:]
    return {part.partition(":")[0]: part for part in parts}


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
