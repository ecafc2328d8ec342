"""Where an answer shows a number: at the characters of a marker, or between two of them."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final, NamedTuple

from citemark.model import CitationSegment
from citemark.renderers._display import cut, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from citemark.answer import Answer
    from citemark.model import Citation, Source

__all__ = ["Link", "Written", "labels_of", "markers_of"]

MAX_LABEL: Final = 24
"""Code points of a marker that a source can be called by: no titles, no addresses."""

MAX_LABELS: Final = 3
"""Markers that a source is called by, if it was cited in several ways."""


class Link(NamedTuple):
    """Characters of a marker that name one source."""

    start: int
    """First code point."""

    end: int
    """Code point after the last one."""

    number: int
    """Display number of the source."""


class Written(NamedTuple):
    """A marker that names sources."""

    start: int
    """First code point."""

    end: int
    """Code point after the last one; the same for what a provider told."""

    links: tuple[Link, ...]
    """Its characters, source by source."""

    added: tuple[tuple[str, int], ...]
    """What is shown after it, and the number that it stands for: sources that none of its
    characters name, as those inside a range."""


def markers_of(answer: Answer) -> list[Written]:
    """Return the markers of an answer that name sources, in order."""
    return [
        Written(start, end, *_shown(segment, start, end))
        for start, end, segment in _cited(answer)
    ]


def labels_of(answer: Answer) -> dict[Source, tuple[str, ...]]:
    """Return how the answer itself writes each source that it cites: ``"[2]"``, ``"[doc:a]"``.

    What is too long for a label, and what a provider told, is ``"[1]"`` with its number.
    """
    found: dict[Source, dict[str, None]] = {}
    for start, end, segment in _cited(answer):
        links, added = _shown(segment, start, end)
        labels = {number: label for label, number in added}
        for first, last, number in links:
            words = segment.marker.raw[first - start : last - start]
            is_whole = first == start and last == end
            labels[number] = _label(words if is_whole else f"[{words}]")
        for citation in _each(segment):
            number = citation.number or 0
            if citation.source is not None:
                found.setdefault(citation.source, {})[labels[number] or f"[{number}]"] = None
    return {source: tuple(labels)[:MAX_LABELS] for source, labels in found.items()}


def _label(raw: str) -> str:
    """Return a marker as a label; "" if it is too long, or has nothing to see."""
    shown = one_line(raw).strip()
    return shown if shown.isprintable() and cut(shown, MAX_LABEL) == shown else ""


def _cited(answer: Answer) -> Iterator[tuple[int, int, CitationSegment]]:
    pos = 0
    for segment in answer.segments:
        start, pos = pos + len(getattr(segment, "blank", "")), pos + len(segment.raw)
        if not isinstance(segment, CitationSegment) or segment.marker.anchor == "message":
            continue
        if _each(segment):
            yield start, pos, segment


def _each(segment: CitationSegment) -> tuple[Citation, ...]:
    """Return the citations of a marker that name sources, each number once."""
    found: dict[int, Citation] = {}
    for citation in segment.citations:
        if citation.number is not None and citation.source is not None:
            found.setdefault(citation.number, citation)
    return tuple(found.values())


def _shown(
    segment: CitationSegment, start: int, end: int
) -> tuple[tuple[Link, ...], tuple[tuple[str, int], ...]]:
    """Return the links in a marker, and what is shown after it."""
    citations = _each(segment)
    numbers = [citation.number or 0 for citation in citations]
    if start == end:
        return (), tuple((f"[{number}]", number) for number in numbers)
    links = _members(citations, segment.marker.raw, start)
    if len(numbers) == 1 and (len(segment.marker.keys) == 1 or not links):
        return (Link(start, end, numbers[0]),), ()
    if links:
        return links, ()
    return (), tuple((_added(citation), citation.number or 0) for citation in citations)


def _added(citation: Citation) -> str:
    return _label(f"[{citation.key}]") or f"[{citation.number}]"


def _members(citations: Sequence[Citation], raw: str, start: int) -> tuple[Link, ...]:
    """Return where each key of a group stands in it; nothing if not all of them do."""
    folded = "".join(str(unicodedata.decimal(sign, sign)) for sign in raw)
    links: list[Link] = []
    pos = 0
    for citation in citations:
        at = _word_at(folded, citation.key, pos)
        if at < 0:
            return ()
        pos = at + len(citation.key)
        links.append(Link(start + at, start + pos, citation.number or 0))
    return tuple(links)


def _word_at(text: str, word: str, pos: int) -> int:
    """Return where a word stands by itself, from a position on; -1 if nowhere."""
    at = text.find(word, pos) if word else -1
    while at >= 0:
        end = at + len(word)
        if not (text[at - 1 : at].isalnum() or text[end : end + 1].isalnum()):
            return at
        at = text.find(word, at + 1)
    return -1
