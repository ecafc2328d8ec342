"""A server for the demo, on this machine only."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from typing import TYPE_CHECKING, Final

import uvicorn

from citemark.demo._app import create_app

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["ADDRESS", "serve"]

ADDRESS: Final = "127.0.0.1"

MAX_CONNECTIONS: Final = 100

LAST_SECONDS: Final = 2
"""After an interrupt open requests have so long to end."""


class _Server(uvicorn.Server):
    """Ends the streams before it waits for them."""

    def __init__(self, config: uvicorn.Config, closing: asyncio.Event) -> None:
        super().__init__(config)
        self._closing = closing

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._closing.set()
        await super().shutdown(sockets)


def serve(port: int, said: Callable[[str], None]) -> None:
    """Serve the demo until it is interrupted.

    Args:
        port: Port on 127.0.0.1; 0 for a free one.
        said: Is called with the address once the port is ours.

    Raises:
        OSError: The port cannot be had.
    """
    with socket.create_server((ADDRESS, port)) as listener:
        said(f"http://{ADDRESS}:{listener.getsockname()[1]}/")
        closing = asyncio.Event()
        config = uvicorn.Config(
            create_app(closing=closing),
            log_level="error",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=MAX_CONNECTIONS,
            timeout_graceful_shutdown=LAST_SECONDS,
        )
        with contextlib.suppress(KeyboardInterrupt):
            _Server(config, closing).run(sockets=[listener])
