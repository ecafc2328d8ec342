"""Sums over answers, of which nothing else is kept."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from citemark.checks._tally import Tally

__all__ = ["Sums"]

ALCE: Final = ("alce_recall", "alce_precision")


class Sums:
    """What metrics are made of."""

    names: Final = ("coverage", "recall", "precision", "unresolved_rate", "quote_rate")

    def __init__(self) -> None:
        """Start with nothing."""
        self.answers = 0
        self.sentences = 0
        self.claims = 0
        self.citations = 0
        self.pairs = 0
        self.unjudged = 0
        self._parts: Counter[str] = Counter()
        self._wholes: Counter[str] = Counter()
        self._shares: dict[str, float] = {}
        self._known: Counter[str] = Counter()

    def add(self, tally: Tally) -> None:
        """Add the counts of an answer."""
        self.answers += 1
        self.sentences += tally.sentences
        self.claims += tally.claims
        self.citations += tally.citations
        self.pairs += tally.pairs
        self.unjudged += tally.unjudged
        for name, (part, whole) in tally.shares().items():
            self._parts[name] += part
            self._wholes[name] += whole
            self._add_share(name, part / whole if whole else None)
        for name in ALCE:
            self._add_share(name, getattr(tally, name))

    def mean(self, name: str) -> tuple[float | None, float | None]:
        """Return a share over all that was counted, and the mean of those of the answers."""
        whole = self._wholes[name]
        return self._parts[name] / whole if whole else None, self.average(name)

    def average(self, name: str) -> float | None:
        """Return the mean over the answers that have a share; None if none has."""
        known = self._known[name]
        return self._shares[name] / known if known else None

    def _add_share(self, name: str, share: float | None) -> None:
        if share is not None:
            self._shares[name] = self._shares.get(name, 0.0) + share
            self._known[name] += 1
