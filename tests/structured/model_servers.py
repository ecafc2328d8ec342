"""Servers shaped like Ollama's and OpenAI's, that say what a test has written down."""

from __future__ import annotations

import json
from collections import deque
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.responses import JSONResponse, StreamingResponse
from starlette.routing import Route

if TYPE_CHECKING:
    from collections.abc import Iterator

CHUNK = 5
"""Characters of a piece of a stream."""


class Replies:
    """What the model says, reply by reply, and what it was asked."""

    def __init__(self):
        self.waiting = deque()
        self.requests = []

    def script(self, *replies):
        """Forget what was, and say these from now on."""
        self.waiting, self.requests = deque(replies), []

    def take(self, request):
        """Note a request; return the reply to it."""
        self.requests.append(request)
        return self.waiting.popleft()


def app_of(replies):
    """Return an application with both endpoints."""

    async def ollama(request):
        asked = await request.json()
        text = replies.take(asked)
        if asked["stream"]:
            return StreamingResponse(_ndjson(text), media_type="application/x-ndjson")
        return JSONResponse({"message": _message(text), "done": True, "done_reason": "stop"})

    async def openai(request):
        asked = await request.json()
        text = replies.take(asked)
        if asked.get("stream"):
            return StreamingResponse(_events(text), media_type="text/event-stream")
        refused = isinstance(text, dict)
        message = text if refused else _message(text)
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return JSONResponse({"object": "chat.completion", "choices": [choice]})

    return Starlette(
        routes=[
            Route("/api/chat", ollama, methods=["POST"]),
            Route("/v1/chat/completions", openai, methods=["POST"]),
        ]
    )


def _message(text):
    return {"role": "assistant", "content": text}


def _pieces(text) -> Iterator[str]:
    return (text[at : at + CHUNK] for at in range(0, len(text), CHUNK))


def _ndjson(text) -> Iterator[str]:
    for piece in _pieces(text):
        yield json.dumps({"message": _message(piece), "done": False}) + "\n"
    yield json.dumps({"message": _message(""), "done": True, "done_reason": "stop"}) + "\n"


def _events(text) -> Iterator[str]:
    deltas = [
        {"role": "assistant", "content": ""},
        *({"content": p} for p in _pieces(text)),
        {},
    ]
    for delta in deltas:
        choice = {"index": 0, "delta": delta, "finish_reason": None if delta else "stop"}
        chunk = {"object": "chat.completion.chunk", "choices": [choice]}
        yield f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n"
    yield "data: [DONE]\n\n"
