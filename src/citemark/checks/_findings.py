"""What the results of the checks mean for who has to act on them."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from citemark._quotes import is_denied
from citemark.checks._outcomes import extra_citations, of_claim, of_pair
from citemark.checks.codes import CODES, NO_CITATION, kind_of
from citemark.checks.model import Finding
from citemark.checks.reports._markers import labels_of
from citemark.errors import shortened
from citemark.renderers._display import title_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from citemark.answer import Answer
    from citemark.checks._outcomes import Outcome
    from citemark.checks.model import ClaimCheck, Coverage, QuoteCheck, Sentence
    from citemark.model import Issue

__all__ = ["findings_of"]

MAX_TOLD: Final = 5
"""Keys and reasons that a message repeats."""

TOLD: Final = frozenset({"unsure", "few_shared_words", "unsupported"})
"""Outcomes that are findings.  That some words are missing is none: true claims are so more
often than false ones."""

WITHOUT_SOURCES: Final = frozenset({"no_sources", "no_provider_data"})
"""Why no claim could be cited: it is said once, and not of each of them."""


def findings_of(
    answer: Answer,
    covered: Coverage,
    quotes: Iterable[QuoteCheck],
    judged: Sequence[ClaimCheck],
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
        *_of_quotes(answer, quotes),
        *_of_support(judged),
        *_of_extras(answer, judged),
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


def _of_quotes(answer: Answer, quotes: Iterable[QuoteCheck]) -> Iterator[Finding]:
    """Yield what is wrong with quotes; those verified or too short to tell are no findings.

    A quote that its passage denies is none if the answer denies it too.
    """
    for quote in quotes:
        code = f"quote_{quote.verdict}"
        if quote.verdict == "verified" and quote.reason:
            code = "" if is_denied(answer.text, quote.start, quote.end) else "quote_denied"
        if code in CODES:
            yield _finding(code, quote.start, quote.end, quote.reason)


def _of_support(judged: Iterable[ClaimCheck]) -> Iterator[Finding]:
    """Yield the claims that nothing supports which they cite, and those not judged."""
    for one in judged:
        code = of_claim(one)
        if code in TOLD:
            yield _of_claim(code, one.claim, _reasons(one, code))
        failed = [reason for check in one.checks if check.failed for reason in check.reasons]
        failed += one.reasons if one.failed else ()
        if failed:
            message = f"{failed[0][0].upper()}{failed[0][1:]}"
            yield _finding("not_judged", one.claim.start, one.claim.end, message)


def _of_claim(code: str, claim: Sentence, reasons: Sequence[str]) -> Finding:
    why = _told(reasons, "; ")
    message = f"{CODES[code].meaning}{why and ': '}{why}"
    return _finding(code, claim.start, claim.end, message)


def _reasons(one: ClaimCheck, outcome: Outcome) -> Sequence[str]:
    """Return why a claim is as it is: what is said of passages of which the same is so."""
    if outcome != "unsure" or one.is_joint:
        return one.reasons
    alike = (check for check in one.checks if of_pair(check) == outcome)
    return [*dict.fromkeys(reason for check in alike for reason in check.reasons)]


def _of_extras(answer: Answer, judged: Iterable[ClaimCheck]) -> Iterator[Finding]:
    """Yield the citations that do nothing for a claim which another one supports."""
    extras = [(one.claim, check) for one in judged for check in extra_citations(one)]
    labels = labels_of(answer) if extras else {}
    for claim, check in extras:
        source = check.citation.source
        if source is not None:
            label = next(iter(labels.get(source, ())), f"[{check.citation.number}]")
            called = " ".join(filter(None, (label, shortened(title_of(source)))))
            why = ": ".join(filter(None, (called, _told(check.reasons, "; "))))
            yield _of_claim("extra_citation", claim, [why])


def _told(parts: Sequence[str], joint: str) -> str:
    more = len(parts) - MAX_TOLD
    return joint.join([*parts[:MAX_TOLD], *([f"and {more} more"] if more > 0 else ())])
