"""The markers of an answer, as ranges of its text that are no words of a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from citemark.catalogue import DEFAULT
from citemark.model import CitationSegment, Listing
from citemark.parser import Scanner
from citemark.sources import Sources

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citemark.answer import Answer
    from citemark.model import Citation

__all__ = ["Mark", "listing_ranges", "marks_of"]

UNRESOLVED: Final = frozenset({"unresolved", "ambiguous", "base"})
"""Codes of the issues that tell of a key without a source."""

SOURCE_LIST: Final = "source_list"
"""Format of what stands for a list of sources that is hidden."""


class Mark(NamedTuple):
    """A range of an answer that is a marker, or a part of one beside its words."""

    start: int
    """First code point."""

    end: int
    """Code point after the last one; the same as the start for what a provider put there."""

    citations: tuple[Citation, ...] = ()
    """What it cites, if it names sources."""

    unresolved: tuple[str, ...] = ()
    """Its keys that name none."""

    span: tuple[int, int] | None = None
    """The words that it is for, if it tells."""

    is_whole: bool = False
    """Whether it is for the answer as a whole, and for no sentence of it."""

    @property
    def cited(self) -> tuple[Citation | str, ...]:
        """What it cites, and the keys that name no source."""
        return (*self.citations, *self.unresolved)


def marks_of(answer: Answer) -> list[Mark]:
    """Return the markers of an answer, in order, those that name no source among them."""
    missing = _missing(answer)
    marks: list[Mark] = []
    pos = 0
    for segment in answer.segments:
        start, pos = pos, pos + len(segment.raw)
        if isinstance(segment, CitationSegment) and segment.marker.format != SOURCE_LIST:
            keys = missing.pop((segment.marker.start, segment.marker.end), ())
            marks += _parts(segment, start, keys)
    kept = [Mark(start, end, (), keys) for (start, end), keys in missing.items() if start < end]
    return sorted([*marks, *kept], key=lambda mark: mark[:2]) if kept else marks


def _missing(answer: Answer) -> dict[tuple[int, int], tuple[str, ...]]:
    """Return the keys that name no source, by the place of their marker."""
    missing: dict[tuple[int, int], tuple[str, ...]] = {}
    for issue in answer.issues:
        if issue.code in UNRESOLVED and issue.key:
            place = issue.start, issue.end
            missing[place] = (*missing.get(place, ()), issue.key)
    return missing


def _parts(segment: CitationSegment, start: int, missing: tuple[str, ...]) -> Iterator[Mark]:
    """Yield the ranges of a marker that are not words of the answer; the last one cites."""
    marker = segment.marker
    end = start + len(segment.raw)
    words = segment.raw.find(marker.words) if marker.words else -1
    if words > 0:
        yield Mark(start, start + words)
        start += words + len(marker.words)
    yield Mark(
        start,
        end,
        tuple(citation for citation in segment.citations if citation.source is not None),
        missing,
        marker.span,
        marker.anchor == "message",
    )


def listing_ranges(answer: Answer) -> list[tuple[int, int]]:
    """Return where the answer lists its sources itself, as text that is shown, or hidden."""
    if not answer.listed and not any(issue.code == SOURCE_LIST for issue in answer.issues):
        return []
    known = Sources({source.id: source for source in answer.sources}.values(), label="number")
    tokens = Scanner(DEFAULT, known=known).close(answer.text)
    return [(piece.start, piece.end) for piece in tokens if isinstance(piece, Listing)]
