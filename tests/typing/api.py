"""Code as users write it: checked by mypy, never run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, assert_type

from citemark import (
    Answer,
    AnswerStream,
    Citation,
    CitationSegment,
    Marker,
    Numbering,
    Source,
    Sources,
    TextSegment,
    build_context,
    cite,
    find_markers,
    render,
)

if TYPE_CHECKING:
    from collections.abc import Iterator


def whole_answer(text: str, rows: list[dict[str, Any]]) -> str:
    """Sources may be mappings, options are checked."""
    answer = cite(text, rows, unresolved="drop", group_by="document")
    assert_type(answer, Answer)
    assert_type(answer.sources, tuple[Source, ...])
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
