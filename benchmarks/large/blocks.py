"""What Anthropic and Cohere send."""

from __future__ import annotations

from large.texts import JSON, PIECE, SOURCES, Claim, Shape, large, place

__all__ = ["SHAPES"]


def anthropic_citation(claim: Claim) -> JSON:
    title = f"Page {claim.number % SOURCES}"
    return {
        "type": "char_location",
        "cited_text": "Words of it.",
        "document_title": title,
        "document_index": claim.number % SOURCES,
        "start_char_index": 23,
        "end_char_index": 35,
    }


def anthropic(count: int) -> JSON:
    blocks: list[JSON] = []
    for c in large(count).claims:
        cited = [anthropic_citation(c)]
        blocks.append({"type": "text", "text": c.words, "citations": cited})
        blocks.append({"type": "text", "text": " "})
    return {"type": "message", "role": "assistant", "content": blocks}


def anthropic_events(count: int) -> list[JSON]:
    events: list[JSON] = []
    for index, block in enumerate(anthropic(count)["content"]):
        text = block["text"]
        cited = block.get("citations", ())
        deltas = [{"type": "citations_delta", "citation": citation} for citation in cited]
        deltas += [
            {"type": "text_delta", "text": text[at : at + PIECE]}
            for at in range(0, len(text), PIECE)
        ]
        begun = {"type": "text", "text": ""}
        events += [
            {"type": "content_block_start", "index": index, "content_block": begun},
            *({"type": "content_block_delta", "index": index, "delta": d} for d in deltas),
            {"type": "content_block_stop", "index": index},
        ]
    return events


def cohere_citation(claim: Claim) -> JSON:
    id_ = f"doc:{claim.number % SOURCES}"
    document = {"id": id_, "title": "A page", "snippet": "Words of it."}
    sources = [{"type": "document", "id": id_, "document": document}]
    told = {"text": claim.words, "sources": sources, "type": "TEXT_CONTENT"}
    return {**place(claim, "start", "end"), **told}


def cohere(count: int) -> JSON:
    text, claims = large(count)
    cited = {"citations": list(map(cohere_citation, claims))}
    message = {"role": "assistant", "content": [{"type": "text", "text": text}], **cited}
    return {"finish_reason": "COMPLETE", "message": message}


def cohere_events(count: int) -> list[JSON]:
    events: list[JSON] = []
    for piece, claim in large(count).pieces():
        message: JSON = {"content": {"text": piece}}
        events.append({"type": "content-delta", "index": 0, "delta": {"message": message}})
        if claim:
            message = {"citations": cohere_citation(claim)}
            events.append({"type": "citation-start", "index": 0, "delta": {"message": message}})
    return events


def cohere_v1(count: int) -> JSON:
    text, claims = large(count)
    cited = [
        {
            **place(c, "start", "end"),
            "text": c.words,
            "document_ids": [f"doc_{c.number % SOURCES}"],
        }
        for c in claims
    ]
    documents = [{"id": f"doc_{n}", "title": f"Page {n}"} for n in range(SOURCES)]
    return {"text": text, "generation_id": "g", "citations": cited, "documents": documents}


def cohere_v1_events(count: int) -> list[JSON]:
    kind = "text-generation"
    pieces = [{"event_type": kind, "text": piece} for piece, _ in large(count).pieces()]
    whole = cohere_v1(count)
    cited = [
        {"event_type": "citation-generation", "citations": [citation]}
        for citation in whole["citations"]
    ]
    return [*pieces, *cited, {"event_type": "stream-end", "response": whole}]


SHAPES = {
    "anthropic": Shape(anthropic, anthropic_events),
    "cohere": Shape(cohere, cohere_events),
    "cohere_v1": Shape(cohere_v1, cohere_v1_events),
}
