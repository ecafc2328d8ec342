"""Citations that a stream gave out: none is given twice, and none gets another number."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from citemark.model import Aside, CitationSegment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from citemark.answer import Answer
    from citemark.model import Citation, Segment

__all__ = ["Shown", "cited"]

Place: TypeAlias = tuple[str, int, int]
"""What a citation is fixed to: the kind of its place, and the words or characters."""


class Shown:
    """The citations of one stream that were given out."""

    def __init__(self) -> None:
        """Begin with none."""
        self._shown: dict[Place, tuple[Citation, ...]] = {}

    def new(self, start: int, segment: CitationSegment) -> CitationSegment | None:
        """Return what of a citation was not given out; None if all of it was.

        Args:
            start: Where it stands in the answer.
            segment: The citation; a late one at a place that is known adds to it.
        """
        place = _place(start, segment)
        before = self._shown.get(place)
        if before is None:
            self._shown[place] = segment.citations
            return segment
        more = segment.citations[len(before) :]
        self._shown[place] = (*before, *more)
        return replace(segment, citations=more) if more else None

    def kept(self, answer: Answer) -> Answer:
        """Return an answer in which citations have the numbers with which they were given out.

        These differ only if a provider told a citation after others that stand behind it.
        """
        numbers = self._changed(answer)
        if not numbers:
            return answer
        last = max(numbers.values())
        entries = answer.entries
        for entry in entries:
            if entry.number not in numbers:
                last += 1
                numbers[entry.number] = last
        by_number = sorted(entries, key=lambda entry: numbers[entry.number])
        asides = (
            Aside(aside.channel, tuple(_renumbered(aside.segments, numbers)))
            for aside in answer.asides
        )
        return replace(
            answer,
            segments=tuple(self._counted(_renumbered(answer.segments, numbers))),
            sources=tuple(source for entry in by_number for source in entry.sources),
            asides=tuple(asides),
        )

    def _changed(self, answer: Answer) -> dict[int, int]:
        """Return the number that was given out for each; nothing if all are the same."""
        numbers: dict[int, int] = {}
        for start, segment in cited(answer.segments):
            shown = self._shown.get(_place(start, segment), ())
            for now, then in zip(segment.citations, shown, strict=False):
                if now.number is not None and then.number is not None:
                    numbers.setdefault(now.number, then.number)
        return {} if all(now == then for now, then in numbers.items()) else numbers

    def _counted(self, segments: Iterable[Segment]) -> Iterator[Segment]:
        """Yield segments whose citations of one source are counted as they were given out."""
        counts: Counter[int] = Counter()
        for citations in self._shown.values():
            counts.update(one.number for one in citations if one.number is not None)
        pos = 0
        for segment in segments:
            start, pos = pos, pos + len(segment.raw)
            if not isinstance(segment, CitationSegment):
                yield segment
                continue
            shown = self._shown.get(_place(start, segment), ())
            counted: list[Citation] = []
            for at, one in enumerate(segment.citations):
                occurrence = shown[at].occurrence if at < len(shown) else 0
                if at >= len(shown) and one.number is not None:
                    counts[one.number] += 1
                    occurrence = counts[one.number]
                counted.append(replace(one, occurrence=occurrence))
            yield replace(segment, citations=tuple(counted))


def _place(start: int, segment: CitationSegment) -> Place:
    marker = segment.marker
    first, end = marker.span or (start, start + len(segment.raw))
    return (marker.anchor if marker.span else "", first, end)


def cited(segments: Iterable[Segment]) -> Iterator[tuple[int, CitationSegment]]:
    """Yield the citations among segments, each with its place in the text."""
    pos = 0
    for segment in segments:
        if isinstance(segment, CitationSegment):
            yield pos, segment
        pos += len(segment.raw)


def _renumbered(segments: Iterable[Segment], numbers: Mapping[int, int]) -> Iterator[Segment]:
    for segment in segments:
        if not isinstance(segment, CitationSegment):
            yield segment
            continue
        citations = (
            one if one.number is None else replace(one, number=numbers[one.number])
            for one in segment.citations
        )
        yield replace(segment, citations=tuple(citations))
