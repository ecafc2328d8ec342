"""Generators that close what they read from, also when nobody asked them for anything.

Python runs no part of a generator that is closed before its first ``next``, not even its
``finally``: a client that goes that early would leave the connection to the model open.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Coroutine, Generator
    from typing import Self

__all__ = ["Closing", "aclose", "begun", "in_background"]

_T = TypeVar("_T")

_closing: set[asyncio.Task[Any]] = set()
"""Tasks that close something: asyncio keeps no task alive by itself."""


def begun(generator: Generator[_T | None, None, None]) -> Generator[_T, None, None]:
    """Return a generator that is past its first ``yield``, which has nothing for the caller."""
    next(generator)
    return cast("Generator[_T, None, None]", generator)


class Closing(AsyncGenerator[_T, None]):
    """An asynchronous generator that closes what it reads from, even if it never began.

    It begins when its first item is asked for, not before: only in a running event loop does
    asyncio learn of a generator, which it closes when nobody holds it any more.  It may be made
    where no loop runs, as in a view that a server calls in a thread.

    Args:
        generator: What it yields; it closes its source itself once it has begun.
        source: What that reads from.
    """

    def __init__(self, generator: AsyncGenerator[_T, None], source: object) -> None:
        """Begin nothing yet."""
        self._generator = generator
        self._source: object = source  # None once the generator has begun

    def __aiter__(self) -> Self:
        """Return the generator itself."""
        return self

    async def asend(self, value: None) -> _T:
        """Return the next item."""
        self._source = None
        return await self._generator.asend(value)

    async def athrow(self, *error: Any) -> _T:  # noqa: ANN401  as in the base class
        """Raise an error in the generator."""
        await self._close_source()
        return await self._generator.athrow(*error)

    async def aclose(self) -> None:
        """End the generator."""
        await self._close_source()
        await self._generator.aclose()

    async def _close_source(self) -> None:
        source, self._source = self._source, None
        if source is not None:
            await asyncio.shield(in_background(aclose(source)))

    def __del__(self) -> None:
        """Close the source in the background, where there is a loop to do it in."""
        if self._source is None:
            return
        with suppress(RuntimeError):
            asyncio.get_running_loop()
            in_background(aclose(self._source))


async def aclose(iterable: object) -> None:
    """Close what can be closed."""
    close = getattr(iterable, "aclose", None)
    if close is not None:
        await close()


def in_background(work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """Start what must be finished even if the task that needs it is cancelled meanwhile."""
    task = asyncio.create_task(work)
    _closing.add(task)
    task.add_done_callback(_closing.discard)
    return task
