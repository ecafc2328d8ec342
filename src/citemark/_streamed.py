"""An answer as segments while a model writes it, and what it comes to at the end."""

from __future__ import annotations

from contextlib import suppress
from inspect import isawaitable
from typing import TYPE_CHECKING

from citemark._replied import as_chunks, as_chunks_to_come, as_reply
from citemark.errors import CitemarkError
from citemark.providers._thought import Split
from citemark.stream import AnswerStream

if TYPE_CHECKING:
    from collections.abc import (
        AsyncGenerator,
        AsyncIterable,
        AsyncIterator,
        Awaitable,
        Callable,
        Generator,
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
        self._is_broken = False

    @property
    def answer(self) -> Answer:
        """The answer so far; all that came, if the stream has broken off."""
        return self._stream.answer if self._reply is None else self._reply.answer

    @property
    def reply(self) -> CitedReply:
        """The answer and its report, once the last segment was taken.

        Raises:
            CitemarkError: The stream has not come to its end.
        """
        if self._reply is None:
            mend = "take all of its segments first"
            mend = "answer has what came until it broke off" if self._is_broken else mend
            message = f"the stream has not come to its end: {mend}"
            raise CitemarkError(message)
        return self._reply

    def _feed(self, chunk: str) -> list[Segment]:
        chunk = as_reply(chunk)
        self._said.append(chunk)
        thought, words = self._split.feed(chunk)
        self._thoughts.append(thought)
        return self._stream.feed(words)

    def _break_off(self) -> None:
        """Give the answer what was held back: nothing more will come."""
        self._is_broken = True
        with suppress(CitemarkError):  # one is on its way already
            self._stream.feed(self._split.rest[1])
            self._stream.close()

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

    def close(self) -> None:
        """Take no more of the reply, and let the model go; ``answer`` keeps what came."""
        self._segments.close()

    def _run(self, chunks: Callable[[], Iterable[str]]) -> Generator[Segment]:
        found = as_chunks(chunks())
        try:
            for chunk in found:
                yield from self._feed(chunk)
        except BaseException:
            self._break_off()
            raise
        finally:
            _end(found, "close")
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

    async def aclose(self) -> None:
        """Take no more of the reply, and let the model go; ``answer`` keeps what came."""
        await self._segments.aclose()

    async def _run(
        self, chunks: Callable[[], Awaitable[AsyncIterable[str]]]
    ) -> AsyncGenerator[Segment]:
        found = as_chunks_to_come(await chunks())
        try:
            async for chunk in found:
                for segment in self._feed(chunk):
                    yield segment
        except BaseException:
            self._break_off()
            raise
        finally:
            ended = _end(found, "aclose")
            if isawaitable(ended):
                await ended
        for segment in self._close():
            yield segment


def _end(chunks: object, name: str) -> object:
    """Let go of what chunks come from, if it can be told so."""
    end = getattr(chunks, name, None)
    return end() if callable(end) else None
