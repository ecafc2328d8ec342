"""Mistral conversations and agents: references to what the service's tools found.

Each stands at its place in the text; a stream has one chunk of content in each event.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark.catalogue import FormatSet
from citemark.providers._doc import Provided
from citemark.providers._ends import tell_error
from citemark.providers._events import data_of, name_of
from citemark.providers._mistral import ContentReader
from citemark.providers._settled import Settler
from citemark.providers._stream import StreamBase

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.providers._node import Node

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "mistral_conversations"
SIGNS: Final = frozenset({"conversation_id", "object", "outputs", "usage"})
DOC: Final = Provided(
    title="Mistral conversations and agents",
    arrives="`outputs[].content[]`, chunks of type `tool_reference`",
    when="at their place in the text, in a stream too",
    unit="none: a place between two chunks",
    does="a point for each run of references",
)
_SILENT: Final = (
    *("conversation.response.", "tool.execution.", "tool.execution", "agent.handoff"),
    *("function.call", "function.result", "message.input"),
)
"""Beginnings of the types of entries and events that hold no text of the answer."""

_OWN: Final = ("conversation.response.", "message.output", "tool.execution.", "agent.handoff.")


def matches(response: Node) -> bool:
    """Whether a response, or an event of a stream, is one of this kind."""
    if response.text("object") == "conversation.response":
        return True
    kinds = (name_of(response), data_of(response).text("type"))
    return any(kind.startswith(_OWN) for kind in kinds)


def parse(response: object, *, request: object = None) -> Answer:
    """Return the answer of a conversation.

    Args:
        response: The response: a mapping, or an object of the SDK.
        request: Not needed.
    """
    del request
    reader = _Reader()
    found = reader.draft.node(response)
    entries = found.nodes("outputs") if found.has("outputs") else [found]
    for position, entry in enumerate(entries):
        reader.take_entry(entry, str(position))
    return reader.content.answer()


class StreamAdapter(StreamBase):
    """The same for the events of a stream."""

    def __init__(self, *, request: object = None) -> None:
        """Start an answer; ``request`` is as for ``parse``."""
        del request
        self._reader = _Reader()
        draft = self._reader.draft
        super().__init__(draft, Settler(draft, FormatSet()))

    def _take(self, event: Node) -> None:
        data = data_of(event, self._draft)
        self._reader.take_entry(data, name_of(event))

    def _settled(self) -> int:
        return self._draft.length - 1  # a reference may come yet, at the end

    def _make(self) -> Answer:
        return self._reader.content.answer()


class _Reader:
    """Reads entries, or pieces of them."""

    def __init__(self) -> None:
        self.content = ContentReader(PROVIDER)
        self.draft = self.content.draft
        self._entry = ""

    def take_entry(self, entry: Node, name: str) -> None:
        """Read what is new of an entry; messages are set apart by a blank line."""
        kind = entry.text("type") or name
        if kind.startswith("message.output"):
            id_ = entry.name("id") or entry.name("output_index") or name
            if self._entry not in {"", id_} and self.draft.length:
                self.draft.add("\n\n")
            self._entry = id_
            self.content.take(entry.get("content"))
            self.draft.awaits("conversation.response.done")
        elif kind == "conversation.response.done":
            self.draft.closing = None
        elif kind == "conversation.response.error":
            tell_error(self.draft, entry)
        elif not kind.startswith(_SILENT):
            self.draft.unknown("entry", kind)
