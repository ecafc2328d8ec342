"""Responses of OpenAI's form: items with parts, and the events that build them up."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from citemark.providers._annotated_sources import web_source
from citemark.providers._annotations import Annotated
from citemark.providers._chat import CHAT
from citemark.providers._reader import Part, Reader

if TYPE_CHECKING:
    from citemark.providers._draft import Draft
    from citemark.providers._node import Node
    from citemark.providers._offsets import Unit

__all__ = ["STARTS", "ResponsesReader", "is_response", "model_of"]

STARTS: Final = (
    *("response.created", "response.queued", "response.in_progress"),
    *("response.output_item.", "response.content_part.", "response.output_text."),
    *("response.completed", "response.incomplete", "response.failed", "response.refusal."),
    *("response.reasoning", "response.file_search_call.", "response.web_search_call."),
)
"""How the types of events begin."""

_RESPONSES: Final = frozenset(
    f"response.{state}"
    for state in ("created", "queued", "in_progress", "completed", "incomplete", "failed")
)
_THOUGHTS: Final = frozenset(
    {"response.reasoning_summary_text.delta", "response.reasoning_text.delta"}
)
_SILENT: Final = re.compile(
    r"""response\. (?: [a-z_]{1,40} _call (?: _arguments | _input | _code )? \. [a-z_.]{1,40}
                   | (?: mcp | audio | reasoning | image | shell ) [a-z_.]{0,60}
                   | (?: custom_tool_call_input | function_call_arguments ) \. [a-z]{1,20} )
    | error | keepalive | ping""",
    re.VERBOSE,
)
"""Events that hold neither text for readers nor sources."""

_OTHERS: Final = re.compile(r"[a-z_]{1,60}_(?:call|output|tools|request|response)|compaction")
"""Items that hold neither text nor sources, as far as is known."""

_MARKED: Final = re.compile(r"\]\(|\u3010")
"""What may be a marker whose source is still to come."""


@dataclass(slots=True)
class _Item:
    """One item of the output, as far as it came."""

    value: object = None
    parts: dict[int, Part] = field(default_factory=dict)
    thoughts: list[str] = field(default_factory=list)


class _Settled:
    """How far the citations of a stream are known.

    Annotations come in the order of the text.  But a link that none was about may get a source
    from a later one, and with it a number that comes before all others: there it ends.  So it
    does at an annotation that stands elsewhere than it says, which later text may show.
    """

    def __init__(self, draft: Draft) -> None:
        self.end = 0
        self._draft = draft
        self._is_over = False
        self._origins: dict[tuple[int, int], int] = {}

    def begin(self, part: tuple[int, int]) -> None:
        """Note where the text of a part begins."""
        if part not in self._origins:
            self._is_over = self._is_over or part < max(self._origins, default=part)
            self._origins[part] = self._draft.length

    def annotate(self, part: tuple[int, int], annotation: Node) -> None:
        """Note that an annotation came."""
        start, end = annotation.whole("start_index"), annotation.whole("end_index")
        point = annotation.whole("index")
        start, end = (point, point) if start is None or end is None else (start, end)
        if self._is_over or part not in self._origins or start is None or end is None:
            return
        start, end = start + self._origins[part], end + self._origins[part]
        text = self._draft.text
        mark = _MARKED.search(text, self.end, max(start, self.end))
        self._is_over = mark is not None or not _is_link(text, start, end)
        if mark is not None:
            self.end = mark.start()
        elif not self._is_over:
            self.end = max(self.end, end)


def _is_link(text: str, start: int, end: int) -> bool:
    """Whether a span begins and ends as a link does, or is a point."""
    if not 0 <= start <= end <= len(text):
        return False
    return start == end or (text[start] in "([" and text[end - 1] == ")")


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
        self._settled = _Settled(self.draft)

    def take(self, response: Node) -> None:
        """Keep a response, or an event."""
        kind = response.text("type")
        if kind in _RESPONSES:
            self._take_response(response.node("response"))
        elif kind.startswith("response.output_item."):
            self._take_item(self._index(response), response.node("item"))
        elif kind.startswith("response."):
            self._take_event(kind, response)
        elif response.has("output") or response.text("object") == "response":
            self._take_response(response)
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
        for item in items:
            for index in sorted(item.parts):
                part = item.parts[index]
                annotated = Annotated(draft, part.text, unit=self._unit)
                annotated.cite(part.annotations[at] for at in sorted(part.annotations))

    def settled(self) -> int:
        """Return the end of the last annotation, as they come in the order of the text."""
        return min(self._settled.end, self.draft.length)

    def _take_response(self, response: Node) -> None:
        for index, item in enumerate(response.nodes("output")):
            self._take_item(index, item)
        self._pages = response.items("citations") or self._pages

    def _take_item(self, index: int, node: Node) -> None:
        item = self._items.setdefault(index, _Item())
        if not node:
            return
        item.value = node.value
        if node.text("type") == "message":
            for at, part in enumerate(node.nodes("content")):
                self._close_part(item, at, part)

    def _take_event(self, kind: str, event: Node) -> None:
        item = self._items.setdefault(self._index(event), _Item())
        at = event.whole("content_index") or 0
        if kind.startswith("response.content_part."):
            self._close_part(item, at, event.node("part"))
        elif kind in {"response.output_text.delta", "response.refusal.delta"}:
            text = event.text("delta")
            self._settled.begin((self._index(event), at))
            item.parts.setdefault(at, Part()).pieces.append(text)
            self.draft.add(text)
        elif kind == "response.output_text.annotation.added":
            part = item.parts.setdefault(at, Part())
            part.annotate(event.get("annotation"), event.whole("annotation_index"))
            self._settled.annotate((self._index(event), at), event.node("annotation"))
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
        elif kind == "file_search_call":
            _take_files(draft, node)
        elif kind == "web_search_call":
            _take_pages(draft, node)
        elif kind and kind != "message" and not _OTHERS.fullmatch(kind):
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
