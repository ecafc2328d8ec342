"""What statistics need to know of a row."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from citemark.batch._record import RecordError
from citemark.batch._steps import upgraded
from citemark.batch._stored_rows import stored_row
from citemark.batch.rows import is_null
from citemark.checks.reports._data import COUNTED
from citemark.errors import shortened
from citemark.model import Source

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["NOT_CHECKED", "NO_CLAIMS", "Facts", "facts_of"]

NO_CLAIMS: Final = "no_claims"
NOT_CHECKED: Final = "not_checked"
"""Why an answer has no citation, besides what checks say: nothing in it needs one; it is not
known, since there were no checks."""

MAX_WHOLE: Final = 2**53


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts of a row."""

    id: str
    """Its id; "" if it has none."""

    made_by: tuple[int, str, str]
    """Schema, version of the library, and digest of the options."""

    error: str = ""
    """What went wrong; "" for nothing."""

    is_answer: bool = False
    """Whether an answer stands in it."""

    cited: tuple[tuple[Source, int], ...] = ()
    """Sources that are cited, and how often; with no more than they are called by."""

    unresolved: int = 0
    """Keys in markers that name no source."""

    formats: Mapping[str, int] | None = None
    """How often each format of markers was met."""

    issues: Mapping[str, int] | None = None
    """How often there was each issue, by code."""

    checks: Mapping[str, int] | None = None
    """Figures that add up; None if there were no checks."""

    coverage: float | None = None
    """Share of the claims that is cited; None without a claim, or without checks."""

    reason: str = ""
    """Why nothing is cited; "" if something is, or if there is no answer."""


def facts_of(row: Mapping[str, Any]) -> Facts:
    """Return the facts of a row of an output.

    Raises:
        RecordError: It is none, is not as such rows are, or is of a schema that is not known.
    """
    row = stored_row(row)
    schema = row["schema"]
    try:
        row = upgraded(row)
        made_by = (schema, _text(row["version"]), _text(row["options_digest"]))
        id_, error = _text(row["id"]), _text(row["error"])
        if row["cited"] is None:
            return Facts(id_, made_by, error)
        cited = _cited(row)
        checks = row.get("checks")
        figures = None if checks is None else {name: _whole(checks[name]) for name in COUNTED}
        issues = Counter(_text(issue["code"]) for issue in row.get("issues") or ())
        unresolved = _unresolved(row, issues)
        return Facts(
            id_,
            made_by,
            error,
            is_answer=True,
            cited=cited,
            unresolved=unresolved,
            formats={str(k): _whole(n) for k, n in (row.get("formats") or {}).items()},
            issues=issues,
            checks=figures,
            coverage=None if checks is None else _share(checks["coverage"]),
            reason="" if cited else _reason(checks, unresolved),
        )
    except RecordError:
        raise
    except (TypeError, ValueError, LookupError, AttributeError) as fault:
        kind = type(fault).__name__
        reason = f"is not as rows of an output are ({kind}: {shortened(str(fault))})"
        raise RecordError(reason) from None


def _cited(row: Mapping[str, Any]) -> tuple[tuple[Source, int], ...]:
    known = {source["id"]: source for source in row["cited"]["sources"]}
    return tuple(
        (_bare(known[one["id"]]), _whole(one["count"])) for one in row.get("citations") or ()
    )


def _bare(source: Mapping[str, Any]) -> Source:
    url = source["url"]
    return Source(
        id=_text(source["id"]),
        title=_text(source["title"]),
        url=None if url is None else _text(url),
    )


def _unresolved(row: Mapping[str, Any], issues: Mapping[str, int]) -> int:
    """Return how many keys name no source, whether they are shown or not."""
    return max(issues.get("unresolved", 0), len(row.get("unresolved") or ()))


def _reason(checks: Mapping[str, Any] | None, unresolved: int) -> str:
    if checks is not None:
        return _text(checks["no_citation"]) or NO_CLAIMS
    return "unknown_keys" if unresolved else NOT_CHECKED


def _text(value: object) -> str:
    return value if isinstance(value, str) else "" if is_null(value) else str(value)


def _whole(value: object) -> int:
    if isinstance(value, float) and value.is_integer():  # as pandas has it beside empty cells
        value = int(value)
    if not isinstance(value, int) or not 0 <= value < MAX_WHOLE:
        raise TypeError("expected a whole number from 0")
    return value


def _share(value: object) -> float | None:
    if is_null(value):
        return None
    if not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise TypeError("expected a share from 0 to 1")
    return float(value)
