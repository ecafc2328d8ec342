"""Azure OpenAI On Your Data: ``[doc1]`` in the text, the documents beside it."""

from __future__ import annotations

from json import JSONDecodeError, loads
from typing import TYPE_CHECKING, Any, Final

from citemark.catalogue import DIALECTS, Format, FormatSet
from citemark.providers._chat import MESSAGE, ChatReader, is_chat, messages
from citemark.providers._doc import Provided
from citemark.providers._reader import ReaderStream
from citemark.providers._records import kept

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.providers._draft import Draft
    from citemark.providers._node import Node

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "azure_oyd"
SIGNS: Final = frozenset({"choices", "context", "created", "model", "object"})
DOC: Final = Provided(
    title="Azure OpenAI On Your Data",
    arrives="`choices[].message.context.citations[]`",
    when="with the message; in a stream before its text",
    unit="none: `[doc1]` in the text",
    does="a marker for each `[docN]`, the N-th document",
)
_FORMATS: Final = (
    FormatSet(
        [
            Format(
                "azure_document",
                "[",
                r"doc (?P<key> [0-9]{1,5}+ ) \]",
                "[doc1]",
                tier="explicit",
                lookup=("label",),
            )
        ]
    )
    | DIALECTS["AZURE"]
)
"""That one is certainly a citation here, so it is shown as one if its document is missing."""

_KEPT: Final = ("filepath", "chunk_id")
_CONTEXT: Final = ("citations", "intent", "messages", "all_retrieved_documents")
_CITATION: Final = (
    *("content", "title", "url", "filepath", "chunk_id", "rerank_score", "id", "metadata"),
    *("search_queries", "data_source_index", "original_search_score", "filter_reason"),
)


def matches(response: Node) -> bool:
    """Whether a response, or an event of a stream, is one of this kind."""
    if not is_chat(response):
        return False
    is_extended = response.text("object").startswith("extensions.")
    return is_extended or any(message.has("context") for message, _ in messages(response))


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


class _Reader(ChatReader):
    fields = MESSAGE | {"context"}

    def __init__(self) -> None:
        super().__init__(PROVIDER, formats=_FORMATS, label="number")
        self._context: list[object] = []

    def _take_message(self, message: Node, *, is_whole: bool) -> None:
        context = message.node("context")
        self.draft.expect(context, "context", _CONTEXT)
        found = context.items("citations")
        for tool in context.nodes("messages"):
            found = found or _told_by(tool)
        # A later chunk repeats the list, if it has one at all.
        self._context = found or self._context
        if message.text("role") != "tool":
            super()._take_message(message, is_whole=is_whole)

    def _take_sources(self, draft: Draft) -> None:
        for number, value in enumerate(self._context, 1):
            document = draft.node(value)
            draft.expect(document, "citation", _CITATION)
            name = document.text("filepath").rpartition("/")[2]
            draft.source(
                f"doc{number}",
                title=document.text("title") or name,
                url=document.text("url"),
                text=document.text("content"),
                kind="chunk",
                metadata=kept(document, *_KEPT),
            )


def _told_by(tool: Node) -> list[Any]:
    """Return the citations of the message of a tool, as older versions of the service send."""
    try:
        told = loads(tool.text("content"))
    except (JSONDecodeError, RecursionError):
        return []
    found = told.get("citations") if isinstance(told, dict) else None
    return found if isinstance(found, list) else []
