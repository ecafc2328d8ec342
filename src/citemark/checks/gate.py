"""The gate before an answer is shown: it is as good as is asked, or an error says why not."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, TypedDict

from citemark._whole import require_whole
from citemark.checks.model import SEVERITIES
from citemark.checks.report import check
from citemark.checks.reports import percent
from citemark.errors import CitemarkError, RequirementError, shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from citemark.answer import Answer
    from citemark.checks.hearing import Hearing
    from citemark.checks.judging import Judge
    from citemark.checks.model import Finding, Scope, Severity
    from citemark.checks.report import Report
    from citemark.checks.splitting import Splitter
    from citemark.model import Source

__all__ = ["Requirements", "require"]

UNCITED: Final = frozenset(
    {"uncited", "cited_unresolved", "not_followed", "unknown_keys", "nothing_to_cite",
     "no_provider_data"}
)  # fmt: skip
"""Findings that make the coverage low."""

UNRESOLVED: Final = frozenset({"unresolved", "cited_unresolved", "unknown_keys"})
"""Findings that tell of keys without a source."""

FALSE_QUOTES: Final = frozenset({"quote_altered", "quote_misattributed", "quote_rejected"})
"""Findings of quotes that do not stand in their source."""

UNSUPPORTED: Final = frozenset({"unsupported", "not_judged"})
"""Findings of claims that no judge stands for: one that fails lets nothing pass.

Claims that merely share few words with their passages (``few_shared_words``) are not among
them: that is a hint, and true paraphrases have it too.
"""

MAX_KEYS: Final = 5
"""Keys that the message repeats."""


class Requirements(TypedDict, total=False):
    """What else ``Answer.require`` takes; each may be left out."""

    false_quotes: int
    """Most quotes that are altered, from another source, or nowhere."""

    unsupported: int
    """Most claims that the judge finds unsupported, or does not judge because it fails; that a
    claim merely shares few words with its passages is a hint, and does not count."""

    fail_on: Severity
    """No finding is as bad as that, or worse."""

    sources: Iterable[Source | Mapping[str, Any]] | None
    """What the model was given; see ``check``."""

    scope: Scope
    """Whether a later citation of its paragraph covers a claim; see ``coverage``."""

    judge: Judge | None
    """Who decides what supports what; see ``check``."""

    hearing: Hearing | None
    """How it is asked; see ``Hearing``."""

    splitter: Splitter | None
    """See ``sentences``."""


def require(  # noqa: PLR0913  options, all by keyword
    answer: Answer,
    *,
    coverage: float | None = None,
    unresolved: int | None = None,
    false_quotes: int | None = None,
    unsupported: int | None = None,
    fail_on: Severity | None = None,
    sources: Iterable[Source | Mapping[str, Any]] | None = None,
    scope: Scope = "strict",
    judge: Judge | None = None,
    hearing: Hearing | None = None,
    splitter: Splitter | None = None,
) -> Answer:
    """Return an answer that is as good as is asked for; see ``Answer.require``."""
    counts = {
        "unresolved": unresolved,
        "false_quotes": false_quotes,
        "unsupported": unsupported,
    }
    _require_options(coverage, counts, fail_on)
    report = check(
        answer,
        sources=sources,
        scope=scope,
        support=unsupported is not None or fail_on is not None,
        judge=judge,
        hearing=hearing,
        splitter=splitter,
    )
    gate = _Gate(report)
    gate.require_coverage(coverage)
    gate.require_resolved(unresolved)
    gate.require_few(false_quotes, FALSE_QUOTES, "quotes that do not stand in their source")
    gate.require_few(unsupported, UNSUPPORTED, "claims that are not supported, or not judged")
    gate.require_none_of(fail_on)
    gate.close()
    return answer


class _Gate:
    """Collects what is missing.

    Args:
        report: What was found.
    """

    def __init__(self, report: Report) -> None:
        """Begin with nothing missing."""
        self._report = report
        self._reasons: list[str] = []
        self._bad: set[Finding] = set()

    def require_coverage(self, least: float | None) -> None:
        """Ask for a share of the claims; an answer without a claim has all of them."""
        covered = self._report.coverage
        if least is None or covered.coverage is None or covered.coverage >= least:
            return
        cited = f"{len(covered.cited)} of {covered.claims} claims cited"
        found = f"{percent(covered.coverage)} ({cited})"
        self._miss(f"coverage: {found}, at least {100 * least:.6g} %", UNCITED)

    def require_resolved(self, most: int | None) -> None:
        """Ask for few keys without a source."""
        keys = self._report.answer.unresolved
        if most is None or len(keys) <= most:
            return
        told = [repr(shortened(key)) for key in keys[:MAX_KEYS]]
        more = [f"and {len(keys) - MAX_KEYS} more"] if len(keys) > MAX_KEYS else []
        named = ", ".join([*told, *more])
        self._miss(f"unresolved keys: {len(keys)} ({named}), at most {most}", UNRESOLVED)

    def require_few(self, most: int | None, codes: frozenset[str], what: str) -> None:
        """Ask for few places with findings of some kinds."""
        found = {(one.start, one.end) for one in self._report.findings if one.code in codes}
        if most is not None and len(found) > most:
            self._miss(f"{what}: {len(found)}, at most {most}", codes)

    def require_none_of(self, severity: Severity | None) -> None:
        """Ask for no finding that is so bad."""
        found = () if severity is None else self._report.at_least(severity)
        if found:
            codes = frozenset(one.code for one in found)
            self._miss(
                f"findings of severity {severity!r}, or worse: {len(found)}, at most 0", codes
            )

    def close(self) -> None:
        """Refuse the answer if anything is missing.

        Raises:
            RequirementError: It is.
        """
        if self._reasons:
            told = tuple(one for one in self._report.findings if one in self._bad)
            raise RequirementError(tuple(self._reasons), told)

    def _miss(self, reason: str, codes: frozenset[str]) -> None:
        self._reasons.append(reason)
        self._bad.update(one for one in self._report.findings if one.code in codes)


def _require_options(coverage: object, counts: Mapping[str, object], fail_on: object) -> None:
    """Refuse what would let all answers pass, or none.

    Raises:
        CitemarkError: An option has a value that is none, or nothing is asked for.
    """
    if coverage is None and fail_on is None and all(n is None for n in counts.values()):
        message = (
            "require(): nothing is asked for; give it coverage=0.9, unresolved=0 or the like"
        )
        raise CitemarkError(message)
    if coverage is not None and not _is_share(coverage):
        message = f"coverage={coverage!r}: expected a number from 0 to 1"
        raise CitemarkError(message)
    for name, most in counts.items():
        if most is not None:
            require_whole(name, most, 0)
    if fail_on is not None and fail_on not in SEVERITIES:
        message = f"fail_on={fail_on!r}: expected one of {', '.join(map(repr, SEVERITIES))}"
        raise CitemarkError(message)


def _is_share(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value) and 0 <= value <= 1
