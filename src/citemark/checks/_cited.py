"""Which sentences a marker is for: those that it names, else the one that it stands in."""

from __future__ import annotations

from bisect import bisect_right
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from citemark.checks.model import Sentence

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from citemark.checks._marks import Mark
    from citemark.checks.model import Role, Unit
    from citemark.model import Citation

__all__ = ["Found", "settled"]


class Found(NamedTuple):
    """A sentence, and the markers that stand in it or after it; see ``Sentence``."""

    start: int
    """First code point of its words."""

    end: int
    """Code point after the last one."""

    text: str
    """Its words."""

    role: Role
    """What it does."""

    unit: Unit
    """What it is in Markdown."""

    block: int
    """Which block it is of."""

    marks: list[Mark]
    """Its markers, in order."""


def settled(found: list[Found], marks: Iterable[Mark]) -> tuple[Sentence, ...]:
    """Return the sentences of an answer with what is cited for each."""
    reach = _Reach(found)
    spread = reach.spread(marks)
    return tuple(
        Sentence(*one[:-1], *_apart((*_own(one, reach), *spread.get(at, ()))))
        for at, one in enumerate(found)
    )


def _own(found: Found, reach: _Reach) -> Iterator[Citation | str]:
    """Yield what is cited where it stands; not for other words."""
    for mark in found.marks:
        if not (mark.is_whole or (mark.span and any(True for _ in reach.over(mark)))):
            yield from mark.cited


def _apart(cited: Collection[Citation | str]) -> tuple[tuple[Citation, ...], tuple[str, ...]]:
    """Return the citations, each source once, and the keys that name none."""
    if not cited:
        return (), ()
    citations: dict[object, Citation] = {}
    unresolved: dict[str, None] = {}
    for one in cited:
        if isinstance(one, str):
            unresolved[one] = None
        else:
            citations.setdefault(one.source, one)
    return tuple(citations.values()), tuple(unresolved)


class _Reach:
    """Finds sentences by the words that a marker names."""

    def __init__(self, sentences: list[Found]) -> None:
        self._sentences = sentences
        self._starts = [sentence.start for sentence in sentences]

    def over(self, mark: Mark, least: int = 0) -> Iterator[int]:
        """Yield the numbers of the sentences that a marker names, from a number on."""
        if mark.span is None:
            return
        start, end = mark.span
        at = max(bisect_right(self._starts, start) - 1, least, 0)
        while at < len(self._starts) and self._starts[at] < end:
            if start < self._sentences[at].end:
                yield at
            at += 1

    def spread(self, marks: Iterable[Mark]) -> dict[int, list[Citation | str]]:
        """Return what is cited for each sentence by markers that name it.

        Each source is given to a sentence once, so the work is that of writing down the result.
        """
        found: dict[int, list[Citation | str]] = {}
        done: dict[object, int] = {}
        spanned = [mark for mark in marks if mark.span is not None and not mark.is_whole]
        for mark in sorted(spanned, key=attrgetter("span")):
            for cited in mark.cited:
                key = cited if isinstance(cited, str) else cited.source
                for at in self.over(mark, done.get(key, 0)):
                    found.setdefault(at, []).append(cited)
                    done[key] = at + 1
        return found
