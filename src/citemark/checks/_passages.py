"""A passage as claims are held against it: its sentences, and where its words stand."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from citemark._recent import Recent
from citemark.checks._dates import months_in
from citemark.checks._figures import also_in, figures_in
from citemark.checks._stems import stems_in
from citemark.checks._tongues import tongue_of
from citemark.checks.splitting import split_sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from citemark.checks._figures import Figure, Reading, Sign
    from citemark.checks._tongues import Tongue

__all__ = [
    "WINDOW",
    "Passage",
    "Window",
    "forget_passages",
    "passage_of",
]

WINDOW: Final = 3
"""Sentences of a window: what says a claim seldom stands further apart."""

MAX_KEPT: Final = 1_000_000
"""Code points of the passages that are kept read; sources are cited by many claims."""

MAX_PLACES: Final = 1_000
"""Sentences that are looked at for one claim: those with its rarest words come first."""


class Window(NamedTuple):
    """Sentences of a passage that have many words of a claim."""

    words: int
    """How many of the words."""

    start: int
    """First code point."""

    end: int
    """Code point after the last one."""

    nearest: tuple[tuple[int, int], ...]
    """The sentences in it with most of the words: one, or several that have as many."""


class Passage:
    """A text, read once."""

    def __init__(self, text: str) -> None:
        """Read the sentences and words of a text."""
        self.text = text
        self.ranges = split_sentences(text)
        self._places: dict[str, list[int]] = {}
        self._read((stem, start) for stem, start, _ in stems_in(text) if not stem[0].isdigit())
        self._figures: dict[str, set[Reading]] = {}
        self._counted: set[str] = set()
        self._signs: dict[str, set[Sign]] = {}
        figures = sorted([*figures_in(text), *also_in(text)], key=lambda figure: figure.start)
        for figure in figures:
            self._counted.update(figure.counted)
            for reading in figure.readings:
                self._signs.setdefault(reading.value, set()).add(figure.sign)
                self._figures.setdefault(reading.value, set()).add(reading)
        self._read(
            (f"#{reading.value}", figure.start)
            for figure in figures
            for reading in figure.readings
        )

    @cached_property
    def tongue(self) -> Tongue:
        """What tells its language."""
        return tongue_of(self.text)

    @cached_property
    def months(self) -> frozenset[int]:
        """The months that are named in it, 1 to 12."""
        return months_in(self.text)

    def holds(self, stem: str) -> bool:
        """Whether a content word stands in the text."""
        return stem in self._places

    def best_window(self, features: Iterable[tuple[str, ...]]) -> Window | None:
        """Return the window with most of a claim's words, cut to the sentences that have some.

        Args:
            features: For each word or figure, the forms in which it may stand here.
        """
        hits: dict[int, set[int]] = {}
        for number, places in self._found(features):
            for at in places:
                hits.setdefault(at, set()).add(number)
        best, where = 0, (0, 0)
        for first in sorted(hits):
            inside = [at for at in range(first, first + WINDOW) if at in hits]
            count = len(set().union(*(hits[at] for at in inside)))
            if count > best:
                best, where = count, (first, inside[-1])
        if not best:
            return None
        counts = {at: len(hits.get(at, ())) for at in range(where[0], where[1] + 1)}
        most = max(counts.values())
        nearest = tuple(self.ranges[at] for at, count in counts.items() if count == most)
        start, end = self.ranges[where[0]][0], self.ranges[where[1]][1]
        return Window(best, start, end, nearest)

    def misses(self, figure: Figure) -> bool:
        """Whether a figure stands nowhere in the text."""
        return all(reading.value not in self._figures for reading in figure.readings)

    def counts_other(self, figure: Figure) -> bool:
        """Whether a figure stands in the text, each time with another unit than here."""
        return not self.misses(figure) and all(
            reading.differs(other)
            for reading in figure.readings
            for other in self._figures.get(reading.value, ())
        )

    def has_other_sign(self, figure: Figure) -> bool:
        """Whether a figure stands in the text, each time with the other sign."""
        signs = [self._signs.get(reading.value, set()) for reading in figure.readings]
        found = set().union(*signs)
        return bool(found) and all(map(figure.sign.differs, found))

    def counts_alike(self, figure: Figure) -> bool:
        """Whether the text has a figure of what this one counts, whatever its value."""
        return not self._counted.isdisjoint(figure.counted)

    def _read(self, words: Iterable[tuple[str, int]]) -> None:
        """Keep in which sentence each of some words stands; they come in order."""
        known = self._places
        following = [start for start, _ in self.ranges[1:]]
        at, last = 0, len(following)
        for word, start in words:
            while at < last and following[at] <= start:
                at += 1
            places = known.get(word)
            if places is None:
                known[word] = [at]
            elif places[-1] != at:
                places.append(at)

    def _found(
        self, features: Iterable[tuple[str, ...]]
    ) -> Iterable[tuple[int, Sequence[int]]]:
        """Yield where each feature stands, no more than ``MAX_PLACES`` in all.

        What stands in many sentences is looked for in those that have rarer words.
        """
        found = [
            (len(places), number, places)
            for number, forms in enumerate(features)
            for form in forms
            if (places := self._places.get(form))
        ]
        left, seen = MAX_PLACES, set[int]()
        for count, number, places in sorted(found, key=lambda one: one[0]):
            if count <= left or not seen:
                left -= count
                kept: Sequence[int] = places[:MAX_PLACES]
                seen.update(kept)
            else:
                near = {at + step for at in seen for step in range(1 - WINDOW, WINDOW)}
                kept = [at for at in places if at in near]
            yield number, kept


_KEPT: Final = Recent(Passage, MAX_KEPT)
passage_of: Final = _KEPT.get
forget_passages: Final = _KEPT.clear
