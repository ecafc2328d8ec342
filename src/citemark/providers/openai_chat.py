"""OpenAI Chat Completions: the links that its search models write, told by offsets.

Gateways send the same with citations of other providers: words instead of links, offsets in
another unit, none at all.  What stands in the text decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark.providers._chat import ChatReader, is_chat
from citemark.providers._doc import Provided
from citemark.providers._reader import ReaderStream

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.providers._node import Node
    from citemark.providers._offsets import Unit

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "openai_chat"
SIGNS: Final = frozenset({"choices", "created", "model", "object", "usage"})
DOC: Final = Provided(
    title="OpenAI Chat Completions",
    arrives="`choices[].message.annotations[]`",
    when="with the message; in a stream after its text",
    unit="code points, half-open",
    does="a marker for the link that is annotated, found again by its URL if it is not there",
)


def matches(response: Node) -> bool:
    """Whether a response, or an event of a stream, is one of this kind."""
    return is_chat(response)


def parse(response: object, *, request: object = None, unit: Unit | None = None) -> Answer:
    """Return the answer of a chat completion.

    Args:
        response: The completion: a mapping, or an object of the SDK.
        request: Not needed.
        unit: What the offsets count, if a gateway is known to send another unit.
    """
    del request
    return ChatReader(PROVIDER, unit=unit).read(response)


class StreamAdapter(ReaderStream):
    """The same for the chunks of a stream."""

    def __init__(self, *, request: object = None, unit: Unit | None = None) -> None:
        """Start an answer; the arguments are as for ``parse``."""
        del request
        super().__init__(ChatReader(PROVIDER, unit=unit))
