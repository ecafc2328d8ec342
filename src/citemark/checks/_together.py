"""What all passages that are cited for a claim say of it: one by one, or together.

"Built in 1931 [1] and mended in 1968 [2]" needs both.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from citemark.checks.judging import pair_of
from citemark.checks.model import ClaimCheck

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from citemark.checks.hearing import Hearing
    from citemark.checks.judging import Judge, Judgement, Pair
    from citemark.checks.model import SupportCheck, SupportVerdict

__all__ = ["checks_of_claims"]

BEST: Final[tuple[SupportVerdict, ...]] = ("supported", "unsure", "unsupported")


def checks_of_claims(
    supported: Iterable[SupportCheck], judge: Judge, hearing: Hearing
) -> tuple[ClaimCheck, ...]:
    """Return what is said of each claim, in order.

    The passages of a claim that none of them supports are judged once more, together.
    """
    groups = [tuple(group) for _, group in groupby(supported, key=lambda one: one.claim)]
    pairs = {at: pair for at, group in enumerate(groups) for pair in _pairs(group)}
    judged = dict(zip(pairs, hearing.ask(judge, [*pairs.values()]), strict=True))
    return tuple(_of_claim(group, judged.get(at)) for at, group in enumerate(groups))


def _pairs(checks: Sequence[SupportCheck]) -> Iterator[Pair]:
    """Yield a pair of all passages and their claim, if it may say more than each of them."""
    if len(checks) > 1 and all(one.verdict == "unsupported" for one in checks):
        sources = (one.citation.source for one in checks)
        passages = dict.fromkeys(source.text for source in sources if source is not None)
        yield pair_of("\n\n".join(passages), checks[0].claim.text)


def _of_claim(checks: tuple[SupportCheck, ...], together: Judgement | None) -> ClaimCheck:
    claim = checks[0].claim
    if together is not None:
        return ClaimCheck(
            claim,
            together.verdict,
            checks,
            together.reasons,
            is_joint=True,
            is_hint=together.is_hint,
            failed=together.failed,
        )
    verdict = min((one.verdict for one in checks), key=BEST.index)
    reasons = tuple(
        dict.fromkeys(
            reason for one in checks if one.verdict == verdict for reason in one.reasons
        )
    )
    is_hint = all(one.is_hint for one in checks)
    return ClaimCheck(claim, verdict, checks, reasons, is_hint=is_hint)
