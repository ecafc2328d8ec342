"""Anthropic Messages: citations of documents, search results and web searches.

A cited text is a block of its own, so its citations need no offsets: they are about the whole
block.  Where in the source a quote stands is told in code points, pages or blocks, half-open
(pages from 1).  In a stream the citations of a block come before its text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark.catalogue import DIALECTS
from citemark.providers._answer import answer_of
from citemark.providers._anthropic_sources import Known, document_title
from citemark.providers._cited_blocks import Blocks, between, characters
from citemark.providers._doc import Provided
from citemark.providers._draft import Draft, Ref
from citemark.providers._ends import tell_error, tell_reason
from citemark.providers._events import data_of
from citemark.providers._records import kept
from citemark.providers._settled import Settler
from citemark.providers._stream import StreamBase

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citemark.answer import Answer
    from citemark.model import Location, Unit
    from citemark.providers._node import Node
    from citemark.providers._offsets import Offsets

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "anthropic"
SIGNS: Final = frozenset({"content", "role", "stop_reason", "stop_sequence", "usage"})
DOC: Final = Provided(
    title="Anthropic Messages",
    arrives="`content[].citations[]`",
    when="with each block; in a stream before its text",
    unit="none: the whole block",
    does="a claim for the block, with quotes and their pages, blocks or characters",
)

_UNITS: Final[dict[str, tuple[Unit, str, str]]] = {
    "char_location": ("char", "start_char_index", "end_char_index"),
    "page_location": ("page", "start_page_number", "end_page_number"),
    "content_block_location": ("block", "start_block_index", "end_block_index"),
    "search_result_location": ("block", "start_block_index", "end_block_index"),
}
"""What the locations count, and the fields of their two ends."""

_WEB: Final = "web_search_result_location"
_SEARCH: Final = "search_result_location"
_KINDS: Final = frozenset({*_UNITS, _WEB})
_FIELDS: Final = (
    *("type", "cited_text", "document_index", "document_title", "file_id", "source", "title"),
    *("url", "encrypted_index", "search_result_index"),
    *(name for _, start, end in _UNITS.values() for name in (start, end)),
)
_SILENT: Final = frozenset(
    {
        *("tool_use", "server_tool_use", "mcp_tool_use", "redacted_thinking"),
        "container_upload",
    }
)
"""Blocks that hold neither text for readers nor sources."""

_PAUSED: Final = "pause_turn"
"""Why a message ended that the next one goes on with."""

_OTHERS_TOO: Final = frozenset({"citation", "error", "ping", "text", "thinking", "signature"})
"""Events that do not tell whose they are."""

_EVENTS: Final = frozenset(
    {
        *("message_start", "message_delta", "message_stop"),
        *("content_block_start", "content_block_delta", "content_block_stop"),
        *("ping", "error"),
        # The SDK's stream repeats each delta in an event of its own.
        *("text", "citation", "thinking", "signature", "input_json"),
    }
)


def matches(response: Node) -> bool:
    """Whether a response, or an event of a stream, is one of this kind."""
    kind = data_of(response).text("type")
    if kind in _EVENTS and kind not in _OTHERS_TOO:
        return True
    return (
        kind == "message"
        and response.text("role") == "assistant"
        and all(block.text("type") != "output_text" for block in response.nodes("content"))
    )


def parse(response: object, *, request: object = None) -> Answer:
    """Return the answer of a message.

    Args:
        response: The message: a mapping, or an object of the SDK.
        request: What was asked: its documents give sources their title and text, and tell in
            which unit the quotes were counted.
    """
    reader = _Reader(request)
    message = reader.draft.node(response)
    for index, block in enumerate(message.nodes("content")):
        reader.begin(block, index)
    reader.blocks.close()
    tell_reason(reader.draft, message.get("stop_reason"))
    return reader.answer()


class StreamAdapter(StreamBase):
    """The same for the events of a stream."""

    def __init__(self, *, request: object = None) -> None:
        """Start an answer; ``request`` is as for ``parse``."""
        self._reader = _Reader(request)
        self._paused = ""
        draft = self._reader.draft
        super().__init__(draft, Settler(draft, DIALECTS["ANTHROPIC"]))

    def _take(self, event: Node) -> None:
        event = data_of(event, self._draft)
        kind, index = event.text("type"), event.whole("index")
        if kind == "content_block_start":
            self._reader.begin(event.node("content_block"), index)
        elif kind == "content_block_delta":
            self._take_delta(event.node("delta"), index)
        elif kind == "content_block_stop":
            self._reader.blocks.close()
        elif kind == "message_delta":
            self._take_reason(event.node("delta").get("stop_reason"))
        elif kind == "message_start":
            self._draft.closing, self._paused = "message_stop", ""
        elif kind == "message_stop" and not self._paused:
            self._draft.closing = None
        elif kind == "error":
            tell_error(self._draft, event)
        elif kind not in _EVENTS:
            self._draft.unknown("event", kind)

    def _take_reason(self, reason: object) -> None:
        """Keep that the answer goes on in a message to come; tell why it ended otherwise."""
        self._paused = _PAUSED if reason == _PAUSED else ""
        if reason and not self._paused:
            self._draft.closing = None
            tell_reason(self._draft, reason)

    def _take_delta(self, delta: Node, index: int | None) -> None:
        kind = delta.text("type")
        self._draft.awaits("message_stop")
        if kind == "text_delta":
            self._reader.blocks.add(delta.text("text"), index)
        elif kind == "citations_delta":
            self._reader.cite([delta.node("citation")], index)
        elif kind == "thinking_delta":
            self._reader.blocks.think(delta.text("thinking"), index)
        elif kind not in {"input_json_delta", "signature_delta"}:
            self._draft.unknown("delta", kind)

    def _settled(self) -> int:
        return self._reader.blocks.settled

    def _finish(self) -> None:
        self._reader.blocks.close()
        tell_reason(self._draft, self._paused)

    def _make(self) -> Answer:
        return self._reader.answer()


class _Reader:
    """Reads blocks, one after the other, into a draft."""

    def __init__(self, request: object) -> None:
        self.draft = Draft(PROVIDER)
        self.blocks = Blocks(self.draft)
        self._known = Known(self.draft, request)

    def answer(self) -> Answer:
        """Return the answer of what was read."""
        return answer_of(self.draft, formats=DIALECTS["ANTHROPIC"], label="id")

    def begin(self, block: Node, index: int | None) -> None:
        """Begin a block, with what there is of it."""
        kind = block.text("type")
        self.blocks.close()
        if kind == "text":
            self.blocks.add(block.text("text"), index)
            self.cite(block.nodes("citations"), index)
        elif kind == "thinking":
            self.blocks.think(block.text("thinking"), index)
        elif kind == "web_search_tool_result":
            self._known.take_results(block)
        elif kind == "web_fetch_tool_result":
            self._known.take_page(block)
        elif kind not in _SILENT and not kind.endswith("_tool_result") and block:
            self.draft.unknown("block", kind)

    def cite(self, citations: Iterable[Node], index: int | None) -> None:
        """Take note of citations of a block."""
        for citation in citations:
            self.draft.expect(citation, "citation", _FIELDS)
            ref = self._ref(citation)
            if ref is not None:
                self.blocks.cite([ref], index)

    def _ref(self, citation: Node) -> Ref | None:
        kind = citation.text("type")
        if kind not in _KINDS:
            self.draft.unknown("citation", kind)
        if kind == _WEB or (kind not in _KINDS and citation.has("url")):
            return self._ref_to_web(citation)
        is_search = kind == _SEARCH or (
            kind not in _KINDS and citation.has("search_result_index")
        )
        return self._ref_to_given(citation, is_search=is_search)

    def _ref_to_web(self, citation: Node) -> Ref | None:
        url = citation.text("url")
        if not url:
            self.draft.issue("no_source", f"{PROVIDER}: a citation has no URL")
            return None
        source = self.draft.source(url, title=citation.text("title"), url=url, kind="web")
        return Ref(source, citation.text("cited_text"), raw=citation.plain())

    def _ref_to_given(self, citation: Node, *, is_search: bool) -> Ref | None:
        page = None if is_search else self._known.page(citation)
        if page is not None:
            return self._ref_to(*page, citation)
        name = "search_result_index" if is_search else "document_index"
        index = citation.whole(name)
        if index is None or index < 0:
            self.draft.issue("no_source", f"{PROVIDER}: a citation has no {name}")
            return None
        source = self._source(citation, index, is_search=is_search)
        return self._ref_to(
            source, None if is_search else self._known.document(index), citation
        )

    def _ref_to(self, source: str, text: Offsets | None, citation: Node) -> Ref:
        quote = citation.text("cited_text")
        locations = self._locations(citation, text, quote)
        return Ref(source, quote, locations, raw=citation.plain())

    def _source(self, citation: Node, index: int, *, is_search: bool) -> str:
        """Return the id of a document or a search result of the request."""
        title, origin = citation.text("document_title", "title"), citation.text("source")
        if is_search:
            return self.draft.source(
                f"search:{index}",
                title=title or f"Search result {index + 1}",
                url=origin if "://" in origin else None,
                kind="search_result",
                metadata=kept(citation, "search_result_index", "source"),
            )
        return self.draft.source(
            str(index),
            title=title or document_title(index),
            kind="document",
            metadata=kept(citation, "document_index", "file_id"),
        )

    def _locations(
        self, citation: Node, text: Offsets | None, quote: str
    ) -> tuple[Location, ...]:
        kind = citation.text("type")
        if kind not in _UNITS:
            return ()
        unit, first, last = _UNITS[kind]
        start, end = citation.whole(first), citation.whole(last)
        if unit == "char":
            return characters(self.draft, text, start, end, quote)
        return between(unit, start, end)
