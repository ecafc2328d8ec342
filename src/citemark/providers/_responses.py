"""Responses of OpenAI's form: items with parts, and the events that build them up."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from citemark.providers._annotated_sources import web_source
from citemark.providers._annotations import Annotated
from citemark.providers._chat import CHAT
from citemark.providers._early import Early
from citemark.providers._ends import tell_error, tell_open, tell_reason
from citemark.providers._reader import Part, Reader

if TYPE_CHECKING:
    from citemark.providers._draft import Draft
    from citemark.providers._node import Node
    from citemark.providers._offsets import Unit

__all__ = ["CLOSING", "STARTS", "ResponsesReader", "is_response", "model_of", "tell_end"]

STARTS: Final = (
    *("response.created", "response.queued", "response.in_progress"),
    *("response.output_item.", "response.content_part.", "response.output_text."),
    *("response.completed", "response.incomplete", "response.failed", "response.refusal."),
    *("response.reasoning", "response.file_search_call.", "response.web_search_call."),
)
"""How the types of events begin."""

CLOSING: Final = frozenset({"response.completed", "response.incomplete", "response.failed"})
"""Events of which a stream has one, at its end."""

_RESPONSES: Final = CLOSING | {
    f"response.{state}" for state in ("created", "queued", "in_progress")
}
_THOUGHTS: Final = frozenset(
    {"response.reasoning_summary_text.delta", "response.reasoning_text.delta"}
)
_SILENT: Final = re.compile(
    r"""response\. (?: [a-z_]{1,40} _call (?: _arguments | _input | _code )? \. [a-z_.]{1,40}
                   | (?: mcp | audio | reasoning | image | shell ) [a-z_.]{0,60}
                   | (?: custom_tool_call_input | function_call_arguments ) \. [a-z]{1,20} )
    | keepalive | ping""",
    re.VERBOSE,
)
"""Events that hold neither text for readers nor sources."""

_OTHERS: Final = re.compile(r"[a-z_]{1,60}_(?:call|output|tools|request|response)|compaction")
"""Items that hold neither text nor sources, as far as is known."""


@dataclass(slots=True)
class _Item:
    """One item of the output, as far as it came."""

    value: object = None
    parts: dict[int, Part] = field(default_factory=dict)
    thoughts: list[str] = field(default_factory=list)


class ResponsesReader(Reader):
    """Reads a response, or the events of one.

    Args:
        provider: Name of the provider.
        unit: What the offsets count, if the caller knows.
    """

    def __init__(self, provider: str, *, unit: Unit | None = None) -> None:
        """Begin with nothing."""
        super().__init__(provider, CHAT)
        self._unit = unit
        self._items: dict[int, _Item] = {}
        self._pages: list[object] = []
        self.early = Early(self.draft, is_sure=unit in {None, "code point"})
        """What is known before a stream ends."""

    def take(self, response: Node) -> None:
        """Keep a response, or an event."""
        kind = response.text("type")
        if kind in CLOSING:
            self.draft.closing = None
        elif kind.startswith("response."):
            self.draft.awaits("response.completed")
        if kind in _RESPONSES:
            self._take_response(response.node("response"))
        elif kind.startswith("response.output_item."):
            self._take_item(self._index(response), response.node("item"))
        elif kind.startswith("response."):
            self._take_event(kind, response)
        elif response.has("output") or response.text("object") == "response":
            self.draft.closing = None
            tell_open(self.draft, response.get("status"))
            self._take_response(response)
        elif kind == "error" or response.has("error"):
            tell_error(self.draft, response)
        elif not _SILENT.fullmatch(kind):
            self.draft.unknown("event", kind)

    def fill(self, draft: Draft) -> None:
        """Read what came: results of searches first, then the texts."""
        items = [self._items[index] for index in sorted(self._items)]
        for item in items:
            self._take_results(draft, item)
        for page in self._pages:
            if isinstance(page, str):
                web_source(draft, page)
        parts = {
            (index, at): part
            for index, item in self._items.items()
            for at, part in item.parts.items()
        }
        for key in self.in_order(parts):
            annotated = Annotated(draft, parts[key].text, unit=self._unit)
            notes = parts[key].annotations
            annotated.cite(notes[at] for at in sorted(notes))

    def _take_response(self, response: Node) -> None:
        tell_end(self.draft, response)
        for index, item in enumerate(response.nodes("output")):
            self._take_item(index, item)
        self._pages = response.items("citations") or self._pages

    def _take_item(self, index: int, node: Node) -> None:
        item = self._items.setdefault(index, _Item())
        if not node:
            return
        item.value = node.value
        _take_found(self.early.draft, node)
        if node.text("type") == "message":
            for at, part in enumerate(node.nodes("content")):
                self._close_part(item, at, part)

    def _take_event(self, kind: str, event: Node) -> None:
        item = self._items.setdefault(self._index(event), _Item())
        at = event.whole("content_index") or 0
        if kind.startswith("response.content_part."):
            self._close_part(item, at, event.node("part"))
        elif kind in {"response.output_text.delta", "response.refusal.delta"}:
            key, part = (self._index(event), at), item.parts.setdefault(at, Part())
            self.early.begin(key, self.add_to(key, part, event.text("delta")))
        elif kind == "response.output_text.annotation.added":
            part = item.parts.setdefault(at, Part())
            part.annotate(event.get("annotation"), event.whole("annotation_index"))
            self.early.annotate((self._index(event), at), event.get("annotation"))
        elif kind in {"response.output_text.done", "response.refusal.done"}:
            text = event.text("text", "refusal")
            item.parts.setdefault(at, Part()).close(text, ())
        elif kind in _THOUGHTS:
            item.thoughts.append(event.text("delta"))
        elif not _SILENT.fullmatch(kind):
            self.draft.unknown("event", kind)

    def _close_part(self, item: _Item, at: int, node: Node) -> None:
        kind = node.text("type")
        if kind in {"output_text", "refusal", "text"}:
            part = item.parts.setdefault(at, Part())
            part.close(node.text("text", "refusal"), node.items("annotations"))
        elif kind not in {"reasoning_text", "summary_text"}:
            self.draft.unknown("part", kind)

    def _index(self, event: Node) -> int:
        index = event.whole("output_index")
        return max(self._items, default=0) if index is None else index

    def _take_results(self, draft: Draft, item: _Item) -> None:
        """Take note of what was thought, searched and found."""
        node = draft.node(item.value)
        kind = node.text("type")
        thoughts = [
            part.text("text") for part in (*node.nodes("summary"), *node.nodes("content"))
        ]
        if kind == "reasoning" or item.thoughts:
            thought = "\n\n".join(filter(None, thoughts)) or "".join(item.thoughts)
            if thought:
                draft.aside("thinking").add(thought)
        elif (
            not _take_found(draft, node)
            and kind
            and kind != "message"
            and not _OTHERS.fullmatch(kind)
        ):
            draft.unknown("item", kind)


def is_response(response: Node) -> bool:
    """Whether something is a response, or an event of one."""
    if response.text("object") == "response":
        return not any(
            item.text("type") == "search_results" for item in response.nodes("output")
        )
    return response.text("type").startswith(STARTS)


def model_of(response: Node) -> str:
    """Return the model of a response, or of an event that holds one."""
    return response.text("model") or response.node("response").text("model")


def tell_end(draft: Draft, response: Node) -> None:
    """Tell why a response is not whole, if it says so."""
    if response.has("error"):
        tell_error(draft, response)
    else:
        why = response.node("incomplete_details").get("reason")
        tell_reason(draft, why or response.get("status"))


def _take_found(draft: Draft, node: Node) -> bool:
    """Take note of what a search found; return whether an item is one."""
    kind = node.text("type")
    if kind == "file_search_call":
        _take_files(draft, node)
    elif kind == "web_search_call":
        _take_pages(draft, node)
    return kind in {"file_search_call", "web_search_call"}


def _take_files(draft: Draft, search: Node) -> None:
    """Take note of found files; a file that was found in several places has all their texts."""
    texts: dict[str, list[str]] = {}
    found = [result for result in search.nodes("results") if result.name("file_id")]
    for result in found:
        texts.setdefault(result.name("file_id"), []).append(result.text("text"))
    for result in found:
        id_ = result.name("file_id")
        draft.source(
            id_,
            title=result.text("filename"),
            text="\n\n".join(filter(None, texts[id_])),
            score=result.number("score"),
            kind="file",
        )


def _take_pages(draft: Draft, search: Node) -> None:
    action = search.node("action")
    for page in (*action.nodes("sources"), *search.nodes("results")):
        text = page.text("text", "snippet", "content")
        web_source(draft, page.text("url"), title=page.text("title"), text=text)
    if action.text("type") == "open_page":
        web_source(draft, action.text("url"))
