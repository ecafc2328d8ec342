"""Where the lines of a paragraph part what it states, though to Markdown they are one text.

Models write bullets that Markdown does not know, labels, and lines without a stop.  A line
that is only wrapped goes on with its sentence: it begins in lower case, or the one before is
full.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from citemark._lazy import lazy_re
from citemark.checks._phrases import phrase_of
from citemark.checks._vocabulary import words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from citemark.checks._marks import Mark

__all__ = ["Lines", "Piece"]

MIN_WIDTH: Final = 60
"""Code points of the shortest line that may have been wrapped because it was full."""

MIN_DENSE_WIDTH: Final = 30
"""The same in scripts that put no blanks between words."""

MAX_GREETING: Final = 40
"""Code points of a line that greets."""

SLACK, DENSE_SLACK = 12, 2
"""Code points by which full lines of one paragraph differ at most."""

_SURE: Final = lazy_re(
    r"""(?: [•‣▪▫◦●○■□◆◇◈◉※★☆♦⁃∙・･]
       | [\u2190-\u2bff\U0001f000-\U0001faff] [\ufe0f\u200d\U0001f3fb-\U0001f3ff]*+
       | [\u2460-\u24ff\u2776-\u2793\u3220-\u3247\u3280-\u32b0] | [0-9] \ufe0f?+ \u20e3
       | [(（] (?: [0-9]{1,3} | [A-Za-z] | [ivxIVX]{2,4} | [一二三四五六七八九十]{1,3} ) [)）]
         (?= [\s*_] | [^\x00-\x7f] )
       | (?: [0-9]{1,3} | [A-Za-z] | [ivxIVX]{2,4} ) (?: \) (?= \s ) | ） )
       | [0-9]{1,3} [、．] | [一二三四五六七八九十]{1,3} 、 ) [ \t]*+""",
    re.VERBOSE,
)
"""What begins an item at the start of any line."""

_MAYBE: Final = lazy_re(
    r"(?:(?P<dash>[-–—―‐−·*+])|(?P<number>[0-9]{1,3}\.)|(?P<letter>[A-Za-z]\.|[ivxIVX]{2,4}\.))"
    r"[ \t]++"
)
"""What begins one if something else tells so: a dash may stand in a sentence."""

_LABEL: Final = lazy_re(
    r"[*_]{0,3}+[^\s:：.!?*_…]{1,30}+(?:[ \t][^\s:：.!?*_…]{1,30}+){0,4}+[ \t]?+"
    r"(?:[*_]{0,3}+(?::[*_]{0,3}+(?=\s|\Z)|：))"
)
"""What a line is about: ``Height: 9 m``."""

_STOPPED: Final = lazy_re(r"[.!?…‽。！？｡．؟۔।॥։።][\"'”’»)\]」』】*_~`]*+\Z")
_INNER_STOP: Final = lazy_re(r"[^\W\d_]{2}[\"'”’»)]?[.!?؟۔।]\s+(?P<next>\S)")
"""A sentence that ends within a line: who writes stops there writes them at the end, too."""

_CLOSING: Final = " \t*_~)\"'”’»"
_OPENING: Final = lazy_re(r"[\"'“„«‘‚(\[{*_~`¿¡「『（《〈]*+")
_WORD: Final = lazy_re(r"[^\W\d_]++(?:['’][^\W\d_]++)?+")
_TOKEN: Final = lazy_re(r"\S++")
_DENSE: Final = lazy_re(r"[\u3040-\u30ff\u3400-\u9fff]")
_AFTER_MARK: Final = lazy_re(r"[ \t,;.]*+")
_COMMAS: Final = ",،"
_GOES_ON: Final = frozenset("-–—(（/&+=、，[")
"""Signs after which a sentence goes on."""

_POLITE: Final = frozenset(("i", "sie", "ihr", "ihre", "ihren", "ihrem", "ihrer", "ihnen"))
"""Words that often start a sentence, and have a capital within one, too."""

_TAIL: Final = 20
"""Code points that tell how a line ends."""


class Piece(NamedTuple):
    """A part of a paragraph, of one line or more."""

    start: int
    """Its first code point, after the mark of an item."""

    end: int
    """Code point after the last one."""

    is_item: bool
    """Whether it is an item of a list: a block of its own."""


class _Line(NamedTuple):
    start: int
    """Where it begins, blanks left out."""

    words: int
    """Where its words begin, after markers; its end if it has none."""

    end: int
    """Where it ends, blanks left out."""

    is_hard: bool
    """Whether a hard break ends it."""

    kind: str
    """Kind of the mark of an item at its start; "" if there is none."""

    item_end: int
    """Where that ends."""


class Lines:
    """Parts the paragraphs of an answer at their lines."""

    def __init__(
        self, source: str, text: str, marks: Iterable[Mark], leaves: Sequence[tuple[int, int]]
    ) -> None:
        """Take the answer as written and masked, of the same length, and its paragraphs."""
        self._source, self._text, self._leaves = source, text, leaves
        self._ends = {mark.start: mark.end for mark in marks if mark.start < mark.end}
        self._stops = {mark.end for mark in marks}

    def pieces(self, start: int, end: int) -> Iterator[Piece]:
        """Yield the parts of some lines; one that only wraps is none of its own."""
        lines = [*self._read(start, end)]
        if not lines:
            return
        tail = self._text[max(lines[-1].start, lines[-1].end - _TAIL) : lines[-1].end]
        has_stops = _STOPPED.search(tail) is not None
        paragraph = _Paragraph(lines, self._text, has_stops=has_stops)
        is_labelled = lines[0].words > lines[0].start and not lines[0].kind
        seen = self._kinds(lines)
        first = lines[0]
        is_item = self._is_item(first, None, seen)
        piece = first.item_end if is_item else first.start
        for before, line in pairwise(lines):
            if line.words < line.end or line.kind:
                begins_item = self._is_item(line, before, seen)
                if begins_item or self._parts(before, line, paragraph):
                    at = line.start if is_labelled else line.words
                    at = line.item_end if begins_item else at
                    yield Piece(piece, before.end, is_item)
                    piece, is_item = at, begins_item
        yield Piece(piece, lines[-1].end, is_item)

    def _read(self, start: int, end: int) -> Iterator[_Line]:
        text = self._text
        while start < end:
            stop = text.find("\n", start, end)
            stop = end if stop < 0 else stop
            words = text[start:stop]
            first = start + len(words) - len(words.lstrip())
            last = start + len(words.rstrip())
            if first < last:
                is_hard = stop < end and self._is_hard(stop)
                mark = _SURE.match(text, first, last) or _MAYBE.match(text, first, last)
                kind = (mark.lastgroup or "sure") if mark and first not in self._ends else ""
                item_end = mark.end() if mark and kind else first
                begin = self._after_marks(first, last)
                if is_hard:  # its backslash is none of the words
                    last = first + len(text[first:last].removesuffix("\\").rstrip())
                yield _Line(first, min(begin, last), last, is_hard, kind, item_end)
            start = stop + 1

    def _is_hard(self, stop: int) -> bool:
        """Whether the line that ends somewhere does so with a hard break (6.7)."""
        line = self._source[max(0, stop - _TAIL) : stop].removesuffix("\r")
        bare = line.rstrip("\\")
        return line.endswith("  ") or (len(line) - len(bare)) % 2 == 1

    def _after_marks(self, pos: int, end: int) -> int:
        """Return where words begin after the markers at a position."""
        while pos in self._ends and pos < end:
            after = _AFTER_MARK.match(self._text, self._ends[pos])
            pos = after.end() if after else self._ends[pos]
        return min(pos, end)

    def _kinds(self, lines: Sequence[_Line]) -> set[str]:
        """Return the kinds of marks that two lines begin with."""
        counts = Counter(line.kind for line in lines)
        return {kind for kind, count in counts.items() if kind and count > 1}

    def _is_item(self, line: _Line, before: _Line | None, seen: set[str]) -> bool:
        if not line.kind or line.kind == "sure" or line.item_end >= line.end:
            return line.kind == "sure" and line.item_end < line.end
        if line.kind in seen:
            return True
        if before is None:  # "a. Oaks", not "A. Rowe"
            return line.kind == "letter" and self._text[line.start].islower()
        last = self._text[before.end - 1]
        is_led = last in ":：" or before.end in self._stops
        is_short = line.kind == "dash" and before.end - before.start < MIN_WIDTH
        return is_short or (is_led and line.kind != "letter")

    def _parts(self, before: _Line, line: _Line, paragraph: _Paragraph) -> bool:
        """Whether a statement ends with one line, and another begins with the next."""
        text = self._text
        is_full = paragraph.is_full(before, line, is_wrapped=self._is_wrapped)
        if before.is_hard or self._is_labelled(line, paragraph.head, is_full=is_full):
            return True
        tail = text[max(before.start, before.end - _TAIL) : before.end]
        if before.end - len(tail) + len(tail.rstrip(_CLOSING)) in self._stops:
            return not _is_small(text, line)
        if before is paragraph.head and self._greets(before):
            return True
        # Whether a stop ends a sentence is told with the words.
        return not _STOPPED.search(tail) and self._begins(
            line, before, paragraph, is_full=is_full
        )

    def _begins(
        self, line: _Line, before: _Line, paragraph: _Paragraph, *, is_full: bool
    ) -> bool:
        """Whether a line after one without a stop begins as a statement does."""
        text = self._text
        if _is_small(text, line):
            has_room = not paragraph.is_full(before, line, is_wrapped=True)
            return has_room and _is_small(text, paragraph.head)
        last = text[before.end - 1]
        if last in _GOES_ON:
            return False
        word = _first_word(text, line).casefold().replace("’", "'")
        is_starter = word in words_of("starters") and word not in _POLITE
        return is_starter or not (is_full or last in _COMMAS)

    def _greets(self, line: _Line) -> bool:
        """Whether a line is a greeting with its comma: ``Hi Ann,``."""
        words = self._text[line.start : line.end]
        is_short = len(words) <= MAX_GREETING and words[-1] in _COMMAS
        return is_short and phrase_of(words.casefold()) == "salutations"

    def _is_labelled(self, line: _Line, head: _Line, *, is_full: bool) -> bool:
        if not _LABEL.match(self._text, line.words, line.end):
            return False
        if _LABEL.match(self._text, max(head.words, head.item_end), head.end):
            return True
        return not (is_full or _is_small(self._text, line))

    @cached_property
    def _is_wrapped(self) -> bool:
        """Whether a long line goes on in lower case anywhere in the answer."""
        text = self._text
        for start, end in self._leaves:
            if text.find("\n", start, end) < 0:
                continue
            for before, line in pairwise(self._read(start, end)):
                is_long = before.end - before.start >= MIN_WIDTH and not before.is_hard
                if is_long and _is_small(text, line):
                    return True
        return False


class _Paragraph:
    """What is known of all lines of a paragraph."""

    def __init__(self, lines: Sequence[_Line], text: str, *, has_stops: bool) -> None:
        self.head, self._has_stops = lines[0], has_stops
        self._text = text
        lengths = [line.end - line.start for line in lines]
        self._width = max(lengths)
        self._long = {
            slack: sum(length >= self._width - slack for length in lengths[:-1])
            for slack in (SLACK, DENSE_SLACK)
        }

    def is_full(self, line: _Line, after: _Line, *, is_wrapped: bool) -> bool:
        """Whether a line has no room for the word that follows it, and is one of a text."""
        length = line.end - line.start
        if _DENSE.match(self._text, after.words):
            return length >= MIN_DENSE_WIDTH and self._is_even(length, DENSE_SLACK)
        word = _TOKEN.match(self._text, after.words, after.end)
        needed = length + 1 + (word.end() - word.start() if word else 0)
        if needed <= max(self._width, MIN_WIDTH):
            return False
        if is_wrapped or self._has_stops or self._is_even(length, SLACK):
            return True
        stops = _INNER_STOP.finditer(self._text, line.start, line.end)
        return any(not stop["next"].islower() for stop in stops)

    def _is_even(self, length: int, slack: int) -> bool:
        """Whether another line is as long, and none is much longer."""
        return length >= self._width - slack and self._long[slack] > 1


def _first_word(text: str, line: _Line) -> str:
    start = line.item_end if line.kind == "dash" else line.words
    opening = _OPENING.match(text, start, line.end)
    word = _WORD.match(text, opening.end() if opening else start, line.end)
    return word[0] if word else ""


def _is_small(text: str, line: _Line) -> bool:
    """Whether a line begins in lower case: ``and``, not ``And``, ``iPhone`` or ``5``."""
    return _first_word(text, line).islower()
