"""An answer as parts, or as chunks of a stream, of the Vercel AI SDK's user interface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from citemark.providers._offsets import Offsets
from citemark.providers._out_sources import given_sources, id_of, quotes_of, told_page
from citemark.providers._out_text import write

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.model import Source
    from citemark.providers._out_sources import Given

__all__ = ["to_vercel_chunks", "to_vercel_parts"]


def to_vercel_parts(answer: Answer) -> list[dict[str, Any]]:
    """Return an answer as the parts of a message: its text, then its sources.

    The text has ``[1]`` for each citation; the sources come in the order of the numbers, those
    that are not cited last.  What the parts have no field for is in
    ``providerMetadata["citemark"]``: number, quote, and the places in the text, half-open, in
    units of UTF-16, as JavaScript counts.
    """
    text, sources = _text_and_sources(answer)
    return [{"type": "text", "text": text, "state": "done"}, *sources]


def to_vercel_chunks(answer: Answer, *, message_id: str = "answer") -> list[dict[str, Any]]:
    """Return an answer as chunks of a stream of the user interface, in order.

    Each goes out as ``data: {json}``, and after the last one ``data: [DONE]``.

    Args:
        answer: Any answer.
        message_id: Id of the message.
    """
    text, sources = _text_and_sources(answer)
    return [
        {"type": "start", "messageId": message_id},
        {"type": "text-start", "id": "text"},
        *([{"type": "text-delta", "id": "text", "delta": text}] if text else []),
        {"type": "text-end", "id": "text"},
        *sources,
        {"type": "finish"},
    ]


def _text_and_sources(answer: Answer) -> tuple[str, list[dict[str, Any]]]:
    text, marks = write(answer)
    offsets, quotes = Offsets(text), quotes_of(answer)
    places: dict[Source, list[dict[str, Any]]] = {}
    for mark in marks:
        if mark.anchor == "message":
            continue
        start, end = (offsets.from_code_points(at, "utf16") for at in (mark.start, mark.end))
        for citation in mark.citations:
            if citation.source is not None:
                quote = {"quote": citation.quote} if citation.quote else {}
                place = {"start": start, "end": end, **quote}
                places.setdefault(citation.source, []).append(place)
    given = given_sources(answer)
    return text, [
        _part(one, places.get(one.source, []), quotes.get(one.source.id, "")) for one in given
    ]


def _part(given: Given, places: list[dict[str, Any]], quote: str) -> dict[str, Any]:
    source = given.source
    told = {
        "number": given.number,
        "kind": source.kind,
        "page": told_page(source),
        "citedText": quote or given.passage or None,
        "places": places or None,
    }
    metadata = {name: value for name, value in told.items() if value is not None}
    part: dict[str, Any] = {"sourceId": id_of(source), "title": given.title}
    if given.url:
        part = {"type": "source-url", **part, "url": given.url}
    else:
        part = {"type": "source-document", **part, "mediaType": _media_type(source)}
    return {**part, "providerMetadata": {"citemark": metadata}} if metadata else part


def _media_type(source: Source) -> str:
    told = source.metadata.get("media_type")
    if isinstance(told, str) and told:
        return told
    return "application/pdf" if source.kind == "pdf" else "text/plain"
