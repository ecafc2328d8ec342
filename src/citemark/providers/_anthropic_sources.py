"""What a request to Anthropic, and the results of its tools, tell of the sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from citemark.providers._offsets import Offsets
from citemark.providers._repair import locate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from citemark.providers._draft import Draft
    from citemark.providers._node import Node

__all__ = ["Known", "document_title"]

MAX_PAGES: Final = 100
"""Fetched pages among which a quote is looked for."""


EXACT: Final = 1
"""How well a quote fits a document: it stands where it is said to."""

MENDED: Final = 2
"""It stands elsewhere in it; or the document has no text, but the title of the cited one."""


class _Page(NamedTuple):
    """A page that the model fetched."""

    url: str
    title: str
    text: Offsets


class Known:
    """The documents, search results and pages that citations may name."""

    def __init__(self, draft: Draft, request: object) -> None:
        """Read a request: documents and search results count through all of its messages."""
        self._draft = draft
        self.documents: list[Offsets] = []
        """Texts of the documents of the request, by index; "" where it is in a file."""
        self._searched = 0
        self._pages: dict[str, _Page] = {}
        for message in draft.node(request).nodes("messages"):
            for block in _objects(message):
                self._take_given(block)

    def take_results(self, block: Node) -> None:
        """Take note of the results of a web search."""
        for result in _objects(block):
            url = result.text("url")
            if url:
                self._draft.source(url, title=result.text("title"), url=url, kind="web")

    def take_page(self, block: Node) -> None:
        """Take note of a page that was fetched."""
        result = block.node("content")
        document, url = result.node("content"), result.text("url")
        if url and len(self._pages) < MAX_PAGES:
            title, text = document.text("title"), _text(document)
            self._draft.source(url, title=title, url=url, text=text, kind="web")
            self._pages[url] = _Page(url, title, Offsets(text))

    def page(self, citation: Node) -> tuple[str, Offsets] | None:
        """Return the URL and text of the fetched page that a citation means, if it means one.

        Pages are cited by index, as documents are, and without URL: what tells them apart is
        that one of them holds the quote.
        """
        index = citation.whole("document_index")
        given = None if index is None else self.document(index)
        if not self._pages or (given and _fits(given, citation)):
            return None
        pages = [*self._pages.values()]
        likely = _likeliest(pages, citation)
        at = (index or 0) - len(self.documents)  # pages are counted after the documents
        if len(likely) > 1:
            likely = [pages[at]] if 0 <= at < len(pages) and pages[at] in likely else []
        return (likely[0].url, likely[0].text) if likely else None

    def document(self, index: int) -> Offsets | None:
        """Return the text of a document of the request; None if it has none of that index."""
        return self.documents[index] if 0 <= index < len(self.documents) else None

    def _take_given(self, block: Node) -> None:
        kind = block.text("type")
        if kind == "document":
            self._take_document(block)
        elif kind == "search_result":
            self._take_search_result(block)
        elif kind == "web_fetch_tool_result":
            self.take_page(block)
        elif kind == "web_search_tool_result":
            self.take_results(block)
        elif kind == "tool_result":
            for inner in _objects(block):
                self._take_given(inner)

    def _take_document(self, block: Node) -> None:
        index, text = len(self.documents), _text(block)
        self.documents.append(Offsets(text))
        title = block.text("title") or document_title(index)
        self._draft.source(str(index), title=title, text=text, kind="document")

    def _take_search_result(self, block: Node) -> None:
        source = block.text("source")
        self._draft.source(
            f"search:{self._searched}",
            title=block.text("title"),
            url=source if "://" in source else None,
            text="".join(_texts(block)),
            kind="search_result",
            metadata={"search_result_index": self._searched, "source": source},
        )
        self._searched += 1


def document_title(index: int) -> str:
    """Return what readers see of a document without title."""
    return f"Document {index + 1}"


def _likeliest(pages: Iterable[_Page], citation: Node) -> list[_Page]:
    """Return the pages that fit a citation best; none if none does."""
    title = citation.text("document_title")
    ranked = [
        ((fit or MENDED, page.title != title), page)
        for page in pages
        if (fit := _fits(page.text, citation)) or (title == page.title != "" == page.text.text)
    ]
    best = min((rank for rank, _ in ranked), default=None)
    return [page for rank, page in ranked if rank == best]


def _fits(document: Offsets, citation: Node) -> int:
    """Return how well a quote fits a document; 0 if the document does not hold it."""
    quote = citation.text("cited_text")
    if not quote or not document.text:
        return 0
    start, end = citation.whole("start_char_index"), citation.whole("end_char_index")
    span = locate(document, start, end, expected=quote)
    return 0 if span is None else MENDED if span.step else EXACT


def _objects(block: Node) -> Iterator[Node]:
    """Return the objects of a content that may be an error, or one text, as well."""
    if isinstance(block.get("content"), list | tuple):
        yield from block.nodes("content")


def _text(document: Node) -> str:
    """Return the text of a document; "" if it is in a file."""
    source = document.node("source")
    if source.text("type") == "text":
        return source.text("data")
    return "".join(_texts(source)) if source.text("type") == "content" else ""


def _texts(block: Node) -> Iterator[str]:
    return (inner.text("text") for inner in _objects(block))
