"""Types of the stored form of an answer: ``Answer.to_dict``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NotRequired

if TYPE_CHECKING:
    from typing import TypedDict
else:
    # Pydantic refuses `typing.TypedDict` before Python 3.12, and brings its own.
    try:
        from typing_extensions import TypedDict
    except ImportError:
        from typing import TypedDict

__all__ = [
    "StoredAnswer",
    "StoredAside",
    "StoredCitation",
    "StoredCitationSegment",
    "StoredIssue",
    "StoredLocation",
    "StoredMarker",
    "StoredSource",
    "StoredTextSegment",
]


class StoredSource(TypedDict):
    """A source with all its fields."""

    id: str
    """Name of the record, unique within its ``Sources``."""

    title: str
    """Empty if the record has none."""

    url: str | None
    """As given: not checked."""

    text: str
    """The passage that the model was given."""

    page: int | str | None
    """Page of the passage, from 1, or its name."""

    kind: str | None
    """What the record is."""

    score: float | None
    """Relevance in the scale of the retriever."""

    metadata: dict[str, Any]
    """Everything else.  Not for readers."""


class StoredLocation(TypedDict):
    """A place in a source, as a marker or a provider gives it."""

    unit: Literal["page", "line", "sentence", "char", "block", "time"]
    """What is counted: pages and lines from 1; code points, blocks and milliseconds from 0."""

    start: int
    """First one; sentences count from what the provider counts from."""

    end: int
    """One after the last: lines 8 to 13 end with 14."""


class StoredMarker(TypedDict):
    """A citation as written; offsets are in code points of the whole text."""

    start: int
    """First code point."""

    end: int
    """Code point after the last one."""

    raw: str
    """The characters of the marker."""

    format: str
    """Name of the marker format."""

    keys: list[str]
    """Cited keys in written order; empty for a tag that names nothing."""

    words: str
    """Words of the answer inside the marker, shown before the citation; or empty."""

    span: tuple[int, int] | None
    """Code points of the words that the citation supports, half-open."""

    locations: list[list[StoredLocation]]
    """Places in the sources, a list for each key; or empty."""


class StoredCitation(TypedDict):
    """One cited key after resolution."""

    key: str
    """What the marker names, as written."""

    source: int | None
    """Position in ``sources``, from 0.  Null for a key that names no source."""

    number: int | None
    """Display number, from 1.  Null if there is no source."""

    occurrence: int
    """1 for the first citation with this number; 0 without number."""

    locations: list[StoredLocation]
    """Places in the source that the marker names."""

    quote: NotRequired[str]
    """Words of the source that the provider gives as proof; missing if there are none."""

    confidence: NotRequired[float | None]
    """How sure the provider is; missing if it does not say."""

    repaired: NotRequired[str]
    """How the place in the text was mended; missing if it was right."""

    raw: NotRequired[dict[str, Any] | None]
    """What the provider sent; missing if a model wrote the marker."""


class StoredTextSegment(TypedDict):
    """A piece of the answer that is not a citation."""

    type: Literal["text"]
    """Tells the kinds of segments apart."""

    text: str
    """Markdown as the model wrote it."""


class StoredCitationSegment(TypedDict):
    """A marker with the citations to show in its place."""

    type: Literal["citation"]
    """Tells the kinds of segments apart."""

    marker: StoredMarker
    """As it stands in the answer."""

    citations: list[StoredCitation]
    """In written order; empty if nothing is shown but the words."""

    blank: str
    """White space that is removed together with the marker."""


class StoredIssue(TypedDict):
    """Something odd that was noticed in the answer."""

    code: str
    """Kind of the issue, for programs."""

    message: str
    """The same for people."""

    start: int
    """First code point in the answer."""

    end: int
    """Code point after the last one."""

    key: str
    """The key concerned; empty if there is none."""


class StoredAside(TypedDict):
    """What a model wrote beside its answer."""

    channel: Literal["thinking", "plan"]
    """What it is."""

    segments: list[StoredTextSegment | StoredCitationSegment]
    """As those of the answer, but that a source may be one of ``consulted``, counted on."""


class StoredAnswer(TypedDict):
    """An answer as it is stored: ``Answer.to_dict``."""

    version: Literal[1]
    """Version of this form."""

    segments: list[StoredTextSegment | StoredCitationSegment]
    """In order."""

    sources: list[StoredSource]
    """Cited sources, each once, in order of display number."""

    unresolved: list[str]
    """Keys that name no source, each once."""

    issues: list[StoredIssue]
    """What was odd, in order of position."""

    listed: list[int | StoredSource]
    """Sources that the model's own list of sources names, in its order, each once.

    The position in ``sources``, from 0, of one that is cited, else the source itself.
    """

    consulted: NotRequired[list[StoredSource]]
    """Sources that were given and are not cited; missing if there are none."""

    asides: NotRequired[list[StoredAside]]
    """What was written beside the answer; missing if there is nothing."""

    fingerprint: NotRequired[str | None]
    """That of the sources it was resolved by; missing if they were not checked."""
