"""Which sentences the passages that they cite support, and which citations that needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citemark.checks.judging import pair_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citemark.checks.hearing import Hearing
    from citemark.checks.judging import Judge, Pair
    from citemark.checks.model import Sentence

__all__ = ["Needed"]


class Needed:
    """What is needed of what sentences cite.

    A citation is needed by a sentence that is supported if it supports it alone, or if the
    others do not without it.
    """

    def __init__(
        self,
        found: Sequence[Sentence],
        owners: Sequence[int],
        judge: Judge,
        hearing: Hearing,
    ) -> None:
        """Judge.

        Args:
            found: The sentences.
            owners: For each of them, the sentence whose citations count for it.
            judge: Who says what supports what.
            hearing: How it is asked; its cache spares what is asked twice.
        """
        self._judge, self._hearing = judge, hearing
        self._passages = [_passages(sentence) for sentence in found]
        self._texts = [sentence.text for sentence in found]
        self._owners = owners
        self.asked: set[Pair] = set()
        self.unjudged: set[Pair] = set()
        self.is_cited = [bool(found[owner].citations) for owner in owners]
        self.recalled = self._supported(
            [self._pair(at, self._passages[owner]) for at, owner in enumerate(owners)]
        )
        self.precise: list[set[int]] = [set() for _ in found]
        self._add_precise()

    def _add_precise(self) -> None:
        """Note for each sentence which of its citations some sentence needs."""
        several: list[tuple[int, int]] = []
        for at, owner in enumerate(self._owners):
            count = len(self._passages[owner])
            if self.recalled[at] and count > 1:
                several += [(at, one) for one in range(count)]
            elif self.recalled[at]:
                self.precise[owner].add(0)
        alone = self._supported([self._alone(*one) for one in several])
        doubtful = [one for one, is_enough in zip(several, alone, strict=True) if not is_enough]
        others = self._supported([self._others(*one) for one in doubtful])
        idle = {one for one, is_idle in zip(doubtful, others, strict=True) if is_idle}
        for at, one in several:
            if (at, one) not in idle:
                self.precise[self._owners[at]].add(one)

    def _alone(self, at: int, one: int) -> Pair:
        return self._pair(at, [self._passages[self._owners[at]][one]])

    def _others(self, at: int, one: int) -> Pair:
        texts = self._passages[self._owners[at]]
        return self._pair(at, [*texts[:one], *texts[one + 1 :]])

    def _pair(self, at: int, texts: Sequence[str]) -> Pair:
        return pair_of("\n\n".join(filter(None, texts)), self._texts[at])

    def _supported(self, pairs: Sequence[Pair]) -> list[bool]:
        """Return whether passages, taken together, support a claim; none support nothing."""
        known = [pair for pair in pairs if pair.premise.strip()]
        found = zip(known, self._hearing.ask(self._judge, known), strict=True)
        judged = dict(found)
        self.asked.update(judged)
        self.unjudged.update(pair for pair, one in judged.items() if one.failed)
        return [pair in judged and judged[pair].verdict == "supported" for pair in pairs]


def _passages(sentence: Sentence) -> list[str]:
    sources = (citation.source for citation in sentence.citations)
    return [source.text for source in sources if source is not None]
