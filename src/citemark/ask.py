"""The whole way in one call: from a question and its sources to a checked answer.

The model is a function of yours: messages in, text out.  Nothing here opens a connection.
"""

from __future__ import annotations

from inspect import isawaitable
from typing import TYPE_CHECKING, Any, Final

from citemark._arguments import require_callable, require_known
from citemark._asking import Asking, AskOptions, CitedReply, Message
from citemark._replied import as_awaitable
from citemark._streamed import AsyncCitedStream, CitedStream

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Awaitable, Callable, Iterable, Mapping
    from typing import Unpack

    from citemark.model import Source
    from citemark.sources import Sources
    from citemark.structured import Form

__all__ = [
    "AskOptions",
    "AsyncCitedStream",
    "CitedReply",
    "CitedStream",
    "Message",
    "answer_with_citations",
    "answer_with_citations_async",
    "stream_with_citations",
    "stream_with_citations_async",
]


_OF_WHOLE: Final = ("attempts", "form")
"""Options beside ``AskOptions`` of what waits for the whole reply."""

_MENDS: Final = dict.fromkeys(
    ("label", "labels"), 'the sources have the labels: Sources(records, label="id")'
)


def _require(
    function: str, llm: object, options: Mapping[str, Any], more: Iterable[str] = ()
) -> None:
    """Refuse a model that cannot be called, and options that there are not."""
    require_callable("llm", llm, "a function from messages to the text of the reply")
    require_known(function, options, (*AskOptions.__annotations__, *more), _MENDS)


def answer_with_citations(
    question: str,
    sources: Sources | Iterable[Source | Mapping[str, Any]],
    llm: Callable[[list[Message]], str],
    *,
    form: type[Form] | None = None,
    attempts: int = 2,
    **options: Unpack[AskOptions],
) -> CitedReply:
    """Ask a model, and return its answer with citations and a report.

    Args:
        question: Of the user.
        sources: What was found for it, the most important first.
        llm: Your call of a model: it takes messages with ``role`` and ``content``, and returns
            the text of the reply.
        form: A form of ``citemark.integrations.pydantic``, if the reply is to be JSON.  A
            reply that does not fit is sent back with what is wrong, until ``attempts`` are used
            up; then what can be used is used.  A refusal is not sent back.
        attempts: How often the model is called at most, from 1.  Without ``form`` it is once.
        options: See ``AskOptions``.

    Raises:
        BudgetError: Not even the start of the first source fits; the model is not called.
        CitemarkError: An option has a value that cannot be used.
        SourceError: The sources cannot be used: see ``Sources``.
        TextTypeError: The question or the reply is no ``str``.
        UnknownArgumentError: There is no option of that name.
        UnresolvedError: A key names no source, and ``unresolved="raise"``.

    >>> found = [{"id": "pol-12", "text": "Refunds take five working days."}]
    >>> reply = answer_with_citations("How long?", found, lambda messages: "Five days [1].")
    >>> [source.id for source in reply.answer.sources], reply.report.coverage.coverage
    (['pol-12'], 1.0)
    """
    _require("answer_with_citations", llm, options, _OF_WHOLE)
    asking = Asking(question, sources, form=form, attempts=attempts, **options)
    while True:
        reply = asking.take(llm(asking.messages))
        if reply is not None:
            return reply


async def answer_with_citations_async(
    question: str,
    sources: Sources | Iterable[Source | Mapping[str, Any]],
    llm: Callable[[list[Message]], Awaitable[str]],
    *,
    form: type[Form] | None = None,
    attempts: int = 2,
    **options: Unpack[AskOptions],
) -> CitedReply:
    """Do as ``answer_with_citations`` does, with a model that is awaited."""
    _require("answer_with_citations_async", llm, options, _OF_WHOLE)
    asking = Asking(question, sources, form=form, attempts=attempts, **options)
    while True:
        reply = asking.take(await as_awaitable(llm(asking.messages)))
        if reply is not None:
            return reply


def stream_with_citations(
    question: str,
    sources: Sources | Iterable[Source | Mapping[str, Any]],
    llm: Callable[[list[Message]], Iterable[str]],
    **options: Unpack[AskOptions],
) -> CitedStream:
    """Ask a model, and return its answer as segments while it comes.

    Args:
        question: Of the user.
        sources: What was found for it.
        llm: Your call of a model: it takes messages, and returns the chunks of the reply.  It
            is called when the first segment is asked for.
        options: See ``AskOptions``.

    Raises:
        BudgetError: Not even the start of the first source fits; the model is not called.
        CitemarkError: An option has a value that cannot be used.
        SourceError: The sources cannot be used: see ``Sources``.
        TextTypeError: The question is no ``str``.
        UnknownArgumentError: There is no option of that name.

    >>> stream = stream_with_citations("How long?", [{"id": "a"}], lambda _: ["Five [", "1]."])
    >>> [segment.raw for segment in stream]
    ['Five ', '[1]', '.']
    >>> stream.reply.answer.sources[0].id
    'a'
    """
    _require("stream_with_citations", llm, options)
    asking = Asking(question, sources, **options)
    return CitedStream(asking, lambda: llm(asking.messages))


def stream_with_citations_async(
    question: str,
    sources: Sources | Iterable[Source | Mapping[str, Any]],
    llm: Callable[[list[Message]], AsyncIterable[str] | Awaitable[AsyncIterable[str]]],
    **options: Unpack[AskOptions],
) -> AsyncCitedStream:
    """Do as ``stream_with_citations`` does, for ``async for``.

    The model may be an asynchronous generator, or a coroutine that returns one.
    """
    _require("stream_with_citations_async", llm, options)
    asking = Asking(question, sources, **options)

    async def chunks() -> AsyncIterable[str]:
        found = llm(asking.messages)
        return await found if isawaitable(found) else found

    return AsyncCitedStream(asking, chunks)
