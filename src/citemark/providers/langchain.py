"""LangChain messages: content blocks with annotations, in the form of version 1.

An annotation is about a marker, about words, or about its block, and nothing says which; the
unit of its indices is that of the provider behind it.  So both are found out by what stands in
the text.  Google's offsets are bytes of the whole answer, and what is called the cited text is
the answer's own words.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast, get_args

from citemark.catalogue import DEFAULT, DIALECTS
from citemark.model import Anchor
from citemark.providers._annotations import Annotated, Told, web_source
from citemark.providers._doc import Provided
from citemark.providers._draft import Draft, Ref
from citemark.providers._langchain import cited_source, kept_source, locations, raw_of
from citemark.providers._offsets import UNITS, Offsets
from citemark.providers._reader import Reader, ReaderStream

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from citemark.answer import Answer
    from citemark.providers._node import Node

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "langchain"
SIGNS: Final = frozenset(
    {"additional_kwargs", "content", "response_metadata", "tool_calls", "usage_metadata", "lc"}
)
DOC: Final = Provided(
    title="LangChain messages (v1 content blocks)",
    arrives="`content[].annotations[]`",
    when="with each block; in a stream with any chunk",
    unit="that of the provider behind it: found out",
    does="a marker, a claim, or a claim for the block; Google's spans are mended by its words",
)

_KINDS: Final = frozenset({"ai", "AIMessage", "AIMessageChunk"})
_OWN: Final = frozenset(
    {"url_citation", "file_citation", "file_path", "container_file_citation"}
)
"""Annotations of OpenAI that are handed on as they came."""

_FIELDS: Final = (
    *("type", "id", "index", "url", "title", "start_index", "end_index"),
    *("cited_text", "extras"),
    *("document_title", "document_index", "search_result_index", "source", "file_id"),
    *("start_char_index", "end_char_index", "start_page_number", "end_page_number"),
    *("start_block_index", "end_block_index", "encrypted_index"),
)


def matches(response: Node) -> bool:
    """Whether a response, or a chunk of a stream, is one of this kind."""
    message = _message(response)
    return message.text("type") in _KINDS and message.has("content")


def parse(response: object, *, request: object = None) -> Answer:  # noqa: ARG001
    """Return the answer of a message.

    Args:
        response: The message: an object, its fields, or the form in which it is stored.
        request: Not used: annotations name their sources.
    """
    return _Reader().read(response)


class StreamAdapter(ReaderStream):
    """The same for the chunks of a stream."""

    def __init__(self, *, request: object = None) -> None:  # noqa: ARG002  all have it
        """Start an answer."""
        super().__init__(_Reader(is_stream=True))


@dataclass(slots=True)
class _Block:
    """A block of text, as its chunks make it."""

    pieces: list[str] = field(default_factory=list)
    annotations: list[object] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self.pieces)


class _Reader(Reader):
    """Keeps the blocks of a message."""

    def __init__(self, *, is_stream: bool = False) -> None:
        super().__init__(PROVIDER, DEFAULT | DIALECTS["OPENAI"])
        self._is_stream = is_stream
        self._blocks: dict[Hashable, _Block] = {}
        self._thinking: list[str] = []
        self._lists: dict[str, list[object]] = {}
        self._provider = ""

    def take(self, response: Node) -> None:
        message = _message(response)
        if message.text("type") in {"ai", "AIMessage"}:  # whole: what came before is in it
            self._blocks.clear()
            self._thinking.clear()
            self.draft.replace("")
        behind = message.node("response_metadata").text("model_provider")
        self._provider = self._provider or behind
        for name in ("citations", "search_results"):
            if message.node("additional_kwargs").has(name):
                self._lists[name] = message.node("additional_kwargs").items(name)
                self._label = "number"
        content = _content(message)
        if isinstance(content, str):
            content = [{"type": "text", "text": content, "index": "text"}] if content else []
        for block in self.draft.node({"content": content}).nodes("content"):
            self._take_block(block)

    def _take_block(self, block: Node) -> None:
        kind = block.text("type")
        if kind in {"text", "text-plain"}:
            # Chunks of a text that has no index follow each other.
            key = block.name("index") or (-1 if self._is_stream else len(self._blocks))
            known = self._blocks.setdefault(key, _Block())
            known.pieces.append(block.text("text"))
            known.annotations += [*block.items("annotations"), *block.items("citations")]
            self.draft.add(known.pieces[-1])
        elif kind in {"reasoning", "thinking"}:
            self._thinking.append(block.text("reasoning", "thinking"))
        elif kind == "non_standard":
            self.draft.unknown("block", block.node("value").text("type") or kind)
        elif "tool" not in kind and kind not in {"image", "audio", "video", "file", "refusal"}:
            self.draft.unknown("block", kind)

    def fill(self, draft: Draft) -> None:
        if self._thinking:
            draft.aside("thinking").add("".join(self._thinking))
        self._fill_lists(draft)
        is_google = self._provider.startswith("google")
        about_answer: list[Ref] = []
        for block in _joined(self._blocks.values(), is_one=is_google):
            text = _Text(draft, block.text, is_own_words=is_google)
            text.cite(block.annotations)
            about_answer += text.about_answer
        if about_answer:
            draft.cite(0, draft.length, about_answer, anchor="message")

    def _fill_lists(self, draft: Draft) -> None:
        """Take note of sources that are listed beside the message, for numbers in its text."""
        for result in draft.node(self._lists).nodes("search_results"):
            web_source(draft, result.text("url"), title=result.text("title"))
        for url in self._lists.get("citations", ()):
            if isinstance(url, str):
                web_source(draft, url)


class _Text:
    """A text whose annotations count in it."""

    def __init__(self, draft: Draft, text: str, *, is_own_words: bool) -> None:
        self._draft = draft
        self._start = draft.length
        self._annotated = Annotated(draft, text)
        self._offsets = Offsets(text)
        self._is_own_words = is_own_words
        self._about_text: list[Ref] = []
        self.about_answer: list[Ref] = []

    def cite(self, annotations: Iterable[object]) -> None:
        """Take note of what is told of the text."""
        told: list[Told] = []
        others: list[object] = []
        for value in annotations:
            node = self._draft.node(value)
            if node.text("type") == "non_standard_annotation":
                node = node.node("value")
            if node.text("type") in _OWN:
                others.append(node.value)
            else:
                told += self._read(node)
        self._annotated.place(told)
        self._annotated.cite(others)
        if self._about_text:
            self._draft.cite(self._start, self._draft.length, self._about_text, anchor="claim")

    def _read(self, node: Node) -> list[Told]:
        """Return what a citation tells of its place, if it is one in the text."""
        kind = node.text("type")
        if kind != "citation" and not kind.endswith("_location"):
            if not kept_source(self._draft, node):
                self._draft.unknown("annotation", kind)
            return []
        self._draft.expect(node, "citation", _FIELDS)
        ours = node.node("extras").node("citemark")
        source = cited_source(self._draft, node, ours)
        if source is None:
            self._draft.issue("no_source", f"{PROVIDER}: a citation has no source")
            return []
        quote, words = self._words(node)
        places = locations(node, ours)
        sure = ours.number("confidence")
        return self._place(node, Ref(source, quote, places, sure, raw_of(node, ours)), words)

    def _place(self, node: Node, ref: Ref, words: str) -> list[Told]:
        extras = node.node("extras")
        anchor = extras.node("citemark").text("anchor")
        start, end = node.whole("start_index"), node.whole("end_index")
        if anchor == "message":
            self.about_answer.append(ref)
        elif anchor in get_args(Anchor):
            return [Told(ref, start, end, cast("Anchor", anchor))]
        elif words:
            return [Told(ref, start, end, "claim", words)]
        elif start is None and end is None and extras.whole("index") is not None:
            return [Told(ref, extras.whole("index"), anchor="point")]
        elif start is None and end is None and node.text("cited_text"):
            self._about_text.append(ref)
        else:
            return [self._annotated.about_url(ref, node.text("url"), start, end)]
        return []

    def _words(self, node: Node) -> tuple[str, str]:
        """Return the quote of a source, and the words of the answer that are cited.

        What is called the cited text is either of them.
        """
        text = node.text("cited_text")
        start, end = node.whole("start_index") or 0, node.whole("end_index")
        if end is None or not text:
            return text, ""
        if self._is_own_words:
            return "", text
        for unit in UNITS:
            span = self._offsets.to_code_points(start, end, unit)
            if span.start >= 0 and self._offsets.text[span.start : span.end] == text:
                return "", text
        return text, ""


def _message(response: Node) -> Node:
    """Return the message in what may be a form for storing it."""
    if response.has("lc"):
        return response.node("kwargs")
    return response.node("data") if response.has("data") else response


def _content(message: Node) -> Any:  # noqa: ANN401  text or blocks
    """Return the blocks of a message; an object has them in the common form."""
    if not isinstance(message.value, dict):
        with suppress(Exception):  # it is worked out when it is asked for
            blocks = message.value.content_blocks  # type: ignore[attr-defined]
            if isinstance(blocks, list) and blocks:
                return blocks
    return message.get("content") if message else []


def _joined(blocks: Iterable[_Block], *, is_one: bool) -> Sequence[_Block]:
    """Return the blocks; those without text give their annotations to the one before."""
    joined: list[_Block] = []
    for block in blocks:
        if not joined or (any(block.pieces) and not is_one):
            joined.append(_Block())
        joined[-1].pieces += block.pieces
        joined[-1].annotations += block.annotations
    return joined
