"""Vercel AI SDK: messages of its user interface, and the chunks of their streams.

Sources are parts of a message without a place in its text.  Markers in the text count them;
``to_vercel_parts`` tells the places in the metadata of the parts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from citemark.catalogue import DEFAULT
from citemark.providers._doc import Provided
from citemark.providers._draft import Ref
from citemark.providers._ends import tell_error, tell_reason
from citemark.providers._framework import last_message, new_id
from citemark.providers._reader import Reader, ReaderStream

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from citemark.answer import Answer
    from citemark.providers._draft import Draft
    from citemark.providers._node import Node

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "vercel"
SIGNS: Final = frozenset({"id", "role", "parts", "metadata", "messageId", "delta"})
DOC: Final = Provided(
    title="Vercel AI SDK",
    arrives="parts `source-url`, `source-document`",
    when="anywhere in a message or stream",
    unit="none",
    does="listed sources; `[1]` in the text is the first of them",
)

_CHUNKS: Final = frozenset(
    {
        *("start", "text-start", "text-delta", "text-end", "start-step", "finish-step"),
        *("source-url", "source-document", "reasoning-start", "reasoning-delta"),
        *("reasoning-end", "finish", "abort", "error", "message-metadata", "file", "done"),
    }
)
_STEPS: Final = frozenset({"start-step", "step-start"})
_SOURCES: Final = frozenset({"source-url", "source-document", "source"})
_SOURCE: Final = (
    *("type", "source_id", "id", "url", "title", "filename", "media_type", "source_type"),
    *("provider_metadata",),
)
_SILENT: Final = frozenset({"file", "dynamic-tool"})


def matches(response: Node) -> bool:
    """Whether a response, or a chunk of a stream, is one of this kind."""
    message = last_message(response, "role", "assistant")
    kind = message.text("type")
    if kind in _CHUNKS and not message.has("role"):
        return kind not in {"error", "file"} or message.has("error_text")
    parts = message.get("parts")
    if message.text("role") != "assistant" or not isinstance(parts, list | tuple):
        return False
    return all(part.text("type") for part in message.nodes("parts"))


def parse(response: object, *, request: object = None) -> Answer:  # noqa: ARG001
    """Return the answer of a message, or of the last one in a list of messages.

    Args:
        response: A message of the user interface.
        request: Not used: the sources are in the message.
    """
    reader = _Reader()
    for part in last_message(reader.draft.node(response), "role", "assistant").nodes("parts"):
        reader.take_part(part)
    return reader.answer()


class StreamAdapter(ReaderStream):
    """The same for the chunks of a stream."""

    def __init__(self, *, request: object = None) -> None:  # noqa: ARG002  all have it
        """Start an answer."""
        super().__init__(_Reader())


@dataclass(slots=True)
class _Text:
    """A text of the message."""

    pieces: list[str] = field(default_factory=list)


class _Reader(Reader):
    """Keeps the parts of a message."""

    def __init__(self) -> None:
        super().__init__(PROVIDER, DEFAULT, label="number")
        self._texts: dict[str, _Text] = {}
        self._thinking: list[str] = []
        self._sources: list[Any] = []
        self._is_new_step = False

    def take(self, response: Node) -> None:
        kind = response.text("type")
        if kind in {"text-start", "text-delta"}:
            self._add(response.name("id"), response.text("delta", "text"))
        elif kind == "text-end":
            self._close(response.name("id"))
        elif kind == "reasoning-delta":
            self._thinking.append(response.text("delta", "text"))
        elif kind in _STEPS or kind in _SOURCES:
            self.take_part(response)
        elif kind == "error":
            tell_error(self.draft, response, "error_text")
        elif kind in {"abort", "finish"}:
            why = response.get("finish_reason") if kind == "finish" else "aborted"
            if why != "other":  # of a service whose reasons the SDK does not know
                tell_reason(self.draft, why)
        elif kind not in _CHUNKS and not _is_silent(kind):
            self.draft.unknown("chunk", kind)

    def take_part(self, part: Node) -> None:
        """Take a part that is whole."""
        kind = part.text("type")
        if kind == "text":
            self._add("", part.text("text"))
            self._close("")
        elif kind == "reasoning":
            self._thinking.append(part.text("text"))
        elif kind in _STEPS:
            self._is_new_step = True
        elif kind in _SOURCES:
            self._sources.append(part.value)
        elif not _is_silent(kind):
            self.draft.unknown("part", kind)

    def _add(self, name: str, text: str) -> None:
        known = self._texts.setdefault(name, _Text())
        if text and self._is_new_step and self.draft.length:
            # What a model says after it used a tool is a paragraph of its own.
            text = "\n\n" + text
        self._is_new_step = self._is_new_step and not text
        known.pieces.append(text)
        self.draft.add(text)

    def _close(self, name: str) -> None:
        """End a text: another one may have the same name in a later step."""
        if name in self._texts:
            self._texts[f"{name}\0{len(self._texts)}"] = self._texts.pop(name)

    def fill(self, draft: Draft) -> None:
        draft.add("".join(piece for text in self._texts.values() for piece in text.pieces))
        if self._thinking:
            draft.aside("thinking").add("".join(self._thinking))
        for value in self._sources:
            node = draft.node(value)
            part = node.node("source") if node.has("source") else node
            source = _source(draft, part)
            _place(draft, source, part.node("provider_metadata").node("citemark"))


def _source(draft: Draft, part: Node) -> str:
    draft.expect(part, "source", _SOURCE)
    told = [*_told(part)]
    media, url = part.text("media_type"), part.text("url")
    return draft.source(
        new_id(draft, part.name("source_id", "id")),
        title=part.text("title", "filename") or next(_texts(told, "title"), ""),
        url=url or next(_texts(told, "url"), None),
        kind=next(_texts(told, "kind"), "") or ("web" if url else _kind(media)),
        text=next(_texts(told, "cited_text"), ""),
        page=next(_pages(told), None),
        metadata={
            name: part.get(name) for name in ("filename", "media_type") if part.text(name)
        },
    )


def _place(draft: Draft, source: str, ours: Node) -> None:
    """Cite where ``to_vercel_parts`` says that the numbers of a source stand."""
    number = ours.whole("number")
    for place in ours.nodes("places"):
        draft.place(
            draft,
            place.whole("start"),
            place.whole("end"),
            [Ref(source, place.text("quote"))],
            anchor="marker",
            unit="utf16",
            expected=f"[{number}]",
        )


def _told(part: Node) -> Iterator[Node]:
    """Yield what each provider says of a source."""
    told = part.node("provider_metadata")
    for name in told.fields():
        yield told.node(name)


def _texts(nodes: Iterable[Node], name: str) -> Iterator[str]:
    return (node.text(name) for node in nodes if node.text(name))


def _pages(nodes: Iterable[Node]) -> Iterator[int | str]:
    for node in nodes:
        for name in ("page", "start_page_number"):
            found = node.get(name)
            page = found if isinstance(found, str) else node.whole(name)
            if page:
                yield page


def _kind(media: str) -> str:
    return "pdf" if media == "application/pdf" else "document"


def _is_silent(kind: str) -> bool:
    return kind in _SILENT or kind.startswith(("tool-", "data-"))
