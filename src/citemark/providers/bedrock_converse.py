"""Amazon Bedrock Converse: citations of documents, search results and the web.

What is cited is a block of its own, so its citations need no offsets.  In a stream a citation
may come in pieces: what comes without anything that is known already goes on with the last one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from citemark._frozen import frozen_metadata
from citemark.catalogue import DIALECTS
from citemark.providers._answer import answer_of
from citemark.providers._aws import has_stream, is_event, member, read_stream
from citemark.providers._cited_blocks import Blocks, between, characters
from citemark.providers._converse_sources import Given
from citemark.providers._doc import Provided
from citemark.providers._draft import Draft, Ref
from citemark.providers._ends import tell_reason
from citemark.providers._node import plain
from citemark.providers._settled import Settler
from citemark.providers._stream import StreamBase

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.model import Location, Unit
    from citemark.providers._node import Node

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "bedrock_converse"
SIGNS: Final = frozenset({"metrics", "output", "stopReason", "usage"})
DOC: Final = Provided(
    title="Amazon Bedrock Converse",
    arrives="`output.message.content[].citationsContent`",
    when="with each block; in a stream before, with or after its text, in pieces",
    unit="none: the whole block",
    does="a claim for the block, with quotes and their pages, chunks or characters",
)

_PLACES: Final[dict[str, Unit]] = {
    "document_char": "char",
    "document_page": "page",
    "document_chunk": "block",
    "search_result_location": "block",
}
"""What the kinds of location count.  Their ends are passed on as the model gave them."""

_FIELDS: Final = {
    "title": "title",
    "source": "source",
    "source_content": "sourceContent",
    "location": "location",
}
"""Fields of a citation, and their names on the wire."""

_EVENTS: Final = (
    *("message_start", "content_block_start", "content_block_delta", "content_block_stop"),
    *("message_stop", "metadata"),
)
_SILENT: Final = (
    *("tool_use", "tool_result", "image", "document", "video", "audio", "guard_content"),
    *("cache_point", "search_result", "tool_addition", "tool_removal"),
)
"""Blocks and deltas that hold neither text for readers nor citations."""


def matches(response: Node) -> bool:
    """Whether a response, or an event of a stream, is one of this kind."""
    if is_event(response, ("metadata",)):
        return response.node("metadata").has("metrics")
    return is_event(response, _EVENTS[:-1]) or isinstance(
        response.node("output").node("message").get("content"), list | tuple
    )


def parse(response: object, *, request: object = None) -> Answer:
    """Return the answer of a response.

    Args:
        response: What the SDK returns; a stream is read to its end.
        request: What was asked: its documents give sources their title and text.
    """
    if has_stream(response):
        return read_stream(StreamAdapter(request=request), response, "stream")
    reader = _Reader(request)
    tell_reason(reader.draft, reader.draft.node(response).get("stop_reason"))
    message = reader.draft.node(response).node("output").node("message")
    for index, block in enumerate(message.nodes("content")):
        reader.take(block, index)
    reader.blocks.close()
    return reader.answer()


class StreamAdapter(StreamBase):
    """The same for the events of ConverseStream."""

    def __init__(self, *, request: object = None) -> None:
        """Start an answer; ``request`` is as for ``parse``."""
        self._reader = _Reader(request)
        self._pieces: dict[int | None, list[dict[str, Any]]] = {}
        draft = self._reader.draft
        super().__init__(draft, Settler(draft, DIALECTS["ANTHROPIC"]))

    def _take(self, event: Node) -> None:
        kind = member(self._draft, event, _EVENTS)
        block = event.node(kind)
        index = block.whole("content_block_index")
        if kind == "content_block_delta":
            self._end_others(index)
            self._take_delta(block.node("delta"), index)
        elif kind == "content_block_stop":
            self._end()
        elif kind == "message_stop":
            self._draft.closing = None
            tell_reason(self._draft, block.get("stop_reason"))

    def _take_delta(self, delta: Node, index: int | None) -> None:
        self._draft.awaits("messageStop")
        if delta.has("text"):
            self._reader.blocks.add(delta.text("text"), index)
        elif delta.has("citation"):
            _join(self._pieces.setdefault(index, []), _piece(delta.node("citation")))
        elif delta.has("reasoning_content"):
            self._reader.blocks.think(delta.node("reasoning_content").text("text"), index)
        elif delta and not any(delta.has(name) for name in _SILENT):
            self._draft.unknown("delta", " ".join(delta.fields()))

    def _end(self) -> None:
        """End the open block: the citations that came in pieces are whole."""
        self._end_others(None)
        self._reader.blocks.close()

    def _end_others(self, index: int | None) -> None:
        """Take note of the citations of all blocks but one."""
        for other in [other for other in self._pieces if index is None or other != index]:
            for piece in self._pieces.pop(other):
                self._reader.cite(piece, other)

    def _settled(self) -> int:
        return self._reader.blocks.settled

    def _finish(self) -> None:
        self._end()

    def _make(self) -> Answer:
        return self._reader.answer()


class _Reader:
    """Reads blocks into a draft."""

    def __init__(self, request: object) -> None:
        self.draft = Draft(PROVIDER)
        self.blocks = Blocks(self.draft)
        self._given = Given(self.draft, request)

    def answer(self) -> Answer:
        """Return the answer of what was read."""
        return answer_of(self.draft, formats=DIALECTS["ANTHROPIC"], label="id")

    def take(self, block: Node, index: int) -> None:
        """Read a block."""
        if block.has("text"):
            self.blocks.add(block.text("text"), index)
        elif block.has("citations_content"):
            cited = block.node("citations_content")
            for piece in cited.nodes("content"):
                self.blocks.add(piece.text("text"), index)
            for citation in cited.nodes("citations"):
                self.draft.expect(citation, "citation", _FIELDS.values())
                self.cite(_piece(citation), index)
        elif block.has("reasoning_content"):
            thinking = block.node("reasoning_content").node("reasoning_text")
            self.blocks.think(thinking.text("text"), index)
        elif not any(block.has(name) for name in _SILENT):
            self.draft.unknown("block", " ".join(block.fields()))

    def cite(self, piece: dict[str, Any], index: int | None) -> None:
        """Take note of a citation of a block, which is whole."""
        citation = self.draft.node(piece)
        quote = "".join(piece.text("text") for piece in citation.nodes("source_content"))
        source, locations = self._place(citation, citation.node("location"), quote)
        if source:
            ref = Ref(source, quote, locations, raw=frozen_metadata(piece))
            self.blocks.cite([ref], index)
        else:
            self.draft.issue("no_source", f"{PROVIDER}: a citation names no source")

    def _web(self, citation: Node, web: Node) -> str:
        url = web.text("url")
        title = citation.text("title") or web.text("domain")
        return self.draft.source(url, title=title, url=url, kind="web") if url else ""

    def _place(
        self, citation: Node, location: Node, quote: str
    ) -> tuple[str, tuple[Location, ...]]:
        """Return the id of a source, "" if there is none, and the place in it."""
        if location.has("web"):
            return self._web(citation, location.node("web")), ()
        for kind, unit in _PLACES.items():
            if location.has(kind):
                place = location.node(kind)
                start, end = place.whole("start"), place.whole("end")
                is_search = kind == "search_result_location"
                name = "search_result_index" if is_search else "document_index"
                source = self._given.source(citation, place.whole(name), is_search=is_search)
                if unit == "char":
                    document = self._given.document(source)
                    return source, characters(self.draft, document, start, end, quote)
                return source, between(unit, start, end)
        for kind in location.fields():
            self.draft.unknown("location", kind)
        return self._given.source(citation, None), ()


def _piece(citation: Node) -> dict[str, Any]:
    """Return what a citation, or a piece of one, says."""
    return {
        wire: plain(citation.get(name)) for name, wire in _FIELDS.items() if citation.has(name)
    }


def _join(pieces: list[dict[str, Any]], piece: dict[str, Any]) -> None:
    """Go on with the last citation, or begin one if this tells again what is known of it."""
    known = pieces[-1] if pieces else None
    words = piece.get("sourceContent")
    if known is None or any(name in known for name in piece if name != "sourceContent"):
        pieces.append(piece)
        return
    if isinstance(words, list) and isinstance(known.get("sourceContent"), list):
        piece["sourceContent"] = [*known["sourceContent"], *words]
    known.update(piece)
