"""``citemark render --provider``: responses and streams of providers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from citemark import providers, render

PAYLOADS = Path(__file__).resolve().parents[1] / "corpora" / "providers" / "payloads"


def shown(name: str, **options: object) -> str:
    answer = providers.parse(json.loads((PAYLOADS / name).read_text("utf-8")), **options)
    return str(render(answer, "text")).rstrip()


@pytest.mark.parametrize("provider", ["auto", "gemini"])
def test_a_response(citemark, provider):
    """It is found out whose it is, or said; what was odd is on stderr."""
    result = citemark(
        "render", str(PAYLOADS / "gemini_nasty.json"), "--provider", provider, "-t", "text"
    )
    assert (result.code, result.out.rstrip()) == (0, shown("gemini_nasty.json"))
    assert "found by its words" in result.err


def test_a_request_holds_the_sources(citemark):
    """Titles of documents are those of the request."""
    request = PAYLOADS / "anthropic_nasty.request.json"
    result = citemark(
        *("render", str(PAYLOADS / "anthropic_nasty.json"), "--provider", "auto"),
        *("--request", str(request), "-t", "text"),
    )
    asked = json.loads(request.read_text("utf-8"))
    assert result.out.rstrip() == shown("anthropic_nasty.json", request=asked)


@pytest.mark.parametrize("before", ["", "data: "])
def test_events_of_a_stream(citemark, before):
    """An event on each line, or the server-sent events as they came."""
    lines = (PAYLOADS / "anthropic_simple.stream.jsonl").read_text("utf-8").splitlines()
    sent = "".join(f"event: x\n{before}{line}\n\n" if before else f"{line}\n" for line in lines)
    sent += "data: [DONE]\n\n" if before else ""
    result = citemark("render", "-", "--provider", "auto", "-t", "text", stdin=sent.encode())
    assert (result.code, result.err) == (0, "")
    assert "the first boat leaves at 06:10[1]" in result.out


@pytest.mark.parametrize(
    ("arguments", "stdin", "said"),
    [
        (["--provider", "auto"], b"no json", "stdin, line 1: is no JSON"),
        (["--provider", "auto"], b"", "is empty"),
        (["--provider", "auto"], b'{"a": 1}', "no provider is known to send"),
        (["--provider", "nobody"], b"{}", "no provider 'nobody'"),
        (
            ["--provider", "openai"],
            b"{}",
            "did you mean openai_assistants or openai_responses or ",
        ),
        (["--provider", "bedrock_rag"], b'{"foo": 1}', "nothing in the response is known"),
        (["--provider", "auto", "--label", "id"], b"{}", "--label is for answers with markers"),
        (["--provider", "auto", "--request", "-"], b"{}", "cannot both be stdin"),
        (["--request", "r.json", "-s", "s.json"], b"", "name that too"),
    ],
)
def test_mistakes_are_told(citemark, arguments, stdin, said):
    """One line on stderr, exit code 2."""
    result = citemark("render", "-", *arguments, stdin=stdin)
    assert (result.code, result.out) == (2, "")
    assert said in result.err


@pytest.mark.parametrize("name", ["anthropic_nasty.json", "anthropic_simple.stream.jsonl"])
@pytest.mark.parametrize("provider", ["openai_chat", "gemini", "bedrock_converse", "cohere"])
def test_another_provider_is_named(citemark, name, provider):
    """What it looks like is said: an empty answer would be taken for one."""
    result = citemark("render", str(PAYLOADS / name), "--provider", provider)
    assert (result.code, result.out) == (2, "")
    assert "it looks like one of anthropic: give --provider anthropic" in result.err
