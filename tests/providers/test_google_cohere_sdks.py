"""Objects of the client libraries of Google and Cohere are read as the payloads they hold."""

from __future__ import annotations

import json

import pytest
from damaged import answer_of_events, payload
from neutral import neutral
from test_cohere import NASTY, events_of
from test_google import NASTY as GROUNDED
from test_google import pieces

from citemark.providers import (
    cohere,
    cohere_v1,
    discovery_engine,
    gemini,
    gemini_interactions,
    recognise,
)


def same(answer, other):
    """Compare all but what was sent, which a library gives with its own empty fields."""
    assert answer.text == other.text
    assert neutral(answer) == neutral(other)
    assert (*answer.sources, *answer.consulted) == (*other.sources, *other.consulted)
    assert [issue.code for issue in answer.issues] == [issue.code for issue in other.issues]
    assert [aside.channel for aside in answer.asides] == [
        aside.channel for aside in other.asides
    ]


@pytest.mark.parametrize("name", ["gemini_simple", "gemini_nasty", "gemini_citation_metadata"])
def test_gemini(name):
    """The response, and chunks."""
    types = pytest.importorskip("google.genai.types")
    whole = payload(f"{name}.json")
    parsed = types.GenerateContentResponse.model_validate(whole)
    assert recognise(parsed) == "gemini"
    same(gemini.parse(parsed), gemini.parse(whole))
    events = [types.GenerateContentResponse.model_validate(one) for one in pieces(whole)]
    assert {recognise(one) for one in events} == {"gemini"}
    same(answer_of_events(gemini, events), gemini.parse(whole))


def test_gemini_interactions():
    """The interaction, and events."""
    types = pytest.importorskip("google.genai.interactions")
    from pydantic import TypeAdapter

    whole = payload("gemini_interactions.json")
    parsed = types.Interaction.model_validate(whole)
    assert recognise(parsed) == "gemini_interactions"
    same(gemini_interactions.parse(parsed), gemini_interactions.parse(whole))
    event = TypeAdapter(types.InteractionSSEEvent)
    sent = payload("gemini_interactions.stream.jsonl")
    events = [event.validate_python(one) for one in sent]
    assert {recognise(one) for one in events} == {"gemini_interactions"}
    same(answer_of_events(gemini_interactions, events), gemini_interactions.parse(whole))


def test_discovery_engine():
    """Messages, whose empty fields are not missing."""
    types = pytest.importorskip("google.cloud.discoveryengine_v1")
    simple = payload("discoveryengine_simple.json")
    for reference in simple["references"]:
        reference["chunkInfo"]["relevanceScore"] = 0.75  # which a short float can hold
    parsed = types.Answer.from_json(json.dumps(simple))
    assert recognise(parsed) == "discovery_engine"
    same(discovery_engine.parse(parsed), discovery_engine.parse(simple))
    nasty = types.AnswerQueryResponse.from_json(json.dumps(GROUNDED))
    assert recognise(nasty) == "discovery_engine"
    same(discovery_engine.parse(nasty), discovery_engine.parse(GROUNDED))
    raw = discovery_engine.parse(parsed).segments[1].citations[0].raw
    assert raw["sources"][0]["reference_id"] == "0"


@pytest.mark.parametrize("response", [NASTY, payload("cohere_v2_simple.json")])
def test_cohere(response):
    """The response, and events of both kinds of stream."""
    library = pytest.importorskip("cohere")
    from cohere.core.unchecked_base_model import construct_type

    parsed = construct_type(type_=library.V2ChatResponse, object_=response)
    assert recognise(parsed) == "cohere"
    same(cohere.parse(parsed), cohere.parse(response))
    for is_fast in (True, False):
        events = [
            construct_type(type_=library.V2ChatStreamResponse, object_=one)
            for one in events_of(response, is_fast=is_fast)
        ]
        assert {recognise(one) for one in events} == {"cohere"}
        same(answer_of_events(cohere, events), cohere.parse(response))


def test_cohere_v1():
    """The response, and events."""
    library = pytest.importorskip("cohere")
    from cohere.core.unchecked_base_model import construct_type

    whole = payload("cohere_v1_simple.json")
    parsed = construct_type(type_=library.NonStreamedChatResponse, object_=whole)
    assert recognise(parsed) == "cohere_v1"
    same(cohere_v1.parse(parsed), cohere_v1.parse(whole))
    events = [
        construct_type(type_=library.StreamedChatResponse, object_=one)
        for one in payload("cohere_v1_simple.stream.jsonl")
    ]
    assert {recognise(one) for one in events} == {"cohere_v1"}
    same(answer_of_events(cohere_v1, events), cohere_v1.parse(whole))
