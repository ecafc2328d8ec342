"""``AnswerStream``, step by step."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import pytest
from markupsafe import Markup

from citemark import (
    AnswerStream,
    Citation,
    CitationSegment,
    CitemarkError,
    Numbering,
    Source,
    TextSegment,
    cite,
    find_markers,
    render,
)
from citemark.errors import UnresolvedError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citemark.model import Segment

A, B = Source("a", title="A"), Source("b", title="B")


def raws(segments: Iterable[Segment]) -> list[str]:
    return [segment.raw for segment in segments]


def test_segments_as_they_come() -> None:
    """Text is released at once, a marker when it is whole."""
    stream = AnswerStream([A, B])

    assert raws(stream.feed("Five days [")) == ["Five days "]
    assert raws(stream.feed("2")) == []
    assert raws(stream.feed("].")) == ["[2]", "."]
    assert raws(stream.close()) == []
    assert stream.answer == cite("Five days [2].", [A, B])


def test_the_answer_so_far() -> None:
    """``answer`` is that of what was released."""
    stream = AnswerStream([A, B])
    stream.feed("Up [1], down [")

    assert stream.answer.text == "Up [1], down "
    assert stream.answer.sources == (A,)


def test_an_open_marker_at_the_end_is_text() -> None:
    """What is never closed was no marker."""
    stream = AnswerStream([A])
    stream.feed("See [1")

    assert stream.close() == [TextSegment("[1")]


def test_nothing_was_said() -> None:
    """An empty stream is an empty answer."""
    stream = AnswerStream([A])

    assert stream.feed("") == []
    assert stream.close() == []
    assert stream.answer == cite("", [A])


def test_closed_is_closed() -> None:
    """Feeding, closing or adding after the end is the caller's mistake."""
    stream = AnswerStream([A])
    stream.close()

    for late in (lambda: stream.feed("x"), stream.close, lambda: stream.add_sources([B])):
        with pytest.raises(CitemarkError, match="closed"):
            late()
    assert stream.answer.text == ""


def test_dropped_with_its_blank() -> None:
    """The blank before a dropped marker is held until it is known whether it goes."""
    stream = AnswerStream([A], unresolved="drop")

    assert raws(stream.feed("Up ")) == ["Up"]
    assert raws(stream.feed("[9]")) == []
    assert raws(stream.feed(".")) == [" [9]", "."]
    assert stream.answer == cite("Up [9].", [A], unresolved="drop")


def test_raise() -> None:
    """``raise`` raises as soon as the key is read."""
    stream = AnswerStream([A], unresolved="raise")

    with pytest.raises(UnresolvedError, match="'9'"):
        stream.feed("Up [9]. ")


def test_numbers_go_on() -> None:
    """A stream goes on counting where the turn before ended."""
    numbering = Numbering()
    cite("[2]", [A, B], numbering=numbering)
    stream = AnswerStream([A, B], numbering=numbering)

    segments = stream.feed("[1] [2]. ")

    assert [
        c.number for s in segments if isinstance(s, CitationSegment) for c in s.citations
    ] == [
        2,
        1,
    ]


def test_late_sources() -> None:
    """A marker before its record is pending, with a number that it keeps."""
    stream = AnswerStream(late_sources=True)

    segments = stream.feed("Yes [[1]] and no [[2]]. ")
    pending = [c for s in segments if isinstance(s, CitationSegment) for c in s.citations]
    assert pending == [Citation("1", None, 1, 1), Citation("2", None, 2, 1)]
    assert stream.add_sources([A]) == [Citation("1", A, 1, 1)]
    assert stream.add_sources([B]) == [Citation("2", B, 2, 1)]
    stream.close()

    assert stream.answer.unresolved == ()
    assert list(stream.answer.citations) == [Citation("1", A, 1, 1), Citation("2", B, 2, 1)]
    assert stream.answer.sources == (A, B)


def test_consulted_sources() -> None:
    """What was given so far and is not cited is there to be shown, the late ones too."""
    stream = AnswerStream([A], late_sources=True, consulted=True)
    stream.feed("Yes [[2]]. ")
    assert stream.answer.consulted == (A,)
    stream.add_sources([B])
    stream.close()

    assert stream.answer.sources == (B,)
    assert stream.answer.consulted == (A,)


def test_sources_that_never_come() -> None:
    """What is pending at the end is unresolved, under the policy that was asked for."""
    stream = AnswerStream([A], late_sources=True, unresolved="mark")
    stream.feed("Up [7] [1]. ")
    stream.close()

    assert stream.answer.unresolved == ("7",)
    assert list(stream.answer.citations) == [Citation("7"), Citation("1", A, 2, 1)]


def test_a_late_id() -> None:
    """Ids of records that come later are found too, in tagged form."""
    stream = AnswerStream(late_sources=True)
    stream.feed("Yes [cite:x1]. ")
    stream.add_sources([{"id": "x1", "title": "X"}])
    stream.close()

    assert [source.id for source in stream.answer.sources] == ["x1"]


def test_late_sources_that_are_one() -> None:
    """Two keys that turn out to name one source: each keeps the number that was shown."""
    stream = AnswerStream(late_sources=True)
    stream.feed("Yes [1] [doc:a]. ")
    stream.add_sources([A])
    stream.close()

    assert [c.number for c in stream.answer.citations] == [1, 2]
    assert [c.source for c in stream.answer.citations] == [A, A]


@pytest.mark.parametrize("source", ["re\u0301sume\u0301.pdf", "\u00f3", "\u1ec7", "faq"])
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_composed_and_decomposed_ids(source: str, form: str) -> None:
    """An id is found, and its text given out once, however its accents are written."""
    text = f"see [{unicodedata.normalize(form, source)}] and [ref:{source}, x]."
    stream = AnswerStream([{"id": source}])
    for character in text:
        stream.feed(character)
    stream.close()

    assert stream.answer == cite(text, [{"id": source}])


@pytest.mark.parametrize(
    ("first", "then"),
    [("Run `x and [policy.pdf] now", " ok\n\nEnd."), ("Cost $x [policy.pdf] now", " [1]")],
)
def test_sources_while_something_is_open(first: str, then: str) -> None:
    """Text that was given out is not given out again when a source makes a marker of it."""
    stream = AnswerStream([{"id": "a"}])
    stream.feed(first)
    stream.add_sources([{"id": "policy.pdf"}])
    stream.feed(then)
    stream.close()

    assert stream.answer.text == first + then


def test_nothing_is_lost_when_a_key_is_refused() -> None:
    """With unresolved="raise" the answer keeps what was fed, for those who go on."""
    stream = AnswerStream([{"id": "a"}], unresolved="raise")
    with pytest.raises(UnresolvedError):
        stream.feed("Hello [1] and [7] and more. ")
    stream.feed("Bye.")
    stream.close()

    assert stream.answer.text == "Hello [1] and [7] and more. Bye."


def test_pending_keys_of_two_turns() -> None:
    """A number of one turn's pending key is not that of the same key in the next turn."""
    numbering = Numbering()
    numbers = []
    for id_ in ("a", "b"):
        stream = AnswerStream([], late_sources=True, numbering=numbering)
        stream.feed("[1] x ")
        stream.add_sources([{"id": id_}])
        stream.close()
        numbers += [citation.number for citation in stream.answer.citations]

    assert numbers == [1, 2]


def test_late_and_dropped() -> None:
    """What never got a source is removed with the blank before it, as in a whole text."""
    stream = AnswerStream([{"id": "a"}], late_sources=True, unresolved="drop")
    stream.feed("a [9], b [1].")
    stream.close()

    assert render(stream.answer, "text", sources=False).startswith("a, b [")


def test_only_candidates() -> None:
    """Formats of which none can name a source find nothing, and fail at nothing."""
    stream = AnswerStream([], formats=())
    assert [segment.raw for segment in stream.feed("`x [a] ") + stream.close()] == ["`x [a] "]


def test_a_subclass_of_str_is_its_text() -> None:
    """Markup escapes what is joined to it; an answer is made of the characters alone."""
    plain, text = "a <b> [9] & <<a>> ", Markup("a <b> [9] & <<a>> ")
    stream = AnswerStream([{"id": "a"}], unresolved="drop")
    stream.feed(text)
    stream.close()

    assert stream.answer == cite(text, [{"id": "a"}], unresolved="drop")
    assert stream.answer == cite(plain, [{"id": "a"}], unresolved="drop")
    assert {type(segment.raw) for segment in stream.answer.segments} == {str}
    assert find_markers(text) == find_markers(plain)
