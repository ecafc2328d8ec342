"""Amazon Bedrock RetrieveAndGenerate: answers from a knowledge base, whole or as a stream.

Each citation holds the words that it is about and the passages that support them.  In a stream
it may come before its words, amid them or after them, so all are put into the text at the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark.catalogue import DIALECTS
from citemark.providers._answer import answer_of
from citemark.providers._aws import has_stream, is_event, member, read_stream
from citemark.providers._doc import Provided
from citemark.providers._draft import Draft
from citemark.providers._knowledge_base import KnowledgeBase
from citemark.providers._stream import StreamBase

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.providers._node import Node

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "bedrock_rag"
SIGNS: Final = frozenset({"citations", "guardrailAction", "output", "sessionId"})
DOC: Final = Provided(
    title="Amazon Bedrock RetrieveAndGenerate",
    arrives="`citations[].generatedResponsePart` and `.retrievedReferences[]`",
    when="with the answer; in a stream before, amid or after the words",
    unit="characters, the end inclusive; the words are sent along",
    does="a claim on the words that were sent, wherever the span points; pages and times",
)

_EVENTS: Final = ("output", "citation", "guardrail")
_RESPONSE: Final = SIGNS | {"$metadata", "ResponseMetadata"}


def matches(response: Node) -> bool:
    """Whether a response, or an event of a stream, is one of this kind."""
    if is_event(response, ("citation",)):
        citation = response.node("citation")
        return citation.has("citation") or citation.has("generated_response_part")
    if is_event(response, ("guardrail",)):
        return response.node("guardrail").fields() == ["action"]
    return response.node("output").fields() == ["text"] and _RESPONSE.issuperset(
        response.fields()
    )


def parse(response: object, *, request: object = None) -> Answer:
    """Return the answer of a response.

    Args:
        response: What the SDK returns; a stream is read to its end.
        request: Not needed.
    """
    if has_stream(response):
        return read_stream(StreamAdapter(request=request), response, "stream")
    draft = Draft(PROVIDER)
    node, base = draft.node(response), KnowledgeBase(draft)
    draft.add(node.node("output").text("text"))
    base.take(node.nodes("citations"))
    base.place()
    return _answer(draft)


class StreamAdapter(StreamBase):
    """The same for the events of RetrieveAndGenerateStream."""

    def __init__(self, *, request: object = None) -> None:  # noqa: ARG002  as others have
        """Start an answer; ``request`` is as for ``parse``."""
        super().__init__(Draft(PROVIDER))
        self._base = KnowledgeBase(self._draft)

    def _take(self, event: Node) -> None:
        kind = member(self._draft, event, _EVENTS)
        if kind == "output":
            self._draft.add(event.node("output").text("text"))
        elif kind == "citation":
            told = event.node("citation")
            is_old = not told.has("generated_response_part") and told.has("citation")
            self._base.take([told.node("citation") if is_old else told])

    def _finish(self) -> None:
        self._base.place()

    def _make(self) -> Answer:
        return _answer(self._draft)


def _answer(draft: Draft) -> Answer:
    return answer_of(draft, formats=DIALECTS["ANTHROPIC"], label="id")
