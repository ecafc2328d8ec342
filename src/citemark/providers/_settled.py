"""Citations of a stream that nothing that comes can change: those in blocks that are closed.

Code, a link or a table may move a citation as long as its paragraph goes on, and a number is
that of its place.  So citations are settled block by block, each of which is read once.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from citemark._outline import Outline
from citemark.model import Citation, CitationSegment, Marker
from citemark.parser import Scanner
from citemark.providers._channel import Channel
from citemark.providers._closed import ClosedBlocks
from citemark.providers._tokens import Placed, pieces_of
from citemark.sources import Sources

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from citemark.catalogue import FormatSet
    from citemark.providers._channel import Found, Ref
    from citemark.providers._draft import Draft

__all__ = ["Settler"]

MAX_BARE: Final = 4_096
"""Code points without words at the start of a text that are read again with each block."""


class Settler:
    """Gives each citation of a growing text, in order, when its block is closed.

    The text may hold markers of its own, or a list of sources: what comes can change what they
    name.  There it ends, and what is left is given when the stream is closed.

    Args:
        draft: The text.
        formats: Markers that its models write.
        cited: The sources and citations, as they come; those of the draft by default.
    """

    def __init__(self, draft: Draft, formats: FormatSet, cited: Draft | None = None) -> None:
        """Begin with no text."""
        self._draft = draft
        self._cited = draft if cited is None else cited
        self._formats = formats
        self._closed = ClosedBlocks()
        self._end = 0  # of the blocks that were read
        self._last: int | None = None  # place for a citation in them
        self._taken = 0  # citations that were looked at
        self._waiting: list[Found] = []
        self._numbers: dict[str, int] = {}
        self._occurrences: Counter[str] = Counter()
        self._is_over = False

    def add(self, text: str) -> None:
        """Take in the next piece of the text."""
        if not self._is_over:
            self._closed.add(text)

    def upto(self, known: int) -> Iterator[tuple[int, CitationSegment]]:
        """Yield the citations that are settled now, each with its place in the text.

        Args:
            known: The place before which all citations have come.
        """
        if self._is_over:
            return
        end = self._closed.last_before(min(known, self._draft.ready))
        if end <= self._end:
            return
        start, channel = self._end, Channel()
        channel.add(self._draft.between(start, end))
        outline = Outline(channel.text, origin=start, before=self._last)
        if not outline.has_room:  # its citations stand in the block that comes
            self._is_over = end - start > MAX_BARE
            return
        found = self._found_before(end)
        is_odd = any(one.end < start or one.anchor == "message" for one in found)
        if is_odd or outline.is_open:
            self._is_over = True
            return
        for one in found:
            channel.found.append(replace(one, start=one.start - start, end=one.end - start))
        self._end, self._last = end, (outline.last or 0) + start
        yield from self._read(channel, outline, start)

    def _found_before(self, end: int) -> list[Found]:
        found = [*self._waiting, *islice(self._cited.found, self._taken, None)]
        self._taken = len(self._cited.found)
        self._waiting = [one for one in found if one.end >= end]
        return [one for one in found if one.end < end]

    def _read(
        self, channel: Channel, outline: Outline, start: int
    ) -> Iterator[tuple[int, CitationSegment]]:
        """Yield the citations of closed blocks, which start at a place in the text."""
        sources = {ref.source: None for one in channel.found for ref in one.refs}
        known = (self._cited.sources[id_] for id_ in sources if id_ in self._cited.sources)
        scanner = Scanner(self._formats, known=Sources(known, label="id"))
        text = channel.text
        tokens = scanner.feed(text)
        ready = sum(len(token if isinstance(token, str) else token.raw) for token in tokens)
        placed = Placed([], {}, [])
        pieces = pieces_of(channel, tokens, placed, outline)
        # What is written may come to name a source, or to be a part of something else.
        written = (piece.start for piece in pieces if piece.token not in placed.found)
        stop = min(next(written, ready + 1), ready + 1)
        for at, _, token in pieces:
            if at >= stop or not isinstance(token, Marker):
                break
            yield at + start, self._segment(token, placed.found, start)
        self._is_over = stop <= ready or bool(text[ready:].strip())

    def _segment(
        self, marker: Marker, found: Mapping[Marker, Found], start: int
    ) -> CitationSegment:
        told = found[marker]
        span = marker.span and (marker.span[0] + start, marker.span[1] + start)
        marker = replace(marker, start=marker.start + start, end=marker.end + start, span=span)
        return CitationSegment(marker, tuple(self._citation(ref, told) for ref in told.refs))

    def _citation(self, ref: Ref, told: Found) -> Citation:
        source, number, occurrence = self._cited.sources.get(ref.source), None, 0
        if source is not None:
            number = self._numbers.setdefault(ref.source, len(self._numbers) + 1)
            self._occurrences[ref.source] += 1
            occurrence = self._occurrences[ref.source]
        return Citation(
            ref.source, source, number, occurrence,
            ref.locations, ref.quote, ref.confidence, told.repaired, ref.raw,
        )  # fmt: skip
