"""Tencent Hunyuan: ``[1](@ref)`` in the text, and the results of its search beside it.

The interface of its own writes names in pascal case, that in OpenAI's form in snake case.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from citemark.catalogue import DIALECTS
from citemark.providers._doc import Provided
from citemark.providers._events import data_of
from citemark.providers._listed import LabelledReader
from citemark.providers._node import plain
from citemark.providers._reader import ReaderStream
from citemark.providers._records import kept

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.providers._draft import Draft
    from citemark.providers._node import Node

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "hunyuan"
SIGNS: Final = frozenset({"Choices", "Created", "Id", "Response", "SearchInfo", "Usage"})
DOC: Final = Provided(
    title="Tencent Hunyuan",
    arrives="`SearchInfo.SearchResults[]`",
    when="with the response; in a stream with any chunk",
    unit="none: `[1, 2](@ref)` in the text",
    does="a marker for each reference, by the `Index` of the result",
)
_FIELDS: Final = ("index", "title", "url", "text", "icon")
_CAPITAL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
MAX_DEPTH: Final = 10
"""Levels of a response in which names are read."""


def matches(response: Node) -> bool:
    """Whether a response, or an event of a stream, is one of this kind."""
    response = data_of(response)
    if response.node("Response").has("Choices") or response.has("Choices"):
        return True
    is_compatible = response.has("search_info") and any(response.items("choices"))
    return is_compatible or (
        response.text("model").startswith("hunyuan") and any(response.items("choices"))
    )


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
        super().__init__(PROVIDER, DIALECTS["HUNYUAN"])

    def take(self, response: Node) -> None:
        """Keep a response, or a chunk."""
        found = self.draft.node(_snaked(plain(data_of(response, self.draft).value)))
        super().take(found.node("response") if found.has("response") else found)

    def entries(self, response: Node) -> list[Any]:
        return response.node("search_info").items("search_results")

    def entry(self, draft: Draft, found: Node, position: str) -> tuple[str, dict[str, Any]]:
        draft.expect(found, "search result", _FIELDS)
        index = found.whole("index")
        return position if index is None else str(index), {
            "title": found.text("title"),
            "url": found.text("url"),
            "text": found.text("text"),
            "kind": "web",
            "metadata": kept(found, "index"),
        }


def _snaked(value: Any, depth: int = 0) -> Any:  # noqa: ANN401  whatever the provider sent
    """Return plain values with names in snake case."""
    if depth > MAX_DEPTH:
        return value
    if isinstance(value, list):
        return [_snaked(item, depth + 1) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        _CAPITAL.sub("_", name).lower(): _snaked(item, depth + 1)
        for name, item in value.items()
    }
