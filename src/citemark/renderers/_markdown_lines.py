"""Where the text of a block stands in the lines of its source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import regex

if TYPE_CHECKING:
    from markdown_it.token import Token

__all__ = ["Finder", "lines_of"]

_LINE_END: Final = regex.compile(r"\r\n|\r|\n")


def lines_of(source: str) -> tuple[list[str], list[int]]:
    """Return the lines as the parser will see them, and where each starts in the source."""
    ends = list(_LINE_END.finditer(source))
    starts = [0, *(end.end() for end in ends)]
    stops = [*(end.start() for end in ends), len(source)]
    visible = source.replace("\0", "\ufffd")
    return [visible[a:b] for a, b in zip(starts, stops, strict=True)], starts


class Finder:
    """Finds the text of a block in the lines of the source."""

    def __init__(self, lines: list[str], starts: list[int]) -> None:
        self._lines = lines
        self._starts = starts
        self._cursors: dict[int, int] = {}

    def positions(self, token: Token, *, is_cell: bool) -> list[int] | None:
        """Return the position of each code point and of the end; None if it is not found."""
        if token.map is None:
            return None
        find = self._in_table if is_cell else self._at_end
        positions: list[int] = []
        for number, text in enumerate(token.content.split("\n"), token.map[0]):
            found = find(number, text)
            if found is None:
                return None
            positions += found
        return positions

    def _at_end(self, number: int, text: str) -> list[int] | None:
        """Find a line whose start lost the marks and the indentation of its containers."""
        line, core = self._lines[number], text.strip()
        at = len(line.rstrip()) - len(core)
        if not line.rstrip().endswith(core):
            # A heading may be closed by number signs.
            at = line.rfind(core)
        if at < 0:
            return None
        # Tabs may have become more blanks than there are characters in the source.
        start = self._starts[number]
        first = start + at - (len(text) - len(text.lstrip()) if core else 0)
        return [max(start, first + n) for n in range(len(text) + 1)]

    def _in_table(self, number: int, text: str) -> list[int] | None:
        """Find a cell, whose pipes are escaped in the source; called in order of cells."""
        line, start = self._lines[number], self._starts[number]
        at = line.find(text.replace("|", "\\|"), self._cursors.get(number, 0))
        if at < 0:
            return None
        positions = []
        for character in text:
            at += character == "|"
            positions.append(start + at)
            at += 1
        self._cursors[number] = at
        return [*positions, start + at]
