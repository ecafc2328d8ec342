"""Lines and columns of an answer, as editors count them: from 1, columns in code points."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

__all__ = ["Lines"]

_END: Final = re.compile(r"\r\n?|\n")


class Lines:
    r"""Where the lines of a text start.

    >>> Lines("one\r\ntwo").place(6)
    (2, 2)
    """

    def __init__(self, text: str) -> None:
        """Find the ends of the lines."""
        self._starts = [0, *(match.end() for match in _END.finditer(text))]

    def place(self, pos: int) -> tuple[int, int]:
        """Return the line and the column of a code point."""
        line = bisect_right(self._starts, pos)
        return line, pos - self._starts[line - 1] + 1

    def last_place(self, start: int, end: int) -> tuple[int, int]:
        """Return the line and column of the last code point of a half-open range."""
        return self.place(max(start, end - 1))
