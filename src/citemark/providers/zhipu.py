"""Zhipu GLM: ``[ref_1]`` in the text, and the pages of its web search beside it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from citemark.catalogue import DIALECTS
from citemark.providers._doc import Provided
from citemark.providers._events import data_of
from citemark.providers._listed import ListedReader, kept, register
from citemark.providers._reader import ReaderStream

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    reader = _Reader()
    reader.take(reader.draft.node(response))
    return reader.answer()


class StreamAdapter(ReaderStream):
    """The same for the chunks of a stream."""

    def __init__(self, *, request: object = None) -> None:
        """Start an answer; ``request`` is as for ``parse``."""
        del request
        super().__init__(_Reader())


class _Reader(ListedReader):
    def __init__(self) -> None:
        super().__init__(PROVIDER, DIALECTS["ZHIPU"] | DIALECTS["QWEN"])
        self._pages: list[Any] = []

    def take_list(self, response: Node) -> None:
        pages = response.items("web_search")
        self._pages = pages if len(pages) >= len(self._pages) else self._pages

    def fill_list(self, draft: Draft) -> None:
        register(draft, self._entries(draft))

    def _entries(self, draft: Draft) -> Iterator[tuple[str, dict[str, Any]]]:
        for position, value in enumerate(self._pages, 1):
            page = draft.node(value)
            draft.expect(page, "page", _FIELDS)
            number = _NUMBER.search(page.name("refer"))
            yield (
                str(int(number[0])) if number else page.name("refer") or str(position),
                {
                    "title": page.text("title"),
                    "url": page.text("link"),
                    "text": page.text("content"),
                    "kind": "web",
                    "metadata": kept(page, "refer", "media", "publish_date"),
                },
            )
