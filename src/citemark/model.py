"""The values that one stage hands to the next.

``str | Marker`` comes out of the parser, ``Segment`` out of resolution, an ``Answer`` (see
``citemark.answer``) goes into every renderer.  All are immutable, so they may be cached and
shared between threads.  Every offset is in code points of the text as given, half-open.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeAlias

from citemark._frozen import FrozenMapping, frozen_metadata

__all__ = [
    "Citation",
    "CitationSegment",
    "Issue",
    "Listing",
    "Location",
    "Marker",
    "Remark",
    "Segment",
    "Source",
    "TextSegment",
    "Token",
]


@dataclass(frozen=True, slots=True)
class Source:
    """A record that an answer may cite.

    >>> Source("pol-12", title="Refund policy", page=3).id
    'pol-12'
    """

    id: str
    """Name of the record, unique within its ``Sources``."""

    title: str = ""
    """Shown to readers.  Empty if the record has none."""

    url: str | None = None
    """Where a reader finds it.  Not checked here: renderers link to safe URLs only."""

    text: str = ""
    """The passage that the model was given, against which quotes are checked."""

    page: int | str | None = None
    """Page of the passage, from 1; a string where pages have names (``"iv"``)."""

    kind: str | None = None
    """What the record is (``"web"``, ``"pdf"``, ``"row"``, ...), for icons and filters."""

    score: float | None = None
    """Relevance as the retriever gave it, in its own scale."""

    metadata: Mapping[str, Any] = field(default=FrozenMapping({}), hash=False)
    """Everything else.  Never rendered: it may hold paths and internal notes.

    A read-only copy; empty if it is nested deeper than 100 levels, or holds itself.
    """

    def __post_init__(self) -> None:
        """Freeze the metadata.  What is no mapping stays, for ``Sources`` to refuse."""
        if isinstance(self.metadata, Mapping) and not isinstance(self.metadata, FrozenMapping):
            object.__setattr__(self, "metadata", frozen_metadata(self.metadata))


Unit: TypeAlias = Literal["page", "line", "sentence"]
"""What a location counts."""


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a source, as the marker gives it: ``#page=2``, ``L8-L13``."""

    unit: Unit
    """What is counted: pages and lines from 1, sentences from what the provider counts from."""

    start: int
    """First one."""

    end: int
    """One after the last: ``L8-L13`` is 8 to 14."""


@dataclass(frozen=True, slots=True, init=False)
class Marker:
    """A citation as it is written in a text."""

    start: int
    """First code point, counted from the start of the whole text."""

    end: int
    """Code point after the last one: ``raw == text[start:end]``."""

    raw: str
    """The characters of the marker."""

    format: str
    """Name of the marker format that matched."""

    keys: tuple[str, ...]
    """Cited keys in written order, ranges spelled out, digits as ASCII.

    Empty for a tag that names nothing, of which nothing but its words is shown.
    """

    words: str = ""
    """Words of the answer inside the marker, in Markdown: shown before the citation."""

    span: tuple[int, int] | None = None
    """Code points of the words that the citation supports, half-open, if the marker tells."""

    locations: tuple[tuple[Location, ...], ...] = ()
    """Places in the sources, one tuple a key; empty if the marker names no place at all."""

    def __init__(  # noqa: PLR0913, PLR0917  one for each field
        self,
        start: int,
        end: int,
        raw: str,
        format: str,  # noqa: A002  the name of the field
        keys: tuple[str, ...],
        words: str = "",
        span: tuple[int, int] | None = None,
        locations: tuple[tuple[Location, ...], ...] = (),
    ) -> None:
        """Set the fields by their descriptors: half the time of what a dataclass does.

        Making markers takes a good part of the time of a scan.
        """
        _set_start(self, start)
        _set_end(self, end)
        _set_raw(self, raw)
        _set_format(self, format)
        _set_keys(self, keys)
        _set_words(self, words)
        _set_span(self, span)
        _set_locations(self, locations)


(
    _set_start,
    _set_end,
    _set_raw,
    _set_format,
    _set_keys,
    _set_words,
    _set_span,
    _set_locations,
) = (Marker.__dict__[field.name].__set__ for field in fields(Marker))


@dataclass(frozen=True, slots=True)
class Remark:
    """A piece of text that is no marker but looks as if it was meant to be one."""

    start: int
    """First code point."""

    end: int
    """Code point after the last one."""

    raw: str
    """The characters, which stay."""

    code: str
    """Code of the issue: ``"placeholder"``, ``"malformed"``."""


@dataclass(frozen=True, slots=True)
class Listing:
    """A piece of a list of sources that the model wrote itself; pieces follow each other."""

    start: int
    """First code point."""

    end: int
    """Code point after the last one."""

    raw: str
    """The characters.  Nothing in them is a citation."""


Token: TypeAlias = str | Marker | Remark | Listing
"""Text that is not a citation, a marker, or text with something to be said about it."""


@dataclass(frozen=True, slots=True)
class Citation:
    """One cited key after resolution."""

    key: str
    """What the marker names, as written."""

    source: Source | None = None
    """None for a key that names no source."""

    number: int | None = None
    """Display number from 1, in order of first appearance; None if there is no source.

    A pending citation (see ``AnswerStream``) has a number before it has a source.
    """

    occurrence: int = 0
    """1 for the first citation with this number, 2 for the second, ...; 0 without number."""

    locations: tuple[Location, ...] = ()
    """Places in the source that the marker names."""


@dataclass(frozen=True, slots=True)
class TextSegment:
    """A piece of an answer that is not a citation."""

    text: str
    """Never empty.  Markdown, as the model wrote it."""

    @property
    def raw(self) -> str:
        """The characters of the answer that this segment stands for."""
        return self.text


@dataclass(frozen=True, slots=True)
class CitationSegment:
    """A marker with the citations to show in its place.

    Keys that name no source are among the citations only if they are to be marked as such;
    none at all means that nothing is shown but the words (``unresolved="drop"``, stray tags).
    """

    marker: Marker
    """As it stands in the answer."""

    citations: tuple[Citation, ...]
    """In written order, one a key; without number it is shown as "source not found"."""

    blank: str = ""
    """White space before the marker that is removed with it; "" unless nothing is shown."""

    @property
    def raw(self) -> str:
        """The characters of the answer that this segment stands for."""
        return self.blank + self.marker.raw


Segment: TypeAlias = TextSegment | CitationSegment
"""A piece of an answer.  The ``raw`` of all, joined, is the answer as the model wrote it."""


@dataclass(frozen=True, slots=True)
class Issue:
    """Something odd that was noticed in an answer."""

    code: str
    """Kind of the issue, for programs: ``"unresolved"``, ``"ambiguous"``, ``"base"``, ..."""

    message: str
    """The same for people, in one sentence."""

    start: int
    """First code point in the answer."""

    end: int
    """Code point after the last one."""

    key: str = ""
    """The key concerned, as written; "" if there is none."""
