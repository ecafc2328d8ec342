"""Quotes that a reply lists, given to the markers that its text has for them."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from citemark.model import CitationSegment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from citemark.model import Citation, Segment, Source

__all__ = ["Quotes", "Spans"]


class Spans:
    """Where the statements of a reply stand in its text.

    Args:
        spans: Half-open, in code points; in order, and apart from each other.
        whole: That of the whole text, if it is a statement too: it has the number 0, and the
            others follow it.
    """

    def __init__(
        self, spans: Sequence[tuple[int, int]], whole: tuple[int, int] | None = None
    ) -> None:
        """Keep them."""
        self.all = [*([] if whole is None else [whole]), *spans]
        """By the number of the statement."""
        self._first = 0 if whole is None else 1
        order = sorted(range(self._first, len(self.all)), key=self.all.__getitem__)
        self._order = order
        self._starts = [self.all[at][0] for at in order]

    def around(self, place: int) -> Iterator[int]:
        """Yield the numbers of the statements that a place is in: two at most."""
        if self._first:
            yield 0
        found = bisect_right(self._starts, place) - 1
        if found >= 0 and place < self.all[self._order[found]][1]:
            yield self._order[found]


class Quotes:
    """Quotes by statement and source.

    Args:
        spans: Where the statements are.
    """

    def __init__(self, spans: Spans) -> None:
        """Begin with none."""
        self._spans = spans
        self._waiting: dict[tuple[int, Source], dict[str, None]] = {}

    def add(self, statement: int, source: Source, quote: str) -> None:
        """Take a quote of a source that a marker in the statement cites."""
        self._waiting.setdefault((statement, source), {})[quote] = None

    def given(
        self, segments: Iterable[Segment], inline: Iterable[tuple[int, Source]]
    ) -> tuple[Segment, ...]:
        """Return segments with the quotes, and the occurrences of each number counted again.

        The first marker of a source has its first quote, and the last one all that are left.

        Args:
            segments: Those of the answer.
            inline: Citations of written markers, by where those begin.
        """
        left = Counter((at, one) for place, one in inline for at in self._spans.around(place))
        counts: Counter[int] = Counter()
        given: list[Segment] = []
        for segment in segments:
            if not isinstance(segment, CitationSegment):
                given.append(segment)
                continue
            quoted = self._with_quotes(segment, left) if segment.marker.raw else segment
            citations = tuple(_next(citation, counts) for citation in quoted.citations)
            given.append(CitationSegment(quoted.marker, citations, quoted.blank))
        return tuple(given)

    def _with_quotes(
        self, segment: CitationSegment, left: Counter[tuple[int, Source]]
    ) -> CitationSegment:
        marker = segment.marker
        quoted: list[Citation] = []
        more: list[Citation] = []
        for citation in segment.citations:
            quotes = [*self._quotes_of(citation, marker.start, left)]
            quoted.append(replace(citation, quote=quotes[0]) if quotes else citation)
            more += (replace(citation, quote=quote) for quote in quotes[1:])
        if more:
            keys = (*marker.keys, *(citation.key for citation in more))
            places = (*marker.locations, *((),) * len(more)) if marker.locations else ()
            marker = replace(marker, keys=keys, locations=places)
        return CitationSegment(marker, (*quoted, *more), segment.blank)

    def _quotes_of(
        self, citation: Citation, place: int, left: Counter[tuple[int, Source]]
    ) -> Iterator[str]:
        """Yield the quotes that a citation has."""
        source = citation.source
        if source is None:
            return
        for at in self._spans.around(place):
            left[at, source] -= 1
            waiting = self._waiting.get((at, source), {})
            count = 1 if left[at, source] > 0 else len(waiting)
            for quote in [*waiting][:count]:
                del waiting[quote]
                yield quote


def _next(citation: Citation, counts: Counter[int]) -> Citation:
    if citation.number is None:
        return citation
    counts[citation.number] += 1
    return replace(citation, occurrence=counts[citation.number])
