"""Perplexity Sonar: ``[2][4]`` in the text, each a position in the list of all pages.

The list comes as URLs, as search results or as both; in a stream with every chunk, or with the
last one alone.  The text of reasoning models starts with what they thought.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from citemark.catalogue import DIALECTS, FormatSet
from citemark.providers._chat import is_chat
from citemark.providers._doc import Provided
from citemark.providers._events import data_of
from citemark.providers._listed import ListedReader, longer
from citemark.providers._reader import ReaderStream
from citemark.providers._records import kept

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.providers._draft import Draft
    from citemark.providers._node import Node

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "perplexity"
SIGNS: Final = frozenset({"choices", "citations", "model", "object", "search_results"})
DOC: Final = Provided(
    title="Perplexity Sonar",
    arrives="`citations[]` and `search_results[]`",
    when="with the response; in a stream with each chunk, or with the last one",
    unit="none: `[2][4]` in the text",
    does="a marker for each `[n]`, the n-th page; `<think>` is put aside",
)
_OBJECTS: Final = frozenset(
    {"chat.completion.done", "chat.reasoning", "chat.reasoning.done", "chat.completion.info"}
)
_MODELS: Final = ("sonar", "pplx-", "r1-1776")
_FIELDS: Final = ("title", "url", "date", "last_updated", "snippet", "source")


POSITIONS: Final = FormatSet(
    replace(row, name="position", like_index=False) if row.name == "number" else row
    for row in DIALECTS["PERPLEXITY"]
)
"""The models write each number right behind a word: what looks like an index is none here."""


def matches(response: Node) -> bool:
    """Whether a response, or an event of a stream, is one of this kind."""
    response = data_of(response)
    if response.text("object") in _OBJECTS:
        return True
    model = response.text("model").removeprefix("perplexity/")
    if not is_chat(response) or model.startswith("grok"):
        return False
    is_listed = any(response.items("citations")) or response.has("search_results")
    return is_listed or model.startswith(_MODELS)


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


class _Reader(ListedReader):
    def __init__(self) -> None:
        super().__init__(PROVIDER, POSITIONS, label="number")
        self._urls: list[Any] = []
        self._results: list[Any] = []

    def take_list(self, response: Node) -> None:
        urls, results = response.items("citations"), response.items("search_results")
        self._urls, self._results = longer(self._urls, urls), longer(self._results, results)

    def fill_list(self, draft: Draft) -> None:
        results = [draft.node(result) for result in self._results]
        by_url = {result.text("url"): result for result in results}
        urls = [url if isinstance(url, str) else "" for url in self._urls]
        if not urls:
            urls = [result.text("url") for result in results]
        given = set(urls)
        urls += [url for url in by_url if url and url not in given]
        for position, url in enumerate(urls, 1):
            # Each entry keeps its position, be it empty or there twice.
            id_ = url if url and url not in draft.sources else f"{position}: {url}"
            page = by_url.get(url, draft.node(None))
            draft.expect(page, "search result", _FIELDS)
            draft.source(
                id_,
                title=page.text("title"),
                url=url,
                text=page.text("snippet"),
                kind="web",
                metadata=kept(page, "date", "last_updated", "source"),
            )
