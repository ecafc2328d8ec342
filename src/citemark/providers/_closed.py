"""Where the blocks of a text that grows are closed: nothing that comes changes them."""

from __future__ import annotations

from collections import deque

from citemark.blocks import HEAD, Blocks

__all__ = ["ClosedBlocks"]


class ClosedBlocks:
    r"""Finds where blocks begin of which none before depends, in a text that comes in pieces.

    That is at a line at column 0 after a blank one, outside of a fence (see ``Blocks``).

    >>> closed = ClosedBlocks()
    >>> closed.add("One `two\n")
    >>> closed.add("three` four.\n\nF")
    >>> closed.last_before(100)
    23
    """

    def __init__(self) -> None:
        """Begin with no text."""
        self._blocks = Blocks()
        self._line: list[str] = []
        self._start = 0  # of the line
        self._is_after_blank = False
        self._begun: deque[int] = deque()
        self._last = 0

    def add(self, text: str) -> None:
        """Take in the next piece of the text."""
        first, *others = text.split("\n")
        self._go_on(first)
        for piece in others:
            self._end_line()
            self._go_on(piece)

    def last_before(self, position: int) -> int:
        """Return the last of those places up to a position that does not decrease."""
        while self._begun and self._begun[0] <= position:
            self._last = self._begun.popleft()
        return self._last

    def _go_on(self, piece: str) -> None:
        if not piece:
            return
        if self._is_after_blank and not self._line and self._blocks.fence is None:
            first = piece[0]
            if not first.isspace() and (first.isprintable() and first != "\ufeff"):
                self._begun.append(self._start)
        self._line.append(piece)

    def _end_line(self) -> None:
        line = "".join(self._line)
        self._line.clear()
        self._start += len(line) + 1
        self._is_after_blank = not line.strip(" \t\r")
        for part in [""] if self._is_after_blank else line.rstrip("\r").split("\r"):
            self._blocks.read(part[:HEAD])
