"""The values that one stage hands to the next.

``str | Marker`` comes out of the parser, ``Segment`` out of resolution, an ``Answer`` (see
``citemark.answer``) goes into every renderer.  All are immutable, so they may be cached and
shared between threads.  Every offset is in code points of the text as given, half-open.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from citemark._frozen import FrozenMapping, frozen_metadata
from citemark._markers import (
    ANCHORS,
    Anchor,
    Listing,
    Location,
    Marker,
    Remark,
    Token,
    Unit,
)

__all__ = [
    "ANCHORS",
    "Anchor",
    "Aside",
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
    "Unit",
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

    quote: str = ""
    """Words of the source that the provider gives as proof; not checked here."""

    confidence: float | None = None
    """How sure the provider is, in its own scale."""

    repaired: str = ""
    """How the place in the text was mended, if what the provider said did not fit it."""

    raw: Mapping[str, Any] | None = field(default=None, hash=False)
    """What the provider sent, read-only, for who has to send it back.  Never rendered."""

    def __post_init__(self) -> None:
        """Freeze what the provider sent."""
        if self.raw is not None and not isinstance(self.raw, FrozenMapping):
            object.__setattr__(self, "raw", frozen_metadata(self.raw))


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
class Aside:
    """What a model wrote beside its answer, with the citations in it.

    They use up no display number: one has a number only if the answer cites its source too.
    """

    channel: Literal["thinking", "plan"]
    """What it is: the reasoning before the answer, or the plan of its tool calls."""

    segments: tuple[Segment, ...]
    """As those of an answer."""


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
