"""An answer that is already there, sent as if a model wrote it now."""

from __future__ import annotations

import asyncio
import re
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Final

from citemark.integrations._sse_log import lost
from citemark.integrations.sse import aevents
from citemark.renderers.html import HtmlRenderer

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Sequence

    from citemark.demo._pasted import Pasted
    from citemark.integrations.sse import Event

__all__ = ["PREFIX", "SPEEDS", "pieces", "playback", "renderer"]

PREFIX: Final = "answer"
"""Start of the ids in the answer, written live or not."""

SPEEDS: Final = {"slow": 0.12, "normal": 0.04, "fast": 0.01, "at once": 0.0}
"""Seconds a piece."""

MAX_PIECES: Final = 2_000
"""A long answer comes in longer pieces, so that nobody waits for an hour."""

_PIECE: Final = re.compile(r"\s*\S{1,5}|\s+")
"""About as long as a token of a model, and now and then in the middle of a marker."""


def renderer() -> HtmlRenderer:
    """Return what renders answers for the page."""
    return HtmlRenderer(id_prefix=PREFIX, previews="hint", heading_level=3)


def pieces(text: str) -> list[str]:
    """Return a text in at most 2,000 pieces, always the same ones.

    >>> pieces("Five days [12].")
    ['Five', ' days', ' [12].']
    """
    small = _PIECE.findall(text)
    size = -(-len(small) // MAX_PIECES) or 1
    return ["".join(small[at : at + size]) for at in range(0, len(small), size)]


async def playback(
    pasted: Pasted, speed: str, after: int = 0, closing: asyncio.Event | None = None
) -> AsyncGenerator[Event, None]:
    """Yield the events of an answer, those after one, at a speed.

    The same pieces give the same events, so a reader who comes back needs no log: what it has
    is made again, without waiting, and left out; one who has more than there is is told so.
    When the server is closing the events end where they are.
    """
    clock = _Clock(SPEEDS.get(speed, SPEEDS["normal"]), closing or asyncio.Event())
    chunks = clock.chunks(pieces(pasted.answer))
    async with aclosing(aevents(pasted.stream(), chunks, html=renderer())) as events:
        last = 0
        async for event in events:
            if clock.closing.is_set():
                return
            last = event.id
            if event.id > after:
                clock.is_running = True
                yield event
    for event in lost(after) if after > last else ():
        yield event


class _Clock:
    """Waits before each piece, once it is running."""

    def __init__(self, seconds: float, closing: asyncio.Event) -> None:
        self.is_running = False
        self.closing = closing
        self._seconds = seconds

    async def chunks(self, texts: Sequence[str]) -> AsyncIterator[str]:
        for text in texts:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._seconds if self.is_running else 0):
                    await self.closing.wait()
            if self.closing.is_set():
                return
            yield text
