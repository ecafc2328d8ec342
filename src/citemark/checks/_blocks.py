"""The words of an answer, paragraph by paragraph, as sentences are looked for in them.

Markers are cut out; code, formulas and addresses of links become letters, so that no stop in
them ends a sentence.  A table row is one block, a heading and a list item are others.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from citemark._headings import is_heading
from citemark._lazy import lazy_re
from citemark._outline.blocks import find_rooms
from citemark._outline.inline import Inline
from citemark.checks._marks import listing_ranges, marks_of
from citemark.checks._vocabulary import words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from citemark.answer import Answer
    from citemark.checks._marks import Mark
    from citemark.checks.model import Unit

__all__ = ["Block", "Masked"]

MAX_HEADING: Final = 80
"""Code points of a line that may stand over a list of sources."""

_PREFIX: Final = lazy_re(r"[ \t>]*+(?P<item>[-+*][ \t]|[0-9]{1,9}[.)][ \t])?")
_HEADING: Final = lazy_re(r"#{1,6}[ \t]*\Z")
_FOOTNOTE: Final = lazy_re(r"\[[^\]\n]{1,200}\]:")
_UNDERLINE: Final = lazy_re(r"[ \t>]*(?:=+|-+)[ \t]*(?:\n|\Z)")
_RULE: Final = lazy_re(
    r"[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*(?:\n|\Z)"
)
_HIDING: Final = lazy_re("[\\\\`$\\[<&\ue200【［]|://|www")
"""What code, formulas and addresses have, and few paragraphs."""

_WORD: Final = lazy_re(r"[^\W_]")
_EDGES: Final = " \t#*_:："


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, item, row, heading or caption."""

    start: int
    """First code point of its words."""

    end: int
    """Code point after the last one."""

    unit: Unit
    """What it is."""

    reach: int
    """Where its line ends, for a row or heading: a marker may stand behind the last cell."""


class Masked:
    """An answer as sentences are looked for in it: one line, of the same length.

    Attributes:
        marks: Its markers.
        words: Its words, as they are written.
        text: The same with letters in place of code, formulas and addresses.
    """

    def __init__(self, answer: Answer) -> None:
        """Read the answer once."""
        source = answer.text
        self.marks = marks_of(answer)
        hidden = _covered(source, self.marks)
        lines = hidden.replace("\r\n", " \n").replace("\r", "\n")
        rooms = find_rooms(lines)
        self._lists = listing_ranges(answer)
        self._leaves = rooms.leaves
        self._lines = lines
        level = rooms.masked(lines)
        self.words = level.replace("\n", " ")
        special = (leaf for leaf in rooms.leaves if _HIDING.search(level, *leaf))
        self.text = _filled(level, Inline(level).wholes(special)).replace("\n", " ")

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks, less the source lists and notes that the model wrote."""
        in_sources = False
        for block in self._rows():
            if block.unit == "heading" or block.end - block.start < MAX_HEADING:
                words = self._lines[block.start : block.end].strip(_EDGES)
                is_sources = is_heading(words)
                if is_sources or block.unit == "heading":
                    in_sources = is_sources
            if not (in_sources or self._is_listed(block.start)):
                yield block

    def _rows(self) -> Iterator[Block]:
        """Yield the leaves, the cells of a row joined."""
        row: Block | None = None
        for start, end in self._leaves:
            line = self._lines.rfind("\n", 0, start) + 1
            if row is not None and line <= row.start:
                row = Block(row.start, end, row.unit, self._reach(row.unit, end))
                continue
            if row is not None:
                yield row
            unit = self._unit(line, start, end)
            row = Block(start, end, unit, self._reach(unit, end)) if unit else None
        if row is not None:
            yield row

    def _unit(self, line: int, start: int, end: int) -> Unit | None:
        """Return what a leaf is; None for a note, whose words are a source's."""
        lines = self._lines
        before = lines[line:start]
        if _FOOTNOTE.search(before):
            return None
        stop = lines.find("\n", end)
        stop = len(lines) if stop < 0 else stop
        if self._is_cell(before, lines[end:stop]):
            return "heading" if _RULE.match(lines, stop + 1) else "row"
        if _HEADING.search(before) or (stop < len(lines) and _UNDERLINE.match(lines, stop + 1)):
            return "heading"
        if _caption().match(lines, start, end):
            return "caption"
        prefix = _PREFIX.match(before)
        return "item" if prefix and prefix["item"] else "sentence"

    def _reach(self, unit: Unit, end: int) -> int:
        if unit not in {"row", "heading"}:
            return end
        stop = self._lines.find("\n", end)
        return len(self._lines) if stop < 0 else stop

    def _is_cell(self, before: str, after: str) -> bool:
        return before.rstrip().endswith("|") or after.lstrip().startswith("|")

    def _is_listed(self, start: int) -> bool:
        at = bisect_right(self._lists, (start, len(self._lines))) - 1
        return at >= 0 and start < self._lists[at][1]


@cache
def _caption() -> re.Pattern[str]:
    """Return the pattern of what a caption starts with: ``Figure 2:``, ``**Table 1.**``."""
    words = "|".join(map(re.escape, sorted(words_of("captions"))))
    return re.compile(
        rf"[*_]{{0,3}}(?:{words})[ \t]*[0-9]{{1,4}}(?:[.:：)—–-]|[ \t]*\Z)", re.IGNORECASE
    )


def _covered(text: str, marks: Iterable[Mark]) -> str:
    """Return a text with letters in place of its markers, whose brackets mean no Markdown."""
    pieces: list[str] = []
    pos = 0
    for mark in marks:
        if mark.start >= pos:
            pieces += text[pos : mark.start], "X" * (mark.end - mark.start)
            pos = mark.end
    return "".join([*pieces, text[pos:]]) if pieces else text


def _filled(text: str, wholes: Iterable[tuple[int, int]]) -> str:
    """Return a text with letters in place of code, formulas and addresses."""
    pieces: list[str] = []
    pos = 0
    for start, end in sorted(wholes):
        if end > pos and _WORD.search(text, max(start, pos), end):
            pieces += text[pos:start] if start > pos else "", "X" * (end - max(start, pos))
            pos = end
    return "".join([*pieces, text[pos:]]) if pieces else text
