"""Mistral chat: references between the pieces of the text, to results of the caller's tools.

A reference has no offsets: it is where it stands.  Its ids are keys of the caller's results,
which the response does not hold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark.catalogue import FormatSet
from citemark.providers._chat import is_chat, messages, read_choices
from citemark.providers._doc import Provided
from citemark.providers._events import data_of
from citemark.providers._mistral import ContentReader
from citemark.providers._settled import Settler
from citemark.providers._stream import StreamBase

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.providers._node import Node

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "mistral"
SIGNS: Final = frozenset({"choices", "created", "model", "object", "usage"})
DOC: Final = Provided(
    title="Mistral chat",
    arrives="`choices[].message.content[]`, chunks of type `reference`",
    when="at their place in the text, in a stream too",
    unit="none: a place between two chunks",
    does="a point for each run of references; titles come from the request's tool results",
)
_MODELS: Final = (
    *("mistral-", "ministral-", "magistral-", "codestral-", "devstral-", "pixtral-"),
    *("open-mistral", "open-mixtral", "voxtral-"),
)
_CHUNKS: Final = frozenset({"reference", "tool_reference", "thinking"})


def matches(response: Node) -> bool:
    """Whether a response, or an event of a stream, is one of this kind."""
    found = data_of(response)
    if not is_chat(found) or found.has("citations") or found.has("search_results"):
        return False
    chunks = [
        chunk.text("type")
        for message, _ in messages(found)
        if isinstance(message.get("content"), list | tuple)
        for chunk in message.nodes("content")
    ]
    return bool(_CHUNKS.intersection(chunks)) or found.text("model").startswith(_MODELS)


def parse(response: object, *, request: object = None) -> Answer:
    """Return the answer of a chat completion.

    Args:
        response: The completion: a mapping, or an object of the SDK.
        request: What was asked: JSON objects that its messages of the role ``tool`` hold give
            sources their title, URL and text, by their keys.
    """
    reader = ContentReader(PROVIDER, request)
    _take(reader, reader.draft.node(response))
    return reader.answer()


class StreamAdapter(StreamBase):
    """The same for the chunks of a stream."""

    def __init__(self, *, request: object = None) -> None:
        """Start an answer; ``request`` is as for ``parse``."""
        self._reader = ContentReader(PROVIDER, request)
        draft = self._reader.draft
        super().__init__(draft, Settler(draft, FormatSet()))

    def _take(self, event: Node) -> None:
        _take(self._reader, data_of(event, self._draft))

    def _settled(self) -> int:
        return self._draft.length - 1  # a reference may come yet, at the end

    def _make(self) -> Answer:
        return self._reader.answer()


def _take(reader: ContentReader, response: Node) -> None:
    """Read the first choice of a response, or of a chunk."""
    for message, _ in read_choices(reader.draft, response):
        reader.take(message.get("content"))
