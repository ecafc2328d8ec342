"""Zhipu GLM: ``[ref_1]`` in the text, and the pages of its web search beside it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from citemark.catalogue import DIALECTS
from citemark.providers._doc import Provided
from citemark.providers._events import data_of
from citemark.providers._listed import LabelledReader
from citemark.providers._reader import ReaderStream
from citemark.providers._records import kept

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.providers._draft import Draft
    from citemark.providers._node import Node

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "zhipu"
SIGNS: Final = frozenset({"choices", "created", "model", "request_id", "web_search"})
DOC: Final = Provided(
    title="Zhipu GLM",
    arrives="`web_search[]`",
    when="with the response; in a stream with any chunk",
    unit="none: `[ref_1]` in the text",
    does="a marker for each reference, by the name that the page has in `refer`",
)
_FIELDS: Final = ("refer", "title", "link", "media", "icon", "content", "publish_date")
_NUMBER: Final = re.compile(r"[0-9]{1,6}\Z")


def matches(response: Node) -> bool:
    """Whether a response, or an event of a stream, is one of this kind."""
    response = data_of(response)
    if not any(response.items("choices")) or response.has("output"):
        return False
    return response.has("web_search") or response.text("model").startswith(("glm-", "chatglm"))


def parse(response: object, *, request: object = None) -> Answer:
    """Return the answer of a chat completion.

    Args:
        response: The completion: a mapping, or an object of the SDK.
        request: Not needed.
    """
    del request
    return _Reader().read(response)


class StreamAdapter(ReaderStream):
    """The same for the chunks of a stream."""

    def __init__(self, *, request: object = None) -> None:
        """Start an answer; ``request`` is as for ``parse``."""
        del request
        super().__init__(_Reader())


class _Reader(LabelledReader):
    def __init__(self) -> None:
        super().__init__(PROVIDER, DIALECTS["ZHIPU"] | DIALECTS["QWEN"])

    def entries(self, response: Node) -> list[Any]:
        return response.items("web_search")

    def entry(self, draft: Draft, found: Node, position: str) -> tuple[str, dict[str, Any]]:
        draft.expect(found, "page", _FIELDS)
        name = found.name("refer")
        number = _NUMBER.search(name)
        return str(int(number[0])) if number else name or position, {
            "title": found.text("title"),
            "url": found.text("link"),
            "text": found.text("content"),
            "kind": "web",
            "metadata": kept(found, "refer", "media", "publish_date"),
        }
