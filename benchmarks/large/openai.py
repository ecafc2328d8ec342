"""What OpenAI sends, and services that send annotations of its kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from large.texts import JSON, SOURCES, Claim, Shape, daggered, large, linked, numbered, place

if TYPE_CHECKING:
    from large.texts import Large

__all__ = ["SHAPES"]


def url_citation(claim: Claim) -> JSON:
    """Return an annotation of the link, or the number, after a claim."""
    end = claim.end + len(claim.mark)
    start = claim.end + claim.mark.startswith(" ")
    return {"type": "url_citation", **claim.source, "start_index": start, "end_index": end}


def completion(text: str, annotations: list[JSON], **more: object) -> JSON:
    message = {"role": "assistant", "content": text, "annotations": annotations}
    choice = {"index": 0, "message": message}
    return {"object": "chat.completion", "model": "m", "choices": [choice], **more}


def chunks(source: Large, annotation: dict[int, JSON]) -> list[JSON]:
    """Return the chunks of a completion; annotations come each in one of its own."""
    events = []
    for piece, claim in source.pieces():
        deltas: list[JSON] = [{"content": piece}]
        if claim and claim.number in annotation:
            deltas.append({"annotations": [annotation[claim.number]]})
        for delta in deltas:
            choice = {"index": 0, "delta": delta, "finish_reason": None}
            kind = "chat.completion.chunk"
            events.append({"object": kind, "model": "m", "choices": [choice]})
    return events


def nested(claim: Claim) -> JSON:
    told = url_citation(claim)
    return {"type": told.pop("type"), "url_citation": told}


def chat(count: int) -> JSON:
    text, claims = linked(count)
    return completion(text, list(map(nested, claims)))


def chat_events(count: int) -> list[JSON]:
    source = linked(count)
    return chunks(source, {claim.number: nested(claim) for claim in source.claims})


def groq_citation(claim: Claim) -> JSON:
    told = {"document_id": f"doc-{claim.number % SOURCES}", **place(claim)}
    return {"type": "document_citation", "document_citation": told}


def groq(count: int) -> JSON:
    text, claims = large(count)
    return completion(text, list(map(groq_citation, claims)))


def groq_events(count: int) -> list[JSON]:
    source = large(count)
    return chunks(source, {claim.number: groq_citation(claim) for claim in source.claims})


def response(text: str, annotations: list[JSON]) -> JSON:
    part = {"type": "output_text", "text": text, "annotations": annotations}
    item = {"type": "message", "role": "assistant", "content": [part]}
    return {"object": "response", "model": "m", "output": [item]}


def responses(count: int) -> JSON:
    text, claims = linked(count)
    return response(text, list(map(url_citation, claims)))


def responses_events(count: int) -> list[JSON]:
    source, events = linked(count), list[JSON]()
    at = {"output_index": 0, "content_index": 0, "item_id": "m"}
    for piece, claim in source.pieces():
        events.append({"type": "response.output_text.delta", **at, "delta": piece})
        if claim:
            told = {"annotation_index": claim.number, "annotation": url_citation(claim)}
            kind = "response.output_text.annotation.added"
            events.append({"type": kind, **at, **told})
    annotations = list(map(url_citation, source.claims))
    closing = {"type": "response.completed", "response": response(source.text, annotations)}
    return [*events, closing]


def dagger(claim: Claim, offset: int = 0) -> JSON:
    start, end = claim.end, claim.end + len(claim.mark)
    file = {"file_id": f"file-{claim.number % SOURCES}"}
    told = {"text": claim.mark, "file_citation": file}
    return {"type": "file_citation", **told, "start_index": start + offset, "end_index": end}


def assistants(count: int) -> JSON:
    text, claims = daggered(count)
    body = {"value": text, "annotations": list(map(dagger, claims))}
    content = [{"type": "text", "text": body}]
    return {"id": "m", "object": "thread.message", "role": "assistant", "content": content}


def assistants_events(count: int) -> list[JSON]:
    events = []
    for piece, claim in daggered(count).pieces():
        body: JSON = {"value": piece}
        if claim:
            body["annotations"] = [{"index": claim.number, **dagger(claim)}]
        delta = {"content": [{"index": 0, "type": "text", "text": body}]}
        data = {"id": "m", "object": "thread.message.delta", "delta": delta}
        events.append({"event": "thread.message.delta", "data": data})
    closing = {"event": "thread.message.completed", "data": assistants(count)}
    return [*events, closing]


def openrouter(count: int) -> JSON:
    return {"id": "gen-1", **chat(count)}


def openrouter_events(count: int) -> list[JSON]:
    return [{"id": "gen-1", **chunk} for chunk in chat_events(count)]


def perplexity_agent(count: int) -> JSON:
    text, claims = numbered(count)
    found = [
        {"id": n + 1, "url": f"https://a.example/{n}", "title": f"Page {n}", "snippet": "Words"}
        for n in range(SOURCES)
    ]
    answer = response(text, list(map(url_citation, claims)))
    results = {"type": "search_results", "results": found}
    return {**answer, "output": [results, *answer["output"]]}


def xai_citation(claim: Claim) -> JSON:
    start, end = claim.end + 1, claim.end + len(claim.mark)
    return {"start_index": start, "end_index": end, "web_citation": {"url": claim.page}}


def xai(count: int) -> JSON:
    text, claims = linked(count)
    message = {"content": text, "citations": list(map(xai_citation, claims))}
    return {"model": "m", "outputs": [{"index": 0, "message": message}], "citations": []}


def xai_events(count: int) -> list[JSON]:
    events = []
    for piece, claim in linked(count).pieces():
        cited = {"citations": [xai_citation(claim)]} if claim else {}
        output = {"index": 0, "delta": {"content": piece, **cited}}
        events.append({"model": "m", "outputs": [output]})
    return events


SHAPES = {
    "groq": Shape(groq, groq_events),
    "openai_assistants": Shape(assistants, assistants_events),
    "openai_chat": Shape(chat, chat_events),
    "openai_responses": Shape(responses, responses_events),
    "openrouter": Shape(openrouter, openrouter_events),
    "perplexity_agent": Shape(perplexity_agent),
    "xai": Shape(xai, xai_events),
}
