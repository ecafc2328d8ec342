"""Streams: however a text is cut, what is released adds up to the answer of the whole text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import (
    FIVE,
    HOLD,
    MARKERS,
    PLAIN,
    POLICIES,
    SOURCES,
    TEXTS,
    chunked,
    halves,
    texts,
)

from citemark import AnswerStream, CitationSegment, Marker, Sources, TextSegment, cite
from citemark._chunks import with_whole_characters
from citemark.parser import Scanner, find_markers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citemark.model import Segment, Token


def scan(chunks: Iterable[str], known: Sources | None) -> list[Token]:
    scanner = Scanner(known=known)
    tokens = [token for chunk in chunks for token in scanner.feed(chunk)]
    return merge_tokens(tokens + scanner.close())


def merge_tokens(tokens: Iterable[Token]) -> list[Token]:
    merged: list[Token] = []
    for token in tokens:
        if merged and isinstance(token, str) and isinstance(merged[-1], str):
            merged[-1] += token
        else:
            merged.append(token)
    return merged


def merge_segments(segments: Iterable[Segment]) -> tuple[Segment, ...]:
    merged: list[Segment] = []
    for segment in segments:
        last = merged[-1] if merged else None
        if isinstance(segment, TextSegment) and isinstance(last, TextSegment):
            merged[-1] = TextSegment(last.text + segment.text)
        else:
            merged.append(segment)
    return tuple(merged)


def options(policy: str | None) -> dict[str, Any]:
    return {} if policy is None else {"unresolved": policy}


@settings(max_examples=200)
@given(chunked(), SOURCES)
@example(["a\r", "\n```\r", "\n[1]\r\n```"], PLAIN)
@example(["\ud83d", "[1]", "\ude00"], PLAIN)
@example(["x \ud83d", "", "\ude00 [1]"], PLAIN)
@example(["A [1", "]", "(", "https://evil.example)", " B"], PLAIN)
@example(["", "", "[", "", "1]"], PLAIN)
@example(list("`\n\xa0[1]`"), PLAIN)
@example(list("    \x0b[1]"), PLAIN)
@example(list(">```\n    ([1]"), PLAIN)
def test_chunks_do_not_matter_for_tokens(chunks: list[str], known: Sources) -> None:
    """The tokens of the chunks are those of the whole text, with sources and without."""
    whole = "".join(chunks)

    assert scan(chunks, known) == scan([whole], known)
    assert scan(chunks, None) == scan([whole], None)


# What may stand for long before the text that matters: the scanner lets go of it on the way.
FILLERS = (
    "plain words [1] and `code [2]`.\n", "word ", "a[1] ", "> quoted [1]\n", "- item\n\n",
    "- a\n  > b ", "\n\n    code [1]", "`", "[", "<<", "\n", "x\r\n", "\\(", "[[t ",
    "1. ```\n   [1]\n   ```\n", "😀",
)  # fmt: skip
ENDINGS = (
    "",
    "\n",
    "\n\n",
    "\n```\n",
    "\n> ```\n> a\n",
    "\n- a\n\n  ~~~\n",
    "\n- `",
    " `",
    " $x_1",
    "[",
    "a[1]",
)


@pytest.mark.slow
@settings(max_examples=60)  # each is long
@given(
    st.sampled_from(FILLERS),
    st.integers(4_000, 9_500),
    st.sampled_from(ENDINGS),
    texts(5),
    st.sampled_from((1, 7, 64, 1_000, 10_000)),
    SOURCES,
)
@example("plain words [1] and `code [2]`.\n", 4_300, "", "", 10_000, PLAIN)
def test_chunks_do_not_matter_in_long_texts(  # noqa: PLR0913, PLR0917  each is drawn apart
    filler: str, length: int, ending: str, text: str, size: int, known: Sources
) -> None:
    """What the scanner has let go of changes nothing."""
    whole = filler * (length // len(filler)) + ending + text
    chunks = [whole[at : at + size] for at in range(0, len(whole), size)]

    tokens = scan(chunks, known)
    assert tokens == scan([whole], known)
    assert [t for t in tokens if isinstance(t, Marker)] == find_markers(whole, known=known)


@settings(max_examples=150)
@given(TEXTS, SOURCES)
def test_scanning_a_whole_is_a_stream_of_one_chunk(text: str, known: Sources) -> None:
    """``find_markers`` gives the markers among the tokens of a stream."""
    markers = [token for token in scan([text], known) if isinstance(token, Marker)]

    assert find_markers(text, known=known) == markers


@pytest.mark.parametrize("marker", MARKERS)
@pytest.mark.parametrize("known", [None, Sources(FIVE)], ids=["none", "five"])
def test_two_cuts_at_every_place(marker: str, known: Sources | None) -> None:
    """A marker cut into three at any two places is the marker of the whole text."""
    text = f"x {marker} y\n"
    whole = scan([text], known)

    for first in range(len(text) + 1):
        for second in range(first, len(text) + 1):
            chunks = [text[:first], text[first:second], text[second:]]
            assert scan(chunks, known) == whole, chunks


@settings(max_examples=200)
@given(chunked(), SOURCES, POLICIES)
def test_chunks_do_not_matter_for_answers(
    chunks: list[str], sources: Sources, policy: str | None
) -> None:
    """Released segments, merged, are those of the stream's answer and of ``cite``."""
    stream = AnswerStream(sources, **options(policy))
    released = [segment for chunk in chunks for segment in stream.feed(chunk)]
    released += stream.close()
    whole = cite("".join(chunks), sources, **options(policy))

    assert merge_segments(released) == whole.segments
    assert stream.answer == whole


@settings(max_examples=150)
@given(chunked(), SOURCES, POLICIES)
def test_released_text_is_final(
    chunks: list[str], sources: Sources, policy: str | None
) -> None:
    """At any time the released text is a beginning of the text, and little is held back."""
    stream = AnswerStream(sources, **options(policy))
    text = with_whole_characters("".join(chunks))
    released = fed = ""
    for chunk in chunks:
        released += "".join(segment.raw for segment in stream.feed(chunk))
        fed += chunk
        assert text.startswith(released)
        assert len(fed) - len(released) <= HOLD
    released += "".join(segment.raw for segment in stream.close())

    assert released == text


@settings(max_examples=150)
@given(chunked(), SOURCES)
def test_nothing_raw_is_released(chunks: list[str], sources: Sources) -> None:
    """No piece of released text reaches into a marker of the whole text."""
    markers = find_markers(with_whole_characters("".join(chunks)), known=sources)
    scanner = Scanner(known=sources)
    position = 0
    for token in [token for chunk in chunks for token in scanner.feed(chunk)] + scanner.close():
        end = position + len(token if isinstance(token, str) else token.raw)
        if isinstance(token, str):
            assert not any(m.start < end and position < m.end for m in markers)
        position = end


def test_a_pair_cut_in_half_is_joined() -> None:
    """The halves of an astral character, in two chunks, are released as that character."""
    scanner = Scanner(known=PLAIN)
    high, low = tuple(halves("\U0001f600"))

    assert scanner.feed("x " + high) == ["x "]
    assert merge_tokens(scanner.feed(low + " y") + scanner.close()) == ["\U0001f600 y"]


@pytest.mark.parametrize(
    "text",
    ["x \ud83d\ude00 [1]", "\ud83d\ude00[2]\ud83d\ude00\ude00 [1]\ud83d", "[\ud83d\ude00] [1]"],
)
def test_halves_make_one_character_wherever_they_are_cut(text: str) -> None:
    """A whole text with pairs as two halves is the answer that each stream of it is."""
    sources = Sources([{"id": "\U0001f600"}, {"id": "b"}])
    whole = cite(text, sources)
    assert whole.text == text.replace("\ud83d\ude00", "\U0001f600")
    for cut in range(len(text) + 1):
        stream = AnswerStream(sources)
        stream.feed(text[:cut])
        stream.feed(text[cut:])
        stream.close()
        assert stream.answer == whole


@given(chunked(), SOURCES)
def test_offsets_of_markers_are_those_of_the_text_as_given(
    chunks: list[str], sources: Sources
) -> None:
    """Markers found in a text with halves stand where the text has them."""
    text = "".join(chunks)
    markers = find_markers(text, known=sources)
    assert all(marker.raw == text[marker.start : marker.end] for marker in markers)
    joined = find_markers(with_whole_characters(text), known=sources)
    assert [(m.keys, m.format) for m in markers] == [(m.keys, m.format) for m in joined]
    assert [with_whole_characters(m.raw) for m in markers] == [m.raw for m in joined]


@given(TEXTS, TEXTS, SOURCES, POLICIES)
def test_numbers_shown_never_change(
    first: str, second: str, sources: Sources, policy: str | None
) -> None:
    """What more text brings leaves the numbers that were shown as they are."""
    stream = AnswerStream(sources, **options(policy))
    shown = [s for s in stream.feed(first) if isinstance(s, CitationSegment)]
    stream.feed(second)
    stream.close()

    final = [s for s in stream.answer.segments if isinstance(s, CitationSegment)]
    assert final[: len(shown)] == shown


@given(st.lists(st.sampled_from(MARKERS), max_size=6), SOURCES)
def test_feeding_nothing_changes_nothing(markers: list[str], sources: Sources) -> None:
    """Empty chunks release nothing and change nothing."""
    plain, padded = Scanner(known=sources), Scanner(known=sources)
    for marker in markers:
        assert padded.feed(marker) == plain.feed(marker)
        assert padded.feed("") == []
    assert padded.close() == plain.close()
