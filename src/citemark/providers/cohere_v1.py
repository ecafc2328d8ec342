"""Cohere, chat of the first version: citations that name documents by their ids.

Offsets are code points, half-open, whatever the reference says of the end.  The last event of
a stream repeats the whole response.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark.catalogue import DIALECTS
from citemark.providers._answer import answer_of
from citemark.providers._cohere import documents_in, take_record
from citemark.providers._doc import Provided
from citemark.providers._draft import Draft, Ref
from citemark.providers._ends import tell_reason
from citemark.providers._events import data_of
from citemark.providers._stream import StreamBase

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.providers._node import Node

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "cohere_v1"
SIGNS: Final = frozenset(
    {
        *("text", "generation_id", "response_id", "citations", "documents", "event_type"),
        *("search_results", "search_queries", "is_search_required", "chat_history", "meta"),
    }
)
DOC: Final = Provided(
    title="Cohere (v1 chat)",
    arrives="`citations[]`, `documents[]`",
    when="with the text; in a stream after it, and again at the end",
    unit="code points, half-open",
    does="claims, verified against their words",
)

_EVENTS: Final = frozenset(
    {
        *("stream-start", "search-queries-generation", "search-results", "text-generation"),
        *("citation-generation", "tool-calls-generation", "tool-calls-chunk", "stream-end"),
        "debug",
    }
)
_CITATION: Final = ("start", "end", "text", "document_ids", "type")


def matches(response: Node) -> bool:
    """Whether a response, or an event of a stream, is one of this kind."""
    data = data_of(response)
    if data.text("event_type") in _EVENTS:
        return True
    is_signed = data.has("generation_id") or data.has("chat_history") or data.has("response_id")
    return isinstance(data.get("text"), str) and is_signed


def parse(response: object, *, request: object = None) -> Answer:
    """Return the answer of a response.

    Args:
        response: A mapping, or an object of the SDK.
        request: What was asked: its documents are listed also if they are not cited.
    """
    reader = _Reader(request)
    reader.take_whole(reader.draft.node(response))
    reader.finish()
    return reader.answer()


class StreamAdapter(StreamBase):
    """The same for the events of a stream."""

    def __init__(self, *, request: object = None) -> None:
        """Start an answer; ``request`` is as for ``parse``."""
        self._reader = _Reader(request)
        super().__init__(self._reader.draft)

    def _take(self, event: Node) -> None:
        data = data_of(event)
        kind = data.text("event_type")
        if kind == "text-generation":
            self._draft.awaits("stream-end")
            self._draft.add(data.text("text"))
        elif kind in {"citation-generation", "search-results"}:
            self._reader.take_citations(data)
        elif kind == "stream-end":
            self._draft.closing = None
            self._reader.take_whole(data.node("response"))
            tell_reason(self._draft, data.get("finish_reason"))
        elif kind not in _EVENTS:
            self._draft.unknown("event", kind)

    def _finish(self) -> None:
        self._reader.finish()

    def _make(self) -> Answer:
        return self._reader.answer()


class _Reader:
    """Reads responses, whole or in pieces, into a draft."""

    def __init__(self, request: object) -> None:
        self.draft = Draft(PROVIDER)
        self._is_listed = False
        self._found: dict[object, tuple[Node, list[str]]] = {}
        self._take_documents(request)

    def answer(self) -> Answer:
        """Return the answer of what was read."""
        return answer_of(self.draft, formats=DIALECTS["COHERE"], label="id")

    def take_whole(self, response: Node) -> None:
        """Read a response; it replaces what a stream has told."""
        tell_reason(self.draft, response.get("finish_reason"))
        text = response.text("text")
        if text and text != self.draft.text:
            self.draft.replace(text)
        self.take_citations(response)

    def take_citations(self, response: Node) -> None:
        """Take note of documents and citations, each once however often it is told."""
        self._take_documents(response.value)
        for citation in response.nodes("citations"):
            self.draft.expect(citation, "citation", _CITATION)
            names = [name for name in citation.items("document_ids") if isinstance(name, str)]
            place = citation.whole("start"), citation.whole("end"), citation.text("text")
            self._found.setdefault((place, *names), (citation, names))

    def finish(self) -> None:
        """Give what was cited its place, when text and documents are whole."""
        for citation, names in self._found.values():
            refs = [ref for name in names for ref in self._ref(name, citation)]
            if not names:
                self.draft.issue("no_source", f"{PROVIDER}: a citation names no document")
            elif refs:
                start, end = citation.whole("start"), citation.whole("end")
                words = citation.text("text") or None
                self.draft.place(self.draft, start, end, refs, expected=words)

    def _take_documents(self, holder: object) -> None:
        for n, (id_, record) in enumerate(documents_in(self.draft, holder)):
            take_record(self.draft, id_ or f"doc_{n}", record, "document")
            self._is_listed = True

    def _ref(self, name: str, citation: Node) -> list[Ref]:
        if name not in self.draft.sources:
            if self._is_listed:
                message = (
                    f"{PROVIDER}: a citation names document {name[:80]!r}, which is not there"
                )
                self.draft.issue("unknown_source", message, key=name)
                return []
            self.draft.source(name, kind="document")
        return [Ref(name, raw=citation.plain())]
