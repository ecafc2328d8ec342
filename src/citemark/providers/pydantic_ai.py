"""Pydantic AI: text parts whose citations have sources and an anchor.

Anchors are half-open code points of their part.  In a stream one delta has all citations of a
part, in place of those that it had.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from citemark.catalogue import DEFAULT
from citemark.providers._annotations import web_source
from citemark.providers._doc import Provided
from citemark.providers._draft import Ref
from citemark.providers._ends import tell_reason
from citemark.providers._framework import last_message
from citemark.providers._offsets import Offsets
from citemark.providers._reader import Reader, ReaderStream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citemark.answer import Answer
    from citemark.model import Anchor
    from citemark.providers._draft import Draft
    from citemark.providers._node import Node

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "pydantic_ai"
SIGNS: Final = frozenset({"parts", "kind", "model_name", "provider_name", "event_kind"})
DOC: Final = Provided(
    title="Pydantic AI",
    arrives="`parts[].citations[]`",
    when="with the part; in a stream one delta with all of them, after its text",
    unit="code points of the part",
    does="a claim or a marker; without an anchor the source is only listed",
)

_SILENT: Final = frozenset(
    {"tool-call", "builtin-tool-call", "builtin-tool-return", "file", "compaction"}
)
_ANCHORS: Final[dict[str, Anchor]] = {"content": "claim", "marker": "marker"}
_FIELDS: Final = ("sources", "anchor")


def matches(response: Node) -> bool:
    """Whether a response, or an event of a stream, is one of this kind."""
    message = last_message(response, "kind", "response")
    if message.text("event_kind"):
        return True
    parts = message.get("parts")
    return message.text("kind") == "response" and isinstance(parts, list | tuple)


def parse(response: object, *, request: object = None) -> Answer:  # noqa: ARG001
    """Return the answer of a response, or of the last one in a list of messages.

    Args:
        response: A ``ModelResponse``, or its fields.
        request: Not used: citations name their sources.
    """
    reader = _Reader()
    message = last_message(reader.draft.node(response), "kind", "response")
    tell_reason(reader.draft, message.get("finish_reason"))
    for part in message.nodes("parts"):
        reader.begin(None, part)
    return reader.answer()


class StreamAdapter(ReaderStream):
    """The same for the events of a stream."""

    def __init__(self, *, request: object = None) -> None:  # noqa: ARG002  all have it
        """Start an answer."""
        super().__init__(_Reader())


@dataclass(slots=True)
class _Part:
    """A part, as its events make it."""

    kind: str
    pieces: list[str] = field(default_factory=list)
    citations: list[Node] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self.pieces)


class _Reader(Reader):
    """Keeps the parts of a response."""

    def __init__(self) -> None:
        super().__init__(PROVIDER, DEFAULT)
        self._parts: dict[int, _Part] = {}

    def take(self, response: Node) -> None:
        kind = response.text("event_kind")
        if kind in {"part_start", "part_end"}:
            self.begin(response.whole("index"), response.node("part"))
        elif kind == "part_delta":
            self._add(response.whole("index"), response.node("delta"))
        elif "tool" not in kind and kind != "final_result":
            self.draft.unknown("event", kind)

    def begin(self, index: int | None, node: Node) -> None:
        """Take a part as far as it is known, in place of what was known of it."""
        kind = node.text("part_kind")
        if kind not in {"text", "thinking", *_SILENT}:
            self.draft.unknown("part", kind)
        at = len(self._parts) if index is None else index
        known = self._parts.get(at)
        part = _Part(kind, [node.text("content")], list(node.nodes("citations")))
        if known and not part.citations:
            part.citations = known.citations  # a delta had them
        self._parts[at] = part
        before = known.text if known else ""
        self._tell(part.text[len(before) :], part, is_first=not before)

    def _add(self, index: int | None, delta: Node) -> None:
        kind = delta.text("part_delta_kind")
        if kind not in {"text", "thinking", "tool_call"}:
            self.draft.unknown("delta", kind)
            return
        at = max(self._parts, default=0) if index is None else index
        part = self._parts.setdefault(at, _Part(kind))
        is_first = not any(part.pieces)
        part.pieces.append(delta.text("content_delta"))
        if delta.has("citations_delta"):
            part.citations = list(delta.nodes("citations_delta"))
        self._tell(part.pieces[-1], part, is_first=is_first)

    def _tell(self, text: str, part: _Part, *, is_first: bool) -> None:
        """Tell what a part adds to the text; ``is_first``: it had none before."""
        if part.kind == "text" and text:
            gap = "\n\n" if is_first and self.draft.length and self._is_apart(part) else ""
            self.draft.add(gap + text)

    def _is_apart(self, part: _Part) -> bool:
        """Whether what is right before a part is no other text."""
        parts = [self._parts[at] for at in sorted(self._parts)]
        at = next(n for n, known in enumerate(parts) if known is part)
        return at > 0 and parts[at - 1].kind != "text"

    def fill(self, draft: Draft) -> None:
        before = "text"
        for index in sorted(self._parts):
            part = self._parts[index]
            if part.kind == "thinking":
                draft.aside("thinking").add(part.text)
            elif part.kind == "text" and part.text:
                draft.add("\n\n" if draft.length and before != "text" else "")
                _fill_part(draft, part)
            before = part.kind


def _fill_part(draft: Draft, part: _Part) -> None:
    offsets, origin = Offsets(part.text), draft.add(part.text)
    for citation in part.citations:
        node = draft.node(citation.value)
        draft.expect(node, "citation", _FIELDS)
        refs = [ref for source in node.nodes("sources") for ref in _refs(draft, source)]
        anchor = node.node("anchor")
        if not refs:
            draft.issue("no_source", f"{PROVIDER}: a citation has no source")
        elif anchor:
            kind = _ANCHORS.get(anchor.text("kind"))
            if kind is None:
                draft.unknown("anchor", anchor.text("kind"))
            start, end = anchor.whole("start"), anchor.whole("end")
            draft.place(
                draft,
                start,
                end,
                refs,
                anchor=kind or "claim",
                offsets=offsets,
                origin=origin,
            )


def _refs(draft: Draft, node: Node) -> Iterator[Ref]:
    """Yield a source once for each of its passages."""
    title, passages = node.text("title"), node.items("excerpts")
    url, document = node.text("url"), node.name("document_id")
    texts = [text for text in passages if isinstance(text, str) and text]
    if url:
        source = web_source(draft, url, title=title)
    else:
        name = document or title or next(iter(texts), "")
        kind = "file" if document else "document"
        source = draft.source(name, title=title, kind=kind) if name else None
    if source:
        for text in texts or [""]:
            yield Ref(source, text, raw=node.plain())
