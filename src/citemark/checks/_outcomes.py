"""What came of holding claims against passages, in one word for people and for findings."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from citemark.checks.model import ClaimCheck, SupportCheck

__all__ = ["OUTCOMES", "Outcome", "count_outcomes", "extra_citations", "of_claim", "of_pair"]

Outcome: TypeAlias = Literal[
    "supported",
    "unsure",
    "some_shared_words",
    "few_shared_words",
    "unsupported",
    "no_passage",
    "not_judged",
]
"""``unsure``: something speaks against it, or the judge says no more; ``some_shared_words``:
nothing does, but words are missing, as in a paraphrase."""

OUTCOMES: Final[tuple[Outcome, ...]] = get_args(Outcome)

_UNSURE: Final[tuple[Outcome, ...]] = ("unsure", "not_judged", "some_shared_words")
"""What is told of a claim that some passages leave open, the first that is so of any."""


def of_pair(check: SupportCheck) -> Outcome:
    """Return what came of a claim and one passage."""
    if check.failed:
        return "not_judged"
    source = check.citation.source
    if source is None or not source.text.strip():
        return "no_passage"
    return _said(check)


def of_claim(one: ClaimCheck) -> Outcome:
    """Return what came of a claim and all passages that it cites."""
    if one.failed:
        return "not_judged"
    if one.is_joint or one.verdict != "unsure":
        return _said(one)
    found = {of_pair(check) for check in one.checks}
    return next((outcome for outcome in _UNSURE if outcome in found), "no_passage")


def count_outcomes(judged: Iterable[ClaimCheck]) -> dict[str, int]:
    """Return how many claims there are of each outcome, in order; 0 for none."""
    found = Counter(map(of_claim, judged))
    return {outcome: found[outcome] for outcome in OUTCOMES}


def extra_citations(one: ClaimCheck) -> Iterator[SupportCheck]:
    """Yield the passages that do not support a claim though another one does."""
    if one.verdict == "supported" and not one.is_joint:
        yield from (check for check in one.checks if check.verdict == "unsupported")


def _said(one: SupportCheck | ClaimCheck) -> Outcome:
    if not one.is_hint or one.verdict == "supported":
        return one.verdict
    return "some_shared_words" if one.verdict == "unsure" else "few_shared_words"
