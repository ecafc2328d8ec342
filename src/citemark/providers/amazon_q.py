"""Amazon Q Business: each source lists the words of the answer that it supports.

Nothing says what the offsets count: code points, unless only another unit fits all of them.
In a stream they come at the end, and count in the final text that comes with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark.catalogue import DIALECTS
from citemark.providers._answer import answer_of
from citemark.providers._aws import is_event, member
from citemark.providers._cited_blocks import between
from citemark.providers._doc import Provided
from citemark.providers._draft import Draft, Ref
from citemark.providers._records import kept
from citemark.providers._stream import StreamBase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from citemark.answer import Answer
    from citemark.model import Location
    from citemark.providers._node import Node

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "amazon_q"
SIGNS: Final = frozenset(
    {
        *("conversationId", "systemMessage", "systemMessageId", "userMessageId"),
        *("sourceAttributions", "textEvent", "metadataEvent"),
    }
)
DOC: Final = Provided(
    title="Amazon Q Business",
    arrives="`sourceAttributions[].textMessageSegments[]`",
    when="with the answer; in a stream at the end",
    unit="not told; code points unless only another unit fits",
    does="a claim on each segment, the sources of one span together, with times of media",
)

_EVENTS: Final = (
    *("text_event", "metadata_event", "action_review_event", "failed_attachment_event"),
    "auth_challenge_request_event",
)
_SOURCE: Final = frozenset(
    {
        *("title", "snippet", "url", "citationNumber", "updatedAt", "textMessageSegments"),
        *("documentId", "indexId", "datasourceId"),
    }
)
_KEPT: Final = ("citation_number", "document_id", "index_id", "datasource_id")
_MEDIA: Final = ("video_source_details", "audio_source_details")


def matches(response: Node) -> bool:
    """Whether a response, or an event of a stream, is one of this kind."""
    return (
        is_event(response, _EVENTS)
        or response.has("system_message_id")
        or (response.has("system_message") and response.has("source_attributions"))
    )


def parse(response: object, *, request: object = None) -> Answer:  # noqa: ARG001  as others have
    """Return the answer of a response of ChatSync.

    Args:
        response: What the SDK returns.
        request: Not needed.
    """
    draft = Draft(PROVIDER)
    node = draft.node(response)
    draft.add(node.text("system_message"))
    _take_sources(draft, node.nodes("source_attributions"))
    return _answer(draft)


class StreamAdapter(StreamBase):
    """The same for the events of Chat."""

    def __init__(self, *, request: object = None) -> None:  # noqa: ARG002  as others have
        """Start an answer; ``request`` is as for ``parse``."""
        super().__init__(Draft(PROVIDER))
        self._attributions: list[Node] = []

    def _take(self, event: Node) -> None:
        kind = member(self._draft, event, _EVENTS)
        if kind == "text_event":
            self._draft.add(event.node("text_event").text("system_message"))
        elif kind == "metadata_event":
            closing = event.node("metadata_event")
            final = closing.text("final_text_message")
            if final and final != self._draft.text:
                self._draft.replace(final)
            # A later one tells all anew.
            self._attributions = [*closing.nodes("source_attributions")] or self._attributions

    def _finish(self) -> None:
        _take_sources(self._draft, self._attributions)

    def _make(self) -> Answer:
        return _answer(self._draft)


def _take_sources(draft: Draft, attributions: Iterable[Node]) -> None:
    """Take note of the sources, and put their citations into the text, which is whole."""
    found = [
        (segment, Ref(source, _quote(segment), tuple(_times(segment)), raw=segment.plain()))
        for attribution in attributions
        if (source := _source(draft, attribution))
        for segment in attribution.nodes("text_message_segments")
    ]
    spans = [(node.whole("begin_offset"), node.whole("end_offset")) for node, _ in found]
    unit = draft.probed_unit(spans)
    for (start, end), (_, ref) in zip(spans, found, strict=True):
        draft.place(draft, start, end, [ref], unit=unit)


def _source(draft: Draft, attribution: Node) -> str:
    """Return the id of a source: its number, by which a marker in the text may name it."""
    draft.expect(attribution, "source", _SOURCE)
    url, document = attribution.text("url"), attribution.name("document_id")
    id_ = attribution.name("citation_number") or document or url
    taken = draft.sources.get(id_)
    if taken and taken.metadata.get("document_id", "") != document:
        id_ = f"{id_}:{document or url}"  # one number for two documents
    if not id_:
        draft.issue("no_source", f"{PROVIDER}: a source has no number, document or URL")
        return ""
    return draft.source(
        id_,
        title=attribution.text("title"),
        url=url or None,
        text=attribution.text("snippet"),
        kind="document",
        metadata=kept(attribution, *_KEPT),
    )


def _quote(segment: Node) -> str:
    return segment.node("snippet_excerpt").text("text")


def _times(segment: Node) -> Iterator[Location]:
    """Yield when in a recording the source says it, in milliseconds."""
    details = segment.node("source_details")
    for medium in _MEDIA:
        times = details.node(medium)
        start, end = (
            times.whole("start_time_milliseconds"),
            times.whole("end_time_milliseconds"),
        )
        yield from between("time", start, end)


def _answer(draft: Draft) -> Answer:
    return answer_of(draft, formats=DIALECTS["PERPLEXITY"], label="id")
