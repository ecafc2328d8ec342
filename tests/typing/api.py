"""Code as users write it: checked by mypy, never run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, assert_type

from citemark import (
    Answer,
    AnswerStream,
    Citation,
    CitationSegment,
    Context,
    Marker,
    Numbering,
    Registry,
    Source,
    Sources,
    TextSegment,
    answer_with_citations,
    answer_with_citations_async,
    build_context,
    cite,
    clean_history,
    find_markers,
    fit_context,
    instructions,
    render,
    stream_with_citations,
    stream_with_citations_async,
)
from citemark.ask import CitedReply
from citemark.integrations.pydantic import ClaimList, from_structured, response_schema

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator


def whole_answer(text: str, rows: list[dict[str, Any]]) -> str:
    """Sources may be mappings, options are checked."""
    answer = cite(text, rows, unresolved="drop", group_by="document")
    assert_type(answer, Answer)
    assert_type(answer.sources, tuple[Source, ...])
    assert_type(answer.require(coverage=0.9, unresolved=0, false_quotes=0), Answer)
    assert_type(answer.unresolved, tuple[str, ...])
    return render(answer, "html", id_prefix="a1")


def wrong_policy(text: str) -> Answer:
    """A policy that does not exist is an error."""
    return cite(text, [], unresolved="delete")  # type: ignore[arg-type]


def segments(answer: Answer) -> Iterator[str]:
    """Pieces of an answer are told apart by their class."""
    for segment in answer.segments:
        if isinstance(segment, CitationSegment):
            assert_type(segment.marker, Marker)
            assert_type(segment.citations, tuple[Citation, ...])
            yield from (str(citation.number) for citation in segment.citations)
        else:
            assert_type(segment, TextSegment)
            yield segment.text


def stream(chunks: Iterator[str], sources: Sources) -> Answer:
    """A stream gives segments as they are sure, and the answer at the end."""
    stream = AnswerStream(sources, numbering=Numbering())
    for chunk in chunks:
        assert_type(stream.feed(chunk), list[TextSegment | CitationSegment])
    stream.close()
    return stream.answer


def markers(text: str) -> list[Marker]:
    """Markers are found without sources; the prompt is made from the same sources."""
    assert_type(build_context(Sources([Source("a", title="A")])), str)
    return find_markers(text)


def conversation(registry: Registry, rows: list[dict[str, Any]], said: list[Any]) -> str:
    """What is loaded late has types too."""
    assert_type(registry.add(rows), Sources)
    context = fit_context(registry.sources, budget=4_000, count=len, style="xml")
    assert_type(context, Context)
    assert_type(registry.context(rows, budget=9), Context)
    assert_type(clean_history(said, context.sources, labels=registry), list[Any])
    return instructions("de", sources=context.sources) + str(context)


def wrong_style(sources: Sources) -> str:
    """A style that does not exist is an error."""
    return build_context(sources, style="yaml")  # type: ignore[arg-type]


def ask(llm: Callable[[list[dict[str, str]]], str], sources: Sources) -> CitedReply:
    """A model is a function; a form is a class; options are checked."""
    reply = answer_with_citations(
        "How long?", sources, llm, form=ClaimList, lang="de", budget=9
    )
    assert_type(reply, CitedReply)
    assert_type(reply.answer, Answer)
    assert_type(from_structured(ClaimList(claims=[]), sources, repair=False), Answer)
    assert_type(response_schema(ClaimList, sources), dict[str, Any])
    answer_with_citations("How long?", sources, llm, colour="red")  # type: ignore[call-arg]
    answer_with_citations("How long?", sources, print)  # type: ignore[arg-type]
    return reply


def asked_as_stream(llm: Callable[[list[dict[str, str]]], Iterator[str]]) -> Answer:
    """Segments come one by one, and the reply is there at the end."""
    stream = stream_with_citations("How long?", [], llm, unresolved="drop")
    for segment in stream:
        assert_type(segment, TextSegment | CitationSegment)
    return stream.reply.answer


async def asked_later(messages: list[dict[str, str]]) -> str:
    """The same for functions that are awaited."""

    async def chunks(_: list[dict[str, str]]) -> AsyncIterator[str]:
        yield messages[0]["content"]

    stream = stream_with_citations_async("How long?", [], chunks)
    async for segment in stream:
        assert_type(segment, TextSegment | CitationSegment)
    reply = await answer_with_citations_async("How long?", [], asked_later)
    assert_type(reply, CitedReply)
    return reply.answer.text
