"""A provider that fails, cuts its answer or holds something back: an issue says so."""

from __future__ import annotations

import pytest
from damaged import PAYLOADS, payload

from citemark import providers
from citemark.errors import UnknownProviderError


def chunk(content="Hi", **fields):
    choice = {"index": 0, "delta": {"content": content}, **fields}
    return {"object": "chat.completion.chunk", "model": "gpt", "choices": [choice]}


def delta(text="Hi"):
    return {
        "type": "response.output_text.delta",
        "output_index": 0,
        "content_index": 0,
        "delta": text,
    }


ERROR = {"error": {"message": "boom", "code": 503}}
STOPPED = {"type": "message_delta", "delta": {"stop_reason": "max_tokens"}}
TEXT = {
    "type": "content_block_delta",
    "index": 0,
    "delta": {"type": "text_delta", "text": "Hi"},
}
CONTENT = {"message": {"content": {"type": "text", "text": "Hi"}}}
EVENTS = {
    "openai_chat": ([chunk(), ERROR], "stream_error"),
    "openrouter": ([chunk(), chunk("", error={"message": "boom"}, finish_reason="error")], "stream_error"),
    "perplexity": ([chunk(), ERROR], "stream_error"),
    "qwen": ([{"output": {"choices": [{"message": {"content": "Hi"}, "finish_reason": "length"}]}}], "incomplete"),
    "mistral": ([chunk(finish_reason="model_length")], "incomplete"),
    "mistral_conversations": (
        [
            {"type": "message.output.delta", "content": "Hi"},
            {"type": "conversation.response.error", "message": "boom", "code": 1},
        ],
        "stream_error",
    ),
    "openai_responses": ([delta(), {"type": "error", "code": "server_error", "message": "boom"}], "stream_error"),
    "xai": ([delta(), {"type": "error", "message": "boom"}], "stream_error"),
    "perplexity_agent": (
        [delta(), {"type": "response.failed", "response": {"object": "response", **ERROR}}],
        "stream_error",
    ),
    "openai_assistants": (
        [
            {"event": "thread.message.delta", "data": {"delta": {"content": [{"index": 0, "type": "text", "text": {"value": "Hi"}}]}}},
            {"event": "thread.run.failed", "data": {"object": "thread.run", "last_error": {"message": "boom"}}},
        ],
        "stream_error",
    ),
    "gemini": ([{"candidates": [{"content": {"parts": [{"text": "Hi"}]}}]}, ERROR], "stream_error"),
    "gemini_interactions": (
        [{"event_type": "step.delta", "delta": {"type": "text", "text": "Hi"}}, {"event_type": "error", **ERROR}],
        "stream_error",
    ),
    "anthropic": ([TEXT, STOPPED, STOPPED], "incomplete"),
    "bedrock_converse": (
        [{"contentBlockDelta": {"delta": {"text": "Hi"}}}, {"messageStop": {"stopReason": "guardrail_intervened"}}],
        "incomplete",
    ),
    "cohere": (
        [
            {"type": "content-delta", "index": 0, "delta": CONTENT},
            {"type": "message-end", "delta": {"finish_reason": "ERROR", "error": "boom"}},
        ],
        "stream_error",
    ),
    "cohere_v1": (
        [{"event_type": "text-generation", "text": "Hi"}, {"event_type": "stream-end", "finish_reason": "MAX_TOKENS"}],
        "incomplete",
    ),
    "vercel": (
        [{"type": "text-delta", "id": "1", "delta": "Hi"}, {"type": "error", "errorText": "boom"}],
        "stream_error",
    ),
    "snowflake": (
        [{"event": "response.text.delta", "data": {"text": "Hi"}}, {"event": "error", "data": {"message": "boom"}}],
        "stream_error",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", EVENTS)
def test_a_stream_that_is_not_whole(name):
    """What came is the answer, and one issue says that it is not all."""
    events, code = EVENTS[name]
    answer = providers.parse_events(events, provider=name)
    assert answer.text == "Hi"
    assert [issue.code for issue in answer.issues if not issue.code.startswith("unknown")] == [
        code
    ]
    if code == "stream_error":
        assert "boom" in answer.issues[0].message


MESSAGE = {"role": "assistant", "content": "Hi"}
WHOLE = {
    "openai_chat": {"object": "chat.completion", "choices": [{"message": MESSAGE, "finish_reason": "content_filter"}]},
    "openai_responses": {
        "object": "response", "status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"},
        "output": [{"type": "message", "content": [{"type": "output_text", "text": "Hi"}]}],
    },
    "anthropic": {"type": "message", "content": [{"type": "text", "text": "Hi"}], "stop_reason": "refusal"},
    "bedrock_converse": {"output": {"message": {"content": [{"text": "Hi"}]}}, "stopReason": "max_tokens"},
    "gemini": {"candidates": [{"content": {"parts": [{"text": "Hi"}]}, "finishReason": "SAFETY"}]},
    "cohere": {"message": {"content": [{"type": "text", "text": "Hi"}]}, "finish_reason": "MAX_TOKENS"},
    "pydantic_ai": {"kind": "response", "parts": [{"part_kind": "text", "content": "Hi"}], "finish_reason": "length"},
}  # fmt: skip


@pytest.mark.parametrize("name", WHOLE)
def test_a_response_that_is_not_whole(name):
    """The reason that the provider gives is the key."""
    answer = providers.parse(WHOLE[name], provider=name)
    [issue] = answer.issues
    assert (answer.text, issue.code) == ("Hi", "incomplete")
    assert issue.key in str(WHOLE[name]).lower()


HELD = {
    "bedrock_converse": [{"contentBlockDelta": {"delta": {"text": "Kept"}}}],
    "bedrock_rag": [{"output": {"text": "Kept"}}],
    "bedrock_agentic": [{"responseEvent": {"text": "Kept"}}],
}


@pytest.mark.parametrize("provider", [*HELD, "auto"])
@pytest.mark.parametrize("held", [list, iter])
def test_a_response_that_holds_a_stream(provider, held):
    """It is read to its end, by the adapter too."""
    events = HELD.get(provider, HELD["bedrock_agentic"])
    response = {"stream": held(events), "ResponseMetadata": {}}
    assert providers.parse(response, provider=provider).text == "Kept"
    if provider != "auto":
        again = {"stream": held(events), "sessionId": "s"}
        assert providers.adapter(provider).parse(again).text == "Kept"


@pytest.mark.parametrize("provider", HELD)
def test_a_stream_that_a_response_holds_is_recognised(provider):
    """What ``parse`` takes, by itself too; a list of events as well."""
    events = [{"of": "nobody"}, *HELD[provider]]
    for told in (
        events,
        tuple(events),
        {"stream": events},
        {"sessionId": "s", "stream": events},
    ):
        assert providers.recognise(told) == provider
        assert providers.parse(told).text == "Kept"


def test_a_stream_of_nobody_is_not_recognised():
    """Lists in lists are looked into once, and a stream is not used up."""
    deep = []
    for _ in range(5_000):
        deep = [deep]
    left = iter(HELD["bedrock_rag"])
    for told in ({"stream": []}, {"stream": [{}, None, 5]}, [[]], deep, {"stream": left}):
        with pytest.raises(UnknownProviderError):
            providers.recognise(told)
    assert len([*left]) == 1


@pytest.mark.parametrize("provider", ["anthropic", "auto"])
def test_a_list_of_events_is_a_stream(provider):
    """Be the provider told or not."""
    events = [{**TEXT, "delta": {"type": "text_delta", "text": "Kept"}}]
    assert providers.parse(events, provider=provider).text == "Kept"


@pytest.mark.parametrize("response", [{"foo": 1}, [], [{"foo": 1}], None, {"stream": "x"}])
def test_nothing_known(response):
    """What is none of the provider's is told, not taken for an empty answer."""
    answer = providers.parse(response, provider="bedrock_converse")
    assert {issue.code for issue in answer.issues} & {"nothing_known", "unknown_event", "field"}


@pytest.mark.parametrize(
    "provider", ["openrouter", "groq", "xai", "zhipu", "perplexity", "azure_oyd", "mistral"]
)
def test_an_empty_answer_of_a_shared_form(provider):
    """Many send the form of OpenAI's: what has no more than that may be of each of them."""
    message = {"role": "assistant", "content": ""}
    choice = {"index": 0, "message": message, "finish_reason": "stop", "new": 1}
    common = {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "usage": {}}
    answer = providers.parse({**common, "choices": [choice]}, provider=provider)
    assert "nothing_known" not in {issue.code for issue in answer.issues}


def test_another_provider_is_told():
    """Fields that are not known do not hide that it is all another one's."""
    response = {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "text", "text": "A"}],
    }
    answer = providers.parse(response, provider="openai_chat")
    assert (answer.issues[0].code, answer.issues[0].key) == ("nothing_known", "anthropic")


@pytest.mark.parametrize("provider", ["auto", "nobody"])
def test_a_text_is_no_response(provider):
    """It is said that the JSON is to be read first, and which name was meant."""
    expected = "json.loads" if provider == "auto" else "no provider 'nobody'"
    with pytest.raises(LookupError, match=expected):
        providers.parse('{"choices": []}', provider=provider)


@pytest.mark.parametrize("response", [{"foo": 1}, [], "x", None])
def test_what_shares_nothing_resembles_nothing(response):
    """A name is told only if a field at least is common."""
    with pytest.raises(LookupError) as caught:
        providers.recognise(response)
    assert caught.value.resembled == ""
    assert "most like" not in str(caught.value)


STREAMS = sorted(PAYLOADS.glob("*.jsonl"))
ENDLESS = {"amazonq_nasty", "bedrock_agent", "bedrock_agentic"}
"""Recorded streams of services that send nothing that always comes last."""


def codes(answer):
    return [
        issue.code for issue in answer.issues if issue.code in {"incomplete", "stream_error"}
    ]


@pytest.mark.parametrize("path", STREAMS, ids=lambda path: path.name.partition(".")[0])
def test_a_recorded_stream_is_whole_until_it_is_cut(path):
    """Without the events at its end, which tell that it is, one issue says that it is not."""
    events = payload(path.name)
    name = providers.recognise(events[0])
    assert codes(providers.parse_events(events, provider=name)) == []
    for kept in range(1, len(events) // 2 + 1):
        cut = providers.parse_events(events[:kept], provider=name)
        is_told = bool(cut.text) and path.name.partition(".")[0] not in ENDLESS
        assert codes(cut) in ([["incomplete"]] if is_told else [["incomplete"], []])


ENDS = {
    "anthropic": ([TEXT], {"type": "message_stop"}),
    "bedrock_converse": ([{"contentBlockDelta": {"delta": {"text": "Hi"}}}], {"messageStop": {"stopReason": "end_turn"}}),
    "cohere": ([{"type": "content-delta", "index": 0, "delta": CONTENT}], {"type": "message-end", "delta": {"finish_reason": "COMPLETE"}}),
    "cohere_v1": ([{"event_type": "text-generation", "text": "Hi"}], {"event_type": "stream-end", "finish_reason": "COMPLETE"}),
    "gemini": ([{"candidates": [{"content": {"parts": [{"text": "Hi"}]}}]}], {"candidates": [{"finishReason": "STOP"}]}),
    "gemini_interactions": ([{"event_type": "step.delta", "delta": {"type": "text", "text": "Hi"}}], {"event_type": "interaction.completed"}),
    "mistral_conversations": ([{"type": "message.output.delta", "content": "Hi"}], {"type": "conversation.response.done"}),
    "openai_responses": ([delta()], {"type": "response.completed", "response": {"status": "completed"}}),
    "xai": ([delta()], {"type": "response.completed", "response": {"status": "completed"}}),
    "perplexity_agent": ([delta()], {"type": "response.completed", "response": {"status": "completed"}}),
    "openai_assistants": (EVENTS["openai_assistants"][0][:1], {"event": "thread.message.completed", "data": {"object": "thread.message"}}),
    "openai_chat": ([chunk(finish_reason=None)], chunk("", finish_reason="stop")),
    "mistral": ([chunk(finish_reason=None)], chunk("", finish_reason="stop")),
    "groq": ([chunk(finish_reason=None)], chunk("", finish_reason="stop")),
    "azure_oyd": ([chunk(finish_reason=None)], chunk("", finish_reason="stop")),
    "zhipu": ([chunk(finish_reason=None)], chunk("", finish_reason="stop")),
    "qwen": (
        [{"output": {"choices": [{"message": {"content": "Hi"}, "finish_reason": "null"}]}}],
        {"output": {"choices": [{"message": {"content": ""}, "finish_reason": "stop"}]}},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ENDS)
def test_a_stream_without_its_last_event(name):
    """Nothing says why it broke off, so the answer would look whole."""
    begun, last = ENDS[name]
    cut = providers.parse_events(begun, provider=name)
    [told] = [issue for issue in cut.issues if issue.code == "incomplete"]
    assert cut.text == "Hi"
    assert told.key in told.message
    assert codes(providers.parse_events([*begun, last], provider=name)) == []


def test_chunks_of_a_service_that_sends_no_reasons():
    """Some servers leave the field out of every chunk: their streams have no sign of an end."""
    assert codes(providers.parse_events([chunk(), chunk()], provider="openai_chat")) == []


def test_what_comes_after_the_end_opens_nothing():
    """A chunk with the usage has no reason any more."""
    events = [
        chunk(finish_reason=None),
        chunk("", finish_reason="stop"),
        chunk("", finish_reason=None),
    ]
    assert codes(providers.parse_events(events, provider="openai_chat")) == []


START = {"type": "message_start", "message": {"role": "assistant", "content": []}}
PAUSE = [
    {"type": "message_delta", "delta": {"stop_reason": "pause_turn"}},
    {"type": "message_stop"},
]
TURN = [
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}},
    {"type": "message_stop"},
]


@pytest.mark.parametrize(
    ("events", "keys"),
    [
        ([START, TEXT, *PAUSE], ["pause_turn"]),
        ([START, TEXT, *PAUSE, START, TEXT, *TURN], []),
        ([START, TEXT, *PAUSE, START, TEXT], ["message_stop"]),
        ([START, TEXT, *TURN[:1]], []),
        ([START], ["message_stop"]),
    ],
)
def test_a_message_that_pauses(events, keys):
    """It is whole if the next message goes on with it, to its end."""
    answer = providers.parse_events(events, provider="anthropic")
    assert [issue.key for issue in answer.issues] == keys


OPEN = {
    "anthropic": ({"type": "message", "content": [{"type": "text", "text": "Hi"}], "stop_reason": "pause_turn"}, "incomplete"),
    "openai_responses": (WHOLE["openai_responses"] | {"status": "in_progress", "incomplete_details": None}, "incomplete"),
    "perplexity_agent": (WHOLE["openai_responses"] | {"status": "queued", "incomplete_details": None}, "incomplete"),
    "gemini": ({"candidates": [{"content": {"parts": [{"text": "Hi"}]}, "finishReason": "OTHER"}]}, "stream_error"),
    "gemini_interactions": ({"status": "in_progress", "steps": [{"type": "model_output", "content": [{"type": "text", "text": "Hi"}]}]}, "incomplete"),
}  # fmt: skip


@pytest.mark.parametrize("name", OPEN)
def test_a_response_that_was_taken_too_early(name):
    """A pause, a status or a reason of another kind says that there should be more."""
    response, code = OPEN[name]
    answer = providers.parse(response, provider=name)
    assert (answer.text, [issue.code for issue in answer.issues]) == ("Hi", [code])
