"""The examples of providers run, print what the page says, and call what the libraries have."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from importlib import import_module
from pathlib import Path

import pytest

from citemark import providers

DOCS = Path(__file__).parents[1] / "docs"
sys.path.insert(0, str(DOCS / "_ext"))

import provider_examples as page  # noqa: E402  found by the line above
import provider_table as table  # noqa: E402  as above

EXAMPLES = page.examples()
WITHOUT_STREAM = {"contextual", "copilot_studio"}

each = pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.provider)


def test_every_provider_has_its_example():
    """Below a heading with its name, each once."""
    text = page.PAGE.read_text("utf-8")
    headings = re.findall(r"^## (\w+)$", text, re.MULTILINE)
    assert headings == [example.provider for example in EXAMPLES]
    assert sorted(headings) == sorted(providers.PROVIDERS)


@each
def test_an_example_prints_what_the_page_says(example):
    """If not: ``python docs/_ext/provider_examples.py``."""
    assert page.run(example).printed == example.shown


@each
def test_an_example_is_read_without_issues_of_form(example):
    """What it passes on has the fields that the adapter expects."""
    answer = page.run(example).names["answer"]
    assert [issue for issue in answer.issues if issue.code in {"field", "unknown_field"}] == []


@each
def test_an_example_says_whether_there_is_a_stream(example):
    """It has events if the adapter takes them."""
    has_stream = hasattr(providers.adapter(example.provider), "StreamAdapter")
    assert ("\nevents = " in example.code) == has_stream
    assert has_stream == (example.provider not in WITHOUT_STREAM)


@each
def test_the_events_of_an_example_give_text_and_citations(example):
    """Where a stream was recorded: all of its text comes out, and citations with numbers."""
    ran = page.run(example)
    if not ran.has_events:
        pytest.skip("no stream of this one was recorded")
    request = ran.names.get("request") if "request=request" in example.code else None
    stream = providers.adapter(example.provider).StreamAdapter(request=request)
    updates = [update for event in ran.names["events"] for update in stream.feed(event)]
    updates += stream.close()
    texts = [update.text for update in updates if not isinstance(update, providers.Placement)]
    assert "".join(texts) == stream.answer.text
    numbers = {
        citation.number
        for update in updates
        if isinstance(update, providers.Placement)
        for citation in update.segment.citations
    }
    assert 1 in numbers


def test_the_table_leads_to_the_examples():
    """Each row links to the heading of its provider."""
    rows = re.findall(r"\[`citemark\.providers\.(\w+)`\]\((\S+)\)", table.provider_table())
    assert rows == [
        (name, f"provider_examples.md#{name}") for name in sorted(providers.PROVIDERS)
    ]


def made(path, **options):
    """Return what makes the client of a library, by the place of its class."""
    return lambda: getattr(import_module(path.rpartition(".")[0]), path.rpartition(".")[2])(
        **options
    )


def amazon(service):
    """Return what makes a client of a service, as boto3 does."""
    keys = {"aws_access_key_id": "x", "aws_secret_access_key": "x", "region_name": "us-east-1"}
    return lambda: (
        import_module("botocore.session").get_session().create_client(service, **keys)
    )


SECRETS = ("aws_access_key_id", "aws_secret_access_key")
OPENAI = made("openai.OpenAI", api_key="x")
CLIENTS = {
    "anthropic": made("anthropic.Anthropic", api_key="x"),
    **dict.fromkeys(("openai_responses", "openai_chat", "openai_assistants"), OPENAI),
    **dict.fromkeys(("azure_oyd", "openrouter"), OPENAI),
    **dict.fromkeys(
        ("gemini", "gemini_interactions"), made("google.genai.Client", api_key="x")
    ),
    "cohere": made("cohere.ClientV2", api_key="x"),
    "cohere_v1": made("cohere.Client", api_key="x"),
    **dict.fromkeys(
        ("mistral", "mistral_conversations"), made("mistralai.client.Mistral", api_key="x")
    ),
    "bedrock_converse": amazon("bedrock-runtime"),
    **dict.fromkeys(
        ("bedrock_rag", "bedrock_agent", "bedrock_agentic"), amazon("bedrock-agent-runtime")
    ),
    "amazon_q": amazon("qbusiness"),
    "amazon_q_connect": amazon("qconnect"),
    "groq": made("groq.Groq", api_key="x"),
    **dict.fromkeys(
        ("perplexity", "perplexity_agent"), made("perplexity.Perplexity", api_key="x")
    ),
    "contextual": made("contextual.ContextualAI", api_key="x"),
}
"""Clients of the libraries of the group ``sdk``, as far as they need no network to be made."""


def calls(code):
    """Yield the names of each method of the client that is called, and of its arguments."""
    for node in ast.walk(ast.parse(code)):
        names, target = [], node.func if isinstance(node, ast.Call) else None
        while isinstance(target, ast.Attribute):
            names.insert(0, target.attr)
            target = target.value
        if isinstance(target, ast.Name) and target.id == "client":
            yield names, [keyword.arg for keyword in node.keywords if keyword.arg]


@pytest.mark.filterwarnings("ignore")  # of the libraries
@pytest.mark.parametrize("provider", CLIENTS)
def test_an_example_calls_what_the_library_has(provider):
    """The methods are there, and take the arguments that are named."""
    [example] = [example for example in EXAMPLES if example.provider == provider]
    try:
        client = CLIENTS[provider]()
    except ImportError:
        pytest.skip("the library is not installed")
    found = [*calls(example.code)]
    assert found
    for names, arguments in found:
        method = client
        for name in names:
            method = getattr(method, name)
        parameters = inspect.signature(method).parameters
        takes_all = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
        assert takes_all or set(arguments) <= set(parameters)
