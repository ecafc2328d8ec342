"""An answer as segments while a model writes it, and what it comes to at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citemark._replied import as_chunks, as_chunks_to_come, as_reply
from citemark.errors import CitemarkError
from citemark.providers._thought import Split
from citemark.stream import AnswerStream

if TYPE_CHECKING:
    from collections.abc import (
        AsyncIterable,
        AsyncIterator,
        Awaitable,
        Callable,
        Iterable,
        Iterator,
    )

    from citemark._asking import Asking, CitedReply
    from citemark.answer import Answer
    from citemark.model import Segment

__all__ = ["AsyncCitedStream", "CitedStream"]


class _Streamed:
    """What both kinds of streams share.

    Args:
        asking: The question.
    """

    def __init__(self, asking: Asking) -> None:
        """Begin with nothing said."""
        self._asking = asking
        self._stream = AnswerStream(asking.sources, **asking.how)
        self._split = Split()
        self._said: list[str] = []
        self._thoughts: list[str] = []
        self._reply: CitedReply | None = None

    @property
    def answer(self) -> Answer:
        """The answer so far."""
        return self._stream.answer if self._reply is None else self._reply.answer

    @property
    def reply(self) -> CitedReply:
        """The answer and its report, once the last segment was taken.

        Raises:
            CitemarkError: The stream has not come to its end.
        """
        if self._reply is None:
            message = "the stream has not come to its end: take all of its segments first"
            raise CitemarkError(message)
        return self._reply

    def _feed(self, chunk: str) -> list[Segment]:
        chunk = as_reply(chunk)
        self._said.append(chunk)
        thought, words = self._split.feed(chunk)
        self._thoughts.append(thought)
        return self._stream.feed(words)

    def _close(self) -> list[Segment]:
        thought, words = self._split.rest
        segments = self._stream.feed(words) + self._stream.close()
        thoughts = "".join([*self._thoughts, thought])
        self._reply = self._asking.reply(self._stream.answer, "".join(self._said), thoughts)
        return segments


class CitedStream(_Streamed):
    """Segments of an answer, each once; they never change once given.

    Args:
        asking: The question.
        chunks: Called for the chunks of the reply when the first segment is asked for.
    """

    def __init__(self, asking: Asking, chunks: Callable[[], Iterable[str]]) -> None:
        """Begin with nothing said."""
        super().__init__(asking)
        self._segments = self._run(chunks)

    def __iter__(self) -> Iterator[Segment]:
        """Return the segments that were not taken yet."""
        return self._segments

    def _run(self, chunks: Callable[[], Iterable[str]]) -> Iterator[Segment]:
        for chunk in as_chunks(chunks()):
            yield from self._feed(chunk)
        yield from self._close()


class AsyncCitedStream(_Streamed):
    """The same for ``async for``.

    Args:
        asking: The question.
        chunks: Awaited for the chunks of the reply when the first segment is asked for.
    """

    def __init__(
        self, asking: Asking, chunks: Callable[[], Awaitable[AsyncIterable[str]]]
    ) -> None:
        """Begin with nothing said."""
        super().__init__(asking)
        self._segments = self._run(chunks)

    def __aiter__(self) -> AsyncIterator[Segment]:
        """Return the segments that were not taken yet."""
        return self._segments

    async def _run(
        self, chunks: Callable[[], Awaitable[AsyncIterable[str]]]
    ) -> AsyncIterator[Segment]:
        async for chunk in as_chunks_to_come(await chunks()):
            for segment in self._feed(chunk):
                yield segment
        for segment in self._close():
            yield segment
