"""What the results of the checks mean for who has to act on them."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from citemark.checks.codes import CODES, NO_CITATION, kind_of
from citemark.checks.model import Finding
from citemark.errors import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from citemark.answer import Answer
    from citemark.checks.model import ClaimCheck, Coverage, QuoteCheck, Sentence
    from citemark.model import Issue

__all__ = ["findings_of"]

MAX_TOLD: Final = 5
"""Keys and reasons that a message repeats."""

WITHOUT_SOURCES: Final = frozenset({"no_sources", "no_provider_data"})
"""Why no claim could be cited: it is said once, and not of each of them."""


def findings_of(
    answer: Answer,
    covered: Coverage,
    quotes: Iterable[QuoteCheck],
    judged: Iterable[ClaimCheck],
) -> tuple[Finding, ...]:
    """Return the findings of all checks, in order of position.

    Args:
        answer: The answer.
        covered: Which of its claims are cited.
        quotes: Its quotes.
        judged: What is said of its claims.
    """
    found = [
        *_of_coverage(answer, covered),
        *_of_issues(answer, covered),
        *_of_quotes(quotes),
        *_of_support(judged),
    ]
    return tuple(sorted(found, key=lambda finding: (finding.start, finding.end)))


def _finding(code: str, start: int, end: int, message: str = "") -> Finding:
    kind = kind_of(code)
    return Finding(kind.severity, code, start, end, message or kind.meaning, kind.mend)


def _of_coverage(answer: Answer, covered: Coverage) -> Iterator[Finding]:
    if covered.reason is not None:
        yield _finding(NO_CITATION[covered.reason], 0, len(answer.text))
    for claim in () if covered.reason in WITHOUT_SOURCES else covered.uncited:
        yield _finding("uncited", claim.start, claim.end)
    for claim in covered.unresolved:
        keys = _told([repr(shortened(key)) for key in claim.unresolved], ", ")
        message = f"{CODES['cited_unresolved'].meaning}: {keys}"
        yield _finding("cited_unresolved", claim.start, claim.end, message)


def _of_issues(answer: Answer, covered: Coverage) -> Iterator[Finding]:
    """Yield the issues, but for markers that are all that a claim cites: that is told of it."""
    claims = sorted(covered.unresolved, key=lambda claim: claim.start)
    starts = [claim.start for claim in claims]
    for issue in answer.issues:
        at = bisect_right(starts, issue.start) - 1
        if at < 0 or not _is_told(issue, claims[at]):
            yield _finding(issue.code, issue.start, issue.end, issue.message)


def _is_told(issue: Issue, claim: Sentence) -> bool:
    return issue.code == "unresolved" and issue.key in claim.unresolved


def _of_quotes(quotes: Iterable[QuoteCheck]) -> Iterator[Finding]:
    """Yield what is wrong with quotes; those verified or too short to tell are no findings."""
    for quote in quotes:
        code = f"quote_{quote.verdict}"
        if code in CODES:
            yield _finding(code, quote.start, quote.end, quote.reason)


def _of_support(judged: Iterable[ClaimCheck]) -> Iterator[Finding]:
    """Yield the claims that nothing supports which they cite, and those not judged."""
    for one in judged:
        claim = one.claim
        if one.verdict == "unsupported":
            code = "few_shared_words" if one.is_hint else "unsupported"
            why = _told(one.reasons, "; ")
            message = f"{CODES[code].meaning}{why and ': '}{why}"
            yield _finding(code, claim.start, claim.end, message)
        failed = [reason for check in one.checks if check.failed for reason in check.reasons]
        if failed:
            message = f"{failed[0][0].upper()}{failed[0][1:]}"
            yield _finding("not_judged", claim.start, claim.end, message)


def _told(parts: Sequence[str], joint: str) -> str:
    more = len(parts) - MAX_TOLD
    return joint.join([*parts[:MAX_TOLD], *([f"and {more} more"] if more > 0 else ())])
