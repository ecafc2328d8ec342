"""Perplexity's agent interface: search results, and annotations that may lack any field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from citemark._compare import comparable_url
from citemark.catalogue import DEFAULT, FormatSet
from citemark.model import Marker
from citemark.parser import Scanner
from citemark.providers._doc import Provided
from citemark.providers._draft import Ref
from citemark.providers._ends import tell_error, tell_open
from citemark.providers._events import data_of
from citemark.providers._listed import register
from citemark.providers._offsets import Offsets
from citemark.providers._reader import Part, Reader, ReaderStream
from citemark.providers._records import kept
from citemark.providers._responses import CLOSING, tell_end
from citemark.providers.perplexity import POSITIONS
from citemark.sources import Sources

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citemark.answer import Answer
    from citemark.providers._draft import Draft
    from citemark.providers._node import Node

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "perplexity_agent"
SIGNS: Final = frozenset({"created_at", "model", "object", "output", "status"})
DOC: Final = Provided(
    title="Perplexity agent interface",
    arrives="`output[].content[].annotations[]`, and `results[]` of the searches",
    when="with the response; in a stream after the text",
    unit="code points, half-open (not documented)",
    does="a marker for each `[n]`, the result with that `id`; a claim where none stands",
)
_FORMATS: Final = POSITIONS | FormatSet(
    row for row in DEFAULT if row.name in {"link", "paren_link", "double_link"}
)
_FIELDS: Final = ("type", "start_index", "end_index", "url", "title")
_RESULT: Final = ("id", "url", "title", "snippet", "date", "last_updated", "source", "content")
MAX_OFF: Final = 8
"""Code points by which an annotation may miss its marker."""

_SEARCHES: Final = frozenset({"search_results", "fetch_url_results"})
_OWN: Final = (
    *("response.reasoning.st", "response.reasoning.search_", "response.reasoning.fetch_"),
    "response.skill.",
)
"""Beginnings of the types of events that no other service sends."""

_SILENT: Final = frozenset(
    {
        *("response.in_progress", "response.output_text.done", "response.reasoning.started"),
        *("response.reasoning.search_queries", "response.reasoning.fetch_url_queries"),
        *("response.reasoning.stopped", "response.skill.loaded", "response.failed", "error"),
        *("response.output_item.added", "response.created"),
    }
)


def matches(response: Node) -> bool:
    """Whether a response, or an event of a stream, is one of this kind."""
    found = data_of(response)
    kind = found.text("type")
    if kind.startswith(_OWN):
        return True
    item = found.node("item").text("type") if kind.startswith("response.output_item.") else ""
    whole = found.node("response") if kind.startswith("response.") else found
    if whole.text("object") != "response":
        return item in _SEARCHES
    # It tells of none of the options of OpenAI, and of models of several makers.
    is_gateway = "/" in whole.text("model") and not whole.has("tool_choice")
    return is_gateway or any(one.text("type") in _SEARCHES for one in whole.nodes("output"))


def parse(response: object, *, request: object = None) -> Answer:
    """Return the answer of a response.

    Args:
        response: The response: a mapping, or an object of the SDK.
        request: Not needed.
    """
    del request
    return _Reader().read(response)


class StreamAdapter(ReaderStream):
    """The same for the events of a stream."""

    def __init__(self, *, request: object = None) -> None:
        """Start an answer; ``request`` is as for ``parse``."""
        del request
        super().__init__(_Reader())


class _Reader(Reader):
    def __init__(self) -> None:
        super().__init__(PROVIDER, _FORMATS)
        self._items: dict[int, Any] = {}
        self._parts: dict[tuple[int, int], Part] = {}
        self._pages: list[Any] = []

    def take(self, response: Node) -> None:
        found = data_of(response, self.draft)
        kind = found.text("type")
        self._tell_end(found, kind)
        if found.text("object") == "response":
            self._items = dict(enumerate(found.items("output")))
        elif kind in {"response.completed", "response.incomplete"}:
            items = found.node("response").items("output")
            self._items = dict(enumerate(items)) or self._items
        elif kind == "response.output_item.done":
            self._items[found.whole("output_index") or 0] = found.get("item")
        elif kind == "response.output_text.delta":
            self.draft.awaits("response.completed")
            self.add_to(_key(found), self._part(found), found.text("delta"))
        elif kind == "response.output_text.done":
            self._part(found).close(found.text("text"), ())
        elif kind.startswith("response.reasoning.") and kind.endswith("_results"):
            self._pages += [*found.items("results"), *found.items("contents")]
        elif kind not in _SILENT:
            self.draft.unknown("event", kind)

    def _tell_end(self, found: Node, kind: str) -> None:
        """Tell why a response, or what an event has of it, is not whole."""
        is_whole = found.text("object") == "response"
        response = found.node("response") if found.has("response") else found
        if is_whole or kind in CLOSING:
            self.draft.closing = None
        if is_whole:
            tell_open(self.draft, found.get("status"))
        if kind in {"error", "response.failed"}:
            tell_error(self.draft, response)
        elif is_whole or found.has("response"):
            tell_end(self.draft, response)

    def fill(self, draft: Draft) -> None:
        items = {index: draft.node(item) for index, item in self._items.items()}
        pages = [draft.node(page) for page in self._pages]
        for item in items.values():
            if item.text("type") in _SEARCHES:
                pages += [*item.nodes("results"), *item.nodes("contents")]
        register(draft, (_entry(draft, page) for page in pages))
        parts = {key: part for key, part in self._parts.items() if key[0] not in items}
        for index, item in items.items():
            for position, content in enumerate(item.nodes("content")):
                part = parts[index, position] = Part()
                part.close(content.text("text"), content.items("annotations"))
        for key in self.in_order(parts):
            _cite(draft, parts[key].text, [*parts[key].annotations.values()])

    def _part(self, event: Node) -> Part:
        return self._parts.setdefault(_key(event), Part())


def _key(event: Node) -> tuple[int, int]:
    """Return the index of the item that an event is of, and that of its part."""
    return event.whole("output_index") or 0, event.whole("content_index") or 0


def _entry(draft: Draft, page: Node) -> tuple[str, dict[str, Any]]:
    """Return a result of a search or a page that was read: its label, and a source's fields."""
    draft.expect(page, "search result", _RESULT)
    url = page.text("url")
    return page.name("id") or url, {
        "title": page.text("title"),
        "url": url,
        "text": page.text("snippet", "content"),
        "kind": "web",
        "metadata": kept(page, "date", "last_updated", "source"),
    }


def _cite(draft: Draft, text: str, annotations: Iterable[object]) -> None:
    """Add a text, with what its annotations cite."""
    origin, offsets = draft.add(text), Offsets(text)
    ids = {
        comparable_url(source.url): id_ for id_, source in draft.sources.items() if source.url
    }
    places = _places(draft, text)
    for value in annotations:
        node = draft.node(value)
        draft.expect(node, "annotation", _FIELDS)
        url = node.text("url")
        if not url:
            draft.issue("no_source", f"{PROVIDER}: a citation has no URL")
            continue
        source = ids.get(comparable_url(url), url)
        ref = Ref(draft.source(source, title=node.text("title"), url=url), raw=node.plain())
        start, end = node.whole("start_index"), node.whole("end_index")
        known = places.get(source, [])
        if start is None and end is None and known:
            continue  # what stands in the text is enough
        is_claim = _is_claim(start, end, known)
        draft.place(
            draft,
            start,
            end,
            [ref],
            anchor="claim" if is_claim else "marker",
            expected=None if is_claim else known,
            offsets=offsets,
            origin=origin,
        )


def _is_claim(start: int | None, end: int | None, places: list[tuple[int, int]]) -> bool:
    """Whether a citation is about words: none of the markers of its source is near it."""
    if start is None or end is None:
        return not places
    near = range(start - MAX_OFF, max(end, start) + MAX_OFF + 1)
    return not any(first in near or last in near for first, last in places)


def _places(draft: Draft, text: str) -> dict[str, list[tuple[int, int]]]:
    """Return where the markers of each source stand."""
    sources = Sources(draft.sources.values(), label="id")
    places: dict[str, list[tuple[int, int]]] = {}
    for token in Scanner(_FORMATS, known=sources).scan_whole(text):
        for key in token.keys if isinstance(token, Marker) else ():
            for source in sources.find(key, "label") or sources.find(key, "url"):
                places.setdefault(source.id, []).append((token.start, token.end))
    return places
