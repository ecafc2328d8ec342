"""The code that the pages on asking show runs, against stand-ins for what it needs."""

from __future__ import annotations

import io
import json
import urllib.request
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from markdown_it import MarkdownIt

pydantic_ai = pytest.importorskip("pydantic_ai")

DOCS = Path(__file__).parents[2] / "docs"
MESSAGES = [{"role": "user", "content": "How long?"}]
CLAIMS = json.dumps({"claims": [{"text": "Five days.", "citations": ["1"]}]})


def blocks(name: str, before: int) -> tuple[str, list[str]]:
    """Return the interactive statements of a page as a script, and its Python blocks."""
    tokens = MarkdownIt().parse((DOCS / name).read_text("utf-8"))
    fences = [token for token in tokens if token.type == "fence"]
    first = [token.content for token in fences if token.info == "pycon"][:before]
    lines = [
        line[4:] for one in first for line in one.splitlines() if line[:3] in {">>>", "..."}
    ]
    return "\n".join(lines), [token.content for token in fences if token.info == "python"]


@pytest.fixture
def models(monkeypatch):
    """Models that say the text in ``said``, whatever they are called by."""
    models = SimpleNamespace(said="Five days [1].", agents=[])

    def body():
        message = {"content": models.said}
        return {"message": message, "choices": [{"message": message}]}

    def post(url, **_options):
        return httpx.Response(200, json=body(), request=httpx.Request("POST", url))

    class Agent:
        def __init__(self, model, output_type):
            self.model, self.output_type, self.validators = model, output_type, []
            models.agents.append(self)

        def output_validator(self, function):
            self.validators.append(function)
            return function

    def opened(_request):
        return io.BytesIO(json.dumps(body()).encode())

    monkeypatch.setattr(httpx, "post", post)
    monkeypatch.setattr(urllib.request, "urlopen", opened)
    monkeypatch.setattr(pydantic_ai, "Agent", Agent)
    monkeypatch.setenv("OPENAI_API_KEY", "not a real one")
    return models


def test_calls_of_models(models):
    """Each block of the page on asking is a function that returns what the model said."""
    _, snippets = blocks("ask.md", 0)
    assert len(snippets) == 2
    for snippet in snippets:
        names = {}
        exec(snippet, names)  # noqa: S102  ours
        assert names["llm"](MESSAGES) == models.said


def test_structured_replies(models):
    """They run with what the first block of the page has defined, and nothing else."""
    setup, [asked, validated] = blocks("structured.md", 1)
    models.said = CLAIMS
    names = {}
    exec(f"{setup}\n{asked}", names)  # noqa: S102  as above
    assert names["reply"].answer.text == "Five days."
    exec(f"{setup}\n{validated}", names)  # noqa: S102  as above
    [agent] = models.agents
    [check] = agent.validators
    good = names["ClaimList"].model_validate_json(CLAIMS)
    assert check(good) is good
    with pytest.raises(pydantic_ai.ModelRetry, match="names no source"):
        check(names["ClaimList"].model_validate_json(CLAIMS.replace('"1"', '"7"')))
