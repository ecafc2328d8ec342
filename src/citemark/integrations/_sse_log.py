"""The events of one answer, kept for readers that come late, or come back."""

from __future__ import annotations

import asyncio
from collections import deque
from threading import Condition
from typing import TYPE_CHECKING, Final

from citemark.errors import CitemarkError
from citemark.integrations._sse_closing import aclose, in_background
from citemark.integrations._sse_event import Event, last_event_id

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterable, Generator

__all__ = ["FORGOTTEN", "EventLog", "lost"]

MAX_BYTES: Final = 4_000_000
"""About a hundred long answers' worth: whoever reaches it has another problem."""

BATCH: Final = 100
"""Events that a reader takes at once: the producer waits for no more than that."""

FORGOTTEN: Final = "A part of the answer is no longer there."
"""What a reader is told who comes back for events that were forgotten."""


class EventLog:
    """Keeps the events of one answer, so that a reader who lost the connection gets the rest.

    One producer appends; any number of readers read, in threads or event loops, each at its own
    speed from any event on.  The producer never waits for a reader, and goes on when none is
    left.  Past ``max_bytes`` the oldest events are forgotten: a reader who still needs them, or
    comes with the id of another log, is told so by an ``error`` event and a ``done`` that says
    ``"failed"``.

    Args:
        max_bytes: Size of the events that are kept, as they are sent, in bytes.

    Raises:
        CitemarkError: ``max_bytes`` is no number from 1.

    >>> log = EventLog()
    >>> for number, word in enumerate(("Five ", "days"), 1):
    ...     log.append(Event(number, "text", {"content": word}))
    >>> log.close()
    >>> [event.data["content"] for event in log.read(after="1")]
    ['days']
    """

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        """Start an empty log."""
        if type(max_bytes) is not int or max_bytes < 1:
            message = f"max_bytes={max_bytes!r}: give a number from 1"
            raise CitemarkError(message)
        self._max_bytes = max_bytes
        self._events: deque[tuple[Event, int]] = deque()
        self._bytes = 0
        self._last = 0  # id of the newest event
        self._is_closed = False
        self._changed = Condition()
        self._waiting: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()
        self._task: asyncio.Task[None] | None = None

    @classmethod
    def recording(cls, events: AsyncIterable[Event], *, max_bytes: int = MAX_BYTES) -> EventLog:
        """Return a log that an asyncio task of its own fills, whoever reads or not.

        An exception of the events ends the log; asyncio reports it, as for every task.

        Raises:
            RuntimeError: No event loop is running.
        """
        log = cls(max_bytes)
        log._task = asyncio.create_task(log._record(events))
        log._task.add_done_callback(lambda _: log._end(events))
        return log

    @property
    def is_closed(self) -> bool:
        """Whether no more events will come."""
        return self._is_closed

    def append(self, event: Event) -> None:
        """Keep the next event.

        Raises:
            CitemarkError: The log is closed, or the id does not follow that of the last event.
        """
        size = len(event.encode().encode())
        with self._changed:
            if self._is_closed or event.id != self._last + 1:
                state = "is closed" if self._is_closed else f"waits for event {self._last + 1}"
                message = f"event {event.id} cannot be kept: the log {state}"
                raise CitemarkError(message)
            self._events.append((event, size))
            self._last = event.id
            self._bytes += size
            # The newest stays, whatever its size: ``done`` has the whole answer.
            while self._bytes > self._max_bytes and len(self._events) > 1:
                self._bytes -= self._events.popleft()[1]
        self._wake()

    def close(self) -> None:
        """Say that no more events will come.  Readers end when they have read the last one."""
        with self._changed:
            self._is_closed = True
        self._wake()

    def stop(self) -> None:
        """End the task of ``recording`` before its time; its source of chunks is closed."""
        if self._task is not None:
            self._task.cancel()

    def read(self, after: int | str | None = None) -> Generator[Event, None, None]:
        """Yield the events after one, and wait for those to come.

        Args:
            after: Id of the last event that the reader has, as a number or as the header
                ``Last-Event-ID`` has it.  Anything that is no id stands for the start.
        """
        last = last_event_id(after)
        is_over = False
        while not is_over:
            events, is_over = self._after(last)
            yield from events
            last = events[-1].id if events else last
            if not (events or is_over):
                self._wait(last)

    async def aread(self, after: int | str | None = None) -> AsyncGenerator[Event, None]:
        """Yield the events after one, and wait for those to come, in an event loop."""
        last = last_event_id(after)
        changed = asyncio.Event()
        waiting = (asyncio.get_running_loop(), changed)
        with self._changed:
            self._waiting.add(waiting)
        try:
            is_over = False
            while not is_over:
                changed.clear()
                events, is_over = self._after(last)
                for event in events:
                    yield event
                    last = event.id
                if not (events or is_over):
                    await changed.wait()
        finally:
            with self._changed:
                self._waiting.discard(waiting)

    def _wait(self, last: int) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._is_closed or self._last > last)

    def _after(self, last: int) -> tuple[list[Event], bool]:
        """Return what there is for a reader, and whether nothing more will come for it."""
        with self._changed:
            first = self._last - len(self._events) + 1
            if last + 1 < first or last > self._last:  # the latter of another log
                return lost(max(last, self._last)), True
            start, end = last + 1 - first, len(self._events)
            stop = min(start + BATCH, end)
            # By position: a reader who is up to date must not pay for what it has.
            new = [self._events[at][0] for at in range(start, stop)]
            return new, self._is_closed and stop == end

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()
            waiting = tuple(self._waiting)
        for loop, changed in waiting:
            if not loop.is_closed():
                loop.call_soon_threadsafe(changed.set)

    async def _record(self, events: AsyncIterable[Event]) -> None:
        try:
            async for event in events:
                self.append(event)
        finally:
            self.close()
            await aclose(events)

    def _end(self, events: AsyncIterable[Event]) -> None:
        """Do the same for a task that was stopped before it began, and ran no line."""
        if not self._is_closed:
            self.close()
            in_background(aclose(events))


def lost(last: int) -> list[Event]:
    """Return what a reader is told whose last event is none of this answer's."""
    return [
        Event(last + 1, "error", {"message": FORGOTTEN}),
        Event(last + 2, "done", {"html": None, "status": "failed"}),
    ]
