"""Google: Gemini's two interfaces and Vertex AI Search, whole and as a stream."""

from __future__ import annotations

import json

import pytest
from damaged import answer_of_events, chunked, damaged, payload
from hypothesis import given, settings
from hypothesis import strategies as st
from neutral import neutral

from citemark import Answer, render
from citemark.model import Location
from citemark.providers import (
    discovery_engine,
    gemini,
    gemini_interactions,
    parse,
    parse_events,
    recognise,
)

WEB = {"web": {"uri": "https://a.example/", "title": "a.example"}}


def support(text, start, end, *chunks, **more):
    segment = {"startIndex": start, "endIndex": end, "text": text}
    segment = {name: value for name, value in segment.items() if value is not None}
    return {"segment": segment, "groundingChunkIndices": list(chunks), **more}


def grounding(chunks, *supports):
    return {"groundingChunks": list(chunks), "groundingSupports": list(supports)}


def response(*parts, **candidate):
    parts = [{"text": part} if isinstance(part, str) else part for part in parts]
    return {"candidates": [{"content": {"parts": parts}, **candidate}]}


def pieces(whole):
    """Return the chunks that would bring a response: each part cut, metadata at the end."""
    candidate = whole["candidates"][0]
    for part in candidate["content"]["parts"]:
        for text in chunked(part["text"]):
            yield response({**part, "text": text})
    rest = {name: value for name, value in candidate.items() if name != "content"}
    yield {"candidates": [rest]}
    yield {"usageMetadata": {"totalTokenCount": 9}, "modelVersion": "m"}


def shown(answer):
    return [(item["place"], item["sources"]) for item in neutral(answer)]


def codes(answer):
    return [issue.code for issue in answer.issues]


@pytest.mark.parametrize("name", ["gemini_simple", "gemini_nasty", "gemini_citation_metadata"])
def test_gemini_chunks_make_the_answer_of_the_response(name):
    """Recorded or cut here, and stored in between: the answer is the same in all it holds."""
    whole = payload(f"{name}.json")
    events = [*pieces(whole)]
    answer = gemini.parse(whole)
    assert answer_of_events(gemini, events) == answer
    assert answer_of_events(gemini, json.loads(json.dumps(events))) == answer
    assert (
        answer_of_events(gemini, [{"event": "", "data": event} for event in events]) == answer
    )
    assert Answer.from_dict(json.loads(json.dumps(answer.to_dict()))) == answer
    assert {recognise(event) for event in events} == {"gemini"}


def test_gemini_recorded_chunks_make_the_answer_of_the_response():
    """As they came, one by one and at once."""
    events = payload("gemini_simple.stream.jsonl")
    answer = gemini.parse(payload("gemini_simple.json"))
    assert answer_of_events(gemini, events) == answer
    assert parse_events(events) == answer


@pytest.mark.parametrize(
    ("parts", "supports", "expected"),
    [
        # Left out zeros; bytes; a drift by two; words that are nowhere.
        (["Ä 1. B."], [support("Ä 1.", None, 5, 0)], [((0, 4), ["https://a.example/"])]),
        (["Ä 🌉. B."], [support("B.", 9, 11, 0)], [((5, 7), ["https://a.example/"])]),
        (["Ä 🌉. B."], [support("B.", 11, 13, 0)], [((5, 7), ["https://a.example/"])]),
        (["Ä 1. B."], [support("Never.", 700, 706, 0)], []),
        # Offsets over all text that is no thought, in one part, or told so and meant otherwise.
        (["Ä. ", "B."], [support("B.", 4, 6, 0)], [((3, 5), ["https://a.example/"])]),
        (
            [{"text": "Ö B.", "thought": True}, "Ä. ", "B."],
            [support("B.", 4, 6, 0)],
            [((3, 5), ["https://a.example/"])],
        ),
        (
            ["B. ", "B."],
            [
                {
                    "segment": {"partIndex": 1, "endIndex": 2, "text": "B."},
                    "groundingChunkIndices": [0],
                }
            ],
            [((3, 5), ["https://a.example/"])],
        ),
        (
            ["Ä. ", "B."],
            [
                {
                    "segment": {"partIndex": 1, "startIndex": 4, "endIndex": 6, "text": "B."},
                    "groundingChunkIndices": [0],
                }
            ],
            [((3, 5), ["https://a.example/"])],
        ),
        # Without words there is nothing to verify by: what goes past the end is cut off.
        (["Ä 1."], [support(None, 3, 50, 0)], [((2, 4), ["https://a.example/"])]),
    ],
)
def test_gemini_places(parts, supports, expected):
    """Where a support stands, from what is told of it."""
    told = response(*parts, groundingMetadata=grounding([WEB], *supports))
    assert shown(gemini.parse(told)) == expected


def part_support(part, text, start, end):
    told = support(text, start, end, 0)
    told["segment"]["partIndex"] = part
    return told


def test_gemini_offsets_of_a_part_may_be_of_the_whole_text():
    """What fits exactly needs no mending."""
    told = grounding([WEB], part_support(1, "B.", 4, 6))
    answer = gemini.parse(response("Ä. ", "B.", groundingMetadata=told))
    assert shown(answer) == [((3, 5), ["https://a.example/"])]
    assert codes(answer) == []


def test_gemini_parts_of_a_stream_go_on_over_chunks():
    """Text of a chunk goes on with the part before it, unless that was something else."""
    call = {"functionCall": {"name": "f"}}
    told = grounding([WEB], part_support(2, "B.", 0, 2))
    chunks = [response("Ä 1. "), response("B. "), response(call), response("B.")]
    chunks[-1]["candidates"][0] |= {"groundingMetadata": told, "finishReason": "STOP"}
    answer = answer_of_events(gemini, chunks)
    assert shown(answer) == [((8, 10), ["https://a.example/"])]
    assert gemini.parse(response("Ä 1. B. ", call, "B.", groundingMetadata=told)) == answer


def test_gemini_supports_may_come_after_their_chunks():
    """In metadata of their own."""
    early = response("Hello.", groundingMetadata={"groundingChunks": [WEB]})
    late = response(groundingMetadata=grounding([], support("Hello.", 0, 6, 0)))
    answer = answer_of_events(gemini, [early, late])
    assert shown(answer) == [((0, 6), ["https://a.example/"])]


def test_gemini_chunk_kinds():
    """Pages, passages with their pages, places and images; what is none keeps its index."""
    passage = {"uri": "gs://b/a.pdf", "title": "a.pdf", "text": "Eight.", "pageNumber": 4}
    rag = {
        "uri": "gs://b/a.pdf",
        "title": "a.pdf",
        "ragChunk": {"text": "Nine.", "pageSpan": {"firstPage": 2, "lastPage": 3}},
    }
    stored = {"title": "manual.pdf", "text": "Ten.", "fileSearchStore": "fileSearchStores/1"}
    place = {"uri": "https://maps.example/?cid=1", "title": "Pier", "placeId": "places/1"}
    image = {"sourceUri": "https://i.example/", "imageUri": "https://i.example/1.png"}
    chunks = [
        {"retrievedContext": passage},
        {"retrievedContext": rag},
        {"hologram": {"uri": "x"}},
        {"retrievedContext": stored},
        {"maps": place},
        {"image": image},
        "junk",
        WEB,
    ]
    told = response(
        "All.", groundingMetadata=grounding(chunks, support("All.", 0, 4, *range(8)))
    )
    answer = gemini.parse(told)
    segment = answer.segments[1]
    assert [
        (c.source.id, c.source.kind, c.source.page, c.source.text) for c in segment.citations
    ] == [
        ("gs://b/a.pdf", "chunk", 4, "Eight."),
        ("gs://b/a.pdf#2", "chunk", 2, "Nine."),
        ("manual.pdf", "chunk", None, "Ten."),
        ("places/1", "place", None, ""),
        ("https://i.example/", "image", None, ""),
        ("https://a.example/", "web", None, ""),
    ]
    assert segment.citations[1].locations == (Location("page", 2, 4),)
    assert codes(answer) == [
        "unknown_source",
        "unknown_source",
        "unknown_chunk",
        "unknown_chunk",
    ]


def test_gemini_scores_are_of_their_chunks():
    """Where there are fewer scores than chunks the others have none."""
    told = grounding(
        [WEB, {"web": {"uri": "b"}}], support("A.", 0, 2, 0, 1, confidenceScores=[0.5])
    )
    citations = gemini.parse(response("A.", groundingMetadata=told)).segments[1].citations
    assert [citation.confidence for citation in citations] == [0.5, None]


def test_gemini_recitation_is_an_issue_with_its_place():
    """Whose words they are is told; that is no citation."""
    answer = gemini.parse(payload("gemini_citation_metadata.json"))
    (issue,) = answer.issues
    assert (issue.code, issue.start, issue.end) == ("recitation", 7, 39)
    assert issue.key == "https://poems.example/light"
    assert [source.metadata["license"] for source in answer.consulted] == ["cc-by"]
    renamed = payload("gemini_citation_metadata.json")
    metadata = renamed["candidates"][0]["citationMetadata"]
    metadata["citations"] = metadata.pop("citationSources")
    assert gemini.parse(renamed) == answer
    del metadata["citations"][0]["uri"]
    answer = gemini.parse(renamed)
    assert codes(answer) == ["recitation"]
    assert answer.consulted == ()


def test_gemini_thoughts_stand_aside_and_do_not_count():
    """A thought is beside the answer."""
    answer = gemini.parse(payload("gemini_nasty.json"))
    assert [(aside.channel, aside.segments[0].text) for aside in answer.asides] == [
        ("thinking", "planning…")
    ]


def test_gemini_names_what_it_does_not_know():
    """Further candidates, parts and fields are counted, not dropped without a word."""
    told = response("A.", {"telepathy": {}}, groundingMetadata={"aura": 1}, mood="good")
    told["candidates"].append({"index": 1, "content": {"parts": [{"text": "Other."}]}})
    answer = gemini.parse(told)
    assert answer.text == "A."
    assert sorted(codes(answer)) == [
        "choice",
        "unknown_field",
        "unknown_field",
        "unknown_part",
    ]


def test_gemini_pages_that_were_read_are_consulted():
    """Those that could not be read are not."""
    pages = [
        {"retrievedUrl": "https://a.example/", "urlRetrievalStatus": "STATUS_SUCCESS"},
        {"retrievedUrl": "https://b.example/", "urlRetrievalStatus": "STATUS_ERROR"},
    ]
    answer = gemini.parse(response("A.", urlContextMetadata={"urlMetadata": pages}))
    assert [source.id for source in answer.consulted] == ["https://a.example/"]


def test_gemini_blocked_prompt_is_an_empty_answer():
    """Nothing was generated."""
    told = {"promptFeedback": {"blockReason": "SAFETY"}}
    assert recognise(told) == "gemini"
    assert parse(told).segments == ()


def test_c129_grounding_in_an_early_chunk_is_kept():
    """The last chunk has none (vercel/ai#13123); or it repeats it, which counts once."""
    told = grounding([WEB], support("Hello.", 0, 6, 0))
    early = response("Hello.", groundingMetadata=told)
    last = {"candidates": [{"finishReason": "STOP"}]}
    answer = answer_of_events(gemini, [early, last])
    assert shown(answer) == [((0, 6), ["https://a.example/"])]
    last["candidates"][0]["groundingMetadata"] = told
    assert answer_of_events(gemini, [early, last]) == answer


def test_c130_a_chunk_of_usage_alone_comes_last():
    """Sources of the chunk before it stay (laravel/ai#912), and so do those without support."""
    events = [
        response("Hello."),
        {
            "candidates": [
                {"finishReason": "STOP", "groundingMetadata": {"groundingChunks": [WEB]}}
            ]
        },
        {"usageMetadata": {"totalTokenCount": 9}},
    ]
    answer = answer_of_events(gemini, events)
    assert [source.id for source in answer.consulted] == ["https://a.example/"]


def test_c154_a_citation_stands_after_a_link_that_its_words_are_in():
    """It is not put into the link (propublica/gas-ssi-toolkit#47)."""
    text = "See [the roster](https://example.org/r) today."
    answer = gemini.parse(
        response(text, groundingMetadata=grounding([WEB], support(None, 5, 15, 0)))
    )
    assert answer.segments[0].text == "See [the roster](https://example.org/r)"
    assert "https://example.org/r)[1] today." in render(answer, "text")
    assert "moved" in codes(answer)


def interaction(*content):
    return {
        "steps": [{"type": "model_output", "content": list(content)}],
        "status": "completed",
    }


def annotated(text, *annotations):
    return {"type": "text", "text": text, "annotations": list(annotations)}


def url(address, start, end):
    kind = "url_citation"
    return {"type": kind, "url": address, "start_index": start, "end_index": end}


def test_interactions_events_make_the_answer_of_the_response():
    """Recorded, and stored in between; annotations again in the closing event count once."""
    whole = payload("gemini_interactions.json")
    events = payload("gemini_interactions.stream.jsonl")
    answer = gemini_interactions.parse(whole)
    assert answer_of_events(gemini_interactions, events) == answer
    assert answer_of_events(gemini_interactions, json.loads(json.dumps(events))) == answer
    assert {recognise(event) for event in events} == {"gemini_interactions"}
    events[-1]["interaction"] = whole
    assert answer_of_events(gemini_interactions, events) == answer


def test_interactions_final_text_replaces_the_streamed_one():
    """What closes a stream is what counts."""
    events = [
        {"event_type": "step.start", "step": {"type": "thought", "summary": [{"text": "Hm."}]}},
        {"event_type": "step.start", "index": 0, "step": {"type": "model_output"}},
        {"event_type": "step.delta", "index": 0, "delta": {"type": "text", "text": "Ah. "}},
        {
            "event_type": "interaction.completed",
            "interaction": interaction(annotated("Ä. B.", url("u", 4, 6))),
        },
    ]
    answer = answer_of_events(gemini_interactions, events)
    assert (answer.text, shown(answer)) == ("Ä. B.", [((3, 5), ["u"])])
    assert answer.asides == ()


def test_interactions_offsets_count_in_their_block():
    """Each block from 0; an image between them has no text."""
    told = interaction(
        annotated("Ä 1. ", url("a", 3, 5)), {"type": "image"}, annotated("Ö 2.", url("b", 3, 5))
    )
    assert shown(gemini_interactions.parse(told)) == [((2, 4), ["a"]), ((7, 9), ["b"])]
    events = [
        {"event_type": "step.delta", "delta": delta}
        for delta in (
            {"type": "text", "text": "Ä 1. "},
            {"type": "text_annotation_delta", "annotations": [url("a", 3, 5)]},
            {"type": "text", "text": "Ö 2."},
            {"type": "text_annotation_delta", "annotations": [url("b", 3, 5)]},
        )
    ]
    answer = answer_of_events(gemini_interactions, events)
    assert shown(answer) == [((2, 4), ["a"]), ((7, 9), ["b"])]


def test_interactions_steps_beside_the_text():
    """Thoughts stand aside, what tools read is consulted, what is unknown is counted."""
    summary = [{"type": "text", "text": "Hm."}]
    read = [{"url": "https://r.example/", "status": "success"}, {"url": "x", "status": "error"}]
    places = [{"places": [{"place_id": "places/1", "name": "Pier"}]}]
    told = interaction(
        annotated(
            *("A.", {"type": "aura"}, {"type": "word_info"}),
            *({"type": "url_citation"}, {"type": "file_citation"}),
        ),
        {"type": "scent"},
    )
    told["steps"] += [
        {"type": "thought", "summary": summary},
        {"type": "google_search_call"},
        {"type": "url_context_result", "result": read},
        {"type": "google_maps_result", "result": places},
        {"type": "seance"},
    ]
    answer = gemini_interactions.parse(told)
    assert [source.id for source in answer.consulted] == ["https://r.example/", "places/1"]
    assert answer.asides[0].segments[0].text == "Hm."
    assert codes(answer) == [
        *("no_source", "no_source"),
        *("unknown_annotation", "unknown_content", "unknown_step"),
    ]
    thought = {"type": "thought_summary", "content": {"text": "Hm."}}
    streamed = answer_of_events(
        gemini_interactions,
        [
            {"event_type": "step.delta", "delta": thought},
            {"event_type": "?"},
            {"event_type": "interaction.completed"},
        ],
    )
    assert streamed.asides == answer.asides
    assert codes(streamed) == ["unknown_event"]


def passage(name, text, **more):
    document = {"document": f"docs/{name}", "uri": f"https://d.example/{name}", "title": name}
    return {"chunkInfo": {"content": text, "documentMetadata": {**document, **more}}}


def cited(start, end, *indices, **more):
    sources = [{"referenceId": str(index)} for index in indices]
    return {"startIndex": str(start), "endIndex": str(end), "sources": sources, **more}


NASTY = {
    "answer": {
        "state": "SUCCEEDED",
        "answerText": "Der Urlaub – 25 Tage 🌴. Er verfällt im März. Ende.",
        "citations": [
            {"endIndex": "28", "sources": [{"referenceId": "0"}]},
            cited(29, 51, 0, 2),
            cited(29, 51, 1),
            cited(52, 57),
            cited(52, 57, 9),
        ],
        "groundingSupports": [cited(29, 51, 0, groundingScore=0.75)],
        "references": [
            passage("d0", "25 Tage", pageIdentifier="4"),
            passage("d0", "März", pageIdentifier="iv"),
            {
                "structuredDocumentInfo": {
                    "document": "docs/r",
                    "structData": {"title": "R", "n": 3},
                }
            },
        ],
    },
    "answerQueryToken": "t",
}


def test_discovery_engine_nasty():
    """Bytes as texts, zeros left out, one place told twice, scores, indices out of range."""
    answer = discovery_engine.parse(NASTY)
    assert recognise(NASTY) == "discovery_engine"
    assert shown(answer) == [
        ((0, 23), ["docs/d0"]),
        ((24, 44), ["docs/d0", "docs/r", "docs/d0#2"]),
    ]
    assert codes(answer) == ["no_source", "unknown_source"]
    citations = answer.segments[3].citations
    assert {citation.confidence for citation in citations} == {0.75}
    assert [citation.source.page for citation in citations] == [4, None, "iv"]
    assert [citation.source.text for citation in citations][1] == "n: 3\ntitle: R"
    assert citations[0].locations == (Location("page", 4, 5),)


@pytest.mark.parametrize("is_repeated", [True, False])
def test_discovery_engine_messages_make_the_answer_of_the_response(is_repeated):
    """Whether or not the last message has all the text once more."""
    whole = NASTY["answer"]
    last = {**whole, "answerText": whole["answerText"] if is_repeated else ""}
    events = [
        *(
            {"answer": {"state": "STREAMING", "answerText": text}}
            for text in chunked(whole["answerText"])
        ),
        {"answer": last},
        {"answerQueryToken": "t"},
    ]
    assert {recognise(event) for event in events} == {"discovery_engine"}
    answer = answer_of_events(discovery_engine, events)
    assert answer == discovery_engine.parse(NASTY)


def test_discovery_engine_messages_that_grow():
    """Each has all the text so far."""
    text = "Leave is 25 days. It lapses."
    events = [{"answer": {"answerText": text[:end]}} for end in (6, 17, len(text))]
    assert answer_of_events(discovery_engine, events).text == text


def test_discovery_engine_summary_of_a_search():
    """It has the same parts under other names."""
    told = {
        "summary": {
            "summaryText": "Leave is 25 days [1].",
            "summaryWithMetadata": {
                "summary": "Leave is 25 days.",
                "citationMetadata": {"citations": [{"endIndex": "17", "sources": [{}]}]},
                "references": [
                    {"title": "D", "document": "docs/d", "uri": "https://d.example/"}
                ],
            },
        }
    }
    assert recognise(told) == "discovery_engine"
    assert discovery_engine.parse({"summary": "Of something else."}).segments == ()
    assert shown(parse(told)) == [((0, 17), ["docs/d"])]


CASES = [
    (gemini, payload("gemini_nasty.json")),
    (gemini, payload("gemini_citation_metadata.json")),
    (gemini_interactions, payload("gemini_interactions.json")),
    (discovery_engine, NASTY),
]
STREAMS = [
    (gemini, [*pieces(payload("gemini_nasty.json"))][-4:]),
    (gemini_interactions, payload("gemini_interactions.stream.jsonl")),
    (discovery_engine, [NASTY, NASTY]),
]


@settings(max_examples=150)
@given(
    st.sampled_from(CASES).flatmap(lambda case: st.tuples(st.just(case[0]), damaged(case[1])))
)
def test_damaged_responses_never_raise(case):
    """What is usable is given, and can be stored."""
    adapter, response_ = case
    answer = adapter.parse(response_)
    assert "".join(segment.raw for segment in answer.segments) == answer.text


@settings(max_examples=100)
@given(
    st.sampled_from(STREAMS).flatmap(lambda case: st.tuples(st.just(case[0]), damaged(case[1])))
)
def test_damaged_streams_never_raise(case):
    """Events are as damaged as they may be."""
    adapter, events = case
    events = events if isinstance(events, list) else [events]
    answer = answer_of_events(adapter, events)
    assert "".join(segment.raw for segment in answer.segments) == answer.text


@pytest.mark.parametrize("adapter", [gemini, gemini_interactions, discovery_engine])
@pytest.mark.parametrize("response_", [None, [], {}, "x", 3, {"candidates": None}])
def test_what_is_no_response_is_an_empty_answer(adapter, response_):
    """It is not for an adapter to refuse it."""
    assert adapter.parse(response_).segments == ()


PIECES = st.sampled_from(["橋", "🌉", "e\u0301", "word ", "Ä", ". ", "👩\u200d🔧 ", "\n\n"])


@given(st.lists(st.lists(PIECES, min_size=1, max_size=6).map("".join), min_size=1, max_size=5))
def test_bytes_of_any_text_select_its_words(sentences):
    """Each sentence is cited by the bytes that it takes."""
    sentences = [f"{n} {sentence}x." for n, sentence in enumerate(sentences)]
    text, supports, places = "", [], []
    for sentence in sentences:
        start = len(text.encode())
        places.append((len(text), len(text) + len(sentence)))
        text += sentence
        supports.append(support(sentence, start, len(text.encode()), 0))
    answer = gemini.parse(response(text, groundingMetadata=grounding([WEB], *supports)))
    assert [place for place, _ in shown(answer)] == places
    assert "span_shifted" not in codes(answer)
