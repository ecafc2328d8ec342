"""From a row of an older schema to one of the next, step by step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from citemark import _stored
from citemark.batch._record import RecordError
from citemark.batch.rows import OUTPUT, SCHEMA

__all__ = ["STEPS", "upgraded"]

Step: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]
"""Makes a row of a schema out of one of the schema before; it may change what it is given."""


def _with_unknown_quotes(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of schema 2: quotes that could not be checked are counted apart.

    Schema 1 had them among ``quotes``, and they are what is neither found nor false.
    """
    checks = row.get("checks")
    if checks is None or checks.get("quotes_unknown") is not None:
        return row
    judged = checks["verified"] + checks["false_quotes"]
    unknown = checks["quotes"] - judged
    return row | {"checks": checks | {"quotes": judged, "quotes_unknown": unknown}}


STEPS: Final[dict[int, Step]] = {1: _with_unknown_quotes}
"""By the schema that a step starts from; there is one for each older schema."""


def upgraded(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of the current schema.

    Args:
        row: As ``stored_row`` has it.

    Raises:
        RecordError: It is of a newer schema, or of none.
    """
    while (schema := row["schema"]) != SCHEMA:
        if schema not in STEPS:
            known = ", ".join(map(str, sorted({*STEPS, SCHEMA})))
            raise RecordError(f"its schema is {schema}; this version knows {known}")
        row = {**STEPS[schema](row), "schema": schema + 1}
    row["cited"] = _stored.upgraded(row["cited"])
    return dict.fromkeys(OUTPUT) | row
