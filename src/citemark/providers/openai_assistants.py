"""OpenAI Assistants and Azure AI Agents: messages of threads, with markers that are annotated.

The text holds ``【4:0†source】``, and an annotation says which file or page that is.  A marker
without annotation names what the same marker names elsewhere, or nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark.providers._annotations import Annotated
from citemark.providers._chat import CHAT, CURSOR
from citemark.providers._doc import Provided
from citemark.providers._ends import tell_error, tell_reason
from citemark.providers._reader import Part, Reader, ReaderStream

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.providers._draft import Draft
    from citemark.providers._node import Node

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "openai_assistants"
SIGNS: Final = frozenset({"content", "object", "role", "run_id", "thread_id"})
DOC: Final = Provided(
    title="OpenAI Assistants, Azure AI Agents",
    arrives="`content[].text.annotations[]`",
    when="with each marker",
    unit="code points, half-open",
    does="a marker for each annotation, found again by its text; with a quote from Azure",
)
_OBJECTS: Final = frozenset({"thread.message", "thread.message.delta", "thread.run.step"})
_SILENT: Final = frozenset({"done", "thread.created"})
_STEPS: Final = frozenset({"thread.run.step", "thread.run.step.delta"})
_FORMATS: Final = CHAT | CURSOR


def matches(response: Node) -> bool:
    """Whether a message, or an event of a stream, is one of this kind."""
    if response.text("event").startswith("thread."):
        return True
    return response.text("object") in _OBJECTS


def parse(response: object, *, request: object = None) -> Answer:
    """Return the answer of a message of a thread.

    Args:
        response: The message: a mapping, or an object of the SDK.
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
    """Keeps the texts of messages by message and place, and what runs have found."""

    def __init__(self) -> None:
        super().__init__(PROVIDER, _FORMATS)
        self._parts: dict[tuple[str, int], Part] = {}
        self._results: dict[str, object] = {}

    def take(self, response: Node) -> None:
        """Keep a message, or an event."""
        event = response.text("event")
        if event in _SILENT:
            return
        data = response.node("data") if event else response
        _tell_end(self.draft, event, data)
        kind = data.text("object")
        if kind == "thread.message.delta" or data.has("delta"):
            self.draft.closing = "thread.message.completed"
            self._take_delta(data)
        elif kind == "thread.message" or (not event and data.has("content")):
            self.draft.closing = None
            self._take_message(data)
        elif kind in _STEPS:
            self._take_step(data)
        elif event != "error" and not event.startswith("thread.run"):
            self.draft.unknown("event", event or kind)

    def fill(self, draft: Draft) -> None:
        """Read what came: the texts, then what is known of the files."""
        for part in self._parts.values():
            annotated = Annotated(draft, part.text)
            annotated.cite(part.annotations[at] for at in sorted(part.annotations))
        for file, value in self._results.items():
            result = draft.node(value)
            text = "\n\n".join(piece.text("text") for piece in result.nodes("content"))
            draft.source(
                file,
                title=result.text("file_name"),
                text=text,
                score=result.number("score"),
                kind="file",
            )

    def _take_message(self, message: Node) -> None:
        for index, block in enumerate(message.nodes("content")):
            if self._is_text(block):
                text = block.node("text")
                part = self._part(message, index)
                refusal = block.text("refusal")
                part.close(text.text("value") or refusal, text.items("annotations"))

    def _take_delta(self, data: Node) -> None:
        for block in data.node("delta").nodes("content"):
            if not self._is_text(block):
                continue
            text = block.node("text")
            part = self._part(data, block.whole("index") or 0)
            part.pieces.append(text.text("value") or block.text("refusal"))
            self.draft.add(part.pieces[-1])
            for annotation in text.nodes("annotations"):
                told = dict(annotation.plain() or {})
                told.pop("index", None)  # its number; the whole message has none
                part.annotate(told, annotation.whole("index"))

    def _take_step(self, step: Node) -> None:
        """Keep what a search of files found, if it was asked for."""
        for call in step.node("step_details").nodes("tool_calls"):
            for result in call.node("file_search").nodes("results"):
                if result.name("file_id"):
                    self._results.setdefault(result.name("file_id"), result.value)

    def _part(self, message: Node, index: int) -> Part:
        return self._parts.setdefault((message.name("id"), index), Part())

    def _is_text(self, block: Node) -> bool:
        kind = block.text("type")
        if kind not in {"text", "refusal", "image_file", "image_url"}:
            self.draft.unknown("block", kind)
        return kind in {"text", "refusal"}


def _tell_end(draft: Draft, event: str, data: Node) -> None:
    """Tell why a message, or a run, is not whole, if it says so."""
    if event == "error":
        tell_error(draft, data)
    elif data.has("last_error"):
        tell_error(draft, data, "last_error")
    else:
        why = data.node("incomplete_details").get("reason")
        tell_reason(draft, why or data.get("status"))
