"""Cohere: both versions of its chat, and what its models write themselves."""

from __future__ import annotations

import json

import pytest
from damaged import answer_of_events, chunked, damaged, payload
from hypothesis import given, settings
from hypothesis import strategies as st
from neutral import neutral

from citemark import Answer
from citemark.providers import cohere, cohere_raw, cohere_v1, parse_events, recognise
from citemark.providers._stream import Placement

TEXT = "Ohé ⛵: 12 °C, the mast is 212 m. The mast is red."
THINKING = "The tool says 12 °C."
PLAN = "I will ask the weather tool."
WEATHER = {
    "type": "tool",
    "id": "weather_1:0",
    "tool_output": {"id": "w", "temp": 12, "unit": "°C"},
}
TOWERS = {
    "type": "document",
    "id": "towers",
    "document": {"title": "Towers", "snippet": "212 m."},
}
BARE = {"type": "document", "id": "doc:3"}


def cited(text, start, *sources, kind="TEXT_CONTENT", **more):
    end = start + len(text)
    return {
        "start": start,
        "end": end,
        "text": text,
        "sources": [*sources],
        "type": kind,
        **more,
    }


NASTY = {
    "id": "c1",
    "finish_reason": "COMPLETE",
    "message": {
        "role": "assistant",
        "tool_plan": PLAN,
        "content": [{"type": "thinking", "thinking": THINKING}, {"type": "text", "text": TEXT}],
        "citations": [
            cited("12 °C", 7, WEATHER, content_index=1),
            cited("212 m", 26, TOWERS, WEATHER, content_index=1),
            # Three characters late, and words that are there twice.
            cited("The mast", 36, BARE, content_index=1),
            cited("12 °C", 14, WEATHER, kind="THINKING_CONTENT", content_index=0),
            cited("the weather tool", 11, WEATHER, kind="PLAN"),
            cited("213 m", 26, TOWERS, content_index=1),
            cited("red", 45, content_index=1),
        ],
    },
}


def event(kind, index=None, **message):
    return {"type": kind, "index": index, "delta": {"message": message}}


def events_of(response, *, is_fast):
    """Return the events that would bring a response."""
    message = response["message"]
    citations = list(enumerate(message["citations"]))
    yield event("message-start", role="assistant", content=[], citations=[])
    for text in chunked(message.get("tool_plan", "")):
        yield event("tool-plan-delta", tool_plan=text)
    yield {"type": "tool-call-start", "index": 0}
    length = 0
    for index, block in enumerate(message["content"]):
        kind = block["type"]
        yield event("content-start", index, content={"type": kind, kind: ""})
        for text in chunked(block[kind]):
            yield event("content-delta", index, content={kind: text})
            length += len(text) if kind == "text" else 0
            while is_fast and kind == "text" and citations and citations[0][1]["end"] <= length:
                number, citation = citations.pop(0)
                yield event("citation-start", number, citations=citation)
                yield {"type": "citation-end", "index": number}
        yield {"type": "content-end", "index": index}
    for number, citation in citations:
        yield event("citation-start", number, citations=citation)
        yield {"type": "citation-end", "index": number}
    yield {"type": "message-end", "delta": {"finish_reason": "COMPLETE"}}


def shown(answer):
    return [(item["place"], item["sources"]) for item in neutral(answer)]


def codes(answer):
    return [issue.code for issue in answer.issues]


def test_v2_nasty():
    """Text, thinking and plan; documents and results; a drift, words that are nowhere."""
    answer = cohere.parse(NASTY)
    assert recognise(NASTY) == "cohere"
    assert answer.text == TEXT
    assert shown(answer) == [
        ((7, 12), ["weather_1:0"]),
        ((26, 31), ["towers", "weather_1:0"]),
        ((33, 41), ["doc:3"]),
    ]
    assert codes(answer) == ["no_source", "span_out_of_range", "span_shifted"]
    weather = answer.sources[0]
    assert (weather.kind, weather.text) == ("tool", "temp: 12\nunit: °C")
    beside = [(aside.channel, aside.segments[0].text) for aside in answer.asides]
    assert sorted(beside) == [("plan", PLAN[:-1]), ("thinking", THINKING[:-1])]
    numbers = {aside.segments[1].citations[0].number for aside in answer.asides}
    assert numbers == {1}


@pytest.mark.parametrize("is_fast", [True, False])
@pytest.mark.parametrize("response", [NASTY, payload("cohere_v2_simple.json")])
def test_v2_events_make_the_answer_of_the_response(response, is_fast):
    """Citations among the text or after it; events stored in between, or still wrapped."""
    answer = cohere.parse(response)
    events = [*events_of(response, is_fast=is_fast)]
    assert {recognise(one) for one in events} == {"cohere"}
    assert answer_of_events(cohere, events) == answer
    assert answer_of_events(cohere, json.loads(json.dumps(events))) == answer
    wrapped = [{"event": one["type"], "data": json.dumps(one)} for one in events]
    assert answer_of_events(cohere, wrapped) == answer
    assert parse_events(events) == answer
    assert Answer.from_dict(json.loads(json.dumps(answer.to_dict()))) == answer


@pytest.mark.parametrize("name", ["accurate", "fast"])
def test_v2_recorded_events_make_the_answer_of_the_response(name):
    """As they came."""
    events = payload(f"cohere_v2_simple.{name}.stream.jsonl")
    answer = answer_of_events(cohere, events)
    assert answer == cohere.parse(payload("cohere_v2_simple.json"))


def test_v2_citations_among_the_text_are_shown_before_its_end():
    """Each when the next one has come in another paragraph, with the number that it keeps."""
    stream = cohere.StreamAdapter()
    one, two = (
        {
            "start": at,
            "end": at + 3,
            "text": text,
            "sources": [{"type": "document", "id": text}],
        }
        for at, text in ((0, "One"), (6, "Two"))
    )
    events = [
        event("content-delta", 0, content={"text": "One.\n\n"}),
        event("citation-start", 0, citations=one),
        event("content-delta", 0, content={"text": "Two."}),
        event("citation-start", 0, citations=two),
    ]
    early = [
        found for told in events for found in stream.feed(told) if isinstance(found, Placement)
    ]
    late = [found for found in stream.close() if isinstance(found, Placement)]
    assert [(one.start, one.segment.citations[0].number) for one in early] == [(3, 1)]
    assert [(one.start, one.segment.citations[0].number) for one in late] == [(9, 2)]
    assert [one.segment for one in (*early, *late)] == [
        segment for segment in stream.answer.segments if not hasattr(segment, "text")
    ]


def test_c134_an_event_holds_a_whole_citation():
    """The answer of the stream is that of the response (vercel/ai#17107)."""
    citation = {"start": 0, "end": 16, "text": "Emperor penguins", "sources": [{"id": "doc:0"}]}
    events = [
        event("content-delta", 0, content={"text": "Emperor penguins are tall."}),
        event("citation-start", 0, citations=citation),
        {"type": "citation-end", "index": 0},
    ]
    answer = answer_of_events(cohere, events)
    assert shown(answer) == [((0, 16), ["doc:0"])]
    assert [segment.raw for segment in answer.segments] == [
        "Emperor penguins",
        "",
        " are tall.",
    ]
    events[1]["delta"]["message"]["citations"] = [citation]
    assert answer_of_events(cohere, events) == answer


def test_v2_documents_of_the_request_are_consulted():
    """Cited or not, in the order of the request; without id they have the service's."""
    asked = {
        "documents": ["First.", {"id": "towers", "data": {"title": "T", "text": "Whole."}}]
    }
    answer = cohere.parse(NASTY, request=asked)
    assert [(source.id, source.text) for source in answer.consulted] == [("doc:0", "First.")]
    assert [source.text for source in answer.sources if source.id == "towers"] == ["Whole."]


def test_v2_offsets_count_in_their_block():
    """Where there are several blocks of text; words decide where that was meant otherwise."""
    told = {
        "finish_reason": "COMPLETE",
        "message": {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "One. One."},
                {"type": "text", "text": " Two One. Six."},
            ],
            "citations": [
                cited("One.", 5, BARE, content_index=1),
                cited("Six.", 19, TOWERS, content_index=1),
            ],
        },
    }
    answer = cohere.parse(told)
    assert shown(answer) == [((14, 18), ["doc:3"]), ((19, 23), ["towers"])]
    assert codes(answer) == []
    assert answer_of_events(cohere, events_of(told, is_fast=False)) == answer


def test_v2_a_block_in_pieces_counts_in_the_whole_text():
    """Pieces of blocks may come in turns; only the first piece is a block."""
    texts = [(0, "One. "), (1, "Two. "), (0, "Three. "), (0, "Four. "), (1, "Five.")]
    events = [event("content-delta", index, content={"text": text}) for index, text in texts]
    events += [
        event("citation-start", 0, citations=cited("Four.", 17, BARE, content_index=0)),
        event("citation-start", 1, citations=cited("Five.", 23, TOWERS, content_index=1)),
        event("citation-start", 2, citations=cited("Two.", 0, TOWERS, content_index=1)),
        event(
            "citation-start", 3, citations=cited("wo.", 6, BARE, content_index=1) | {"text": ""}
        ),
        {"type": "message-end"},
    ]
    answer = answer_of_events(cohere, events)
    assert shown(answer) == [
        ((5, 9), ["towers"]),
        ((6, 9), ["doc:3"]),
        ((17, 22), ["doc:3"]),
        ((23, 28), ["towers"]),
    ]
    assert codes(answer) == []


def test_v2_content_that_is_a_text():
    """As gateways send it."""
    message = {"role": "assistant", "content": "Yes.", "citations": [cited("Yes.", 0, BARE)]}
    assert recognise({"message": message}) == "cohere"
    assert shown(cohere.parse({"message": message})) == [((0, 4), ["doc:3"])]


def test_v2_names_what_it_does_not_know():
    """Events, blocks, kinds of citations and sources, and fields."""
    source = {"type": "oracle", "id": "o", "mood": 1}
    events = [
        event("content-delta", 0, content={"text": "Yes."}),
        event("content-start", 1, content={"type": "scent"}),
        event("citation-start", 0, citations=cited("Yes.", 0, source, kind="DREAM", aura=1)),
        {"type": "citation-middle"},
        {"type": "message-end"},
    ]
    answer = answer_of_events(cohere, events)
    assert shown(answer) == [((0, 4), ["o"])]
    assert sorted(set(codes(answer))) == [
        "unknown_block",
        "unknown_citation",
        "unknown_event",
        "unknown_field",
        "unknown_source",
    ]


def test_v2_citations_of_thinking_that_did_not_come():
    """Their sources are consulted; no empty aside is made for them."""
    told = {
        "message": {
            "role": "assistant",
            "content": [],
            "citations": [cited("x", 0, TOWERS, kind="THINKING_CONTENT")],
        }
    }
    answer = cohere.parse(told)
    assert answer.asides == ()
    assert codes(answer) == ["span_out_of_range"]
    assert [source.id for source in answer.consulted] == ["towers"]


def test_v1_events_make_the_answer_of_the_response():
    """The last event repeats all of it, which counts once; the end is exclusive."""
    events = payload("cohere_v1_simple.stream.jsonl")
    answer = cohere_v1.parse(payload("cohere_v1_simple.json"))
    assert {recognise(one) for one in events} == {"cohere_v1"}
    assert answer_of_events(cohere_v1, events) == answer
    assert answer_of_events(cohere_v1, json.loads(json.dumps(events))) == answer
    assert codes(answer) == []


def test_v1_stream_that_is_cut_off_has_sources_without_titles():
    """The documents would have come with the last event; those of the request do as well."""
    events = payload("cohere_v1_simple.stream.jsonl")[:-1]
    answer = answer_of_events(cohere_v1, events)
    assert shown(answer) == [((7, 15), ["doc_0"]), ((20, 31), ["doc_1", "doc_0"])]
    assert [source.title for source in answer.sources] == ["", ""]
    asked = {"documents": [{"title": "Towers"}, {"title": "Paint"}]}
    answer = answer_of_events(cohere_v1, events, request=asked)
    assert [source.title for source in answer.sources] == ["Towers", "Paint"]


def test_v1_faults():
    """A document that is not in the list, a citation of none, a last text that differs."""
    response = payload("cohere_v1_simple.json")
    response["citations"][0]["document_ids"] = ["doc_9"]
    response["citations"].append({"start": 0, "end": 3, "text": "Ohé", "document_ids": []})
    answer = cohere_v1.parse(response)
    assert shown(answer) == [((20, 31), ["doc_1", "doc_0"])]
    assert sorted(codes(answer)) == ["no_source", "unknown_source"]
    events = [
        {"event_type": "text-generation", "text": "Ohé ⛵: the  mast"},
        {"event_type": "aura"},
        {"event_type": "stream-end", "response": payload("cohere_v1_simple.json")},
    ]
    answer = answer_of_events(cohere_v1, events)
    assert answer.segments == cohere_v1.parse(payload("cohere_v1_simple.json")).segments
    assert codes(answer) == ["unknown_event"]


DOCUMENTS = {"documents": ["Zero.", {"id": "one", "text": "One."}, {"title": "Two"}]}
RESULTS = {"tool_results": [{"call": {"name": "w"}, "outputs": [{"temp": 12}]}]}
TOOL_MESSAGES = {
    "messages": [
        {"role": "user", "content": "?"},
        {
            "role": "tool",
            "tool_call_id": "a",
            "content": [
                {"type": "document", "document": {"id": "w", "data": {"text": "Warm."}}}
            ],
        },
        {"role": "tool", "tool_call_id": "b", "content": "Cold."},
    ]
}


@pytest.mark.parametrize(
    ("text", "request_", "shown_text", "expected"),
    [
        (
            "A <co>b c</co: 0:[1,2],1:[0]> d.",
            DOCUMENTS | RESULTS,
            "A b c d.",
            [((2, 5), ["one", "0:2", "1:0"])],
        ),
        ("A <co: 0,1>b c</co: 0,1> d.", DOCUMENTS, "A b c d.", [((2, 5), ["0:0", "one"])]),
        # The results of all calls are counted on.
        (
            "<co: 0>b</co: 0> <co: 1>c</co: 1>",
            TOOL_MESSAGES,
            "b c",
            [((0, 1), ["w"]), ((2, 3), ["1:0"])],
        ),
        # Empty lists, tags over paragraphs, tags that are not closed or were not opened.
        ("A <co>b</co: 0:[]> <co>c", DOCUMENTS, "A b c", []),
        ("<co>b\n\nc</co: 0:[1]> d", DOCUMENTS, "b\n\nc d", [((0, 4), ["one"])]),
        ("b</co: 0:[1]> d", DOCUMENTS, "b d", [((1, 1), ["one"])]),
        ("`<co>b</co: 0:[1]>`", DOCUMENTS, "`<co>b</co: 0:[1]>`", []),
        # An id that is a number is not what an index names.
        ("<co: 2>b</co: 2>", {"documents": [{"id": "2", "text": "x"}]}, "b", []),
        (
            "<|START_THINKING|><co>a<|END_THINKING|><|START_RESPONSE|>b</co: 0:[1]>",
            *(DOCUMENTS, "b", [((1, 1), ["one"])]),
        ),
        # Special tokens, and the two answers of older models.
        (
            (
                "<|START_ACTION|>[]<|END_ACTION|>\n"
                "<|START_RESPONSE|><co>b</co: 0:[0]><|END_RESPONSE|>"
            ),
            DOCUMENTS,
            "b",
            [((0, 1), ["0:0"])],
        ),
        (
            (
                "Relevant Documents: 0\nCited Documents: 0\nAnswer: b.\n"
                "Grounded answer: <co: 0>b</co: 0>."
            ),
            DOCUMENTS,
            "b.",
            [((0, 1), ["0:0"])],
        ),
        ("Relevant Documents: None\nAnswer: b.", DOCUMENTS, "b.", []),
        ("Relevant things.<|END_OF_TURN_TOKEN|>", None, "Relevant things.", []),
        ("a <| b < c <|START", None, "a <| b < c <|START", []),
    ],
)
def test_raw_texts(text, request_, shown_text, expected):
    """Words without tags, and what the tags name; in pieces of any size too."""
    answer = cohere_raw.parse(text, request=request_)
    assert answer.text == shown_text
    assert shown(answer) == expected
    for size in (1, 3, 7, len(text)):
        events = [{"text": piece} for piece in chunked(text, size)]
        assert answer_of_events(cohere_raw, events, request=request_) == answer


def test_raw_thinking_stands_aside():
    """With its citations."""
    thinking = "<|START_THINKING|>Ah <co>b</co: 0:[0]>.<|END_THINKING|>"
    text = f"{thinking} <|START_RESPONSE|>Yes.<|END_RESPONSE|>"
    answer = cohere_raw.parse({"text": text}, request=DOCUMENTS)
    assert recognise({"text": text}) == "cohere_raw"
    assert answer.text == "Yes."
    (aside,) = answer.asides
    assert [segment.raw for segment in aside.segments] == ["Ah b", "", "."]
    assert [source.id for source in answer.consulted] == ["0:0", "one", "0:2"]


def test_raw_without_request_names_are_unresolved():
    """They are told, rather than guessed."""
    answer = cohere_raw.parse(payload("cohere_raw_cmd3.json"))
    assert answer.unresolved == ("0:1", "0:2", "1:0")


def test_raw_with_request_an_index_out_of_range_is_an_issue():
    """It is not taken for an id."""
    answer = cohere_raw.parse("<co>b</co: 7:[7]>", request=DOCUMENTS)
    assert codes(answer) == ["unknown_source"]


@pytest.mark.parametrize(
    "response",
    [
        "b",
        {"generated_text": "b"},
        {"choices": [{"text": "b"}]},
        {"choices": [{"message": {"content": "b"}}]},
        {"choices": [{"delta": {"content": "b"}}]},
    ],
)
def test_raw_text_is_found_where_servers_put_it(response):
    """Of text generation, completions, chat and its chunks."""
    assert cohere_raw.parse(response).text == "b"
    assert answer_of_events(cohere_raw, [response]).text == "b"


@pytest.mark.parametrize("size", [1_000, 7_777, 300_000])
def test_raw_second_answer_is_not_waited_for_without_end(size):
    """The first one is the answer then."""
    first = "word " * 30_000
    text = f"Relevant Documents: 0\nAnswer: {first}\nGrounded answer: other"
    events = [{"text": piece} for piece in chunked(text, size)]
    answer = answer_of_events(cohere_raw, events)
    assert answer.text == f"{first}\nGrounded answer: other"
    assert answer == cohere_raw.parse(text)


def test_raw_citations_are_shown_as_they_come():
    """A tag in a paragraph that is closed is settled."""
    stream = cohere_raw.StreamAdapter(request=DOCUMENTS)
    stream.feed({"text": "A <co>b</co: 0:[1]>\n\nC"})
    given_out = stream.feed({"text": " and more words "})
    assert [found.segment.citations[0].number for found in given_out[1:]] == [1]


CASES = [
    (cohere, NASTY, {}),
    (cohere_v1, payload("cohere_v1_simple.json"), {}),
    (cohere_raw, payload("cohere_raw_cmd3.json"), {"request": DOCUMENTS}),
]
STREAMS = [
    (cohere, [*events_of(NASTY, is_fast=True)][-12:]),
    (cohere_v1, payload("cohere_v1_simple.stream.jsonl")),
    (
        cohere_raw,
        [{"text": "A <co>b</co: 0:[1]> "}, {"choices": [{"delta": {"content": "b"}}]}],
    ),
]


@settings(max_examples=100)
@given(
    st.sampled_from(CASES).flatmap(lambda case: st.tuples(st.just(case[0]), damaged(case[1])))
)
def test_damaged_responses_never_raise(case):
    """What is usable is given."""
    adapter, response = case
    answer = adapter.parse(response)
    assert "".join(segment.raw for segment in answer.segments) == answer.text


@given(damaged(DOCUMENTS | RESULTS | TOOL_MESSAGES), st.sampled_from(CASES))
def test_damaged_requests_never_raise(request_, case):
    """Nor does what the caller has asked, which may be stored."""
    adapter, response, _ = case
    answer = adapter.parse(response, request=request_)
    assert "".join(segment.raw for segment in answer.segments) == answer.text


@settings(max_examples=100)
@given(
    st.sampled_from(STREAMS).flatmap(lambda case: st.tuples(st.just(case[0]), damaged(case[1])))
)
def test_damaged_streams_never_raise(case):
    """Events are as damaged as they may be."""
    adapter, events = case
    answer = answer_of_events(adapter, events if isinstance(events, list) else [events])
    assert "".join(segment.raw for segment in answer.segments) == answer.text


@pytest.mark.parametrize("adapter", [cohere, cohere_v1, cohere_raw])
@pytest.mark.parametrize("response", [None, [], {}, 3, {"message": None, "text": 1}])
def test_what_is_no_response_is_an_empty_answer(adapter, response):
    """It is not for an adapter to refuse it."""
    assert adapter.parse(response).segments == ()
