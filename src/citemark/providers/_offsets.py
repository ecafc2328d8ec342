"""Positions of a text as providers count them, and as citemark does.

A text is split into runs of characters that take as many units each, once for each unit: an
offset is then found by bisection.  ASCII is one run, and most scripts hardly need more.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final, Literal, NamedTuple, TypeAlias

from citemark._chunks import with_whole_characters
from citemark.providers._words import Words

__all__ = ["UNITS", "Converted", "Offsets", "Unit"]

Unit: TypeAlias = Literal["code point", "byte", "utf16"]
"""What an offset counts: code points, bytes of UTF-8, or units of UTF-16."""

UNITS: Final[tuple[Unit, ...]] = ("code point", "byte", "utf16")
"""All of them."""

# The number of the group is the units that each character of it takes.  A lone surrogate takes
# three bytes, as with the error handler "surrogatepass", and one unit of UTF-16.
_RUNS: Final = {
    "byte": re.compile(
        "([\x00-\x7f]+)|([\x80-\u07ff]+)|([\u0800-\uffff]+)|([\U00010000-\U0010ffff]+)"
    ),
    "utf16": re.compile("([\x00-\uffff]+)|([\U00010000-\U0010ffff]+)"),
}


class Converted(NamedTuple):
    """A span in code points, half-open."""

    start: int
    """First code point."""

    end: int
    """Code point after the last one."""

    is_exact: bool
    """Whether both offsets stood between two code points."""


class Offsets:
    """Converts the offsets of one text.  Nothing is worked out before it is asked for.

    >>> Offsets("né 🌉 1").to_code_points(4, 8, "byte")
    Converted(start=3, end=4, is_exact=True)
    """

    __slots__ = ("_runs", "_words", "text")

    def __init__(self, text: str) -> None:
        """Keep the text: the one that the offsets are of, whole, its pairs joined."""
        self.text = with_whole_characters(text)
        self._runs: dict[str, _Runs] = {}
        self._words: Words | None = None

    @property
    def words(self) -> Words:
        """Where words stand in the text."""
        if self._words is None:
            self._words = Words(self.text)
        return self._words

    def to_code_points(self, start: int, end: int, unit: Unit) -> Converted:
        """Return a span as code points; an offset inside of one moves outward.

        Negative offsets stay as they are, and offsets past the end remain as far past it.
        """
        if unit == "code point" or self.text.isascii():
            return Converted(start, end, is_exact=True)
        runs = self._split(unit)
        first, before = runs.find(start)
        last, inside = runs.find(end)
        return Converted(first, last + (inside > 0), is_exact=not (before or inside))

    def from_code_points(self, position: int, unit: Unit) -> int:
        """Return a position as a provider counts it, past the end and negative alike."""
        if unit == "code point" or self.text.isascii():
            return position
        return self._split(unit).count(position)

    def _split(self, unit: Unit) -> _Runs:
        runs = self._runs.get(unit)
        if runs is None:
            runs = self._runs[unit] = _Runs(self.text, unit)
        return runs


class _Runs:
    """A text that is not empty, as runs of characters that take the same number of units."""

    __slots__ = ("_length", "_points", "_size", "_units", "_widths")

    def __init__(self, text: str, unit: Unit) -> None:
        self._points: list[int] = []
        self._units: list[int] = []
        self._widths: list[int] = []
        units = 0
        for match in _RUNS[unit].finditer(text):
            width = match.lastindex or 1
            self._points.append(match.start())
            self._units.append(units)
            self._widths.append(width)
            units += width * (match.end() - match.start())
        self._length, self._size = len(text), units

    def find(self, offset: int) -> tuple[int, int]:
        """Return the code point at an offset, and how many units inside of it that is."""
        if offset < 0:
            return offset, 0
        if offset >= self._size:
            return self._length + offset - self._size, 0
        run = bisect_right(self._units, offset) - 1
        points, inside = divmod(offset - self._units[run], self._widths[run])
        return self._points[run] + points, inside

    def count(self, position: int) -> int:
        """Return the units before a code point."""
        if position < 0:
            return position
        if position >= self._length:
            return self._size + position - self._length
        run = bisect_right(self._points, position) - 1
        return self._units[run] + (position - self._points[run]) * self._widths[run]
