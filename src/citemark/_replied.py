"""What the caller's model gives back: a text, chunks of one, or either of them later."""

from __future__ import annotations

from collections.abc import AsyncIterable, Awaitable, Iterable, Mapping
from inspect import isawaitable, iscoroutine
from typing import Final, TypeVar

from citemark._texts import as_text
from citemark.errors import TextTypeError

__all__ = ["as_awaitable", "as_chunks", "as_chunks_to_come", "as_reply"]

T = TypeVar("T")

ASYNC: Final = "for a model that is awaited there is the function whose name ends in _async"
NOT_ASYNC: Final = "for a model that is not awaited there is the function without _async"


def as_reply(reply: object) -> str:
    """Return the text of a reply, or a chunk of it.

    Raises:
        TextTypeError: It is none; the message says what to do.  So do those below.
    """
    if isinstance(reply, str):
        return as_text(reply)
    raise _refused(reply, "llm to return text as str", "return its text")


def as_chunks(reply: Iterable[T]) -> Iterable[T]:
    """Return chunks that can be taken at once."""
    if isinstance(reply, Iterable) and not isinstance(reply, bytes | bytearray | Mapping):
        return reply
    raise _refused(reply, "llm to return an iterable of texts", "return its chunks")


def as_chunks_to_come(reply: AsyncIterable[T]) -> AsyncIterable[T]:
    """Return chunks that are taken as they come."""
    if isinstance(reply, AsyncIterable):
        return reply
    raise _refused(reply, "llm to return an asynchronous iterable of texts", NOT_ASYNC)


def as_awaitable(reply: Awaitable[T]) -> Awaitable[T]:
    """Return what can be awaited."""
    if isawaitable(reply):
        return reply
    raise _refused(reply, "llm to return an awaitable", NOT_ASYNC)


def _refused(reply: object, what: str, mend: str) -> TextTypeError:
    if isawaitable(reply) or isinstance(reply, AsyncIterable):
        mend = ASYNC
    if iscoroutine(reply):
        reply.close()  # else Python warns, later and elsewhere, that nobody awaited it
    return TextTypeError(reply, what, mend)
