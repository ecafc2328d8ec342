"""The pages, the stream and the files of the demo, as a Starlette application."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from citemark import assets
from citemark._templates import environment
from citemark.demo._examples import example, examples
from citemark.demo._form import read_form
from citemark.demo._guard import Guard
from citemark.demo._pasted import LABELS, POLICIES, BadPasteError, Pasted
from citemark.demo._playback import PREFIX, SPEEDS, playback
from citemark.demo._store import Store
from citemark.demo._view import view
from citemark.integrations.sse import HEADERS, MEDIA_TYPE, frames, last_event_id

if TYPE_CHECKING:
    import asyncio

    from starlette.requests import Request
    from starlette.types import ASGIApp

__all__ = ["create_app"]

NORMAL: Final = "normal"

_STATIC: Final = Path(__file__).resolve().parent / "static"

_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}

BROKEN: Final = "Something went wrong here. The terminal says what."

GONE: Final = "This answer is no longer kept. Paste it again."


def create_app(store: Store | None = None, closing: asyncio.Event | None = None) -> ASGIApp:
    """Return the application.

    Args:
        store: Where pasted answers are kept; there is no other state.
        closing: Is set when the server is to end, so that no open page keeps it.
    """
    pages = _Pages(Store() if store is None else store, closing)
    app = Starlette(
        routes=[
            Route("/", pages.start),
            Route("/play", pages.play),
            Route("/answers", pages.paste, methods=["POST"]),
            Route("/answers/{name}", pages.answer),
            Route("/answers/{name}/events", pages.events),
            Route("/static/{name}", _file),
        ],
        exception_handlers={HTTPException: _error, Exception: _error},
    )
    return Guard(app)  # around all: a page that says what went wrong is guarded too


class _Pages:
    """What depends on the answers that are kept."""

    def __init__(self, store: Store, closing: asyncio.Event | None) -> None:
        self._store = store
        self._closing = closing

    def start(self, request: Request) -> Response:
        """Show the form, filled with an example if there are any."""
        first = next(iter(examples()), None)
        given = Pasted("") if first is None else example(first)
        return _page("start", request, given=given, chosen=first)

    def play(self, request: Request) -> Response:
        """Go to an example."""
        return _go_to(self._found(request.query_params.get("example", ""))[0], _speed(request))

    async def paste(self, request: Request) -> Response:
        """Keep what was pasted and go to it; or say what is wrong with it."""
        pasted, speed = await read_form(request)
        try:
            await run_in_threadpool(pasted.cited)
        except BadPasteError as error:
            return _page("start", request, 422, given=pasted, error=error, speed=speed)
        return _go_to(self._store.put(pasted), speed)

    def answer(self, request: Request) -> Response:
        """Show an answer: as it comes, and in every format."""
        name, pasted = self._found(request.path_params["name"])
        query = urlencode({"speed": _speed(request)})
        return _page(
            "answer",
            request,
            given=pasted,
            chosen=name,
            view=view(pasted.cited()),
            events=f"/answers/{name}/events?{query}",
        )

    async def events(self, request: Request) -> Response:
        """Send the events of an answer."""
        _, pasted = self._found(request.path_params["name"])
        after = last_event_id(request.headers.get("last-event-id"))
        sent = frames(playback(pasted, _speed(request), after, self._closing))
        return StreamingResponse(sent, media_type=MEDIA_TYPE, headers=HEADERS)

    def _found(self, name: str) -> tuple[str, Pasted]:
        if name in examples():
            return name, example(name)
        pasted = self._store.get(name)
        if pasted is None:
            raise HTTPException(404, GONE)
        return name, pasted


def _speed(request: Request) -> str:
    speed = request.query_params.get("speed", NORMAL)
    return speed if speed in SPEEDS else NORMAL


def _go_to(name: str, speed: str) -> Response:
    query = urlencode({"speed": speed if speed in SPEEDS else NORMAL})
    return RedirectResponse(f"/answers/{name}?{query}", status_code=303)


def _page(template: str, request: Request, status: int = 200, /, **values: Any) -> Response:  # noqa: ANN401  for the template
    shown = {
        "chosen": None,
        "error": None,
        "examples": examples(),
        "labels": LABELS,
        "policies": POLICIES,
        "prefix": PREFIX,
        "speed": _speed(request),
        "speeds": {name: name for name in SPEEDS},
    }
    made = environment().get_template(f"demo/{template}.html").render(shown | values)
    return HTMLResponse(made.encode("utf-8", "replace"), status)


async def _error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    reason = error.detail if isinstance(error, HTTPException) else BROKEN
    return _page("error", request, status, reason=reason)


def _file(request: Request) -> Response:
    found = _files().get(request.path_params["name"])
    if found is None:
        raise HTTPException(404)
    data, type_ = found
    return Response(data, media_type=type_, headers={"Cache-Control": "no-cache"})


@lru_cache(maxsize=1)
def _files() -> dict[str, tuple[bytes, str]]:
    """Return what pages load, and its type, by name."""
    paths = [*(assets.path() / name for name in assets.NAMES), *_STATIC.iterdir()]
    return {path.name: (path.read_bytes(), _TYPES[path.suffix]) for path in paths}
