"""The whole way over real connections, as a user would write the call of the model."""

from __future__ import annotations

import asyncio
import json

import httpx
import pytest
from jsonschema import Draft202012Validator
from model_servers import Replies, app_of
from server_kit import WAIT, client_of

from citemark import (
    CitationSegment,
    Sources,
    answer_with_citations,
    answer_with_citations_async,
    build_context,
    cite,
    stream_with_citations,
    stream_with_citations_async,
)
from citemark.integrations.pydantic import ClaimList, QuotedAnswer, response_schema

SOURCES = Sources(
    [
        {"id": "pol-12", "title": "Refunds", "text": "Refunds take five working days."},
        {"id": "faq", "title": "Questions", "text": "Express is not refunded."},
    ]
)
QUESTION = "How long does a refund take?"
TEXT = "Refunds take five working days [1]. Express – is not refunded [2]."
CLAIMS = {
    "claims": [
        {"text": "Refunds take five working days.", "citations": ["1"]},
        {"text": "Express is not refunded.", "citations": ["2"]},
    ]
}


@pytest.fixture(scope="module")
def replies():
    """What the servers say."""
    return Replies()


@pytest.fixture(scope="module")
def client(replies):
    """A client of both servers."""
    with client_of(app_of(replies)) as client:
        yield client


class Ollama:
    """``/api/chat``: the schema is the ``format``, a stream is a JSON object a line."""

    path = "/api/chat"

    @staticmethod
    def request(messages, schema=None, *, stream=False):
        wanted = {"format": schema} if schema else {}
        return {"model": "qwen3", "messages": messages, "stream": stream, **wanted}

    @staticmethod
    def text(response):
        return response["message"]["content"]

    @staticmethod
    def chunk(line):
        return json.loads(line)["message"]["content"] if line else ""


class OpenAI:
    """``/v1/chat/completions``: ``response_format``, and server-sent events."""

    path = "/v1/chat/completions"

    @staticmethod
    def request(messages, schema=None, *, stream=False):
        form = {"name": "answer", "strict": True, "schema": schema}
        wanted = {"response_format": {"type": "json_schema", "json_schema": form}}
        return {
            "model": "gpt-5",
            "messages": messages,
            "stream": stream,
            **(wanted if schema else {}),
        }

    @staticmethod
    def text(response):
        message = response["choices"][0]["message"]
        return message["content"] or message["refusal"]

    @staticmethod
    def chunk(line):
        if not line.startswith("data: {"):
            return ""
        return json.loads(line[6:])["choices"][0]["delta"].get("content") or ""


apis = pytest.mark.parametrize("api", [Ollama, OpenAI], ids=lambda api: api.__name__)


def schema_of(request):
    """Return the schema that a request asks for."""
    if "format" in request:
        return request["format"]
    return request["response_format"]["json_schema"]["schema"]


def model(client, api, form=None):
    """Return a function that calls the model."""
    schema = response_schema(form, SOURCES) if form else None

    def llm(messages):
        response = client.post(api.path, json=api.request(messages, schema))
        return api.text(response.raise_for_status().json())

    return llm


def streamed(client, api):
    """Return a function that calls the model and yields its chunks."""

    def llm(messages):
        asked = api.request(messages, stream=True)
        with client.stream("POST", api.path, json=asked) as response:
            yield from map(api.chunk, response.iter_lines())

    return llm


@apis
def test_text(client, replies, api):
    """The prompt holds the sources, and the answer is what the model wrote, resolved."""
    replies.script(TEXT)
    reply = answer_with_citations(QUESTION, SOURCES, model(client, api))
    [asked] = replies.requests
    assert [message["role"] for message in asked["messages"]] == ["system", "user"]
    assert build_context(SOURCES) in asked["messages"][1]["content"]
    assert reply.answer == cite(TEXT, SOURCES, fingerprint=SOURCES.fingerprint)
    assert reply.report.coverage.coverage == 1
    assert reply.report.findings == ()
    assert [*asked["messages"], {"role": "assistant", "content": TEXT}] == [*reply.messages]


@apis
def test_claims(client, replies, api):
    """The server gets the schema, which its reply passes."""
    replies.script(json.dumps(CLAIMS))
    reply = answer_with_citations(
        QUESTION, SOURCES, model(client, api, ClaimList), form=ClaimList
    )
    schema = schema_of(replies.requests[0])
    Draft202012Validator(schema).validate(CLAIMS)
    assert json.dumps(schema) in replies.requests[0]["messages"][0]["content"]
    assert [(c.source.id, c.number) for c in reply.answer.citations] == [
        ("pol-12", 1),
        ("faq", 2),
    ]
    assert reply.report.coverage.coverage == 1


@apis
def test_a_bad_reply_is_sent_back(client, replies, api):
    """The model is told what was wrong, beside what it wrote, and its second reply counts."""
    bad = json.dumps(CLAIMS).replace('["2"]', '["7"]')
    replies.script(bad, f"```json\n{json.dumps(CLAIMS)}\n```")
    reply = answer_with_citations(
        QUESTION, SOURCES, model(client, api, ClaimList), form=ClaimList
    )
    first, second = (request["messages"] for request in replies.requests)
    assert second[: len(first)] == first
    assert second[-2] == {"role": "assistant", "content": bad}
    assert second[-1]["role"] == "user"
    assert 'claims[1].citations[0] names no source: "7".' in second[-1]["content"]
    assert 'The labels of the sources are "1", "2".' in second[-1]["content"]
    assert reply.answer.issues == ()
    assert [source.id for source in reply.answer.sources] == ["pol-12", "faq"]


@apis
def test_the_last_bad_reply_is_repaired(client, replies, api):
    """When no attempt is left, what can be used is used, and an issue says what is not."""
    cut = json.dumps(CLAIMS)[:-40]
    replies.script(cut, cut, cut)
    llm = model(client, api, ClaimList)
    reply = answer_with_citations(QUESTION, SOURCES, llm, form=ClaimList, attempts=3)
    assert len(replies.requests) == 3
    assert len(replies.requests[2]["messages"]) == 6
    assert reply.answer.text.startswith("Refunds take five working days. Ex")
    assert [issue.code for issue in reply.answer.issues] == ["reply_cut"]
    assert [source.id for source in reply.answer.sources] == ["pol-12"]


@apis
def test_a_refusal_is_not_sent_back(client, replies, api):
    """Asking again would change nothing; it is the answer, and no claim that needs a source."""
    words = "I'm sorry, but I can't help with that."
    is_openai = api is OpenAI
    replies.script(
        {"role": "assistant", "content": None, "refusal": words} if is_openai else words
    )
    reply = answer_with_citations(
        QUESTION, SOURCES, model(client, api, QuotedAnswer), form=QuotedAnswer
    )
    assert len(replies.requests) == 1
    assert reply.answer.text == words
    assert reply.report.coverage.claims == 0
    assert reply.report.coverage.coverage is None


@apis
def test_without_sources_nothing_is_asked_to_be_cited(client, replies, api):
    """The question goes alone; what is cited all the same names no source."""
    replies.script("Five days [1].", "Five days.")
    reply = answer_with_citations(QUESTION, [], model(client, api))
    assert replies.requests[0]["messages"] == [{"role": "user", "content": QUESTION}]
    assert (reply.answer.sources, reply.answer.unresolved) == ((), ("1",))
    assert reply.report.coverage.reason == "unknown_keys"
    reply = answer_with_citations(QUESTION, [], model(client, api))
    assert reply.report.coverage.reason == "no_sources"


@apis
def test_quotes(client, replies, api):
    """Each quote is looked up in its source."""
    quotes = [
        {"source": "1", "quote": "Refunds take five working days."},
        {"source": "2", "quote": "Express is always refunded."},
    ]
    replies.script(json.dumps({"answer": TEXT, "citations": quotes}))
    llm = model(client, api, QuotedAnswer)
    reply = answer_with_citations(QUESTION, SOURCES, llm, form=QuotedAnswer)
    assert [check.verdict for check in reply.report.quotes] == ["verified", "altered"]
    assert reply.report.worst == "error"


@apis
def test_stream(client, replies, api):
    """Segments come as they are written, and are those of the whole."""
    replies.script(TEXT)
    stream = stream_with_citations(QUESTION, SOURCES, streamed(client, api))
    segments = list(stream)
    whole = cite(TEXT, SOURCES, fingerprint=SOURCES.fingerprint)
    assert "".join(segment.raw for segment in segments) == TEXT
    assert [one for one in segments if isinstance(one, CitationSegment)] == [
        one for one in whole.segments if isinstance(one, CitationSegment)
    ]
    assert len(segments) > len(whole.segments)
    assert stream.reply.answer == stream.answer == whole
    assert stream.reply.report.coverage.coverage == 1
    assert replies.requests[0]["stream"] is True


@apis
def test_asynchronous(client, replies, api):
    """The same, awaited: a retry, and a stream."""
    schema = response_schema(ClaimList, SOURCES)

    async def both():
        async with httpx.AsyncClient(base_url=client.base_url, timeout=WAIT) as later:

            async def llm(messages):
                response = await later.post(api.path, json=api.request(messages, schema))
                return api.text(response.raise_for_status().json())

            async def chunks(messages):
                asked = api.request(messages, stream=True)
                async with later.stream("POST", api.path, json=asked) as response:
                    async for line in response.aiter_lines():
                        yield api.chunk(line)

            reply = await answer_with_citations_async(QUESTION, SOURCES, llm, form=ClaimList)
            stream = stream_with_citations_async(QUESTION, SOURCES, chunks)
            return reply, [segment async for segment in stream], stream.reply

    replies.script("[]", json.dumps(CLAIMS), TEXT)
    reply, segments, last = asyncio.run(both())
    assert len(reply.messages) == 5
    assert [source.id for source in reply.answer.sources] == ["pol-12", "faq"]
    assert "".join(segment.raw for segment in segments) == TEXT
    assert last.answer == cite(TEXT, SOURCES, fingerprint=SOURCES.fingerprint)
