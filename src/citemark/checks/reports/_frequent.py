"""Counts of many different things in bounded memory: exact while those are few.

When there are too many, the same number is taken off every count, and what falls to nothing
is let go (Misra and Gries 1982; merging as in Agarwal et al. 2012).  What is frequent stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

__all__ = ["Frequent"]

Key = TypeVar("Key", bound="Hashable")


class Frequent(Generic[Key]):
    """Counts by key.

    >>> found = Frequent(2)
    >>> for letter in "aaabaacdaefaa":
    ...     found.add(letter)
    >>> found.most_common(1), found.is_exact, found.too_low
    ([('a', 7)], False, 1)

    Args:
        kept: How many keys are kept for certain; twice as many are counted exactly.

    Attributes:
        total: Sum of all that was added.
        too_low: By how much a count may be too low, at most: ``total / (kept + 1)`` or less.
    """

    def __init__(self, kept: int) -> None:
        """Start with nothing."""
        self._kept = kept
        self._counts: dict[Key, int] = {}
        self.total = self.too_low = 0

    def __len__(self) -> int:
        """Return how many keys have a count."""
        return len(self._counts)

    @property
    def is_exact(self) -> bool:
        """Whether nothing was ever taken off."""
        return not self.too_low

    def __iter__(self) -> Iterator[Key]:
        """Yield the keys that have a count."""
        return iter(self._counts)

    def add(self, key: Key, number: int = 1) -> None:
        """Count a key, a number of times from 1."""
        self.total += number
        self._counts[key] = self._counts.get(key, 0) + number
        if len(self._counts) > 2 * self._kept:
            self._shrink()

    def merge(self, other: Frequent[Key]) -> None:
        """Add the counts of another one."""
        self.total += other.total
        self.too_low += other.too_low
        for key, number in other._counts.items():
            self._counts[key] = self._counts.get(key, 0) + number
        if len(self._counts) > 2 * self._kept:
            self._shrink()

    def most_common(self, most: int) -> list[tuple[Key, int]]:
        """Return the keys with the highest counts, and those, highest first."""
        return sorted(self._counts.items(), key=lambda one: -one[1])[:most]

    def _shrink(self) -> None:
        """Take off the highest count that need not be kept."""
        off = sorted(self._counts.values(), reverse=True)[self._kept]
        self.too_low += off
        self._counts = {key: n - off for key, n in self._counts.items() if n > off}
