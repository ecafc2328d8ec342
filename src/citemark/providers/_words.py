"""Where in a text given words stand, for many questions about one text.

Answers are kept, and what is searched in all is bounded: ten thousand spans with words that the
text does not hold must not read it ten thousand times.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Final, NamedTuple

__all__ = ["Place", "Words"]

MAX_PLACES: Final = 64
"""Occurrences of the same words that are kept; where there are more, only near ones count."""

MAX_SEARCHED: Final = 100_000_000
"""Code points that are searched in all; after that only those near to the place told."""

NEAR: Final = 2_000
"""Code points on each side of a place that are near it."""


class Place(NamedTuple):
    """Where words stand."""

    start: int
    """First code point."""

    is_only: bool
    """Whether they stand nowhere else."""


class Words:
    """Finds words in a text."""

    __slots__ = ("_known", "_searched", "text")

    def __init__(self, text: str) -> None:
        """Keep the text."""
        self.text = text
        self._known: dict[str, list[int]] = {}
        self._searched = 0

    def nearest(self, words: str, position: int | None) -> Place | None:
        """Return the place of words that is nearest to a position, in code points.

        Without position they have to stand in one place only.
        """
        places = self._places(words)
        if places is not None and len(places) <= 1:
            return Place(places[0], is_only=True) if places else None
        if position is None:
            return None
        near = self._around(words, position)
        if places is not None and (near is None or len(places) <= MAX_PLACES):
            at = bisect_left(places, position)
            near = _nearer(places[max(at - 1, 0) : at + 1], position)
        return None if near is None else Place(near, is_only=False)

    def _places(self, words: str) -> list[int] | None:
        """Return the places of words, in order, ``MAX_PLACES`` and one; None if too dear."""
        if words in self._known:
            return self._known[words]
        if self._searched >= MAX_SEARCHED:
            return None
        places: list[int] = []
        at = self.text.find(words)
        while at >= 0 and len(places) <= MAX_PLACES:
            places.append(at)
            at = self.text.find(words, at + 1)
        # Words that overlap themselves may be searched as often as they are long.
        self._searched += len(self.text) if at < 0 else at
        self._searched += len(places) * len(words)
        self._known[words] = places
        return places

    def _around(self, words: str, position: int) -> int | None:
        """Return the nearest place of words that begins near a position."""
        position = min(max(position, 0), len(self.text))
        after = self.text.find(words, position, position + NEAR + len(words))
        start = max(position - NEAR, 0)
        before = self.text.rfind(words, start, max(position + len(words) - 1, 0))
        return _nearer([at for at in (before, after) if at >= 0], position)


def _nearer(places: list[int], position: int) -> int | None:
    """Return the place that is nearest to a position; of two as near, the earlier one."""
    return min(places, key=lambda at: abs(at - position), default=None)
