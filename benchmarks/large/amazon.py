"""What services of Amazon send."""

from __future__ import annotations

from large.texts import JSON, PIECE, SOURCES, Claim, Shape, large, place

__all__ = ["SHAPES"]


def amazon_q(count: int) -> JSON:
    text, claims = large(count)
    sources = [
        {
            "title": f"Page {n}",
            "snippet": "words",
            "citationNumber": n + 1,
            "textMessageSegments": [
                {**place(c, "beginOffset", "endOffset"), "snippetExcerpt": {"text": "words"}}
                for c in claims[n::SOURCES]
            ],
        }
        for n in range(min(SOURCES, count))
    ]
    return {"systemMessage": text, "sourceAttributions": sources}


def amazon_q_events(count: int) -> list[JSON]:
    pieces = [{"textEvent": {"systemMessage": text}} for text, _ in large(count).pieces()]
    told = {"sourceAttributions": amazon_q(count)["sourceAttributions"]}
    return [*pieces, {"metadataEvent": told}]


def converse_citation(claim: Claim) -> JSON:
    name = f"page {claim.number % SOURCES}"
    at = {"documentIndex": claim.number % SOURCES, "start": 20, "end": 43}
    words = [{"text": "Words of it."}]
    located = {"location": {"documentChar": at}, "sourceContent": words}
    return {"title": name, "source": name, **located}


def converse(count: int) -> JSON:
    blocks: list[JSON] = []
    for c in large(count).claims:
        cited = {"content": [{"text": c.words}], "citations": [converse_citation(c)]}
        blocks += [{"citationsContent": cited}, {"text": " "}]
    return {"output": {"message": {"role": "assistant", "content": blocks}}}


def converse_events(count: int) -> list[JSON]:
    events: list[JSON] = []

    def add(index: int, delta: JSON) -> None:
        events.append({"contentBlockDelta": {"contentBlockIndex": index, "delta": delta}})

    for c in large(count).claims:
        for at in range(0, len(c.words), PIECE):
            add(2 * c.number, {"text": c.words[at : at + PIECE]})
        add(2 * c.number, {"citation": converse_citation(c)})
        events.append({"contentBlockStop": {"contentBlockIndex": 2 * c.number}})
        add(2 * c.number + 1, {"text": " "})
        events.append({"contentBlockStop": {"contentBlockIndex": 2 * c.number + 1}})
    return events


def retrieved(claim: Claim) -> JSON:
    words = {"text": claim.words, "span": {"start": claim.start, "end": claim.end - 1}}
    uri = f"s3://a/{claim.number % SOURCES}.pdf"
    reference = {
        "content": {"text": "Words of it.", "type": "TEXT"},
        "location": {"type": "S3", "s3Location": {"uri": uri}},
        "metadata": {"x-amz-bedrock-kb-source-uri": uri},
    }
    part = {"textResponsePart": words}
    return {"generatedResponsePart": part, "retrievedReferences": [reference]}


def rag(count: int) -> JSON:
    text, claims = large(count)
    return {"output": {"text": text}, "citations": list(map(retrieved, claims))}


def rag_events(count: int) -> list[JSON]:
    events: list[JSON] = []
    for piece, claim in large(count).pieces():
        events.append({"output": {"text": piece}})
        events += [{"citation": retrieved(claim)}] if claim else []
    return events


def agent_events(count: int) -> list[JSON]:
    events: list[JSON] = []
    for piece, claim in large(count).pieces():
        cited = {"attribution": {"citations": [retrieved(claim)]}} if claim else {}
        events.append({"chunk": {"bytes": piece.encode(), **cited}})
    return events


def agentic_events(count: int) -> list[JSON]:
    text, claims = large(count)
    events = [{"responseEvent": {"text": piece}} for piece, _ in large(count).pieces()]
    results = [
        {"content": {"text": f"Words {n}."}, "sourceRetriever": {"identifier": "KB"}}
        for n in range(SOURCES)
    ]
    cited = [
        {
            **place(c, "startIndex", "endIndex"),
            "references": [{"resultIndex": c.number % SOURCES}],
        }
        for c in claims
    ]
    generated = {"answer": text, "citations": cited}
    return [*events, {"result": {"generatedResponse": generated, "results": results}}]


SHAPES = {
    "amazon_q": Shape(amazon_q, amazon_q_events),
    "bedrock_agent": Shape(agent_events, agent_events),
    "bedrock_agentic": Shape(agentic_events, agentic_events),
    "bedrock_converse": Shape(converse, converse_events),
    "bedrock_rag": Shape(rag, rag_events),
}
