"""The calls of models in the examples work against servers of that shape."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
from model_servers import Replies, app_of
from server_kit import client_of

from citemark.integrations.pydantic import ClaimList, response_schema

EXAMPLES = Path(__file__).parents[2] / "examples"
MESSAGES = [{"role": "user", "content": "How long?"}]

paths = pytest.mark.parametrize("path", ["/api/chat", "/v1/chat/completions"])


@pytest.fixture(scope="module")
def replies():
    """What the servers say."""
    return Replies()


@pytest.fixture(scope="module")
def base(replies):
    """Address of both servers."""
    with client_of(app_of(replies)) as client:
        yield str(client.base_url)


@paths
def test_ask(base, replies, path, monkeypatch):
    """Whole and in pieces, with a key if there is one."""
    monkeypatch.setenv("OPENAI_API_KEY", "not a real one")
    example = runpy.run_path(str(EXAMPLES / "ask.py"))
    replies.script("Five – days [1].", "Six days [2].")
    assert example["model_at"](base + path, "m")(MESSAGES) == "Five – days [1]."
    assert "".join(example["streamed_from"](base + path, "m")(MESSAGES)) == "Six days [2]."
    assert [request["messages"] for request in replies.requests] == [MESSAGES] * 2


@paths
def test_structured(base, replies, path):
    """The schema goes along, as the server wants it."""
    example = runpy.run_path(str(EXAMPLES / "structured_answer.py"))
    schema = response_schema(ClaimList)
    replies.script('{"claims": []}')
    assert example["model_at"](base + path, "m", schema)(MESSAGES) == '{"claims": []}'
    [asked] = replies.requests
    form = asked.get("format") or asked["response_format"]["json_schema"]["schema"]
    assert form == schema
