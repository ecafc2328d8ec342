"""Ask a model, and get an answer with citations and a report.

`python examples/ask.py` plays a recorded reply. To ask Ollama, or a server like OpenAI's:

    python examples/ask.py http://localhost:11434/api/chat qwen3
    python examples/ask.py https://api.openai.com/v1/chat/completions gpt-5
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING
from urllib.request import Request, urlopen

from citemark import Sources, answer_with_citations, render, stream_with_citations

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from http.client import HTTPResponse

    Llm = Callable[[list[dict[str, str]]], str]
    Streamed = Callable[[list[dict[str, str]]], Iterator[str]]

QUESTION = "How long does a refund take, and what is not refunded?"
SOURCES = Sources(
    [
        {
            "id": "pol-12",
            "title": "Refund policy",
            "url": "https://example.org/refunds",
            "text": "Refunds take five working days. They go to the card that was used.",
        },
        {
            "id": "faq",
            "title": "Questions and answers",
            "text": "Is express delivery refunded? No, express delivery is not refunded.",
        },
    ]
)
RECORDED = (
    "A refund takes five working days [1]. Express delivery is not refunded [2]. "
    "Gift cards are refunded twice."
)


def recorded(_messages: list[dict[str, str]]) -> str:
    """Say what a model once said."""
    return RECORDED


def recorded_chunks(_messages: list[dict[str, str]]) -> Iterator[str]:
    """Say it in pieces."""
    return (RECORDED[at : at + 12] for at in range(0, len(RECORDED), 12))


def model_at(url: str, model: str) -> Llm:
    """Return a function that calls a model and waits for the whole reply."""

    def llm(messages: list[dict[str, str]]) -> str:
        with _post(url, model, messages, stream=False) as response:
            reply = json.load(response)
        message = reply["message"] if "message" in reply else reply["choices"][0]["message"]
        return str(message.get("content") or message.get("refusal") or "")

    return llm


def streamed_from(url: str, model: str) -> Streamed:
    """Return a function that calls a model and yields the reply as it is written."""

    def llm(messages: list[dict[str, str]]) -> Iterator[str]:
        with _post(url, model, messages, stream=True) as response:
            for line in response:
                # OpenAI sends events, Ollama an object on each line.
                data = line.decode().removeprefix("data: ").strip()
                if data.startswith("{"):
                    chunk = json.loads(data)
                    choice = chunk.get("choices") or [{"delta": chunk.get("message", {})}]
                    yield choice[0]["delta"].get("content") or ""

    return llm


def _post(
    url: str, model: str, messages: list[dict[str, str]], *, stream: bool
) -> HTTPResponse:
    body = {"model": model, "messages": messages, "stream": stream}
    headers = {"Content-Type": "application/json"}
    if key := os.environ.get("OPENAI_API_KEY"):
        headers["Authorization"] = f"Bearer {key}"
    request = Request(url, json.dumps(body).encode(), headers)  # noqa: S310  yours to choose
    response: HTTPResponse = urlopen(request)  # noqa: S310  as above
    return response


def main(llm: Llm, chunks: Streamed) -> None:
    """Print the answer and what the checks say of it; then the same as a stream."""
    reply = answer_with_citations(QUESTION, SOURCES, llm)
    print(render(reply.answer, "text"))
    print(f"cited: {reply.report.coverage.coverage:.0%} of the claims")
    for finding in reply.report.findings:
        words = reply.answer.text[finding.start : finding.end]
        print(f"{finding.severity}: {words!r}: {finding.message}")

    print()
    stream = stream_with_citations(QUESTION, SOURCES, chunks)
    for segment in stream:
        print(repr(segment.raw), end=" ")
    print()
    print([source.id for source in stream.reply.answer.sources])


if __name__ == "__main__":
    if len(sys.argv) > 2:  # noqa: PLR2004  an address and a model
        main(model_at(*sys.argv[1:3]), streamed_from(*sys.argv[1:3]))
    else:
        main(recorded, recorded_chunks)
