"""Where in Markdown a citation can be shown at all: in the words of a line, not in its marks.

Blocks are told by ``citemark.blocks``, as the scanner does.  Tables and formulas that are
blocks are found besides.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from citemark._lazy import lazy_re
from citemark.blocks import HEAD, Blocks
from citemark.constructs import BEFORE

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Rooms", "find_rooms"]

_PREFIX: Final = lazy_re(
    r"""(?: [ \t]*+ (?: > | (?: [-+*] | [0-9]{1,9}[.)] ) (?= [ \t] | \Z ) ) )*+ [ \t]*+
        (?: \#{1,6}+ [ \t]++ )?+
        (?: \[[ xX]\] (?! \( ) | \[ [^\[\]`\\\n]{1,200}+ \]: )?+ [ \t]*+""",
    re.VERBOSE,
)
_CONTAINERS: Final = lazy_re(r"[ \t]*+(?:>[ \t]*+)*+")
_PLAIN: Final = lazy_re(r"[^\W\d_]")
_MARKS: Final = lazy_re(r"[-=*_+#:|>~ \t]*")
_DELIMITERS: Final = lazy_re(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_BLANK_LINES: Final = lazy_re(r"(?:[ \t]*+\n)++")
_CLOSING: Final = lazy_re(r"(?:^|[ \t])#+\Z")
_HEADING: Final = lazy_re(r"[ \t>*+\-0-9.)]*+#{1,6}[ \t]")
_PIPE: Final = lazy_re(r"(?<!\\)\|")
_INDENTED: Final = lazy_re(r"[ ]{0,3}\t|[ ]{4}")

_NAME: Final = lazy_re(r"[^\W_]")

_FORMULA: Final = lazy_re(
    "|".join(
        f"(?: {re.escape(row.opening)} {row.pattern} )" for row in BEFORE if row.name == "math"
    ),
    re.VERBOSE,
)
_WIDE_FORMULA: Final = lazy_re(
    r"""\\\[ (?: [^\\\n] | \\[^\[\]\n] | \n (?! [ \t]*+ \n ) ){1,2000}+ \\\]
      | \$\$ (?: [^\\$\n] | \\. | \n (?! [ \t]*+ \n ) ){1,2000}+ \$\$""",
    re.VERBOSE,
)
"""What KaTeX and MathJax take for one besides: read as text all the same."""


@dataclass(slots=True)
class Rooms:
    """The words of a text, line by line, and cell by cell of a table."""

    starts: list[int] = field(default_factory=list)
    """First code points, in order."""

    ends: list[int] = field(default_factory=list)
    """Code points after the last ones; none of the rooms is empty."""

    leaves: list[tuple[int, int]] = field(default_factory=list)
    """Paragraphs, headings and cells: text in which code and links may begin and end."""

    marks: list[tuple[int, int]] = field(default_factory=list)
    """Marks of quotes within paragraphs."""

    is_open: bool = False
    """Whether a fence is open at the end."""

    def masked(self, text: str) -> str:
        """Return a text of the same length with blanks in place of those marks."""
        pieces: list[str] = []
        pos = 0
        for start, end in self.marks:
            pieces += text[pos:start], " " * (end - start)
            pos = end
        return "".join([*pieces, text[pos:]]) if pieces else text

    def add(self, start: int, end: int, *, continues: bool = False) -> None:
        """Add a room, which is a leaf or continues the last one."""
        self.starts.append(start)
        self.ends.append(end)
        if continues and self.leaves:
            start = self.leaves.pop()[0]
        self.leaves.append((start, end))

    def narrow_last(self, text: str, characters: str) -> None:
        """Take characters at both ends out of the last room, which holds others."""
        start, end = self.starts.pop(), self.ends.pop()
        words = text[start:end]
        start += len(words) - len(words.lstrip(characters))
        end -= len(words) - len(words.rstrip(characters))
        self.starts.append(start)
        self.ends.append(end)

    def drop_last(self, *, continued: bool) -> None:
        """Take back the last room."""
        self.starts.pop()
        self.ends.pop()
        leaf = self.leaves.pop()
        if continued and self.ends and self.ends[-1] > leaf[0]:
            self.leaves.append((leaf[0], self.ends[-1]))


def find_rooms(text: str) -> Rooms:
    r"""Return where the words of Markdown are; its lines end with ``\\n`` alone."""
    reader = _Reader(text)
    pos = len(text) - len(text.lstrip("\ufeff"))
    while pos < len(text):
        pos = reader.read(pos)
    return reader.finished()


class _Reader:
    """Reads the lines of a text one after the other."""

    def __init__(self, text: str) -> None:
        self.rooms = Rooms()
        self._text = text
        self._blocks = Blocks()
        self._columns = 0
        """Of the table that is open."""
        self._hidden = 0
        """End of the lines that some take for a formula."""
        self._last: tuple[int, int, bool] | None = None
        """The line before: its words, none if it cannot be the head of a table; and whether
        it continued a paragraph.  None if the next line begins a leaf."""

    def read(self, pos: int) -> int:
        """Read the line that starts at a position, or all blank ones; return the next one."""
        text, blocks = self._text, self._blocks
        blank = _BLANK_LINES.match(text, pos)
        if blank:
            blocks.read("")
            self._end_block()
            return blank.end()
        stop = text.find("\n", pos)
        stop = len(text) if stop < 0 else stop
        if self._columns and _INDENTED.match(text, pos):
            self._end_block()
            blocks.read("")  # nothing continues a table lazily
        blocks.read(text[pos : min(stop, pos + HEAD)])
        if blocks.code:
            self._end_block()
            return stop + 1
        return self._read_words(pos, stop)

    def finished(self) -> Rooms:
        """Return what was found."""
        self.rooms.is_open = self._blocks.fence is not None
        return self.rooms

    def _end_block(self) -> None:
        self._columns, self._last = 0, None

    def _read_words(self, pos: int, stop: int) -> int:
        text, blocks = self._text, self._blocks
        start = pos
        if not _PLAIN.match(text, pos):
            prefix = _PREFIX.match(text, pos, stop)
            start = prefix.end() if prefix else pos
            if text.startswith(("\\[", "$$"), start):
                end = self._formula_end(_FORMULA, start)
                if end:
                    blocks.paragraph = False
                    self._end_block()
                    return end + 1
                self._hidden = self._formula_end(_WIDE_FORMULA, start) or self._hidden
            if self._begins_table(pos, start, stop):
                blocks.paragraph = True
                return stop + 1
        if pos < self._hidden:
            self._end_block()
        elif self._columns and blocks.continued and not self._is_lazy(pos, stop):
            self._add_cells(start, stop, self._columns)
        else:
            if self._columns:
                self._end_block()
            self._add_line(pos, start, stop)
        return stop + 1

    def _is_lazy(self, pos: int, stop: int) -> bool:
        """Whether a line has not the marks of the quotes and items that are open (5.1)."""
        line = self._text[pos : min(stop, pos + HEAD)].expandtabs(4)
        column = 0
        for needed in self._blocks.containers:
            indent = len(line) - column - len(line[column:].lstrip(" "))
            if needed >= 0:
                if indent < needed:
                    return True
                column += needed
            elif line.startswith(">", column + indent):
                column += indent + 1
                column += line.startswith(" ", column)
            else:
                return True
        return False

    def _formula_end(self, pattern: re.Pattern[str], start: int) -> int | None:
        """Return the end of the last line of a formula that has its lines for itself."""
        text = self._text
        match = pattern.match(text, start)
        if match is None or not _NAME.search(match[0]):
            return None
        stop = text.find("\n", match.end())
        stop = len(text) if stop < 0 else stop
        return None if text[match.end() : stop].strip() else stop

    def _add_line(self, pos: int, start: int, stop: int) -> None:
        text, continued = self._text, self._blocks.continued
        start = stop - len(text[start:stop].lstrip())
        end = start + len(text[start:stop].rstrip())
        if start > pos:
            if continued:
                marks = _CONTAINERS.match(text, pos, start)
                if marks and text[pos : marks.end()].strip():
                    self.rooms.marks.append((pos, marks.end()))
            if _HEADING.match(text, pos, stop):
                closing = _CLOSING.search(text, start, end)
                end = closing.start() if closing else end
                end = start + len(text[start:end].rstrip())
        words = text[start:end]
        stripped = words.rstrip("\\")
        if (len(words) - len(stripped)) % 2:
            # With the end of the line it is a line break.
            end = start + len(words[:-1].rstrip())
        if start < end and not _MARKS.fullmatch(text, start, end):
            self.rooms.add(start, end, continues=continued and self._last is not None)
            if start > pos and text[start - 1] == "]" and start + 1 < end:
                self.rooms.starts[-1] += 1  # the box of a task needs something beside it
            self._last = start, end, continued
        elif self._last is not None:
            self._last = (start, start, True) if continued else None

    def _begins_table(self, pos: int, start: int, stop: int) -> bool:
        """Whether a line is the one below the head of a table, whose cells are then added."""
        text, last = self._text, self._last
        if last is None or self._columns or not _DELIMITERS.fullmatch(text, start, stop):
            return False
        if "|" not in text[last[0] : last[1]] or self._is_lazy(pos, stop):
            return False
        columns = sum(1 for _ in self._cells(start, stop))
        if columns != sum(1 for _ in self._cells(*last[:2])):
            # Words beside its outer pipes would be one more cell.
            self.rooms.narrow_last(text, "| \t")
            self._last = last[0], last[0], last[2]
            return False
        self.rooms.drop_last(continued=last[2])
        self._add_cells(last[0], last[1], columns)
        self._columns = columns
        return True

    def _add_cells(self, start: int, stop: int, columns: int) -> None:
        """Add the cells of a row; those that have no column are not shown."""
        for index, (first, end) in enumerate(self._cells(start, stop)):
            if index < columns and first < end:
                self.rooms.add(first, end)

    def _cells(self, start: int, stop: int) -> Iterator[tuple[int, int]]:
        """Yield the cells of a row without the blanks around them, empty ones too."""
        text = self._text
        stop = start + len(text[start:stop].rstrip())
        pipes = [match.start() for match in _PIPE.finditer(text, start, stop)]
        edges = [start - 1, *pipes, stop]
        if pipes and pipes[0] == start:
            del edges[0]
        if len(edges) > 1 and pipes and pipes[-1] == stop - 1:
            del edges[-1]
        for before, after in itertools.pairwise(edges):
            words = text[before + 1 : after]
            first = before + 1 + len(words) - len(words.lstrip())
            yield first, max(first, before + 1 + len(words.rstrip()))
