"""Amazon Bedrock agents: the events of InvokeAgent, with the citations of knowledge bases.

The text comes in pieces of bytes, and the citations with one of them, for all of the text.  An
agent may leave its citations out; what it found is in its trace then, if that was asked for.
"""

from __future__ import annotations

from codecs import getincrementaldecoder
from typing import TYPE_CHECKING, Final

from citemark.catalogue import DIALECTS
from citemark.providers._answer import answer_of
from citemark.providers._aws import is_event, member, read_stream
from citemark.providers._doc import Provided
from citemark.providers._draft import Draft
from citemark.providers._knowledge_base import KnowledgeBase
from citemark.providers._stream import StreamBase

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.providers._node import Node

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "bedrock_agent"
SIGNS: Final = frozenset({"chunk", "completion", "contentType", "memoryId", "sessionId"})
DOC: Final = Provided(
    title="Amazon Bedrock InvokeAgent",
    arrives="`chunk.attribution.citations[]`",
    when="with a piece of the text",
    unit="characters, the end inclusive; the words are sent along",
    does="a claim on the words that were sent; what is only in the trace is listed",
)

_EVENTS: Final = ("chunk", "trace", "files", "return_control")


def matches(response: Node) -> bool:
    """Whether a response, or an event of a stream, is one of this kind."""
    if is_event(response, ("chunk",)):
        chunk = response.node("chunk")
        return chunk.has("bytes") or chunk.has("attribution")
    if is_event(response, ("trace",)):
        return response.node("trace").has("agent_id") or response.node("trace").has("trace")
    return is_event(response, ("return_control",)) or (
        response.has("completion") and response.has("session_id")
    )


def parse(response: object, *, request: object = None) -> Answer:
    """Return the answer of a response, whose stream is read to its end.

    Args:
        response: What the SDK returns, or its events.
        request: Not needed.
    """
    return read_stream(StreamAdapter(request=request), response, "completion")


class StreamAdapter(StreamBase):
    """The same for the events of a stream, one by one."""

    def __init__(self, *, request: object = None) -> None:  # noqa: ARG002  as others have
        """Start an answer; ``request`` is as for ``parse``."""
        super().__init__(Draft(PROVIDER))
        self._base = KnowledgeBase(self._draft)
        self._decoder = getincrementaldecoder("utf-8")("replace")

    def _take(self, event: Node) -> None:
        kind = member(self._draft, event, _EVENTS)
        if kind == "chunk":
            chunk = event.node("chunk")
            self._draft.add(self._decoded(chunk))
            if chunk.has("attribution"):
                self._base.take(chunk.node("attribution").nodes("citations"))
        elif kind == "trace":
            self._take_trace(event.node("trace").node("trace").node("orchestration_trace"))

    def _decoded(self, chunk: Node) -> str:
        """Return the text of a piece, which may end amid a character."""
        piece = chunk.get("bytes")
        if isinstance(piece, bytes | bytearray | memoryview):
            return self._decoder.decode(bytes(piece))
        return chunk.text("bytes")

    def _take_trace(self, trace: Node) -> None:
        rationale = trace.node("rationale").text("text")
        if rationale:
            thinking = self._draft.aside("thinking")
            thinking.add(f"\n\n{rationale}" if thinking.length else rationale)
        found = trace.node("observation").node("knowledge_base_lookup_output")
        for reference in found.nodes("retrieved_references"):
            self._base.reference(reference)

    def _finish(self) -> None:
        self._draft.add(self._decoder.decode(b"", final=True))
        self._base.place()

    def _make(self) -> Answer:
        return answer_of(self._draft, formats=DIALECTS["ANTHROPIC"], label="id")
