"""A real server for the tests that need one."""

from __future__ import annotations

import contextlib
import threading
import time
from typing import TYPE_CHECKING

import httpx
import uvicorn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from starlette.types import ASGIApp

WAIT = 10
"""Seconds after which a test that hangs fails."""


@contextlib.contextmanager
def client_of(app: ASGIApp) -> Iterator[httpx.Client]:
    """Serve an application by uvicorn on a free port, and give a client of it."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="critical"))
    thread = threading.Thread(target=server.run)
    thread.start()
    wait_until(lambda: server.started or not thread.is_alive())
    [port] = {sock.getsockname()[1] for one in server.servers for sock in one.sockets}
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=WAIT) as client:
            yield client
    finally:
        server.should_exit = True
        thread.join(WAIT)
    assert not thread.is_alive()


def wait_until(holds: Callable[[], object]) -> None:
    """Wait until something holds; fail if it takes too long."""
    deadline = time.monotonic() + WAIT
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)
