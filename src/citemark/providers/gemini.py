"""Google Gemini, ``generateContent``: what an answer is grounded on, in Vertex AI too.

Offsets are bytes of UTF-8, half-open, over all text of the candidate that is no thought, and at
times a few bytes late: the words that each span must be are sent along.  A stream tells all of
it beside one of its last pieces of text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark.providers._doc import Provided
from citemark.providers._ends import tell_error, tell_reason
from citemark.providers._events import data_of
from citemark.providers._google import (
    Chunk,
    Chunks,
    GoogleReader,
    GoogleStream,
    pages,
    ref_to,
    score_of,
)
from citemark.providers._parts import Parts
from citemark.providers._records import kept
from citemark.providers._repair import locate

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.providers._draft import Ref
    from citemark.providers._node import Node

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "gemini"
SIGNS: Final = frozenset(
    {
        *("candidates", "usageMetadata", "modelVersion", "responseId", "promptFeedback"),
        *("usage_metadata", "model_version", "response_id", "prompt_feedback"),
    }
)
DOC: Final = Provided(
    title="Google Gemini (generateContent)",
    arrives="`candidates[].groundingMetadata`",
    when="with the answer; in a stream with one of the last chunks",
    unit="bytes of UTF-8, half-open",
    does="claims, verified against the words of each segment; scores, pages, places",
)

_CANDIDATE: Final = (
    *("content", "citation_metadata", "grounding_metadata", "url_context_metadata", "index"),
    *("finish_reason", "finish_message", "token_count", "avg_logprobs", "logprobs_result"),
    *("safety_ratings", "grounding_attributions", "continuation_token", "score"),
)
_GROUNDING: Final = (
    *("grounding_chunks", "grounding_supports", "web_search_queries", "search_entry_point"),
    *("retrieval_metadata", "retrieval_queries", "google_maps_widget_context_token"),
    *("image_search_queries", "source_flagging_uris"),
)
_SUPPORT: Final = ("segment", "grounding_chunk_indices", "confidence_scores", "rendered_parts")
_SEGMENT: Final = ("part_index", "start_index", "end_index", "text")
_SILENT: Final = (
    *("function_call", "function_response", "executable_code", "code_execution_result"),
    *("inline_data", "file_data", "thought_signature", "tool_call", "tool_response"),
    *("part_metadata", "audio_transcription"),
)
"""What parts hold that is no text for readers."""


def matches(response: Node) -> bool:
    """Whether a response, or a chunk of a stream, is one of this kind."""
    data = data_of(response)
    if data.has("candidates"):
        return bool(data.items("candidates")) or data.has("usage_metadata")
    is_signed = data.has("model_version") or data.has("response_id")
    return data.has("prompt_feedback") or (data.has("usage_metadata") and is_signed)


def parse(response: object, *, request: object = None) -> Answer:  # noqa: ARG001  as all have
    """Return the answer of the first candidate of a response.

    Args:
        response: A mapping, or an object of the SDK.
        request: Not needed: all sources come with the response.
    """
    return _Reader().read(response)


class StreamAdapter(GoogleStream):
    """The same for the chunks of a stream."""

    def __init__(self, *, request: object = None) -> None:  # noqa: ARG002  as all have
        """Start an answer."""
        super().__init__(_Reader(is_stream=True))


class _Reader(GoogleReader):
    """Reads responses; in a stream the text of one may go on with the last part."""

    def __init__(self, *, is_stream: bool = False) -> None:
        super().__init__(PROVIDER)
        self._parts = Parts(self.draft)
        self._is_stream = is_stream
        self._kind, self._index = "", -1  # of the last part
        self._chunks = Chunks(self.draft)
        self._known: list[Chunk | None] = []  # what the last metadata listed
        self._supports: dict[object, tuple[Node, list[Ref]]] = {}
        self._recited: dict[object, tuple[Node, str]] = {}

    def take(self, response: Node) -> None:
        may_go_on, data = self._is_stream, data_of(response)
        if data.has("error"):
            tell_error(self.draft, data)
        tell_reason(self.draft, data.node("prompt_feedback").get("block_reason"))
        for candidate in data.nodes("candidates"):
            if candidate.whole("index"):
                self.draft.further("candidates")
                continue
            self._take_reason(candidate)
            self.draft.expect(candidate, "candidate", _CANDIDATE)
            for part in candidate.node("content").nodes("parts"):
                self._take_part(part, may_go_on=may_go_on)
                may_go_on = False
            self._take_grounding(candidate.node("grounding_metadata"))
            self._take_pages(candidate.node("url_context_metadata"))
            self._take_recited(candidate.node("citation_metadata"))

    def _take_reason(self, candidate: Node) -> None:
        if candidate.has("finish_reason"):
            self.draft.closing = None
            tell_reason(self.draft, candidate.get("finish_reason"))
        else:
            self.draft.awaits("finishReason")

    def finish(self) -> None:
        for support, refs in self._supports.values():
            segment = support.node("segment")
            start, end = segment.whole("start_index"), segment.whole("end_index")
            words = segment.text("text")
            part = segment.whole("part_index")
            self._parts.place(part, start, end, refs, unit="byte", expected=words or None)
        for citation, source in self._recited.values():
            start, end = citation.whole("start_index"), citation.whole("end_index")
            span = locate(self.draft.offsets, start, end, unit="byte")
            place = span[:2] if span else (0, 0)
            message = f"{PROVIDER}: words of the answer may be recited from elsewhere"
            self.draft.issue("recitation", message, *place, source)

    def _take_part(self, part: Node, *, may_go_on: bool) -> None:
        text = part.text("text")
        kind = "thought" if part.get("thought") is True else "text" if text else "other"
        if not (may_go_on and kind == self._kind):
            self._index += 1
        self._kind = kind
        if kind == "text":
            self._parts.add(self._index, text)
        elif kind == "thought":
            self.draft.aside("thinking").add(text)
        elif part.fields() and not part.has("text") and not any(map(part.has, _SILENT)):
            self.draft.unknown("part", part.fields()[0])

    def _take_grounding(self, metadata: Node) -> None:
        self.draft.expect(metadata, "grounding", _GROUNDING)
        listed = [
            self._chunk(self.draft.node(chunk)) for chunk in metadata.items("grounding_chunks")
        ]
        self._known = listed or self._known
        for support in metadata.nodes("grounding_supports"):
            segment = support.node("segment")
            self.draft.expect(support, "support", _SUPPORT)
            self.draft.expect(segment, "segment", _SEGMENT)
            place = (*(segment.whole(name) for name in _SEGMENT[:3]), segment.text("text"))
            indices = support.items("grounding_chunk_indices")
            key = (*place, *(index for index in indices if isinstance(index, int)))
            # Metadata may come more than once; a later one repeats what was told.
            if key not in self._supports:
                refs = self._refs(support, indices)
                self._supports |= {key: (support, refs)} if refs else {}

    def _refs(self, support: Node, indices: list[object]) -> list[Ref]:
        if not indices:
            self.draft.issue("no_source", f"{PROVIDER}: a support names no chunk")
        raw = support.plain()
        scores = support.items("confidence_scores")
        return [
            ref
            for n, index in enumerate(indices)
            for ref in ref_to(
                self.draft, self._known, index, confidence=score_of(scores, n), raw=raw
            )
        ]

    def _chunk(self, chunk: Node) -> Chunk | None:
        web, maps, image = chunk.node("web"), chunk.node("maps"), chunk.node("image")
        context = chunk.node("retrieved_context")
        found = (
            self._page(web, "uri", "web")
            or self._passage(context)
            or self._page(maps, "uri", "place")
            or self._page(image, "source_uri", "image")
        )
        if found is None:  # its place in the list stays, so that indices do
            self.draft.unknown("chunk", next(iter(chunk.fields()), "empty"))
        return found

    def _page(self, page: Node, address: str, kind: str) -> Chunk | None:
        url = page.text(address)
        return self._chunks.take(
            (page.text("place_id"), url, page.text("title")),
            page.text("text"),
            url=url,
            title=page.text("title"),
            kind=kind,
            metadata=kept(page, "domain", "place_id", "image_uri"),
        )

    def _passage(self, context: Node) -> Chunk | None:
        rag, url = context.node("rag_chunk"), context.text("uri")
        span = rag.node("page_span")
        where = pages(span.whole("first_page"), span.whole("last_page"))
        text = rag.text("text") or context.text("text")
        return self._chunks.take(
            (context.text("document_name"), url, context.text("title"), text[:80]),
            text,
            where or pages(context.whole("page_number")),
            url=url,
            title=context.text("title"),
            kind="chunk" if text else "document",
            metadata={
                **kept(context, "document_name", "file_search_store", "media_id"),
                **kept(rag, "chunk_id", "file_id"),
            },
        )

    def _take_pages(self, metadata: Node) -> None:
        """Take note of pages that were read, whether or not they are cited."""
        for page in metadata.nodes("url_metadata"):
            url = page.text("retrieved_url")
            if url and not str(page.get("url_retrieval_status")).endswith(("ERROR", "UNSAFE")):
                self.draft.source(url, url=url, kind="web")

    def _take_recited(self, metadata: Node) -> None:
        """Take note of what was recited: it is somebody's, but no proof of what is said."""
        for name in ("citation_sources", "citations"):
            for citation in metadata.nodes(name):
                url, title = citation.text("uri"), citation.text("title")
                metadata_ = kept(citation, "license")
                if url or title:
                    self.draft.source(
                        url or title, url=url, title=title, kind="web", metadata=metadata_
                    )
                place = citation.whole("start_index"), citation.whole("end_index"), url
                self._recited[place] = citation, url or title
