"""Citations of Amazon Bedrock's knowledge bases, as RetrieveAndGenerate and agents send them.

The words that a citation is about come with it, and tell better than the span does where it
belongs: ends are inclusive, though nothing says so, and in streams they may lie past the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from citemark.model import Location
from citemark.providers._aws import file_name
from citemark.providers._cited_blocks import between
from citemark.providers._draft import Ref

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from citemark.providers._draft import Draft
    from citemark.providers._node import Node

__all__ = ["KnowledgeBase"]

_LOCATIONS: Final[Mapping[str, tuple[str, str]]] = {
    "s3_location": ("uri", "file"),
    "web_location": ("url", "web"),
    "confluence_location": ("url", "document"),
    "salesforce_location": ("url", "document"),
    "share_point_location": ("url", "document"),
    "google_drive_location": ("url", "document"),
    "one_drive_location": ("url", "document"),
    "kendra_document_location": ("uri", "document"),
    "custom_document_location": ("id", "document"),
    "sql_location": ("query", "row"),
}
"""Where a document may be: the field that names it, and what kind of source it is."""

_URI: Final = "x-amz-bedrock-kb-source-uri"
_PAGE: Final = "x-amz-bedrock-kb-document-page-number"
_FROM: Final = "x-amz-bedrock-kb-chunk-start-time-in-millis"
_TO: Final = "x-amz-bedrock-kb-chunk-end-time-in-millis"
_CITATION: Final = frozenset({"generatedResponsePart", "retrievedReferences", "citation"})
"""Fields of a citation; the last is a copy of it for older clients, in events of streams."""

_REFERENCE: Final = frozenset({"content", "location", "metadata"})


class KnowledgeBase:
    """Keeps the citations that came, until the text is whole."""

    def __init__(self, draft: Draft) -> None:
        """Begin with none."""
        self._draft = draft
        self._kept: list[tuple[Node, list[Ref]]] = []
        self._unnamed: dict[str, str] = {}

    def take(self, citations: Iterable[Node]) -> None:
        """Take note of citations, and of their sources in the order in which they come."""
        for citation in citations:
            self._draft.expect(citation, "citation", _CITATION)
            part = citation.node("generated_response_part").node("text_response_part")
            refs = [
                ref
                for reference in citation.nodes("retrieved_references")
                if (ref := self.reference(reference))
            ]
            self._kept.append((part, refs))

    def place(self) -> None:
        """Put the citations that came into the text, which is whole."""
        for part, refs in self._kept:
            span, words = part.node("span"), part.text("text")
            start, end = span.whole("start"), span.whole("end")
            if refs:
                self._draft.place(
                    self._draft, start, end, refs, inclusive=True, expected=words or None
                )
            else:
                message = "a citation names no source: its words stay without one"
                self._draft.issue("no_sources", f"{self._draft.provider}: {message}")
        self._kept = []

    def reference(self, reference: Node) -> Ref | None:
        """Take note of a source; return what a citation of it says."""
        self._draft.expect(reference, "reference", _REFERENCE)
        metadata, quote = reference.node("metadata"), _words(reference.node("content"))
        name, kind = _named(reference.node("location"), metadata)
        if not name and not quote:
            self._draft.issue("no_source", f"{self._draft.provider}: a reference names nothing")
            return None
        is_url = "://" in name and kind != "row"
        source = self._draft.source(
            name or self._unnamed.setdefault(quote, f"chunk:{len(self._unnamed) + 1}"),
            title=metadata.text("title") or _title(name, kind),
            url=name if is_url else None,
            text="" if name else quote,
            kind=kind,
        )
        return Ref(source, quote, tuple(_places(metadata)), raw=reference.plain())


def _named(location: Node, metadata: Node) -> tuple[str, str]:
    """Return what names a document, and its kind; "" and "chunk" if nothing does."""
    for union, (field, kind) in _LOCATIONS.items():
        name = location.node(union).text(field)
        if name:
            return name, kind
    name = metadata.text(_URI)
    return name, "document" if name else "chunk"


def _title(name: str, kind: str) -> str:
    """Return what readers see of a document; "" for a page of the web, which its URL names."""
    return "" if kind == "web" else file_name(name) if "://" in name else name[:80]


def _words(content: Node) -> str:
    """Return what was found: text, what was said or seen, or the cells of a row."""
    words = (
        content.text("text")
        or content.node("audio").text("transcription")
        or content.node("video").text("summary")
    )
    return words or "; ".join(_cells(content))


def _cells(content: Node) -> Iterator[str]:
    for cell in content.nodes("row"):
        yield f"{cell.name('column_name')}: {cell.name('column_value')}"


def _places(metadata: Node) -> Iterator[Location]:
    page: Any = metadata.whole(_PAGE)
    if page is not None and page >= 0:
        yield Location("page", page, page + 1)
    yield from between("time", metadata.whole(_FROM), metadata.whole(_TO))
