"""Google Vertex AI Search (Discovery Engine): answers and summaries with their citations.

Offsets are bytes of UTF-8, half-open, in JSON written as texts; sources are named by their
index in the list of references, which is a text too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from citemark.providers._doc import Provided
from citemark.providers._ends import tell_reason
from citemark.providers._events import data_of
from citemark.providers._google import Chunk, Chunks, GoogleReader, GoogleStream, pages, ref_to
from citemark.providers._records import kept, lines_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citemark.answer import Answer
    from citemark.providers._draft import Ref
    from citemark.providers._node import Node

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "discovery_engine"
SIGNS: Final = frozenset(
    {
        *("answer", "answerText", "answerQueryToken", "references", "session", "state"),
        *("answer_text", "answer_query_token", "summary", "relatedQuestions"),
    }
)
DOC: Final = Provided(
    title="Google Vertex AI Search (answer, summary)",
    arrives="`answer.citations[]`, `answer.references[]`",
    when="with the answer; in a stream with its last message",
    unit="bytes of UTF-8, half-open",
    does="claims; passages, pages and scores",
)

_CITATION: Final = (
    *("start_index", "end_index", "sources", "grounding_score"),
    "grounding_check_required",
)
_FINAL: Final = (3, "SUCCEEDED")
"""What the state of the last message is."""


def matches(response: Node) -> bool:
    """Whether a response, or a message of a stream, is one of this kind."""
    data = data_of(response)
    return (
        isinstance(_answer_in(data).get("answer_text"), str)
        or data.has("answer_query_token")
        or _summary_in(data).has("summary")
    )


def parse(response: object, *, request: object = None) -> Answer:  # noqa: ARG001  as all have
    """Return the answer of a response, of an answer alone, or of a search with a summary.

    Args:
        response: A mapping, or an object of the client library.
        request: Not needed: all sources come with the response.
    """
    return _Reader().read(response)


class StreamAdapter(GoogleStream):
    """The same for the messages of a stream."""

    def __init__(self, *, request: object = None) -> None:  # noqa: ARG002  as all have
        """Start an answer."""
        super().__init__(_Reader())


class _Reader(GoogleReader):
    """Reads answers, or pieces of one."""

    def __init__(self) -> None:
        super().__init__(PROVIDER)
        self._chunks = Chunks(self.draft)
        self._known: list[Chunk | None] = []
        self._claims: dict[object, tuple[Node, dict[object, None]]] = {}
        self._scores: dict[object, float | None] = {}

    def take(self, response: Node) -> None:
        response = data_of(response)
        summary = _summary_in(response)
        is_summary = summary.has("summary")
        answer = summary if is_summary else _answer_in(response)
        tell_reason(self.draft, answer.get("state"))
        self._take_text(answer, answer.text("summary" if is_summary else "answer_text"))
        listed = [self._chunk(self.draft.node(item)) for item in answer.items("references")]
        self._known = listed if len(listed) >= len(self._known) else self._known
        told = answer.node("citation_metadata") if is_summary else answer
        for citation in told.nodes("citations"):
            self._take_claim(citation)
        for support in answer.nodes("grounding_supports"):
            self._take_claim(support)

    def finish(self) -> None:
        for place, (citation, indices) in self._claims.items():
            told = {"confidence": self._scores.get(place), "raw": citation.plain()}
            refs = [ref for index in indices for ref in self._ref(index, told)]
            if refs:
                start, end = citation.whole("start_index"), citation.whole("end_index")
                self.draft.place(self.draft, start, end, refs, unit="byte")

    def _take_text(self, answer: Node, text: str) -> None:
        """Add a piece of the answer, unless it is all of it, as the last one may be."""
        if len(text) < self.draft.length:
            self.draft.add(text)
            return
        known = self.draft.text
        is_final = answer.get("state") in _FINAL
        if known and text != known and (is_final or text.startswith(known)):
            self.draft.replace(text)
        elif not (is_final and text == known):
            self.draft.add(text)

    def _take_claim(self, citation: Node) -> None:
        self.draft.expect(citation, "citation", _CITATION)
        place = citation.whole("start_index") or 0, citation.whole("end_index")
        indices = dict.fromkeys(map(_index_in, citation.nodes("sources")))
        if citation.has("grounding_score"):
            self._scores[place] = citation.number("grounding_score") or None
        elif not indices:
            self.draft.issue("no_source", f"{PROVIDER}: a citation names no reference")
        if indices:
            first, known = self._claims.get(place, (citation, {}))
            self._claims[place] = first, known | indices

    def _ref(self, index: object, told: dict[str, Any]) -> Iterator[Ref]:
        return ref_to(self.draft, self._known, index, **told)

    def _chunk(self, reference: Node) -> Chunk | None:
        chunk = reference.node("chunk_info")
        document = reference.node("unstructured_document_info")
        return (
            self._passage(chunk, chunk.node("document_metadata"))
            or self._passage(document, document)
            or self._record(reference.node("structured_document_info"))
            or self._passage(reference, reference)
        )

    def _passage(self, chunk: Node, document: Node) -> Chunk | None:
        """Take note of a chunk, or of a document with the chunks of it that were used."""
        used = [chunk, *chunk.nodes("chunk_contents")]
        text = "\n\n".join(filter(None, (piece.text("content") for piece in used)))
        page = next(
            filter(None, (piece.name("page_identifier") for piece in (*used, document))), ""
        )
        scores = (piece.number("relevance_score") for piece in used)
        url = document.text("uri")
        where = pages(int(page)) if page.isdecimal() and len(page) < len("1000000") else ()
        return self._chunks.take(
            (chunk.text("chunk"), document.text("document", "id"), url, document.text("title")),
            text,
            where,
            page=None if where else page,
            title=document.text("title"),
            url=url,
            kind="chunk" if text else "document",
            score=next(filter(None, scores), None),  # 0 is also what is not told
            metadata=kept(document, "document") | kept(chunk, "chunk"),
        )

    def _record(self, document: Node) -> Chunk | None:
        data = document.node("struct_data")
        url = document.text("uri") or data.text("url", "uri", "link")
        title = document.text("title") or data.text("title", "name")
        names = document.text("document"), url, title
        return self._chunks.take(names, lines_of(data), title=title, url=url, kind="row")


def _answer_in(response: Node) -> Node:
    """Return the answer in the response to a question, or the answer that it is."""
    is_inside = response.has("answer") and not isinstance(response.get("answer"), str)
    return response.node("answer") if is_inside else response


def _summary_in(response: Node) -> Node:
    if isinstance(response.get("summary"), str | list | tuple):
        return response.node("")  # that of something else
    return response.node("summary").node("summary_with_metadata")


def _index_in(source: Node) -> int | None:
    """Return the index that a citation names a reference by; zero is left out at times."""
    for name in ("reference_id", "reference_index"):
        if source.name(name):
            return source.whole(name)
    return 0 if not source.fields() else None
