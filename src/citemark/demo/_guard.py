"""What stands between the page and other sites that a browser has open.

A site may point its own host name at 127.0.0.1 (DNS rebinding) or send a form here: neither
gets an answer.  Every response forbids all that the page does not need.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["CSP", "Guard"]

CSP: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Content-Security-Policy of every response."""

_HEADERS: Final = {
    "Content-Security-Policy": CSP,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}

_HOST: Final = re.compile(r"(?:127\.0\.0\.1|localhost|\[::1\])(?::[0-9]{1,5})?", re.IGNORECASE)


class Guard:
    """Middleware that refuses what does not come from this machine's own page."""

    def __init__(self, app: ASGIApp) -> None:
        """Stand before an app."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or have it answered."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(_HEADERS)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refused = _refused(Headers(scope=scope))
        app = self._app if refused is None else PlainTextResponse(refused, status_code=403)
        await app(scope, receive, guarded)


def _refused(headers: Headers) -> str | None:
    """Return why a request is refused; None if it is not."""
    hosts = headers.getlist("host")
    if len(hosts) != 1 or not _HOST.fullmatch(hosts[0]):
        return "This page answers to 127.0.0.1 and localhost only.\n"
    origin = headers.get("origin")
    if origin is not None and origin.lower() != f"http://{hosts[0].lower()}":
        return "This page takes forms from itself only.\n"
    return None
