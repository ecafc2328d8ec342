"""What resolution asks of markers and segments, and how segments become those of an answer."""

from __future__ import annotations

from itertools import chain, repeat
from typing import TYPE_CHECKING, Final, TypeGuard

from citemark.model import CitationSegment, TextSegment

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citemark.model import Citation, Location, Marker, Segment, Source

__all__ = ["REMARKS", "is_open", "is_pending", "merged", "numbered", "placed", "without_blanks"]

REMARKS: Final = {
    "placeholder": "is a placeholder: it names no source",
    "malformed": "looks like a marker, but is not whole",
    "too_many": "is a range, and ranges have made too many citations already",
}
"""What is said of text that was meant to be a marker."""


def placed(marker: Marker) -> Iterable[tuple[str, tuple[Location, ...]]]:
    """Return the keys of a marker with the places in their sources."""
    if not marker.locations:
        return [(key, ()) for key in marker.keys]
    return zip(marker.keys, chain(marker.locations, repeat(())), strict=False)


def without_blanks(segments: Iterable[Segment]) -> list[Segment]:
    """Return the segments with the blanks before each that shows nothing made a part of it."""
    mended: list[Segment] = []
    for segment in segments:
        last = mended[-1] if mended else None
        if (
            isinstance(segment, CitationSegment)
            and isinstance(last, TextSegment)
            and segment.marker.keys
            and not (segment.citations or segment.blank or segment.marker.words)
        ):
            text = last.text.rstrip(" \t")
            mended[-1:] = [TextSegment(text)] if text else []
            mended.append(CitationSegment(segment.marker, (), last.text[len(text) :]))
        else:
            mended.append(segment)
    return mended


def is_pending(citation: Citation) -> bool:
    """Whether a citation has a number, and its source may still come."""
    return citation.source is None and citation.number is not None


def is_open(segment: Segment) -> TypeGuard[CitationSegment]:
    """Whether anything of a segment is pending."""
    return isinstance(segment, CitationSegment) and any(map(is_pending, segment.citations))


def merged(segments: Iterable[Segment]) -> tuple[Segment, ...]:
    """Return the segments with neighbouring texts joined."""
    joined: list[Segment] = []
    texts: list[str] = []
    for segment in segments:
        if isinstance(segment, TextSegment):
            texts.append(segment.text)
            continue
        if texts:
            joined.append(TextSegment("".join(texts)))
            texts.clear()
        joined.append(segment)
    if texts:
        joined.append(TextSegment("".join(texts)))
    return tuple(joined)


def numbered(segments: Iterable[Segment]) -> dict[Source, int]:
    """Return the number of each source that is cited, in order of first citation."""
    numbers: dict[Source, int] = {}
    for segment in segments:
        if isinstance(segment, CitationSegment):
            for citation in segment.citations:
                if citation.source is not None and citation.number is not None:
                    numbers.setdefault(citation.source, citation.number)
    return numbers
