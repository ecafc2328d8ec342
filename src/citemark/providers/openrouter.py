"""OpenRouter: sources of its web plugin and of the models behind it, without places.

Its annotations say ``0..0``: the places are the links that the model wrote to the same URLs, or
numbers of the annotations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark.catalogue import DIALECTS
from citemark.providers._chat import CHAT, ChatReader, is_chat
from citemark.providers._doc import Provided
from citemark.providers._reader import ReaderStream

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.providers._node import Node
    from citemark.providers._offsets import Unit

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "openrouter"
SIGNS: Final = frozenset({"choices", "created", "model", "object", "provider", "usage"})
DOC: Final = Provided(
    title="OpenRouter",
    arrives="`choices[].message.annotations[]`",
    when="with the message; in a stream before its text",
    unit="none: all are 0",
    does="a marker for each link to a source in the text, and for numbers of the annotations",
)


def matches(response: Node) -> bool:
    """Whether a response, or an event of a stream, is one of this kind."""
    is_own = response.text("id").startswith("gen-") or bool(response.text("provider"))
    return is_own and is_chat(response)


def parse(response: object, *, request: object = None, unit: Unit | None = None) -> Answer:
    """Return the answer of a chat completion.

    Args:
        response: The completion: a mapping, or an object of the SDK.
        request: Not needed.
        unit: What the offsets count, if there are any and the caller knows.
    """
    del request
    return _reader(unit).read(response)


class StreamAdapter(ReaderStream):
    """The same for the chunks of a stream."""

    def __init__(self, *, request: object = None, unit: Unit | None = None) -> None:
        """Start an answer; the arguments are as for ``parse``."""
        del request
        super().__init__(_reader(unit))


def _reader(unit: Unit | None) -> ChatReader:
    formats = CHAT | DIALECTS["PERPLEXITY"]
    return ChatReader(PROVIDER, formats=formats, label="number", unit=unit)
