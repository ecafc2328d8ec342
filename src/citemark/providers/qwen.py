"""Qwen on DashScope: ``[1]`` or ``[ref_1]`` in the text, by the ``index`` of a search result.

An application that retrieves documents lists these instead, by their ``index_id``.  A stream
repeats all of the text in every chunk, or not, as the request asked; the chunks do not say
which.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from citemark.catalogue import DIALECTS
from citemark.providers._doc import Provided
from citemark.providers._events import data_of
from citemark.providers._listed import LabelledReader, content_of
from citemark.providers._reader import ReaderStream
from citemark.providers._records import kept

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citemark.answer import Answer
    from citemark.providers._draft import Draft
    from citemark.providers._node import Node

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "qwen"
SIGNS: Final = frozenset({"output", "request_id", "status_code", "usage"})
DOC: Final = Provided(
    title="Qwen on DashScope",
    arrives="`output.search_info.search_results[]`; of applications `output.doc_references[]`",
    when="with the response; in a stream with any chunk",
    unit="none: `[1]` or `[ref_1]` in the text",
    does="a marker for each reference, by the `index` of the result or the `index_id`",
)
_FIELDS: Final = ("index", "title", "url", "site_name", "icon")
_DOCUMENT: Final = (
    *("index_id", "title", "doc_id", "doc_name", "doc_url", "text", "biz_id", "images"),
    "page_number",
)
SURE: Final = 5
"""Texts that begin with the one before, after which all of them will."""


def matches(response: Node) -> bool:
    """Whether a response, or an event of a stream, is one of this kind."""
    response = data_of(response)
    output = response.node("output")
    if (
        output.has("search_info")
        or output.has("doc_references")
        or any(output.items("choices"))
    ):
        return True
    return response.has("request_id") and output.has("finish_reason")


def parse(response: object, *, request: object = None) -> Answer:
    """Return the answer of a generation.

    Args:
        response: The response: a mapping, or an object of the SDK.
        request: Not needed.
    """
    del request
    reader = _Reader()
    reader.grows(is_incremental=False)
    return reader.read(response)


class StreamAdapter(ReaderStream):
    """The same for the chunks of a stream."""

    def __init__(self, *, request: object = None) -> None:
        """Start an answer.

        Args:
            request: What was asked: its ``incremental_output`` tells whether each chunk is
                what is new.  Without it that is seen from the texts.
        """
        reader = _Reader()
        asked = reader.draft.node(request)
        for node in (asked, asked.node("parameters")):
            told = node.get("incremental_output")
            if isinstance(told, bool):
                reader.grows(is_incremental=told)
        super().__init__(reader)


class _Growing:
    """A text of which each piece is the next one, or all so far."""

    def __init__(self, *, is_incremental: bool | None = None) -> None:
        self._is_incremental = is_incremental
        self._pieces: list[str] = []  # until it is sure

    def take(self, piece: str) -> tuple[str, bool]:
        """Take in a piece; return a text, and whether it is all so far."""
        if self._is_incremental is None:
            last = self._pieces[-1] if self._pieces else ""
            self._pieces.append(piece)
            if not piece.startswith(last):
                self._is_incremental = True
                return "".join(self._pieces), True
            if len(self._pieces) > SURE:
                self._is_incremental = False
        return piece, self._is_incremental is not True


class _Reader(LabelledReader):
    def __init__(self) -> None:
        super().__init__(PROVIDER, DIALECTS["QWEN"])
        self._text, self._thought = _Growing(), _Growing()

    def grows(self, *, is_incremental: bool) -> None:
        """Say whether each piece is the next one, or all so far."""
        self._text = _Growing(is_incremental=is_incremental)
        self._thought = _Growing(is_incremental=is_incremental)

    def entries(self, response: Node) -> list[Any]:
        output = response.node("output")
        results = output.node("search_info").items("search_results")
        return [*results, *output.items("doc_references")]

    def choices(self, response: Node) -> Iterable[Node]:
        output = response.node("output")
        if isinstance(output.get("text"), str):  # result_format "text"
            self._take_text(output.text("text"))
        return output.nodes("choices")

    def take_choice(self, choice: Node) -> None:
        message = choice.node("message")
        self._take_text(content_of(message))
        thought = message.text("reasoning_content")
        if thought:
            text, is_whole = self._thought.take(thought)
            self._reasoning[:] = [text] if is_whole else [*self._reasoning, text]

    def entry(self, draft: Draft, found: Node, position: str) -> tuple[str, dict[str, Any]]:
        if found.has("index_id") or found.has("doc_id"):
            return _document(draft, found, position)
        draft.expect(found, "search result", _FIELDS)
        index = found.whole("index")
        return position if index is None else str(index), {
            "title": found.text("title"),
            "url": found.text("url"),
            "kind": "web",
            "metadata": kept(found, "index", "site_name"),
        }

    def _take_text(self, piece: str) -> None:
        if piece:
            text, is_whole = self._text.take(piece)
            self.say_whole(text) if is_whole else self.say(text)


def _document(draft: Draft, found: Node, position: str) -> tuple[str, dict[str, Any]]:
    """Return the label of a passage that an application retrieved, and a source's fields."""
    draft.expect(found, "reference", _DOCUMENT)
    pages = found.items("page_number")
    return found.name("index_id") or position, {
        "title": found.text("title", "doc_name"),
        "url": found.text("doc_url"),
        "text": found.text("text"),
        "page": draft.node({"page_number": pages[0]}).whole("page_number") if pages else None,
        "kind": "chunk",
        "metadata": kept(found, "index_id", "doc_id", "doc_name", "biz_id"),
    }
