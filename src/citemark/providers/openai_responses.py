"""OpenAI Responses: links of the web search, points of the file search, files of containers.

A page is cited by the link that the model wrote, whose place is told; a file by the point where
its marker was cut out; a file of a container by the target of a link to it.  Azure sends the
same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark.providers._chat import CHAT
from citemark.providers._doc import Provided
from citemark.providers._reader import ReaderStream
from citemark.providers._responses import ResponsesReader, is_response
from citemark.providers._settled import Settler

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.providers._node import Node
    from citemark.providers._offsets import Unit

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "openai_responses"
SIGNS: Final = frozenset({"model", "object", "output", "parallel_tool_calls", "tool_choice"})
DOC: Final = Provided(
    title="OpenAI Responses",
    arrives="`output[].content[].annotations[]`",
    when="with the text; in a stream shortly after the link, and again in closing events",
    unit="code points, half-open",
    does="a marker for a link, a point for a file, a link for a file of a container",
)


def matches(response: Node) -> bool:
    """Whether a response, or an event of a stream, is one of this kind."""
    return is_response(response)


def parse(response: object, *, request: object = None, unit: Unit | None = None) -> Answer:
    """Return the answer of a response.

    Args:
        response: The response: a mapping, or an object of the SDK.
        request: Not needed.
        unit: What the offsets count, if a gateway is known to send another unit.
    """
    del request
    return ResponsesReader(PROVIDER, unit=unit).read(response)


class StreamAdapter(ReaderStream):
    """The same for the events of a stream."""

    def __init__(self, *, request: object = None, unit: Unit | None = None) -> None:
        """Start an answer; the arguments are as for ``parse``."""
        del request
        reader = ResponsesReader(PROVIDER, unit=unit)
        super().__init__(reader, Settler(reader.draft, CHAT, reader.early.draft))
        self._early = reader.early

    def _settled(self) -> int:
        return self._early.end
