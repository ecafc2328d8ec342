"""Answers as JSON: claims with their citations, a bad reply that is sent back, quotes.

`python examples/structured_answer.py` plays recorded replies, and needs the extra `pydantic`.
To ask Ollama, or OpenAI's API, `pip install httpx` as well:

    python examples/structured_answer.py http://localhost:11434/api/chat qwen3
    python examples/structured_answer.py https://api.openai.com/v1/chat/completions gpt-5
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from citemark import Sources, answer_with_citations, render
from citemark.checks import verify_quotes
from citemark.integrations.pydantic import (
    ClaimList,
    QuotedAnswer,
    from_structured,
    response_schema,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    Llm = Callable[[list[dict[str, str]]], str]

QUESTION = "How long does a refund take, and what is not refunded?"
SOURCES = Sources(
    [
        {
            "id": "pol-12",
            "title": "Refund policy",
            "text": "Refunds take five working days. They go to the card that was used.",
        },
        {
            "id": "faq",
            "title": "Questions and answers",
            "text": "Is express delivery refunded? No, express delivery is not refunded.",
        },
    ]
)
RECORDED = [
    # Source 3 does not exist: the reply is sent back.
    """{"claims": [
        {"text": "A refund takes five working days.", "citations": ["1"]},
        {"text": "Express delivery is not refunded.", "citations": ["3"]}]}""",
    """{"claims": [
        {"text": "A refund takes five working days.", "citations": ["1"]},
        {"text": "Express delivery is not refunded.", "citations": ["2"]}]}""",
]
QUOTED = QuotedAnswer.model_validate(
    {
        "answer": "A refund takes a week [1]. Express delivery is not refunded [2].",
        "citations": [
            {"source": "1", "quote": "Refunds take seven working days."},
            {"source": "2", "quote": "express delivery is not refunded"},
        ],
    }
)


def model_at(url: str, model: str, schema: dict[str, Any]) -> Llm:
    """Return a function that calls a model, which can write nothing but such JSON."""
    import httpx  # noqa: PLC0415  the recorded replies do without

    form = {"name": "answer", "strict": True, "schema": schema}
    is_ollama = url.endswith("/api/chat")
    wanted = (
        {"format": schema, "stream": False}
        if is_ollama
        else {"response_format": {"type": "json_schema", "json_schema": form}}
    )
    key = os.environ.get("OPENAI_API_KEY")
    headers = {"Authorization": f"Bearer {key}"} if key else {}

    def llm(messages: list[dict[str, str]]) -> str:
        body = {"model": model, "messages": messages, **wanted}
        response = httpx.post(url, json=body, headers=headers, timeout=120)
        reply = response.raise_for_status().json()
        message = reply["message"] if is_ollama else reply["choices"][0]["message"]
        return str(message.get("content") or message.get("refusal") or "")

    return llm


def recorded() -> Llm:
    """Return a function that says what a model once said."""
    replies = iter(RECORDED)
    return lambda _messages: next(replies)


def main(llm: Llm) -> None:
    """Print what is sent back, the answer, and what becomes of quotes."""
    reply = answer_with_citations(QUESTION, SOURCES, llm, form=ClaimList)
    for message in reply.messages[2:]:
        print(f"{message['role']}:\n{message['content']}\n")
    print(render(reply.answer, "text"))


def quotes() -> None:
    """Print the verdict on each quote of a reply."""
    for check in verify_quotes(from_structured(QUOTED, SOURCES)):
        print(f"{check.verdict}: “{check.quote}” {check.reason}".rstrip())


if __name__ == "__main__":
    if len(sys.argv) > 2:  # noqa: PLR2004  an address and a model
        main(model_at(sys.argv[1], sys.argv[2], response_schema(ClaimList, SOURCES)))
    else:
        main(recorded())
    quotes()
