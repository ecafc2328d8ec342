"""What services of Google send: they count bytes."""

from __future__ import annotations

from large.texts import JSON, SOURCES, Claim, Shape, large

__all__ = ["SHAPES"]


def grounding(claims: list[Claim]) -> JSON:
    pages = [
        {"web": {"uri": f"https://a.example/{n}", "title": f"Page {n}"}} for n in range(SOURCES)
    ]
    supports = [
        {
            "segment": {"startIndex": c.first, "endIndex": c.last, "text": c.words},
            "groundingChunkIndices": [c.number % SOURCES],
        }
        for c in claims
    ]
    return {"groundingChunks": pages, "groundingSupports": supports}


def candidate(text: str, **more: object) -> JSON:
    content = {"role": "model", "parts": [{"text": text}]}
    return {"candidates": [{"content": content, "index": 0, **more}]}


def gemini(count: int) -> JSON:
    text, claims = large(count)
    return candidate(text, groundingMetadata=grounding(claims))


def gemini_events(count: int) -> list[JSON]:
    source = large(count)
    pieces = [candidate(piece) for piece, _ in source.pieces()]
    return [*pieces, candidate("", groundingMetadata=grounding(source.claims))]


def url_citation(claim: Claim) -> JSON:
    return {
        "type": "url_citation",
        **claim.source,
        "start_index": claim.first,
        "end_index": claim.last,
    }


def interactions(count: int) -> JSON:
    text, claims = large(count)
    content = {"type": "text", "text": text, "annotations": list(map(url_citation, claims))}
    return {"steps": [{"type": "model_output", "content": [content]}]}


def interactions_events(count: int) -> list[JSON]:
    source = large(count)
    events: list[JSON] = [{"event_type": "step.start", "step": {"type": "model_output"}}]
    for piece, _ in source.pieces():
        delta: JSON = {"type": "text", "text": piece}
        events.append({"event_type": "step.delta", "delta": delta})
    for claim in source.claims:
        delta = {"type": "text_annotation_delta", "annotations": [url_citation(claim)]}
        events.append({"event_type": "step.delta", "delta": delta})
    return events


def discovery(count: int) -> JSON:
    text, claims = large(count)
    cited = [
        {
            "startIndex": str(c.first),
            "endIndex": str(c.last),
            "sources": [{"referenceId": str(c.number % SOURCES)}],
        }
        for c in claims
    ]
    references = [
        {
            "chunkInfo": {
                "chunk": f"chunks/{n}",
                "content": f"Words {n}.",
                "documentMetadata": {"document": f"documents/{n}", "title": f"Page {n}"},
            }
        }
        for n in range(SOURCES)
    ]
    return {"answerText": text, "citations": cited, "references": references}


def discovery_events(count: int) -> list[JSON]:
    pieces: list[JSON] = [
        {"answer": {"state": "STREAMING", "answerText": piece}}
        for piece, _ in large(count).pieces()
    ]
    return [*pieces, {"answer": {**discovery(count), "state": "SUCCEEDED"}}]


SHAPES = {
    "discovery_engine": Shape(discovery, discovery_events),
    "gemini": Shape(gemini, gemini_events),
    "gemini_interactions": Shape(interactions, interactions_events),
}
