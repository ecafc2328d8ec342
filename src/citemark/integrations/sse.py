"""Server-sent events: an answer sent to a browser while it is written, by any server.

``events`` and ``aevents`` turn chunks of a model into typed events, ``frames`` writes them with
comments that keep the connection alive, and an ``EventLog`` keeps them for readers that come
back.  The client decides the pace: no chunk is read before its events are asked for.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from citemark.errors import CitemarkError
from citemark.integrations._sse_closing import Closing, aclose, begun, in_background
from citemark.integrations._sse_event import (
    HEADERS,
    KEEP_ALIVE,
    MEDIA_TYPE,
    Event,
    EventDataError,
    last_event_id,
)
from citemark.integrations._sse_log import EventLog
from citemark.integrations._sse_writer import FAILURE, EventWriter

if TYPE_CHECKING:
    from collections.abc import (
        AsyncGenerator,
        AsyncIterable,
        AsyncIterator,
        Generator,
        Iterable,
    )

    from citemark.renderers import Renderer
    from citemark.stream import AnswerStream

__all__ = [
    "HEADERS",
    "MEDIA_TYPE",
    "Event",
    "EventDataError",
    "EventLog",
    "EventWriter",
    "aevents",
    "events",
    "frames",
    "last_event_id",
]

HEARTBEAT: Final = 15.0
"""Seconds of silence before a comment: proxies drop connections after 30 or 60."""


def events(
    stream: AnswerStream,
    chunks: Iterable[str],
    *,
    html: Renderer | None = None,
    failure: str = FAILURE,
) -> Generator[Event, None, None]:
    """Yield the events of an answer while its chunks come.

    They are ``text``, ``source`` (before the first citation of it), ``citation``, and at the
    end ``done``.  When the chunks or the stream raise, ``error`` and ``done`` are yielded, then
    the exception is raised again, for the log of the server: the client has all it needs.  When
    the generator is closed, because the client went away, the chunks are closed too, even if no
    event was asked for.

    Args:
        stream: A stream that nothing was fed to yet.
        chunks: Pieces of the model's text.
        html: Renderer of the whole answer, which ``done`` brings; None for none.
        failure: What readers are told of an error.

    Raises:
        RendererOptionError: ``html`` is no renderer.

    >>> from citemark import AnswerStream
    >>> sources = [{"id": "pol-12", "title": "Refund policy"}]
    >>> [event.name for event in events(AnswerStream(sources), ["Five days [1", "]."])]
    ['text', 'source', 'citation', 'text', 'done']
    """
    return begun(_events(EventWriter(stream, html=html, failure=failure), chunks))


def _events(writer: EventWriter, chunks: Iterable[str]) -> Generator[Event | None, None, None]:
    try:
        yield None
        try:
            for chunk in chunks:
                yield from writer.feed(chunk)
            last = writer.close()
        except Exception:
            yield from writer.fail()
            raise
        yield from last
    finally:
        close = getattr(chunks, "close", None)
        if close is not None:
            close()


def aevents(
    stream: AnswerStream,
    chunks: AsyncIterable[str],
    *,
    html: Renderer | None = None,
    failure: str = FAILURE,
) -> AsyncGenerator[Event, None]:
    """Yield the events of an answer while its chunks come, in an event loop.

    See ``events``.  When the generator is closed or its task cancelled, the chunks are closed
    by ``aclose``.
    """
    return Closing(_aevents(EventWriter(stream, html=html, failure=failure), chunks), chunks)


async def _aevents(
    writer: EventWriter, chunks: AsyncIterable[str]
) -> AsyncGenerator[Event, None]:
    try:
        try:
            async for chunk in chunks:
                for event in writer.feed(chunk):
                    yield event
            last = writer.close()
        except Exception:
            for event in writer.fail():
                yield event
            raise
        for event in last:
            yield event
    finally:
        await asyncio.shield(in_background(aclose(chunks)))


def frames(
    events: AsyncIterable[Event],
    *,
    heartbeat: float | None = HEARTBEAT,
    retry: int | None = None,
) -> AsyncGenerator[str, None]:
    """Yield events as they are sent, and a comment whenever none came for a while.

    This is the body of a response of the type ``MEDIA_TYPE``.  When it is closed or its task
    cancelled, the events are closed too, and with them the chunks they are made from.

    Args:
        events: Of ``aevents`` or ``EventLog.aread``.
        heartbeat: Seconds of silence before a comment; None for no comments.
        retry: Milliseconds after which a client that lost the connection comes back; None
            leaves that to the client.

    Raises:
        CitemarkError: ``heartbeat`` is not above 0.
    """
    if heartbeat is not None and not heartbeat > 0:
        message = f"heartbeat={heartbeat!r}: give seconds above 0, or None"
        raise CitemarkError(message)
    iterator = aiter(events)
    return Closing(_frames(iterator, heartbeat, retry), iterator)


async def _frames(
    iterator: AsyncIterator[Event], heartbeat: float | None, retry: int | None
) -> AsyncGenerator[str, None]:
    coming: asyncio.Task[Event | None] | None = None
    try:
        while True:
            coming = coming or asyncio.create_task(_next(iterator))
            await asyncio.wait({coming}, timeout=heartbeat)
            if not coming.done():
                yield KEEP_ALIVE
                continue
            event, coming = coming.result(), None
            if event is None:
                return
            yield event.encode(retry=retry)
            retry = None
    finally:
        await asyncio.shield(in_background(_end(coming, iterator)))


async def _next(iterator: AsyncIterator[Event]) -> Event | None:
    return await anext(iterator, None)


async def _end(
    coming: asyncio.Task[Event | None] | None, iterator: AsyncIterator[Event]
) -> None:
    """Close an iterator that may be running."""
    if coming is not None:
        coming.cancel()
        await asyncio.wait({coming})
    await aclose(iterator)
