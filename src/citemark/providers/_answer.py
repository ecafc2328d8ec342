"""The answer of a draft: resolved and numbered as the markers are that a model wrote."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from citemark.catalogue import DEFAULT, FormatSet
from citemark.model import Aside, Citation, CitationSegment, Issue
from citemark.providers._tokens import ROWS, place_all
from citemark.resolve import Resolver
from citemark.sources import Sources

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from citemark.answer import Answer
    from citemark.catalogue import Format
    from citemark.model import Marker, Segment, Source
    from citemark.providers._channel import Channel, Found
    from citemark.providers._draft import Draft
    from citemark.sources import Label

__all__ = ["answer_of", "proven"]


def answer_of(
    draft: Draft, *, formats: Iterable[Format] = DEFAULT, label: Label = "number"
) -> Answer:
    """Return the answer that a draft makes.

    Args:
        draft: What an adapter read.
        formats: Markers that this provider's models write into the text.
        label: What the numbers in such markers are: positions among the sources, or their ids.
    """
    rows = FormatSet.of(formats)
    sources = Sources(draft.sources.values(), label=label)
    answer, issues = _resolved(draft, rows, sources)
    numbers = {source: entry.number for entry in answer.entries for source in entry.sources}
    asides: list[Aside] = []
    for name, channel in draft.asides.items():
        beside, more = _resolved(channel, rows, sources)
        segments = tuple(_renumbered(segment, numbers) for segment in beside.segments)
        asides.append(Aside("plan" if name == "plan" else "thinking", segments))
        issues += more
    notes = (
        Issue(code, f"{draft.provider}: {name!r} {message} ({count} times)", 0, 0, name)
        for (code, name, message), count in draft.notes.items()
    )
    issues = sorted([*issues, *draft.issues, *answer.issues], key=lambda issue: issue.start)
    return replace(answer, issues=(*issues, *notes), asides=tuple(asides))


def _resolved(
    channel: Channel, rows: FormatSet, sources: Sources
) -> tuple[Answer, list[Issue]]:
    """Return a text with its citations resolved, and what was odd about their places."""
    placed = place_all(channel, rows, sources)
    resolver = Resolver(sources, rows | ROWS, consulted=True)
    resolver.resolve(placed.tokens)
    resolver.close()
    answer = resolver.answer
    segments = tuple(proven(segment, placed.found) for segment in answer.segments)
    return replace(answer, segments=segments), placed.issues


def proven(segment: Segment, found: Mapping[Marker, Found]) -> Segment:
    """Return a segment with what the provider said of each of its citations."""
    told = found.get(segment.marker) if isinstance(segment, CitationSegment) else None
    if told is None or not isinstance(segment, CitationSegment):
        return segment
    citations = tuple(
        Citation(
            citation.key,
            citation.source,
            citation.number,
            citation.occurrence,
            ref.locations,
            ref.quote,
            ref.confidence,
            told.repaired,
            ref.raw,
        )
        for citation, ref in zip(segment.citations, told.refs, strict=False)
    )
    return CitationSegment(segment.marker, citations, segment.blank)


def _renumbered(segment: Segment, numbers: Mapping[Source, int]) -> Segment:
    """Return a segment from beside the answer with the numbers of the answer."""
    if not isinstance(segment, CitationSegment):
        return segment
    citations = (
        replace(
            citation,
            number=numbers.get(citation.source) if citation.source else None,
            occurrence=0,
        )
        for citation in segment.citations
    )
    return replace(segment, citations=tuple(citations))
