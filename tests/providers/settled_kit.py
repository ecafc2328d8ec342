"""Streams of adapters that give citations out before the end, of pieces that may be cited."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from citemark import CitationSegment, providers
from citemark.providers import Placement

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from citemark import Answer

    Pieces = list[tuple[str, int | None]]

__all__ = ["STREAMS", "final", "given_out", "shown"]


def anthropic(pieces: Pieces, _: Any) -> Iterator[Any]:
    for at, (text, cited) in enumerate(pieces):
        yield {
            "type": "content_block_start",
            "index": at,
            "content_block": {"type": "text", "text": ""},
        }
        if cited is not None:
            yield delta(at, {"type": "citations_delta", "citation": page(cited)})
        yield delta(at, {"type": "text_delta", "text": text})
        yield {"type": "content_block_stop", "index": at}


def delta(at: int, value: Any) -> Any:
    return {"type": "content_block_delta", "index": at, "delta": value}


def page(number: int) -> Any:
    return {
        "type": "web_search_result_location", "url": f"https://{number}.e", "title": f"T{number}",
        "cited_text": "q", "encrypted_index": "e",
    }  # fmt: skip


def converse(pieces: Pieces, _: Any) -> Iterator[Any]:
    for at, (text, cited) in enumerate(pieces):
        yield {"contentBlockDelta": {"contentBlockIndex": at, "delta": {"text": text}}}
        if cited is not None:
            location = {"web": {"url": f"https://{cited}.e"}}
            citation = {"title": f"T{cited}", "location": location}
            yield {
                "contentBlockDelta": {"contentBlockIndex": at, "delta": {"citation": citation}}
            }
        yield {"contentBlockStop": {"contentBlockIndex": at}}


def cohere(pieces: Pieces, _: Any) -> Iterator[Any]:
    pos = 0
    for text, cited in pieces:
        content = {"type": "text", "text": text}
        yield {"type": "content-delta", "index": 0, "delta": {"message": {"content": content}}}
        if cited is not None and text:
            source = {"type": "document", "id": f"d{cited}", "document": {"title": f"T{cited}"}}
            citation = {"start": pos, "end": pos + len(text), "text": text, "sources": [source]}
            yield {"type": "citation-start", "delta": {"message": {"citations": citation}}}
        pos += len(text)


def raw(pieces: Pieces, _: Any) -> Iterator[Any]:
    for text, cited in pieces:
        words = text.replace("<", "").replace(":", "")
        yield {"text": words if cited is None else f"<co: {cited}>{words}</co: {cited}>"}


def mistral(pieces: Pieces, _: Any) -> Iterator[Any]:
    for text, cited in pieces:
        yield chunk(text)
        if cited is not None:
            yield chunk([{"type": "reference", "reference_ids": [cited]}])


def chunk(content: Any) -> Any:
    choice = {"index": 0, "delta": {"content": content}}
    return {"object": "chat.completion.chunk", "model": "mistral-large", "choices": [choice]}


def conversations(pieces: Pieces, _: Any) -> Iterator[Any]:
    for text, cited in pieces:
        yield {"type": "message.output.delta", "id": "m", "content": text}
        if cited is not None:
            found = {
                "type": "tool_reference",
                "tool": "web",
                "title": f"T{cited}",
                "url": f"https://{cited}.e",
            }
            yield {"type": "message.output.delta", "id": "m", "content": found}


def responses(pieces: Pieces, draw: Callable[[Any], Any] | None) -> Iterator[Any]:
    pos = 0
    for at, (text, cited) in enumerate(pieces):
        is_link = cited is not None and cited % 2 == 0
        url = f"https://{cited}.e"
        link = f"([{cited}.e]({url}))" if is_link else ""
        yield output("delta", delta=text + link)
        start, pos = pos + len(text), pos + len(text + link)
        off = draw(st.sampled_from([0, 0, 0, 0, 0, 0, 0, 0, 1])) if draw else 0
        if is_link:
            yield output(
                "annotation.added",
                annotation_index=at,
                annotation={
                    "type": "url_citation", "url": url, "title": f"T{cited}",
                    "start_index": start + off, "end_index": pos + off,
                },
            )  # fmt: skip
        elif cited is not None:
            file = {
                "type": "file_citation",
                "file_id": f"f{cited}",
                "filename": "f",
                "index": pos,
            }
            yield output("annotation.added", annotation_index=at, annotation=file)


def output(kind: str, **fields: Any) -> Any:
    return {
        "type": f"response.output_text.{kind}",
        "output_index": 0,
        "content_index": 0,
        **fields,
    }


STREAMS: dict[str, Callable[[Pieces, Any], Iterator[Any]]] = {
    "anthropic": anthropic,
    "bedrock_converse": converse,
    "cohere": cohere,
    "cohere_raw": raw,
    "mistral": mistral,
    "mistral_conversations": conversations,
    "openai_responses": responses,
}
"""What makes the events of a stream, by the adapter."""


def given_out(name: str, events: Any) -> tuple[list[Placement], Answer]:
    """Return the placements of a stream, and its answer."""
    stream = providers.adapter(name).StreamAdapter()
    updates = [update for event in events for update in stream.feed(event)]
    updates += stream.close()
    return [one for one in updates if isinstance(one, Placement)], stream.answer


def shown(start: int, segment: CitationSegment) -> tuple[Any, ...]:
    """Return where a citation stands, what it is about, its sources and numbers."""
    cited = tuple((one.key, one.number, one.occurrence) for one in segment.citations)
    marker = segment.marker
    return (
        start,
        start + len(segment.raw),
        marker.start,
        marker.anchor,
        marker.span or (),
        cited,
    )


def final(answer: Answer) -> list[tuple[Any, ...]]:
    """Return the same of all citations of an answer."""
    found, pos = [], 0
    for segment in answer.segments:
        if isinstance(segment, CitationSegment):
            found.append(shown(pos, segment))
        pos += len(segment.raw)
    return found
