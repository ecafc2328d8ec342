"""Types of the output of the renderer ``json``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NotRequired

if TYPE_CHECKING:
    from typing import TypedDict
else:
    # Pydantic refuses `typing.TypedDict` before Python 3.12, and brings its own.
    try:
        from typing_extensions import TypedDict
    except ImportError:
        from typing import TypedDict

__all__ = [
    "CitationData",
    "CitationPart",
    "LocationData",
    "SegmentsDocument",
    "Shown",
    "SourceData",
    "TextPart",
]


class Shown(TypedDict):
    """What readers may see of a source."""

    sourceKey: str
    """Id of the source; for a citation without one, the key as the model wrote it."""

    title: str | None
    """Title, or else host, file name or id: one line.  Null if there is nothing to tell."""

    url: str | None
    """A web or mail address that is safe to link to.  Null if there is none."""

    snippet: str | None
    """Start of the passage, at most 400 code points.  Null if there is none."""

    documentType: str | None
    """What the source is, as the caller named it: ``web``, ``pdf``, ..."""

    relevanceScore: float | None
    """Relevance in the scale of the retriever."""

    page: int | str | None
    """Page of the passage, from 1, or its name."""


class SourceData(Shown):
    """An entry of the source list; grouped sources share a number."""

    displayNumber: int
    """Number that is shown, from 1."""


class LocationData(TypedDict):
    """A place in a source."""

    unit: Literal["page", "line", "sentence", "char", "block", "time"]
    """What is counted."""

    start: int
    """First one: pages and lines from 1; code points, blocks and milliseconds from 0."""

    end: int
    """One after the last: lines 8 to 13 end with 14."""


class CitationData(Shown):
    """One citation of the answer."""

    displayNumber: int | None
    """Number that is shown, from 1.  Null if there is no such source."""

    occurrence: int
    """1 for the first citation with this number, 2 for the second, ...; 0 without number."""

    locations: NotRequired[list[LocationData]]
    """Places in the source that the model names; not there if it names none."""


class TextPart(TypedDict):
    """A piece of the answer that is not a citation."""

    type: Literal["text"]
    """Tells the kinds of segments apart."""

    content: str
    """Markdown as the model wrote it: untrusted."""


class CitationPart(TypedDict):
    """A citation in its place."""

    type: Literal["citation"]
    """Tells the kinds of segments apart."""

    citation: CitationData
    """What to show."""

    span: NotRequired[tuple[int, int]]
    """Words that the citation supports, if the model marks them: half-open, in code points of
    the answer as the model wrote it."""


class SegmentsDocument(TypedDict):
    """An answer for a front end: output of the renderer ``json``."""

    version: Literal[1]
    """Version of this shape."""

    segments: list[TextPart | CitationPart]
    """Text and citations in order."""

    sources: list[SourceData]
    """Cited sources, in order of number."""
