"""Where a citation may stand in a Markdown text: after the words that it is for.

A provider's span may end anywhere, also where a citation would break what is shown: within a
word, a link, a table's border.  Such an end moves outward, to the right; white space, line ends
and the marks of lines at the end of a span are no words, so there it moves to the left.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Final

from citemark._lazy import lazy_re
from citemark._outline.blocks import find_rooms
from citemark._outline.inline import Inline
from citemark._outline.words import end_of_character, end_of_word

__all__ = ["Outline"]

MAX_MOVES: Final = 16
"""Constructs, words and characters that a position is moved out of, one after the other."""

_BLANKS: Final = lazy_re(r"\s{2,}")
_CONTROLS: Final = {
    **dict.fromkeys([*range(9), *range(0x0E, 0x20), *range(0x7F, 0xA0)], "\ufffd"),
    **dict.fromkeys(map(ord, "\x0b\x0c\x1c\x1d\x1e\x85"), " "),
}
"""What renderers turn controls into."""


class Outline:
    """The places of one Markdown text at which a citation can be shown.

    >>> Outline("See [the roster](https://a.example/r) today.").after(5, 15)
    (37, True)
    """

    def __init__(self, text: str, *, origin: int = 0, before: int | None = None) -> None:
        """Read the text once.

        Args:
            text: Markdown, or a part of a text that begins with a block of its own.
            origin: Where that part begins in the text, in code points.
            before: In a part, the end of the last words before it; None if there are none.
        """
        self._text, self._origin = text, origin
        lines = text.replace("\r\n", " \n").replace("\r", "\n").translate(_CONTROLS)
        rooms = find_rooms(lines)
        self._starts, self._ends = rooms.starts, rooms.ends
        self.is_open = rooms.is_open
        """Whether the text ends within a block of code, so that more of it may be code."""
        if before is not None:
            self._starts.insert(0, before - origin - 1)
            self._ends.insert(0, before - origin)
        wholes = Inline(rooms.masked(lines)).wholes(rooms.leaves)
        self._whole_starts, self._whole_ends = _merged([*wholes])
        self._blanks = [match.span() for match in _BLANKS.finditer(text)]

    @property
    def length(self) -> int:
        """How many code points the text has."""
        return len(self._text)

    @property
    def last(self) -> int | None:
        """The last place for a citation; None if there is none.  Negative: before a part."""
        return self._out_of_wholes(self._ends[-1]) if self._ends else None

    @property
    def has_room(self) -> bool:
        """Whether there is any place for a citation; code alone has none."""
        return bool(self._starts)

    def after(self, start: int, end: int) -> tuple[int, bool]:
        """Return where to put a citation of the words from start to end, in code points.

        A span without words, as one of code, is cited after the last words before it; if there
        are none, after the first line of words behind it.  In a text without any words (see
        ``has_room``) the place is the end of the span.

        Returns:
            The position, and whether it is another one than the end of the span, white space at
            its end left out.
        """
        length = len(self._text)
        end = min(max(end, 0), length)
        start = min(max(start, -self._origin), end)
        if not self._starts:
            return end, False
        position = self._out_of_wholes(self._in_words(start, end))
        return position, position > end or not self._is_blank(position, end)

    def _in_words(self, start: int, end: int) -> int:
        """Return the end of the last words in a span, or a place among the nearest ones."""
        at = bisect_right(self._starts, end) - 1
        if at >= 0 and end <= self._ends[at]:
            first = self._starts[at]
            position = max(self._blank_start(end), first)
            if position > max(start, first):
                return position
            # Only white space of these words is in the span, if anything at all.
            is_in_line_before = at > 0 and self._ends[at - 1] > start
            if position <= first and (is_in_line_before or self._ends_line(start, end)):
                return self._ends[max(at - 1, 0)]
            return end
        return self._outside(start, end, at)

    def _outside(self, start: int, end: int, at: int) -> int:
        """Return the place for a span that ends outside of all words, behind some of them."""
        before = self._ends[at] if at >= 0 else None
        after = self._starts[at + 1] if at + 1 < len(self._starts) else None
        if before is not None and (before > start or self._is_one_line(before, end)):
            return before
        if after is not None and self._is_one_line(end, after):
            return after
        return self._ends[at + 1] if before is None else before

    def _out_of_wholes(self, position: int) -> int:
        """Return the end of what a position is inside of."""
        for _ in range(MAX_MOVES):
            moved = end_of_word(self._text, position)
            moved = end_of_character(self._text, moved, self._origin)
            at = bisect_left(self._whole_starts, moved) - 1
            if at >= 0 and self._whole_ends[at] > moved:
                moved = self._whole_ends[at]
            if moved == position:
                break
            position = moved
        return position

    def _is_one_line(self, start: int, end: int) -> bool:
        text = self._text
        if start < 0:
            return False  # a part begins at a line
        return text.find("\n", start, end) < 0 and text.find("\r", start, end) < 0

    def _ends_line(self, start: int, end: int) -> bool:
        """Whether a span ends with the end of a line, be it all that is in it."""
        return start < end and (end <= 0 or self._text[end - 1] in "\r\n")

    def _blank_start(self, position: int) -> int:
        """Return the start of the white space that ends at a position."""
        if not position or not self._text[position - 1].isspace():
            return position
        at = bisect_left(self._blanks, (position,)) - 1
        if at >= 0 and self._blanks[at][1] >= position:
            return self._blanks[at][0]
        return position - 1

    def _is_blank(self, start: int, end: int) -> bool:
        """Whether there is only white space between two positions, if anything."""
        return self._blank_start(end) <= start


def _merged(spans: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """Return starts and ends of spans, those that overlap as one; they may touch."""
    starts: list[int] = []
    ends: list[int] = []
    for start, end in sorted(spans):
        if ends and start < ends[-1]:
            ends[-1] = max(ends[-1], end)
        elif end > start + 1:
            starts.append(start)
            ends.append(end)
    return starts, ends
