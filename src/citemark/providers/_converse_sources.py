"""What a request to Amazon Bedrock Converse tells of the sources that are cited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citemark.providers._offsets import Offsets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citemark.providers._draft import Draft
    from citemark.providers._node import Node

__all__ = ["Given"]


class Given:
    """The documents and search results of a request, which count through all its messages."""

    def __init__(self, draft: Draft, request: object) -> None:
        """Read a request, if there is one."""
        self._draft = draft
        self._documents: dict[str, Offsets] = {}
        self._searched = 0
        for message in draft.node(request).nodes("messages"):
            for block in message.nodes("content"):
                self._take(block)

    def document(self, source: str) -> Offsets | None:
        """Return the text of a document by the id of its source; None if it is not known."""
        return self._documents.get(source)

    def source(self, citation: Node, index: int | None, *, is_search: bool = False) -> str:
        """Return the id of what a citation names: by index, or by its own name if it has none.

        It is "" if the citation has neither.
        """
        title, origin = citation.text("title"), citation.text("source")
        url = origin if "://" in origin else None
        if index is None or index < 0:
            name = origin or title
            title = title or origin
            return (
                self._draft.source(name, title=title, url=url, kind="document") if name else ""
            )
        name = "search_result_index" if is_search else "document_index"
        return self._draft.source(
            f"search:{index}" if is_search else str(index),
            title=title or f"{'Search result' if is_search else 'Document'} {index + 1}",
            url=url,
            kind="search_result" if is_search else "document",
            metadata={name: index, **({"source": origin} if origin else {})},
        )

    def _take(self, block: Node) -> None:
        if block.has("document"):
            self._take_document(block.node("document"))
        elif block.has("search_result"):
            self._take_search_result(block.node("search_result"))
        for inner in block.node("tool_result").nodes("content"):
            self._take(inner)

    def _take_document(self, document: Node) -> None:
        source, index = document.node("source"), len(self._documents)
        text = source.text("text") or "".join(_texts(source))
        self._documents[str(index)] = Offsets(text)
        title = document.text("name") or f"Document {index + 1}"
        self._draft.source(str(index), title=title, text=text, kind="document")

    def _take_search_result(self, result: Node) -> None:
        origin = result.text("source")
        self._draft.source(
            f"search:{self._searched}",
            title=result.text("title"),
            url=origin if "://" in origin else None,
            text="".join(_texts(result)),
            kind="search_result",
            metadata={"source": origin},
        )
        self._searched += 1


def _texts(node: Node) -> Iterator[str]:
    return (piece.text("text") for piece in node.nodes("content"))
