"""LlamaIndex: citation blocks of chat messages, and answers with source nodes.

A citation block has no place in the answer: it is about all of it.  ``CitationQueryEngine``
lets the model write ``[1]``, which counts the source nodes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from citemark.catalogue import DEFAULT, DIALECTS
from citemark.providers._doc import Provided
from citemark.providers._draft import Ref
from citemark.providers._framework import given_location, new_id, web_url
from citemark.providers._reader import Reader, ReaderStream

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.providers._draft import Draft
    from citemark.providers._node import Node

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "llama_index"
SIGNS: Final = frozenset({"blocks", "additional_kwargs", "role", "source_nodes", "metadata"})
DOC: Final = Provided(
    title="LlamaIndex",
    arrives="`blocks[]` of type `citation`; `source_nodes[]` with `[1]` in the text",
    when="with the message; source nodes with the answer",
    unit="none",
    does="a block cites for the whole answer; `[1]` is the first source node",
)

_CITATION: Final = (
    *("block_type", "cited_content", "source", "title", "additional_location_info"),
)
_NAMED: Final = re.compile(r"Source [0-9]{1,6}:\n")
_SILENT: Final = frozenset(
    {"image", "audio", "video", "document", "cache", "citable", "tool_call", "tool_result"}
)


def matches(response: Node) -> bool:
    """Whether a response is one of this kind."""
    if response.has("source_nodes"):
        return True
    message = _message(response)
    blocks = message.get("blocks")
    return message.has("role") and isinstance(blocks, list | tuple)


def parse(response: object, *, request: object = None) -> Answer:  # noqa: ARG001
    """Return the answer of a chat message, a chat response, or an answer of a query engine.

    Args:
        response: The object, or its fields.
        request: Not used: the sources are in the response.
    """
    return _Reader().read(response)


class StreamAdapter(ReaderStream):
    """The same for the chat responses of a stream, each of which has all text so far."""

    def __init__(self, *, request: object = None) -> None:  # noqa: ARG002  all have it
        """Start an answer."""
        super().__init__(_Reader())


class _Reader(Reader):
    """Keeps the last response: it holds those before it."""

    def __init__(self) -> None:
        super().__init__(PROVIDER, DEFAULT | DIALECTS["LLAMAINDEX"], label="number")
        self._message: Node | None = None
        self._nodes: list[Node] = []
        self._deltas: list[str] = []

    def take(self, response: Node) -> None:
        message = _message(response)
        if message.has("blocks") or message.text("content", "response"):
            self._message = message
            self._show(_text(message))
        elif response.text("delta"):
            self._deltas.append(response.text("delta"))
            self._show("".join(self._deltas))
        self._nodes = list(response.nodes("source_nodes")) or self._nodes

    def _show(self, text: str) -> None:
        known = self.draft.text
        if text.startswith(known):
            self.draft.add(text[len(known) :])
        elif text:
            self.draft.replace(text)

    def fill(self, draft: Draft) -> None:
        draft.add(_text(self._message) if self._message else "".join(self._deltas))
        for node in self._nodes:
            _keep_node(draft, node)
        refs: list[Ref] = []
        for block in self._message.nodes("blocks") if self._message else ():
            kind = block.text("block_type")
            if kind == "thinking":
                draft.aside("thinking").add(block.text("content"))
            elif kind == "citation":
                refs += _ref(draft, block)
            elif kind != "text" and kind not in _SILENT:
                draft.unknown("block", kind)
        if refs:
            draft.issue("no_position", f"{PROVIDER}: citations have no place in the answer")
            draft.cite(0, draft.length, refs, anchor="message")


def _message(response: Node) -> Node:
    """Return the message of a chat response, or what is no such thing as it is."""
    return response.node("message") if response.has("message") else response


def _text(message: Node) -> str:
    texts = [
        block.text("text")
        for block in message.nodes("blocks")
        if block.text("block_type") == "text"
    ]
    return "".join(texts) or message.text("response", "content")


def _ref(draft: Draft, block: Node) -> list[Ref]:
    """Return what a citation block cites; nothing if it does not say."""
    draft.expect(block, "citation", _CITATION)
    name, title = block.text("source"), block.text("title")
    if not (name or title):
        draft.issue("no_source", f"{PROVIDER}: a citation has no source")
        return []
    source = draft.source(name or title, title=title, url=web_url(name), kind="search_result")
    content = block.get("cited_content")
    quote = content if isinstance(content, str) else block.node("cited_content").text("text")
    places = given_location([block.node("additional_location_info")])
    return [Ref(source, quote, places, raw=block.plain())]


def _keep_node(draft: Draft, scored: Node) -> None:
    """Take note of a source node: the number of a marker is its place in the list."""
    node = scored.node("node") if scored.has("node") else scored
    told = node.node("metadata")
    text = node.text("text") or node.node("text_resource").text("text")
    page = told.get("page_label")
    draft.source(
        new_id(draft, node.name("id_", "node_id")),
        title=told.text("title", "file_name", "filename"),
        url=web_url(told.text("url", "source", "URL")),
        text=_NAMED.sub("", text, count=1) if _NAMED.match(text) else text,
        page=page if isinstance(page, str) else told.whole("page_label"),
        score=scored.number("score"),
        kind="chunk",
    )
