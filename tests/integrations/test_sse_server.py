"""Events over a real connection: readers that go away, and readers that do not read."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest
from server_kit import WAIT, client_of, wait_until
from starlette.applications import Starlette
from starlette.responses import StreamingResponse
from starlette.routing import Route

from citemark import AnswerStream
from citemark.integrations.sse import HEADERS, MEDIA_TYPE, aevents, frames

CHUNK = "word " * 20_000


class Model:
    """Writes without end; notes how often it was asked, and that it was closed."""

    def __init__(self, chunk, seconds):
        self.chunk, self.seconds = chunk, seconds
        self.taken = 0
        self.is_closed = threading.Event()

    async def __aiter__(self):
        while True:
            await asyncio.sleep(self.seconds)
            self.taken += 1
            yield self.chunk

    async def aclose(self):
        await asyncio.sleep(0)
        self.is_closed.set()


@pytest.fixture(scope="module")
def models():
    """What a request is answered by, by its path."""
    return {}


@pytest.fixture(scope="module")
def client(models):
    """A client of a server that sends what the models write."""

    async def stream(request):
        model = models[request.url.path]
        body = frames(aevents(AnswerStream(), model), heartbeat=0.05)
        return StreamingResponse(body, media_type=MEDIA_TYPE, headers=HEADERS)

    with client_of(Starlette(routes=[Route("/{path:path}", stream)])) as client:
        yield client


@pytest.mark.parametrize(
    ("path", "seconds", "first"),
    [("/writes", 0.01, "id: 1"), ("/is-silent", 1_000, ": keep-alive")],
    ids=["writing", "silent"],
)
def test_reader_that_leaves_stops_the_model(client, models, path, seconds, first):
    """While events come, or in the silence between them."""
    model = models[path] = Model("Five days. ", seconds)
    with client.stream("GET", path) as response:
        assert next(response.iter_lines()) == first
    assert model.is_closed.wait(WAIT)
    taken = model.taken
    time.sleep(0.05)
    assert model.taken == taken


def test_reader_that_does_not_read_stops_the_model_for_a_while(client, models):
    """What lies between them is bounded: nothing piles up on the server."""
    model = models["/fast"] = Model(CHUNK, 0)
    with client.stream("GET", "/fast"):
        asked = []

        def stands():
            asked.append(model.taken)
            return model.taken and len(set(asked[-20:])) == 1 and len(asked) > 20

        wait_until(stands)
        assert model.taken * len(CHUNK) < 64_000_000
    assert model.is_closed.wait(WAIT)
