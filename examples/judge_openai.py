"""Asks a language model what supports what: any server that talks as OpenAI's does.

It needs httpx: `pip install httpx`.

OPENAI_BASE_URL=http://localhost:11434/v1 OPENAI_MODEL=qwen3:8b python judge_openai.py
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import httpx

from citemark import cite
from citemark.checks import Budget, ChatJudge, Hearing, support

if TYPE_CHECKING:
    from collections.abc import Callable

SOURCES = [{"id": "minutes", "text": "The board met on 12 March. The quay cost £412,000."}]
ANSWER = "The quay cost £412,000 [1]. The board met in May [1]. It was a success [1]."

GIVE_UP = {400, 401, 403, 404}
"""What is wrong with the request will be wrong again."""


def asker(client: httpx.Client, model: str) -> Callable[[str], str]:
    """Return a function that sends a prompt, and returns what the model says."""

    def ask(prompt: str) -> str:
        body = {
            "model": model,
            "messages": [{"role": "user", "content": prompt}],
            "temperature": 0,
            "response_format": {"type": "json_object"},
        }
        reply = client.post("chat/completions", json=body).raise_for_status()
        return reply.json()["choices"][0]["message"]["content"]

    return ask


def backoff(attempt: int, error: Exception | None) -> float | None:
    """Return how long to wait: as the server says, or twice as long each time."""
    if isinstance(error, httpx.HTTPStatusError):
        if error.response.status_code in GIVE_UP:
            return None
        told = error.response.headers.get("retry-after", "")
        if told.isdecimal():
            return min(float(told), 60)
    return min(0.5 * 2**attempt, 30)


def main() -> None:
    """Judge an answer, and show what was found."""
    base_url = os.environ.get("OPENAI_BASE_URL")
    if base_url is None:
        print("set OPENAI_BASE_URL and OPENAI_MODEL to ask a server")
        return
    model = os.environ["OPENAI_MODEL"]
    headers = {"Authorization": f"Bearer {os.environ.get('OPENAI_API_KEY', 'none')}"}
    timeout = float(os.environ.get("OPENAI_TIMEOUT", "60"))
    with httpx.Client(base_url=base_url, headers=headers, timeout=timeout) as client:
        judge = ChatJudge(model, asker(client, model))
        hearing = Hearing(attempts=3, backoff=backoff, budget=Budget(calls=20))
        for check in support(cite(ANSWER, SOURCES), judge=judge, hearing=hearing):
            print(check.verdict, check.score, check.claim.text)
            print("   ", "; ".join(check.reasons))


if __name__ == "__main__":
    main()
