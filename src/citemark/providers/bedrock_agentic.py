"""Amazon Bedrock AgenticRetrieveStream: an answer in pieces, then its results and citations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark.catalogue import DIALECTS
from citemark.providers._answer import answer_of
from citemark.providers._aws import file_name, is_event, member, read_stream
from citemark.providers._doc import Provided
from citemark.providers._draft import Draft, Ref
from citemark.providers._stream import StreamBase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citemark.answer import Answer
    from citemark.providers._node import Node

__all__ = ["DOC", "PROVIDER", "SIGNS", "StreamAdapter", "matches", "parse"]

PROVIDER: Final = "bedrock_agentic"
SIGNS: Final = frozenset({"responseEvent", "result", "traceEvent"})
DOC: Final = Provided(
    title="Amazon Bedrock AgenticRetrieveStream",
    arrives="`result.generatedResponse.citations[]`",
    when="at the end",
    unit="characters, the end exclusive",
    does="a claim on the span, with each result that it refers to",
)

_EVENTS: Final = ("response_event", "result", "trace_event")
_CITATION: Final = frozenset({"startIndex", "endIndex", "references"})
_URIS: Final = ("x-amz-bedrock-kb-source-uri", "_source_uri", "source_uri", "uri", "url")
"""Fields of the metadata of a result that may tell where its document is."""


def matches(response: Node) -> bool:
    """Whether a response, or an event of a stream, is one of this kind."""
    if is_event(response, ("result",)):
        result = response.node("result")
        return result.has("generated_response") or result.has("results")
    return is_event(response, ("response_event", "trace_event"))


def parse(response: object, *, request: object = None) -> Answer:
    """Return the answer of a response, whose stream is read to its end.

    Args:
        response: What the SDK returns, or its events.
        request: Not needed.
    """
    return read_stream(StreamAdapter(request=request), response, "stream")


class StreamAdapter(StreamBase):
    """The same for the events of a stream, one by one."""

    def __init__(self, *, request: object = None) -> None:  # noqa: ARG002  as others have
        """Start an answer; ``request`` is as for ``parse``."""
        super().__init__(Draft(PROVIDER))
        self._cited: list[tuple[Node, list[Ref]]] = []

    def _take(self, event: Node) -> None:
        kind = member(self._draft, event, _EVENTS)
        if kind == "response_event":
            self._draft.add(event.node("response_event").text("text"))
        elif kind == "result":
            self._take_result(event.node("result"))

    def _take_result(self, result: Node) -> None:
        """Read the results, the whole text, and the citations, which count results from 0."""
        ids = [self._source(self._draft.node(found)) for found in result.items("results")]
        generated = result.node("generated_response")
        answer = generated.text("answer")
        if answer and answer != self._draft.text:
            self._draft.replace(answer)
        for citation in generated.nodes("citations"):
            self._draft.expect(citation, "citation", _CITATION)
            refs = [ref for ref in self._refs(citation, ids) if ref]
            self._cited.append((citation, refs))

    def _source(self, found: Node) -> str:
        if not found.fields():
            return ""  # it is damaged; those after it keep their indices
        content, metadata = found.node("content"), found.node("metadata")
        uri = metadata.text(*_URIS)
        return self._draft.source(
            f"result:{len(self._draft.sources)}",
            title=metadata.text("title") or file_name(uri),
            url=uri if "://" in uri else None,
            text=content.text("text"),
            kind="chunk",
            metadata={"retriever": found.node("source_retriever").text("identifier")},
        )

    def _refs(self, citation: Node, ids: Sequence[str]) -> list[Ref]:
        refs: list[Ref] = []
        for reference in citation.nodes("references"):
            index = reference.whole("result_index")
            if index is not None and 0 <= index < len(ids) and ids[index]:
                refs.append(Ref(ids[index], raw=reference.plain()))
            else:
                message = f"{PROVIDER}: there is no result {index}"
                self._draft.issue("unknown_source", message, key=str(index))
        return refs

    def _finish(self) -> None:
        spans = [
            (node.whole("start_index"), node.whole("end_index")) for node, _ in self._cited
        ]
        unit = self._draft.probed_unit(spans)
        for (start, end), (_, refs) in zip(spans, self._cited, strict=True):
            if refs:
                self._draft.place(self._draft, start, end, refs, unit=unit)

    def _make(self) -> Answer:
        return answer_of(self._draft, formats=DIALECTS["ANTHROPIC"], label="id")
