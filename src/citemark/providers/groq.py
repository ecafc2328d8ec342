"""Groq: citations of the documents and tools of the request, and results of its own tools.

gpt-oss writes which lines of an opened page it used, ``【0†L3-L5】``: which page that is stands
in what its browser gave back.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from citemark._compare import comparable_url
from citemark.providers._annotated_sources import web_source
from citemark.providers._chat import CHAT, CURSOR, MESSAGE, ChatReader, is_chat, messages
from citemark.providers._doc import Provided
from citemark.providers._reader import ReaderStream

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.providers._draft import Draft
    from citemark.providers._node import Node

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "groq"
SIGNS: Final = frozenset({"choices", "created", "model", "object", "usage", "x_groq"})
DOC: Final = Provided(
    title="Groq",
    arrives="`choices[].message.annotations[]` and `executed_tools[]`",
    when="with the message; in a stream after its text",
    unit="code points, half-open (not documented)",
    does="a claim for each annotation; a marker for lines of an opened page",
)
_OWN: Final = frozenset({"document_citation", "function_citation"})
_FORMATS: Final = CHAT | CURSOR
_OPENED: Final = re.compile(
    r"""^[ ]{0,8} \[ (?P<cursor> [0-9]{1,5} ) \] [ ] (?P<title> [^\n]{0,300}? )
        [ ]? \( (?P<url> https?://[^\s()]{1,2000} ) \) [ ]? $""",
    re.VERBOSE | re.MULTILINE,
)
"""First line of what gpt-oss's browser shows: its cursor, and the page there."""

MAX_OUTPUT: Final = 200_000
"""Code points of the output of a tool in which opened pages are looked for."""


def matches(response: Node) -> bool:
    """Whether a response, or an event of a stream, is one of this kind."""
    if not is_chat(response):
        return False
    if response.has("x_groq") or response.text("model").startswith(("groq/", "compound")):
        return True
    return any(
        message.has("executed_tools")
        or any(note.text("type") in _OWN for note in message.nodes("annotations"))
        for message, _ in messages(response)
    )


def parse(response: object, *, request: object = None) -> Answer:
    """Return the answer of a chat completion.

    Args:
        response: The completion: a mapping, or an object of the SDK.
        request: What was asked: its documents and results of tools give sources their text.
    """
    return _Reader(request).read(response)


class StreamAdapter(ReaderStream):
    """The same for the chunks of a stream."""

    def __init__(self, *, request: object = None) -> None:
        """Start an answer; ``request`` is as for ``parse``."""
        super().__init__(_Reader(request))


class _Reader(ChatReader):
    fields = MESSAGE | {"executed_tools"}

    def __init__(self, request: object) -> None:
        super().__init__(PROVIDER, formats=_FORMATS)
        self._request = request
        self._tools: dict[int, Any] = {}

    def _take_message(self, message: Node, *, is_whole: bool) -> None:
        super()._take_message(message, is_whole=is_whole)
        for tool in message.nodes("executed_tools"):
            index = tool.whole("index")
            # One that is repeated with its results takes the place of the call alone.
            self._tools[len(self._tools) if index is None else index] = tool.value

    def _take_sources(self, draft: Draft) -> None:
        super()._take_sources(draft)
        asked = draft.node(self._request)
        for document in asked.nodes("documents"):
            id_, source = document.name("id"), document.node("source")
            if id_:
                text, title = source.text("text"), document.text("title")
                draft.source(id_, title=title, text=text, kind="document")
        for message in asked.nodes("messages"):
            id_ = message.name("tool_call_id")
            if (
                id_
                and message.text("role") == "tool"
                and isinstance(message.get("content"), str)
            ):
                draft.source(id_, title=message.text("name"), text=message.text("content"))
        tools = [draft.node(tool) for tool in self._tools.values()]
        for tool in tools:
            _take_opened(draft, tool)
        for tool in tools:
            found = [*tool.node("search_results").nodes("results")]
            for page in (*found, *tool.nodes("browser_results")):
                text, title = page.text("content"), page.text("title")
                fields = {"title": title, "text": text, "score": page.number("score")}
                web_source(draft, page.text("url"), **fields)


def _take_opened(draft: Draft, tool: Node) -> None:
    """Take note of the pages that a browser opened, by their cursors."""
    if not tool.text("type").startswith("browser"):
        return
    for opened in _OPENED.finditer(tool.text("output")[:MAX_OUTPUT]):
        url, title = opened["url"], opened["title"].strip()
        source = draft.source(str(int(opened["cursor"])), title=title, url=url, kind="web")
        draft.pages.setdefault(comparable_url(url), source)
