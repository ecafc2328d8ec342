"""Objects of the SDKs of OpenAI's family are read as the payloads that they hold."""

from __future__ import annotations

import pytest
from damaged import answer_of_events, payload
from neutral import neutral
from openai_kit import response_events, thread_events

from citemark.providers import (
    azure_oyd,
    groq,
    openai_assistants,
    openai_chat,
    openai_responses,
    openrouter,
    recognise,
    xai,
)


def same(answer, other):
    """Compare all but what was sent, which an SDK gives with its own empty fields."""
    assert answer.text == other.text
    assert neutral(answer) == neutral(other)
    assert [(s.id, s.title, s.text, s.url) for s in (*answer.sources, *answer.consulted)] == [
        (s.id, s.title, s.text, s.url) for s in (*other.sources, *other.consulted)
    ]
    assert [issue.code for issue in answer.issues] == [issue.code for issue in other.issues]


@pytest.mark.parametrize("name", ["simple", "nasty", "file_search"])
def test_openai_responses(name):
    """The response, and events that are checked one by one."""
    openai = pytest.importorskip("openai")
    from pydantic import TypeAdapter

    whole = payload(f"openai_responses_{name}.json")
    parsed = openai.types.responses.Response.model_validate(whole)
    assert recognise(parsed) == "openai_responses"
    same(openai_responses.parse(parsed), openai_responses.parse(whole))

    event = TypeAdapter(openai.types.responses.ResponseStreamEvent)
    sent = response_events(whole)
    events = [event.validate_python(numbered(one, at)) for at, one in enumerate(sent)]
    assert recognise(events[0]) == "openai_responses"
    same(answer_of_events(openai_responses, events), openai_responses.parse(whole))


def numbered(event, at):
    """Fill in what the SDK asks of an event, and citations are read without."""
    filled = {"sequence_number": at, "logprobs": [], **event}
    if "item" in event:
        filled["item"] = {"status": "completed", **event["item"]}
    return filled


def test_openai_recorded_events():
    """As they came."""
    openai = pytest.importorskip("openai")
    from pydantic import TypeAdapter

    events = payload("openai_responses_simple.stream.jsonl")
    parsed = [
        TypeAdapter(openai.types.responses.ResponseStreamEvent).validate_python(event)
        for event in events
    ]
    same(answer_of_events(openai_responses, parsed), answer_of_events(openai_responses, events))


@pytest.mark.parametrize(
    ("name", "adapter"),
    [
        ("openai_chat_simple", openai_chat),
        ("openrouter_simple", openrouter),
        ("compat_bytes_as_chars", openrouter),
        ("azure_oyd_nasty", azure_oyd),
    ],
)
def test_openai_chat(name, adapter):
    """Azure's is not of the SDK's type, which keeps its fields nevertheless."""
    openai = pytest.importorskip("openai")
    from openai._models import construct_type

    whole = payload(f"{name}.json")
    parsed = construct_type(type_=openai.types.chat.ChatCompletion, value=whole)
    assert recognise(parsed) == adapter.PROVIDER
    same(adapter.parse(parsed), adapter.parse(whole))


@pytest.mark.parametrize(
    ("name", "adapter"),
    [("openai_chat_simple", openai_chat), ("openrouter_simple", openrouter)],
)
def test_openai_chat_chunks(name, adapter):
    """``delta.annotations`` is not in the SDK's type, and kept as an extra field."""
    openai = pytest.importorskip("openai")
    events = payload(f"{name}.stream.jsonl")
    parsed = [openai.types.chat.ChatCompletionChunk.model_validate(event) for event in events]
    same(answer_of_events(adapter, parsed), answer_of_events(adapter, events))


def test_openai_assistants():
    """The message, and the data of its events."""
    threads = pytest.importorskip("openai.types.beta.threads")
    whole = payload("openai_assistants.json")
    parsed = threads.Message.model_validate(whole)
    same(openai_assistants.parse(parsed), openai_assistants.parse(whole))
    events = thread_events(whole, closing=False)
    data = [threads.MessageDeltaEvent.model_validate(event["data"]) for event in events]
    assert recognise(data[0]) == "openai_assistants"
    same(answer_of_events(openai_assistants, [*data, parsed]), openai_assistants.parse(whole))


def test_azure_agents():
    """A mapping with attributes."""
    models = pytest.importorskip("azure.ai.agents.models")
    whole = payload("azure_agents_message.json")
    parsed = models.ThreadMessage(whole)
    assert recognise(parsed) == "openai_assistants"
    same(openai_assistants.parse(parsed), openai_assistants.parse(whole))


@pytest.mark.parametrize("name", ["annotations", "compound", "gpt_oss_browser"])
def test_groq(name):
    """The completion."""
    types = pytest.importorskip("groq.types.chat")
    whole = payload(f"groq_{name}.json")
    parsed = types.ChatCompletion.model_validate(whole)
    assert recognise(parsed) == "groq"
    same(groq.parse(parsed), groq.parse(whole))


def test_groq_chunks():
    """The chunks."""
    types = pytest.importorskip("groq.types.chat")
    events = payload("groq_annotations.stream.jsonl")
    parsed = [types.ChatCompletionChunk.model_validate(event) for event in events]
    same(answer_of_events(groq, parsed), answer_of_events(groq, events))


def test_xai():
    """The messages of the protocol, and the SDK's wrapping."""
    proto = pytest.importorskip("xai_sdk.proto").chat_pb2
    from google.protobuf.json_format import ParseDict

    whole = payload("xai_simple.json")
    message = ParseDict(whole, proto.GetChatCompletionResponse())
    for parsed in (message, type("Response", (), {"proto": message})()):
        assert recognise(parsed) == "xai"
        same(xai.parse(parsed), xai.parse(whole))
    output = whole["outputs"][0]
    delta = {"index": 0, "delta": {**output["message"]}}
    chunks = [{"outputs": [delta]}, {"citations": whole["citations"]}]
    events = [ParseDict(chunk, proto.GetChatCompletionChunk()) for chunk in chunks]
    same(answer_of_events(xai, events), xai.parse(whole))
