"""The words of an answer, paragraph by paragraph, as sentences are looked for in them.

Markers are cut out; code, formulas and addresses of links become letters, so that no stop in
them ends a sentence.  A table row is one block, a heading and a list item are others; a
paragraph is cut at HTML and at its lines (``_lines``).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from citemark._headings import is_heading
from citemark._lazy import lazy_re
from citemark._outline.blocks import find_rooms
from citemark._outline.inline import Inline
from citemark.checks._html import filled
from citemark.checks._lines import Lines, Piece
from citemark.checks._listings import Entries
from citemark.checks._marks import listing_ranges, marks_of
from citemark.checks._vocabulary import words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from citemark.answer import Answer
    from citemark.checks._html import Html
    from citemark.checks._marks import Mark
    from citemark.checks.model import Unit

__all__ = ["Block", "Masked"]

MAX_HEADING: Final = 80
"""Code points of a line that may stand over a list of sources."""

_PREFIX: Final = lazy_re(r"[ \t>]*+(?P<item>[-+*][ \t]|[0-9]{1,9}[.)][ \t])?")
_HEADING: Final = lazy_re(r"#{1,6}[ \t]*\Z")
_NOTE: Final = lazy_re(r"\[\^[^\]\n]{1,200}\]:")
_DEFINITION: Final = lazy_re(r"\[[^\]\n]{1,200}\]:")
_UNDERLINE: Final = lazy_re(r"[ \t>]*(?:=+|-+)[ \t]*(?:\n|\Z)")
_RULE: Final = lazy_re(
    r"[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*(?:\n|\Z)"
)
_HIDING: Final = lazy_re("[\\\\`$\\[<&\ue200【［:w](?:(?<![:w])|(?<=:)//|(?<=w)ww)")
"""What code, formulas and addresses have, and few paragraphs."""

_DESTINATION: Final = lazy_re(
    r"""(?:<[^<>\n]*>|[^\s<]\S*)(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*"""
)
_MARKED: Final = lazy_re(r"[^\w\s\"'“”„«»*_`.,<]|[\d(]|[^\W\d_]{1,4}[.)）、]")
"""What may begin with the mark of an item."""

_ALERT: Final = lazy_re(r"\[![A-Za-z]{1,20}\]")
"""What GitHub shows as the colour of a quote."""

_STOPPED: Final = lazy_re(r"[.!?…。！？।؟][\"'”’»)*_]*\s*\Z")
MIN_STATEMENT: Final = 3
"""Fewest words of what is taken for a statement of its own between breaks in a cell."""

_EDGES: Final = " \t#*_:："


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, item, row, heading or caption, or a part of one."""

    start: int
    """First code point of its words."""

    end: int
    """Code point after the last one."""

    unit: Unit
    """What it is."""

    reach: int
    """Where its line ends, for a row or heading: a marker may stand behind the last cell."""

    is_more: bool = False
    """Whether it goes on with the block before: sentences end between them, no more."""


class Masked:
    """An answer as sentences are looked for in it: one line, of the same length.

    Attributes:
        marks: Its markers.
        words: Its words, as they are written, less what shows nothing.
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
        self._entries = Entries(answer)
        self._source = source
        self._leaves = rooms.leaves
        self._lines = lines
        level = rooms.masked(lines)
        special = (leaf for leaf in rooms.leaves if _HIDING.search(level, *leaf))
        text, words, self._breaks = filled(level, Inline(level).wholes(special))
        self._level = text
        self._parting = Lines(source, text, self.marks, rooms.leaves)
        self.words = words.replace("\n", " ")
        self.text = text.replace("\n", " ")

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks, less the source lists and notes that the model wrote."""
        in_sources = is_entry = False
        for block in self._all():
            if block.unit == "heading" or block.end - block.start < MAX_HEADING:
                words = self._lines[block.start : block.end].strip(_EDGES)
                is_sources = is_heading(words)
                if is_sources or block.unit == "heading":
                    in_sources = is_sources
                if is_sources:
                    continue
            if self._lines.startswith("[!", block.start) and _ALERT.fullmatch(
                self._lines, block.start, block.end
            ):
                continue
            is_entry = in_sources and self._is_entry(block, after_entry=is_entry)
            if not (is_entry or self._is_listed(block.start)):
                yield block

    def _all(self) -> Iterator[Block]:
        """Yield the blocks, cut where HTML or a line parts them."""
        for block in self._rows():
            if block.unit == "heading" or self._is_whole(block):
                yield block
                continue
            for start, end, opening in self._between(block):
                if block.unit == "row":
                    reach = block.reach if end == block.end else end
                    yield Block(start, end, "row", reach, is_more=start > block.start)
                else:
                    yield from self._pieces(block, start, end, opening)

    def _is_whole(self, block: Block) -> bool:
        """Whether nothing can part a block: it is one line without HTML or a mark."""
        text = self._level
        return not (
            self._breaks
            or text.find("\n", block.start, block.end) >= 0
            or _MARKED.match(text, block.start, block.end)
        )

    def _between(self, block: Block) -> Iterator[tuple[int, int, Html]]:
        """Yield what HTML leaves together of a block, with the kind of the tag before it."""
        at = bisect_left(self._breaks, (block.start,))
        start = block.start
        opening: Html = ""
        while at < len(self._breaks) and self._breaks[at][0] < block.end:
            stop, after, kind = self._breaks[at]
            at += 1
            if block.unit == "row" and not self._is_cut(start, stop, after, block.end):
                continue
            if self._level[start:stop].strip():
                yield start, stop, opening
            start, opening = after, kind
        if self._level[start : block.end].strip():
            yield start, block.end, opening

    def _is_cut(self, start: int, stop: int, after: int, end: int) -> bool:
        """Whether a break parts statements in a row, and not the words of a name."""
        before, following = self._level[start:stop].rsplit("|")[-1], self._level[after:end]
        words = min(len(before.split()), len(following.split("|")[0].split()))
        return words >= MIN_STATEMENT or _STOPPED.search(before) is not None

    def _pieces(self, block: Block, start: int, end: int, opening: Html) -> Iterator[Block]:
        """Yield what the lines leave together of a part of a block."""
        text = self._level
        pieces = [Piece(start, end, is_item=False)]
        if text.find("\n", start, end) >= 0 or _MARKED.match(text, start, end):
            pieces = [*self._parting.pieces(start, end)]
        for at, (first, last, is_item) in enumerate(pieces):
            following = pieces[at + 1].start - 1 if at + 1 < len(pieces) else end
            unit: Unit = "item" if is_item else block.unit
            if opening == "heading":
                unit = "heading"
            elif unit == "caption" and not _caption().match(self._lines, first, last):
                unit = "sentence"
            is_more = bool(at) or (opening == "line" and start > block.start)
            yield Block(first, last, unit, max(last, following), is_more and not is_item)

    def _is_entry(self, block: Block, *, after_entry: bool) -> bool:
        line = self._source[block.start : block.end]
        return self._entries.is_entry(line, block.unit, after_entry=after_entry)

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
        if "]:" in before:
            if _NOTE.search(before):
                return None
            if _DEFINITION.search(before) and self._is_definition(line, start, end):
                return None
        stop = lines.find("\n", end)
        stop = len(lines) if stop < 0 else stop
        if self._is_cell(before, lines[end:stop]):
            return "heading" if _RULE.match(lines, stop + 1) else "row"
        if (before and _HEADING.search(before)) or (
            stop < len(lines) and _UNDERLINE.match(lines, stop + 1)
        ):
            return "heading"
        if _caption().match(lines, start, end):
            return "caption"
        prefix = _PREFIX.match(before) if before else None
        return "item" if prefix and prefix["item"] else "sentence"

    def _is_definition(self, line: int, start: int, end: int) -> bool:
        """Whether a line says where a link leads, or where a source is (4.7)."""
        stop = self._lines.find("\n", start, end)
        stop = end if stop < 0 else stop
        is_link = _DESTINATION.fullmatch(self._lines, start, stop) is not None
        return is_link or self._entries.is_definition(self._source[line:stop].lstrip(" >"))

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
