"""Amazon Q in Connect: messages of its agents, and generated answers to a query.

An answer may come in chunks, one a response: ``StreamAdapter`` takes the responses in order.
The offsets count in the text of all chunks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark.catalogue import DIALECTS
from citemark.providers._answer import answer_of
from citemark.providers._doc import Provided
from citemark.providers._draft import Draft, Ref
from citemark.providers._stream import StreamBase

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citemark.answer import Answer
    from citemark.providers._node import Node

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "amazon_q_connect"
SIGNS: Final = frozenset({"conversationState", "messageId", "participant", "recommendations"})
DOC: Final = Provided(
    title="Amazon Q in Connect",
    arrives="`citations[].citationSpan`, `references[]` with `citationSpan`",
    when="with the answer",
    unit="characters; `beginOffsetInclusive`, `endOffsetExclusive`",
    does="a claim on the span; what has none is listed",
)

_GENERATED: Final = (
    *("generative_data", "generative_chunk_data", "email_generative_answer_chunk_data"),
)
"""Kinds of a result that are a text with references."""


def matches(response: Node) -> bool:
    """Whether a response is one of this kind."""
    message = response.node("response") if response.has("response") else response
    text = message.node("value").node("text")
    return (message.has("participant") and text.has("value")) or any(
        True for _ in _generated(response)
    )


def parse(response: object, *, request: object = None) -> Answer:
    """Return the answer of a message, or of the results of a query.

    Args:
        response: What the SDK returns for GetNextMessage, QueryAssistant or GetRecommendations;
            or one message.
        request: Not needed.
    """
    adapter = StreamAdapter(request=request)
    adapter.feed(response)
    adapter.close()
    return adapter.answer


class StreamAdapter(StreamBase):
    """The same for responses that bring an answer in chunks."""

    def __init__(self, *, request: object = None) -> None:  # noqa: ARG002  as others have
        """Start an answer; ``request`` is as for ``parse``."""
        super().__init__(Draft(PROVIDER))
        self._cited: list[tuple[Node, Ref]] = []

    def _take(self, event: Node) -> None:
        message = event.node("response") if event.has("response") else event
        text = message.node("value").node("text")
        self._draft.add(text.text("value"))
        for citation in text.nodes("citations"):
            self._cite(citation, citation.node("citation_span"), citation.text("title"))
        for generated in _generated(event):
            self._draft.add(generated.text("completion"))
            for reference in generated.nodes("references"):
                self._take_reference(reference)

    def _take_reference(self, summary: Node) -> None:
        """Take note of a passage that a generated text refers to."""
        details, content = summary.node("details"), summary.node("reference")
        cited = details.node("source_content_data")
        data = cited or details.node("content_data")
        words = data.node("text_data")
        title = words.node("title").text("text")
        reference = content.node("content_reference")
        excerpt = words.node("excerpt").text("text")
        score = data.node("ranking_data").number("relevance_score")
        self._cite(reference, cited.node("citation_span"), title, excerpt, score)

    def _cite(
        self, named: Node, span: Node, title: str, text: str = "", score: float | None = None
    ) -> None:
        url = named.text("source_url", "sourceURL")
        id_ = named.name("content_id", "content_arn") or url or title
        if not id_:
            self._draft.issue("no_source", f"{PROVIDER}: a citation names no source")
            return
        source = self._draft.source(
            id_, title=title, url=url or None, text=text, kind="document", score=score
        )
        if span:
            self._cited.append((span, Ref(source, text, raw=named.plain())))

    def _finish(self) -> None:
        spans = [
            (node.whole("begin_offset_inclusive"), node.whole("end_offset_exclusive"))
            for node, _ in self._cited
        ]
        unit = self._draft.probed_unit(spans)
        for (start, end), (_, ref) in zip(spans, self._cited, strict=True):
            self._draft.place(self._draft, start, end, [ref], unit=unit)

    def _make(self) -> Answer:
        return answer_of(self._draft, formats=DIALECTS["ANTHROPIC"], label="id")


def _generated(response: Node) -> Iterator[Node]:
    """Yield the generated texts among the results of a response."""
    for name in ("results", "recommendations"):
        for result in response.nodes(name):
            details = result.node("data").node("details")
            for kind in _GENERATED:
                if details.has(kind):
                    yield details.node(kind)
