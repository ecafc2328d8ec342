"""Which lines are code, and where a paragraph ends: the block structure of CommonMark 0.31.2.

Only the head of each line is read, and only of lines that the scanner has a reason to ask for.
HTML blocks, tables and link reference definitions count as paragraphs: no renderer here lets
HTML through, and none of the three makes code.
"""

from __future__ import annotations

import string
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from citemark._lazy import lazy_re

__all__ = ["HEAD", "MAX_FENCE", "MIN_FENCE", "Blocks", "Fence", "is_line_prefix", "is_settled"]

HEAD: Final = 1_000
"""Code points at the start of a line that decide what it is."""

_QUOTE: Final = -1
_INDENT: Final = 4
"""Columns of indentation that make code (4.4)."""

_ORDINARY: Final = frozenset(string.ascii_letters)
"""What a line at column 0 starts with most often: then it is of a paragraph."""

_PREFIX: Final = lazy_re(r"(?:[ \t]*+(?:>|[-+*](?=[ \t])|[0-9]{1,9}[.)](?=[ \t])))*+[ \t]*+")
_STRUCTURAL: Final = lazy_re(r"[ \t>*+\-_=#`~0-9.)]*+")
_ITEM: Final = lazy_re(
    r"(?P<marker>[-+*]|(?P<start>[0-9]{1,9})[.)])(?P<blank>[ ]*)(?P<rest>.?)"
)
_BREAK: Final = lazy_re(r"(?:(?:\*[ ]*){3,}|(?:-[ ]*){3,}|(?:_[ ]*){3,})$")
_HEADING: Final = lazy_re(r"#{1,6}(?: |$)")
_UNDERLINE: Final = lazy_re(r"(?:=+|-+) *$")
MIN_FENCE: Final = 3
"""Fewest backticks or tildes that make a fence (4.5)."""

MAX_FENCE: Final = 200
"""Most of them: its ``HEAD`` must tell whether one stands in the info string of a fence."""

_FENCE: Final = lazy_re(
    rf"(`{{{MIN_FENCE},{MAX_FENCE}}})(?!`)[^`]*$|(~{{{MIN_FENCE},{MAX_FENCE}}})(?!~)"
)


class Fence(NamedTuple):
    """An open fenced code block."""

    character: str
    length: int
    indent: int


@dataclass(slots=True)
class Blocks:
    """State between two lines: what is open.

    Positions are those of the text that the caller passes to ``advance``.
    """

    next: int = 0
    """Start of the next line to read, unless ``unended``."""

    unended: bool = False
    """Whether the end of the line read last has not come yet: then it is after ``next``."""

    containers: list[int] = field(default_factory=list)
    """Open block quotes (-1) and list items (columns of their content), outermost first."""

    paragraph: bool = False
    """Whether a paragraph is open, which the next line may continue."""

    fence: Fence | None = None
    """The code block that is open, if it is a fenced one."""

    code: bool = False
    """Whether the line read last is code, a line of a fence included."""

    continued: bool = False
    """Whether the line read last continues the paragraph of the one before."""

    empty_item: bool = False
    """Whether the line read last began a list item that is empty so far (5.2)."""

    def copy(self) -> Blocks:
        """Return a state that can be advanced apart from this one."""
        return replace(self, containers=list(self.containers))

    def advance(self, text: str, upto: int, *, is_passed: bool = False) -> None:
        """Read the lines that start at or before a position, or ``is_passed`` with its line.

        A line at column 0 after a blank line depends on nothing before it, so reading starts
        at the last such line: most lines are never read.
        """
        if self.unended and not self._find_end(text):
            return
        if self.next <= upto and self.fence is None:
            self._skip_to_fresh_line(text, upto)
        while self.next <= upto:
            end = text.find("\n", self.next)
            stop = len(text) if end < 0 else end
            in_fence = self.fence is not None
            self.read(text[self.next : min(stop, self.next + HEAD)])
            if self.fence and not in_fence and (is_passed or stop < upto):
                # The scanner has passed it, so it is in a formula, a tag or a code span.
                self.fence, self.code, self.paragraph = None, False, True
            self.next = stop if end < 0 else end + 1
            self.unended = end < 0
            if self.unended:
                return

    def open_fence(self, text: str, start: int, end: int) -> None:
        """Open a fenced block at column 0, which depends on nothing before it, if it is one."""
        line_end = text.find("\n", end)
        stop = len(text) if line_end < 0 else line_end
        if text[start] == "~" or text.find("`", end, min(stop, start + HEAD)) < 0:
            self.containers, self.paragraph, self.empty_item = [], False, False
            self.fence, self.code = Fence(text[start], end - start, 0), True
            self.next, self.unended = (
                (len(text), True) if line_end < 0 else (line_end + 1, False)
            )

    def shift(self, cut: int) -> None:
        """Take account of a text that lost its first code points, all of lines read."""
        self.next -= cut

    def _find_end(self, text: str) -> bool:
        end = text.find("\n", self.next)
        self.unended = end < 0
        self.next = len(text) if end < 0 else end + 1
        return not self.unended

    def read(self, line: str) -> None:
        """Read one line, without its end; its first ``HEAD`` code points are enough.

        Only a fence of backticks needs the whole line: none may stand in its info string.
        """
        if "\t" in line:
            line = line.expandtabs(4)
        elif not self.containers and self.fence is None and line[:1] in _ORDINARY:
            self.code, self.continued, self.empty_item = False, self.paragraph, False
            self.paragraph = True
            return
        empty_item, self.empty_item = self.empty_item, False
        self.code = self.continued = False
        column, matched = self._match_containers(line, after_empty_item=empty_item)
        if self.fence is not None and matched == len(self.containers):
            self._read_in_fence(line[column:])
        elif not line[column:].strip(" "):
            self._close(matched)
        else:
            if self.fence is not None:
                self._close(matched)
            self._read_content(line, column, matched)

    def _skip_to_fresh_line(self, text: str, upto: int) -> None:
        start = _fresh_line(text, self.next, upto)
        if start > self.next:
            self.containers, self.paragraph, self.empty_item = [], False, False
            self.next = start

    def _match_containers(self, line: str, *, after_empty_item: bool) -> tuple[int, int]:
        """Return the column after the open containers that go on, and how many do."""
        column = 0
        for matched, needed in enumerate(self.containers):
            indent = _indent(line, column)
            is_blank = column + indent >= len(line)
            if needed == _QUOTE:
                if indent >= _INDENT or is_blank or line[column + indent] != ">":
                    return column, matched
                column += indent + 1
                column += line[column : column + 1] == " "
            elif is_blank:
                if after_empty_item and matched == len(self.containers) - 1:
                    return column, matched
            elif indent >= needed:
                column += needed
            else:
                return column, matched
        return column, len(self.containers)

    def _read_in_fence(self, rest: str) -> None:
        fence = self.fence
        assert fence is not None  # noqa: S101  the caller has seen it
        self.code = True
        run = rest.strip(" ")
        closes = _indent(rest, 0) < _INDENT and len(run) >= fence.length
        if closes and not run.strip(fence.character):
            self.fence = None

    def _read_content(self, line: str, column: int, matched: int) -> None:
        """Open the containers that the rest of a line begins, then see what it holds."""
        opened = False
        while True:
            indent = _indent(line, column)
            start = column + indent
            if indent >= _INDENT or start >= len(line):
                break
            if line[start] == ">":
                width, offset = 1 + (line[start + 1 : start + 2] == " "), _QUOTE
            elif item := self._item(
                line, start, indent, may_interrupt=opened or matched < len(self.containers)
            ):
                width, offset = item
            else:
                break
            self._close(matched)
            self.containers.append(offset)
            matched, opened = matched + 1, True
            column = start + width
        self._read_leaf(line, column, matched)

    def _item(
        self, line: str, start: int, indent: int, *, may_interrupt: bool
    ) -> tuple[int, int] | None:
        """Return the width of a list marker with its blanks, and the columns of the content."""
        match = _ITEM.match(line, start)
        if match is None or _BREAK.match(line, start):
            return None
        blanks = len(match["blank"])
        if not match["rest"]:
            if self.paragraph and not may_interrupt:
                return None
            self.empty_item = True
            return len(line) - start, indent + len(match["marker"]) + 1
        if not blanks or (
            self.paragraph and not may_interrupt and match["start"] not in (None, "1")
        ):
            return None
        width = len(match["marker"]) + (blanks if blanks <= _INDENT else 1)
        return width, indent + width

    def _read_leaf(self, line: str, column: int, matched: int) -> None:
        indent = _indent(line, column)
        rest = line[column + indent :]
        if not rest:
            self._close(matched)
        elif indent >= _INDENT:
            if self.paragraph:
                self.continued = True
            else:
                self._close(matched)
                self.code = True
        elif fence := _FENCE.match(rest):
            self._close(matched)
            run = fence[1] or fence[2]
            self.fence, self.code = Fence(run[0], len(run), indent), True
        elif self.paragraph and matched == len(self.containers) and _UNDERLINE.match(rest):
            self.paragraph = False
        elif _HEADING.match(rest) or _BREAK.match(rest):
            self._close(matched)
        elif self.paragraph:
            self.continued = True
        else:
            self._close(matched)
            self.paragraph = True

    def _close(self, matched: int) -> None:
        """Close the containers from the given one on, and whatever leaf block is open."""
        del self.containers[matched:]
        self.paragraph, self.fence = False, None


def _fresh_line(text: str, first: int, last: int) -> int:
    """Return the last start of a line at column 0 after a blank one, or -1."""
    at = last
    while (at := text.rfind("\n\n", first, at + 1)) >= 0:
        start = at + 2
        if start <= last and start < len(text) and text[start] not in " \t\n":
            return start
    return -1


def is_line_prefix(text: str, start: int, end: int) -> bool:
    """Whether a line's text from start to end is only indentation and container markers."""
    return _PREFIX.fullmatch(text, start, end) is not None


def is_settled(head: str) -> bool:
    """Whether the start of a line says what the line is, whatever follows on it."""
    return len(head) >= HEAD or _STRUCTURAL.fullmatch(head) is None


def _indent(line: str, column: int) -> int:
    return len(line) - column - len(line[column:].lstrip(" "))
