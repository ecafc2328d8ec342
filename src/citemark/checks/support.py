"""How well the passages that an answer cites support its claims."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark.checks.claims import claims
from citemark.checks.hearing import Hearing
from citemark.checks.judging import Judgement, pair_of
from citemark.checks.lexical import LexicalJudge
from citemark.checks.model import SupportCheck

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from citemark.answer import Answer
    from citemark.checks.judging import AsyncJudge, Judge, Pair
    from citemark.checks.model import Sentence
    from citemark.checks.splitting import Splitter
    from citemark.model import Citation

__all__ = ["support", "support_later", "support_of_claims"]

NO_PASSAGE: Final = Judgement("unsure", None, None, ("the source has no passage",))
"""What is said of a source without text."""


def support(
    answer: Answer,
    *,
    judge: Judge | None = None,
    hearing: Hearing | None = None,
    splitter: Splitter | None = None,
) -> tuple[SupportCheck, ...]:
    """Return how well each passage supports each claim that it is cited for, in order.

    Args:
        answer: Its sources need their passages (``Source.text``).
        judge: Who decides; by default words are compared, which is a hint and no proof.
        hearing: How the judge is asked: batches, attempts, budget, cache.
        splitter: See ``citemark.checks.sentences``.

    Raises:
        NotAnAnswerError: The answer is none, but a text, say.

    >>> from citemark import cite
    >>> answer = cite("It cost £421 [1].", [{"id": "a", "text": "It cost £412."}])
    >>> [found.verdict for found in support(answer)]
    ['unsupported']
    """
    found = claims(answer, splitter=splitter)
    return support_of_claims(found, judge or LexicalJudge(), hearing or Hearing())


def support_of_claims(
    found: Iterable[Sentence], judge: Judge, hearing: Hearing
) -> tuple[SupportCheck, ...]:
    """Return the same for claims that were found before."""
    cited = [*_cited(found)]
    return _checks(cited, hearing.ask(judge, [*_pairs(cited)]))


async def support_later(
    answer: Answer,
    judge: AsyncJudge,
    *,
    hearing: Hearing | None = None,
    splitter: Splitter | None = None,
) -> tuple[SupportCheck, ...]:
    """Return the same as ``support`` from a judge that answers later."""
    cited = [*_cited(claims(answer, splitter=splitter))]
    return _checks(cited, await (hearing or Hearing()).ask_later(judge, [*_pairs(cited)]))


def _cited(found: Iterable[Sentence]) -> Iterator[tuple[Sentence, Citation]]:
    for claim in found:
        for citation in claim.citations:
            yield claim, citation


def _passage(citation: Citation) -> str:
    return citation.source.text if citation.source is not None else ""


def _pairs(cited: Iterable[tuple[Sentence, Citation]]) -> Iterator[Pair]:
    for claim, citation in cited:
        passage = _passage(citation)
        if passage.strip():
            yield pair_of(passage, claim.text)


def _checks(
    cited: Iterable[tuple[Sentence, Citation]], judged: Iterable[Judgement]
) -> tuple[SupportCheck, ...]:
    judgements = iter(judged)
    checks: list[SupportCheck] = []
    for claim, citation in cited:
        found = next(judgements) if _passage(citation).strip() else NO_PASSAGE
        said = (found.verdict, found.score, found.window, found.reasons, found.failed)
        checks.append(SupportCheck(claim, citation, *said, is_hint=found.is_hint))
    return tuple(checks)
