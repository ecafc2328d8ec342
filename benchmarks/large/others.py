"""What Mistral and smaller services send, and what frameworks make of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from large.openai import chunks, completion, url_citation
from large.texts import JSON, SOURCES, Claim, Shape, large, linked, place

if TYPE_CHECKING:
    from large.texts import Large

__all__ = ["SHAPES"]

PAGES: Final = 20
"""What Sonar lists, in each chunk."""


def mistral_content(count: int) -> list[JSON]:
    content: list[JSON] = []
    for claim in large(count).claims:
        content.append({"type": "text", "text": claim.words})
        content.append({"type": "reference", "reference_ids": [claim.number % SOURCES]})
        content.append({"type": "text", "text": " "})
    return content


def mistral(count: int) -> JSON:
    message = {"role": "assistant", "content": mistral_content(count)}
    choice = {"index": 0, "message": message}
    return {"object": "chat.completion", "model": "mistral-m", "choices": [choice]}


def mistral_events(count: int) -> list[JSON]:
    events: list[JSON] = []
    for piece, claim in large(count).pieces():
        contents: list[object] = [piece]
        if claim:
            contents.append([{"type": "reference", "reference_ids": [claim.number % SOURCES]}])
        for content in contents:
            choice = {"index": 0, "delta": {"content": content}}
            data = {"object": "chat.completion.chunk", "model": "m", "choices": [choice]}
            events.append({"data": data})
    return events


def tool_reference(claim: Claim) -> JSON:
    return {"type": "tool_reference", "tool": "web_search", **claim.source, "favicon": None}


def conversations(count: int) -> JSON:
    content: list[JSON] = []
    for claim in large(count).claims:
        content.append({"type": "text", "text": claim.words})
        content.append(tool_reference(claim))
        content.append({"type": "text", "text": " "})
    entry = {"type": "message.output", "id": "m", "content": content}
    return {"object": "conversation.response", "outputs": [entry]}


def conversations_events(count: int) -> list[JSON]:
    events: list[JSON] = []
    for piece, claim in large(count).pieces():
        for content in [piece, tool_reference(claim)] if claim else [piece]:
            data = {"type": "message.output.delta", "id": "m", "content": content}
            events.append({"event": "message.output.delta", "data": data})
    return events


def contextual(count: int) -> JSON:
    text, claims = large(count)
    contents = [{"content_id": f"c{n}", "doc_name": f"Page {n}"} for n in range(SOURCES)]
    cited = [
        {**place(c, "start_idx", "end_idx"), "content_ids": [f"c{c.number % SOURCES}"]}
        for c in claims
    ]
    message = {"role": "assistant", "content": text}
    return {"message": message, "retrieval_contents": contents, "attributions": cited}


def copilot_citations(claims: list[Claim]) -> JSON:
    sources = [{"id": f"s{n}", "title": f"Page {n}"} for n in range(SOURCES)]
    spans = [
        {
            **place(c, "startIndex", "endIndex"),
            "references": [{"sourceId": f"s{c.number % SOURCES}", "citedText": "Words"}],
        }
        for c in claims
    ]
    return {"sources": sources, "spans": spans}


def copilot(count: int) -> JSON:
    text, claims = large(count)
    return {"content": text, "citations": copilot_citations(claims)}


def copilot_events(count: int) -> list[JSON]:
    name, id_ = "assistant.message_delta", {"messageId": "m"}
    pieces: list[JSON] = [
        {"type": name, "data": {**id_, "deltaContent": piece}}
        for piece, _ in large(count).pieces()
    ]
    return [*pieces, {"type": "assistant.message", "data": {**id_, **copilot(count)}}]


def langchain_annotation(claim: Claim) -> JSON:
    told = url_citation(claim)
    return {**told, "type": "citation"}


def langchain(count: int) -> JSON:
    text, claims = linked(count)
    cited = {"annotations": list(map(langchain_annotation, claims))}
    return {"type": "ai", "content": [{"type": "text", "text": text, **cited}]}


def langchain_events(count: int) -> list[JSON]:
    events: list[JSON] = []
    for piece, claim in linked(count).pieces():
        block: JSON = {"type": "text", "index": 0, "text": piece}
        if claim:
            block["annotations"] = [langchain_annotation(claim)]
        events.append({"type": "AIMessageChunk", "content": [block]})
    return events


def pydantic_citation(claim: Claim) -> JSON:
    anchor = {"kind": "content", **place(claim, "start", "end")}
    source = {"kind": "web", **claim.source, "excerpts": ["Words"]}
    return {"sources": [source], "anchor": anchor}


def pydantic(count: int) -> JSON:
    text, claims = large(count)
    part = {"part_kind": "text", "content": text}
    cited = {"citations": list(map(pydantic_citation, claims))}
    return {"parts": [{**part, **cited}], "kind": "response"}


def pydantic_events(count: int) -> list[JSON]:
    begun = {"part_kind": "text", "content": ""}
    deltas: list[JSON] = [
        {"part_delta_kind": "text", "content_delta": piece}
        for piece, _ in large(count).pieces()
    ]
    return [
        {"event_kind": "part_start", "index": 0, "part": begun},
        *({"event_kind": "part_delta", "index": 0, "delta": delta} for delta in deltas),
        {"event_kind": "part_end", "index": 0, "part": pydantic(count)["parts"][0]},
    ]


def sonar_text(count: int) -> Large:
    return large(count, lambda number: f"[{number % PAGES + 1}]")


def sonar_pages() -> JSON:
    pages = [{"url": f"https://a.example/{n}", "title": f"Page {n}"} for n in range(PAGES)]
    return {"search_results": pages, "citations": [page["url"] for page in pages]}


def sonar(count: int) -> JSON:
    return {**completion(sonar_text(count).text, []), **sonar_pages()}


def sonar_events(count: int) -> list[JSON]:
    pages = sonar_pages()
    return [{**chunk, **pages} for chunk in chunks(sonar_text(count), {})]


SHAPES = {
    "contextual": Shape(contextual),
    "github_copilot": Shape(copilot, copilot_events),
    "langchain": Shape(langchain, langchain_events),
    "mistral": Shape(mistral, mistral_events),
    "mistral_conversations": Shape(conversations, conversations_events),
    "perplexity": Shape(sonar, sonar_events),
    "pydantic_ai": Shape(pydantic, pydantic_events),
}
