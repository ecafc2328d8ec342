"""The text of an answer for other programs: a marker is ``[1]``, and its place is told.

Offsets are code points of that text, half-open.  Whoever gets it finds ``[1]`` by its look or
by its place; so what looks like one of our markers, and is none, is escaped as Markdown is.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import regex

from citemark.catalogue import DEFAULT
from citemark.model import Marker, TextSegment
from citemark.parser import Scanner

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from citemark.answer import Answer
    from citemark.model import Anchor, Citation, CitationSegment, Segment

__all__ = ["Mark", "Written", "write"]

MAX_ROUNDS: Final = 3
"""Readings of the text for what looks like a marker of ours; an escape may show another."""

MAX_DIGITS: Final = 6
"""Digits of the longest number in a marker."""

_DEFINITION: Final = regex.compile(r"^[ \t>]{0,40}+\[([0-9]{1,6})\](?=:)", regex.MULTILINE)
_SURROGATES: Final = regex.compile(r"[\ud800-\udfff]")


class Mark(NamedTuple):
    """A citation of one number, and its place."""

    start: int
    """First code point: of ``[1]``, or of what is cited where nothing is written for it."""

    end: int
    """Code point after the last one."""

    anchor: Anchor
    """What the place is."""

    citations: tuple[Citation, ...]
    """One or more, of the same number."""

    @property
    def number(self) -> int:
        """The number that is shown."""
        return self.citations[0].number or 0


class Written(NamedTuple):
    """A text and its citations."""

    text: str
    """What is shown."""

    marks: tuple[Mark, ...]
    """In order; those of the whole answer, which have no place, last."""


class _Insert(NamedTuple):
    """Characters that are put into the text after it was read."""

    at: int
    text: str


def write(answer: Answer, *, numbered: bool = True) -> Written:
    """Return the text of an answer with ``[1]`` for its citations.

    Halves of surrogate pairs, which no strict reader of JSON takes, become U+FFFD.  Keys that
    name no source are left out with the blank before them.

    Args:
        answer: To be written.
        numbered: Whether a citation that no marker in the text stands for is written too.  If
            not, its mark is the place of what it is fixed to.
    """
    writer = _Writer(numbered=numbered)
    for segment in answer.segments:
        writer.add(segment)
    text, marks = writer.text, writer.marks()
    for _ in range(MAX_ROUNDS):
        inserts = _inserts(text, marks)
        if not inserts:
            break
        text, marks = _with_inserts(text, marks, inserts)
    return Written(text, tuple(marks))


class _Writer:
    """Writes segments one after the other, and remembers where each part of them went."""

    def __init__(self, *, numbered: bool) -> None:
        self._numbered = numbered
        self._pieces: list[str] = []
        self._length = 0
        self._raw_length = 0
        self._starts: list[int] = []  # of pieces of the answer
        self._copies: list[tuple[int, int, int]] = []  # of each: words in it, and in the text
        self._told: list[tuple[tuple[int, int] | None, Anchor, tuple[Citation, ...]]] = []
        self._marks: list[Mark] = []

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self._pieces)

    def add(self, segment: Segment) -> None:
        """Write a segment."""
        if isinstance(segment, TextSegment):
            self._remember(len(segment.text), 0, segment.text)
            return
        marker = segment.marker
        groups = _by_number(segment)
        if not (groups or marker.words or marker.anchor != "marker"):
            self._drop_blank()
        words = max(marker.raw.find(marker.words), 0) + len(segment.blank)
        self._remember(len(segment.raw), words, marker.words)
        for citations in groups:
            self._cite(marker, citations)

    def marks(self) -> list[Mark]:
        """Return the citations in the order of their places."""
        told = [
            Mark(-1, -1, anchor, citations)
            if span is None
            else Mark(self._placed(span[0]), self._placed(span[1]), anchor, citations)
            for span, anchor, citations in self._told
        ]
        last = len(self.text) + 1
        return sorted(
            [*self._marks, *told], key=lambda mark: mark.end if mark.end >= 0 else last
        )

    def _cite(self, marker: Marker, citations: tuple[Citation, ...]) -> None:
        anchor = marker.anchor
        if anchor == "message":
            self._told.append((None, anchor, citations))
        elif marker.span is not None and not self._numbered:
            kept: Anchor = "claim" if anchor == "marker" else anchor
            self._told.append((marker.span, kept, citations))
        else:
            start = self._length
            self._append(f"[{citations[0].number}]")
            self._marks.append(Mark(start, self._length, "marker", citations))

    def _append(self, text: str) -> None:
        self._pieces.append(text)
        self._length += len(text)

    def _remember(self, raw_length: int, at: int, words: str) -> None:
        """Write words of a piece of the answer, which start at a place in it."""
        if raw_length:
            self._starts.append(self._raw_length)
            self._copies.append((self._raw_length + at, self._length, len(words)))
            self._raw_length += raw_length
        self._append(words if words.isascii() else _SURROGATES.sub("\ufffd", words))

    def _drop_blank(self) -> None:
        """Remove the blanks at the end of the text: what they part is not shown."""
        while self._pieces:
            last = self._pieces[-1]
            kept = last.rstrip(" \t")
            self._pieces[-1], self._length = kept, self._length - len(last) + len(kept)
            if kept:
                break
            self._pieces.pop()
        if self._copies:
            start, written, length = self._copies[-1]
            self._copies[-1] = start, written, min(length, max(self._length - written, 0))

    def _placed(self, position: int) -> int:
        """Return where in the text a position of the answer is."""
        if not self._starts or position >= self._raw_length:
            return self._length
        start, written, length = self._copies[max(bisect_right(self._starts, position) - 1, 0)]
        return min(written + min(max(position - start, 0), length), self._length)


def _by_number(segment: CitationSegment) -> list[tuple[Citation, ...]]:
    """Return the citations that have a source, those of one number in a row together."""
    shown = [one for one in segment.citations if one.number is not None and one.source]
    return [tuple(group) for _, group in groupby(shown, key=lambda one: one.number)]


def _inserts(text: str, marks: Sequence[Mark]) -> list[_Insert]:
    """Return what has to be put in so that our markers, and no others, are read as such."""
    ours = {mark.start: mark for mark in marks if mark.anchor == "marker"}
    if not ours:
        return []
    highest = max(mark.number for mark in ours.values())
    inserts: dict[int, _Insert] = {}
    for match in _DEFINITION.finditer(text):
        start = match.start(1) - 1
        if start in ours:  # what follows must not make a definition of it
            inserts[match.end()] = _Insert(match.end(), "\\")
        elif int(match[1]) <= highest:
            inserts[start] = _Insert(start, "\\")
    read = _markers(text)
    ends = {mark.end for mark in ours.values()}
    for start in _unread(sorted(ours), read):
        if start not in ends:  # behind another one it is that which may be misread
            inserts |= _parted(text, ours[start])
    others = [token for token in read if token.start not in ours]
    inner = _enclosed(sorted(ours), others)
    for token in others:
        is_number = any(_is_label(key, highest) for key in token.keys)
        if token.raw[0] == "[" and is_number and token not in inner:
            inserts[token.start] = _Insert(token.start, "\\")
    return sorted(inserts.values())


def _parted(text: str, mark: Mark) -> dict[int, _Insert]:
    """Return the blank that parts a marker of ours from what makes something else of it."""
    before, after = text[: mark.start][-1:], text[mark.end : mark.end + 1]
    if before and not before.isspace():
        return {mark.start: _Insert(mark.start, " ")}
    return {mark.end: _Insert(mark.end, " ")} if after.isalnum() else {}


def _unread(starts: Iterable[int], tokens: Sequence[Marker]) -> list[int]:
    """Return the starts of our markers that are read as something else: ``x[1]`` is a term."""
    firsts = [token.start for token in tokens]
    around = ((start, bisect_right(firsts, start) - 1) for start in starts)
    return [start for start, at in around if at < 0 or tokens[at].end <= start]


def _markers(text: str) -> list[Marker]:
    tokens = Scanner(DEFAULT).close(text)
    return [token for token in tokens if isinstance(token, Marker)]


def _enclosed(starts: Sequence[int], tokens: Iterable[Marker]) -> set[Marker]:
    """Return the markers that hold one of ours: an escape before them would change it."""
    return {
        token
        for token in tokens
        if bisect_left(starts, token.start) != bisect_left(starts, token.end)
    }


def _is_label(key: str, highest: int) -> bool:
    return key.isascii() and key.isdecimal() and len(key) <= MAX_DIGITS and int(key) <= highest


def _with_inserts(
    text: str, marks: Iterable[Mark], inserts: Sequence[_Insert]
) -> tuple[str, list[Mark]]:
    places = [insert.at for insert in inserts]
    cuts = [0, *places, len(text)]
    pieces = [text[a:b] for a, b in pairwise(cuts)]
    after = [*(insert.text for insert in inserts), ""]
    joined = "".join(piece + added for piece, added in zip(pieces, after, strict=True))
    return joined, [_moved(mark, places) for mark in marks]


def _moved(mark: Mark, places: Sequence[int]) -> Mark:
    """Return a citation after a character was put in at each of some places."""
    if mark.start < 0:
        return mark
    # A marker goes with its brackets; words that are cited have what is put in before them.
    before = bisect_right if mark.anchor == "marker" else bisect_left
    start = mark.start + before(places, mark.start)
    return mark._replace(start=start, end=mark.end + bisect_left(places, mark.end))
