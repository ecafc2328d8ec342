"""Cohere, chat of the second version: citations of documents and of tools' results.

Offsets are code points, half-open, in the text, in the model's thinking or in its plan, and the
words that each span must be are sent along.  A stream tells each citation right after its words
(``fast``), or all of them after the text (``accurate``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark.catalogue import DIALECTS
from citemark.providers._answer import answer_of
from citemark.providers._cohere import documents_in, take_record
from citemark.providers._doc import Provided
from citemark.providers._draft import Draft, Ref
from citemark.providers._ends import tell_error, tell_reason
from citemark.providers._events import data_of
from citemark.providers._parts import Parts
from citemark.providers._settled import Settler
from citemark.providers._stream import StreamBase

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.providers._node import Node

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "cohere"
SIGNS: Final = frozenset({"id", "finish_reason", "message", "usage", "delta", "index", "type"})
DOC: Final = Provided(
    title="Cohere (v2 chat)",
    arrives="`message.citations[]`",
    when="with the message; in a stream after the cited words, or after the text",
    unit="code points, half-open",
    does="claims on text, thinking or plan, verified against their words",
)

_EVENTS: Final = frozenset(
    {
        *("message-start", "message-end", "content-start", "content-delta", "content-end"),
        *("tool-plan-delta", "tool-call-start", "tool-call-delta", "tool-call-end"),
        *("citation-start", "citation-end", "debug"),
    }
)
_CITATION: Final = ("start", "end", "text", "sources", "content_index", "type")
_SOURCE: Final = ("type", "id", "document", "tool_output")
_CHANNELS: Final = {"TEXT_CONTENT": "text", "THINKING_CONTENT": "thinking", "PLAN": "plan"}


def matches(response: Node) -> bool:
    """Whether a response, or an event of a stream, is one of this kind."""
    data = data_of(response)
    if data.text("type") in _EVENTS:
        return True
    message = data.node("message")
    content = message.get("content")
    return message.text("role") == "assistant" and (
        (isinstance(content, list | tuple) and data.has("finish_reason"))
        or message.has("citations")
        or message.has("tool_plan")
    )


def parse(response: object, *, request: object = None) -> Answer:
    """Return the answer of a response.

    Args:
        response: A mapping, or an object of the SDK.
        request: What was asked: its documents are listed also if they are not cited.
    """
    reader = _Reader(request)
    whole = reader.draft.node(response)
    message = whole.node("message")
    tell_reason(reader.draft, whole.get("finish_reason"))
    reader.take_message(message)
    for citation in message.nodes("citations"):
        reader.cite(citation)
    reader.finish()
    return reader.answer()


class StreamAdapter(StreamBase):
    """The same for the events of a stream."""

    def __init__(self, *, request: object = None) -> None:
        """Start an answer; ``request`` is as for ``parse``."""
        self._reader = _Reader(request)
        draft = self._reader.draft
        super().__init__(draft, Settler(draft, DIALECTS["COHERE"]))

    def _take(self, event: Node) -> None:
        data = data_of(event)
        kind, message = data.text("type"), data.node("delta").node("message")
        if kind in {"content-start", "content-delta"}:
            self._draft.awaits("message-end")
            self._reader.add(data.whole("index"), message.node("content"))
        elif kind == "tool-plan-delta":
            self._reader.add_plan(message)
        elif kind == "citation-start":
            self._take_citations(message)
        elif kind == "message-end":
            self._take_end(data.node("delta"))
        elif kind not in _EVENTS:
            self._draft.unknown("event", kind)

    def _take_end(self, end: Node) -> None:
        self._draft.closing = None
        if end.has("error"):
            tell_error(self._draft, end)
        else:
            tell_reason(self._draft, end.get("finish_reason"))

    def _take_citations(self, message: Node) -> None:
        """Read the citation of an event: one object, but the interface says a list."""
        is_list = isinstance(message.get("citations"), list | tuple)
        found = message.nodes("citations") if is_list else [message.node("citations")]
        for citation in found:
            self._reader.cite(citation)

    def _settled(self) -> int:
        return self._reader.settled

    def _finish(self) -> None:
        self._reader.finish()

    def _make(self) -> Answer:
        return self._reader.answer()


class _Reader:
    """Reads messages, whole or in pieces, into a draft."""

    def __init__(self, request: object) -> None:
        self.draft = Draft(PROVIDER)
        self.settled = 0
        """Where the last citation starts: Cohere tells them in order of their starts."""
        self._parts = {"text": Parts(self.draft)}
        self._late: list[tuple[Node, list[Ref]]] = []
        for n, (id_, record) in enumerate(documents_in(self.draft, request)):
            take_record(self.draft, id_ or f"doc:{n}", record, "document")

    def answer(self) -> Answer:
        """Return the answer of what was read."""
        return answer_of(self.draft, formats=DIALECTS["COHERE"], label="id")

    def take_message(self, message: Node) -> None:
        """Read the text of a message."""
        self.add_plan(message)
        if isinstance(message.get("content"), str):
            self._channel("text").add(0, message.text("content"))
            return
        for index, item in enumerate(message.items("content")):
            self.add(index, self.draft.node(item))

    def add(self, index: int | None, content: Node) -> None:
        """Read a block of content, or a piece of one."""
        thinking, text = content.text("thinking"), content.text("text")
        if thinking:
            self._channel("thinking").add(index, thinking)
        if text:
            self._channel("text").add(index, text)
        kind = content.text("type")
        if kind not in {"", "text", "thinking"}:
            self.draft.unknown("block", kind)

    def add_plan(self, message: Node) -> None:
        """Read the plan of tool calls, or a piece of it."""
        plan = message.text("tool_plan")
        if plan:
            self._channel("plan").add(None, plan)

    def cite(self, citation: Node) -> None:
        """Take note of a citation; where its words stand already, of its place too."""
        self.draft.expect(citation, "citation", _CITATION)
        if citation.text("type") not in {"", *_CHANNELS}:
            self.draft.unknown("citation", citation.text("type"))
        refs = [
            ref for source in citation.nodes("sources") for ref in self._ref(source, citation)
        ]
        if not refs:
            self.draft.issue("no_source", f"{PROVIDER}: a citation names no source")
        elif not self._has_place(citation, refs):
            self._late.append((citation, refs))

    def finish(self) -> None:
        """Give the other citations their place, when the text is whole."""
        for citation, refs in self._late:
            parts = self._parts.get(self._channel_of(citation))
            start, end = citation.whole("start"), citation.whole("end")
            index, words = citation.whole("content_index"), citation.text("text")
            if parts is None:
                message = f"{PROVIDER}: a citation is of thinking or a plan that did not come"
                self.draft.issue("span_out_of_range", message, key=refs[0].source)
            else:
                parts.place(index, start, end, refs, expected=words or None)
        self._late.clear()

    def _channel(self, name: str) -> Parts:
        """Return the parts of a channel; one without text is not begun before it has some."""
        if name not in self._parts:
            self._parts[name] = Parts(self.draft, self.draft.aside(name))
        return self._parts[name]

    def _channel_of(self, citation: Node) -> str:
        kind, index = citation.text("type"), citation.whole("content_index")
        is_thinking = index is not None and index in self._parts.get("thinking", ())
        return "thinking" if not kind and is_thinking else _CHANNELS.get(kind, "text")

    def _has_place(self, citation: Node, refs: list[Ref]) -> bool:
        """Place a citation of the text if its words stand where it says; return whether."""
        start, end = citation.whole("start") or 0, citation.whole("end") or 0
        words = citation.text("text")
        is_clear = self._channel_of(citation) == "text" and len(self._parts["text"]) == 1
        is_inside = 0 <= start < end <= self.draft.length
        if not (is_clear and is_inside and words and end - start == len(words)):
            return False
        if self.draft.between(start, end) != words:
            return False
        self.draft.cite(start, end, refs, anchor="claim")
        if not self._late:
            self.settled = max(self.settled, start)
        return True

    def _ref(self, source: Node, citation: Node) -> list[Ref]:
        self.draft.expect(source, "source", _SOURCE)
        kind = source.text("type")
        is_tool = kind == "tool" or source.has("tool_output")
        record = source.node("tool_output" if is_tool else "document")
        id_ = source.name("id") or record.name("id")
        if kind not in {"", "tool", "document"}:
            self.draft.unknown("source", kind)
        if not id_:
            return []
        take_record(self.draft, id_, record, "tool" if is_tool else "document")
        return [Ref(id_, raw=citation.plain())]
