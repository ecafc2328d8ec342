"""Follows the lists of sources that a model wrote through a text, line by line.

The scanner asks at each place that ``listing.BEGINNING`` matches, and then for the pieces of
the list.  Pieces are cut by the text alone, never by the chunks in which it comes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from citemark import listing
from citemark._lazy import lazy_re
from citemark._list_lines import (
    FENCES,
    Line,
    is_claim,
    is_named,
    is_strict,
    read_entry,
    read_line,
)
from citemark._list_starts import LABEL_LINE, URL_LINE, Start, Starts, may_begin
from citemark.listing import LINE
from citemark.model import Listing
from citemark.verbatim import UNDECIDED

if TYPE_CHECKING:
    from citemark._buffer import Buffer
    from citemark._list_lines import Beginning
    from citemark.model import Marker, Remark
    from citemark.sources import Sources

    Found = Marker | Remark | Listing

__all__ = ["Lists"]

MAX_BLANK: Final = 3
"""Most blank lines in a list in tags."""

MAX_TAG: Final = 20
"""More than the longest closing tag: a piece is not cut within one."""

_CONTINUED: Final = lazy_re(r"(?:[ ]{2}|[ ]?\t)[ \t]*+[^ \t]")
_STRICT_OR_URL: Final = rf"{listing.STRICT} | {URL_LINE}"
_RULED: Final = rf"{_STRICT_OR_URL} | {LABEL_LINE}"
_GROUPS: Final = {"url": "link"}
"""Kinds of entries that make one list."""


class Lists:
    """The lists of sources of one text.  Positions are those of the buffer that is passed."""

    def __init__(self) -> None:
        """Start before the first line."""
        self.is_open = False
        """Whether the end of the text so far may be in a list, to be taken by ``follow``."""
        self.final = False
        """Whether no more text will come."""
        self.known: Sources | None = None
        """The sources, as far as they are known."""
        self._start = Start(0)
        self._closing: re.Pattern[str] | None = None  # what ends a list in tags
        self._in_line = False  # a piece of the line was taken
        self._kind = ""
        self._low = self._high = 0  # least and greatest label
        self._refused = (0, 0, False)  # where no list begins, with as much text as there was

    def begin(self, buffer: Buffer, start: int, found: list[Found]) -> int | None:
        """Take the list that starts at a line end or a tag; return where to go on.

        None if there is no list; ``UNDECIDED`` if more text will tell.
        """
        text, base = buffer.lines, buffer.base
        begins = Starts(text, self.final, self.known)
        place = base + begins.heading(start), base + len(text), self.final
        if place == self._refused:
            return None  # this was asked at the blank line before
        begun = begins.find(start, is_first=start + base < 0)
        if not isinstance(begun, Start):
            self._refused = place if begun is None and start + base >= 0 else self._refused
            return begun
        self._start, self._in_line, self._closing = begun, False, None
        self._kind, self._low, self._high = "", 0, 0
        self.is_open = bool(begun.entry or begun.tag)
        if begun.tag:
            self._closing = re.compile(rf"</{begun.tag}[ \t]{{0,3}}>", re.IGNORECASE)
        if begun.entry:
            self._note(begun.entry)
        _add(buffer, start, begun.end, found)
        return self.follow(buffer, begun.end, found)

    def follow(self, buffer: Buffer, pos: int, found: list[Found]) -> int:
        """Take the lines of the open list from a position on; return where to go on."""
        while self.is_open:
            end = self._next(buffer.lines, pos)
            if end == UNDECIDED:
                break
            _add(buffer, pos, end, found)
            pos = end
        return pos

    def _next(self, text: str, pos: int) -> int:
        """Return the end of the next piece: the position itself where the list ends."""
        if self._closing is not None:
            return self._next_in_tag(text, pos, self._closing)
        if self._in_line:
            return self._rest_of_line(text, pos)
        line = read_line(text, pos + 1, final=self.final)
        is_after_blank = line.is_blank
        if is_after_blank:
            if not line.is_whole or line.end >= len(text):
                return self._end(pos) if line.is_settled else UNDECIDED
            line = read_line(text, line.end + 1, final=self.final)
        goes_on = self._goes_on(line, is_after_blank=is_after_blank)
        if goes_on == UNDECIDED:
            return UNDECIDED
        if not goes_on:
            return self._end(pos)
        self._in_line = not line.is_whole
        return line.end

    def _goes_on(self, line: Line, *, is_after_blank: bool) -> int:
        """Whether a line is of the list, or ``UNDECIDED``."""
        if line.is_blank:
            return False if line.is_settled else UNDECIDED
        if line.depth != self._start.depth:
            return False
        is_continued = not is_after_blank and bool(_CONTINUED.match(line.text))
        if not line.is_settled:
            start = self._start
            unheaded = _RULED if start.is_ruled else _STRICT_OR_URL
            pattern = listing.ENTRY if start.has_heading else unheaded
            return UNDECIDED if is_continued or may_begin(pattern, line.text) else False
        if is_continued:
            return not line.text.lstrip().startswith(FENCES)
        return self._is_entry(line.text, is_after_blank=is_after_blank)

    def _is_entry(self, line: str, *, is_after_blank: bool) -> bool:
        entry = read_entry(line)
        if entry is None or is_claim(entry, self.known):
            return False
        is_ruled = self._start.is_ruled and is_named(entry, self.known)
        if not (self._start.has_heading or is_ruled or is_strict(line, self.known)):
            return entry.kind == "url" and not is_after_blank
        if is_after_blank and not self._is_alike(entry):
            return False
        self._note(entry)
        return True

    def _is_alike(self, entry: Beginning) -> bool:
        """Whether an entry after a blank line is of the same list: its number is a new one."""
        is_new = entry.number is None or not self._low <= entry.number <= self._high
        return is_new and _GROUPS.get(entry.kind, entry.kind) == self._kind

    def _note(self, entry: Beginning) -> None:
        self._kind = self._kind or _GROUPS.get(entry.kind, entry.kind)
        if entry.number is not None:
            self._low = min(self._low or entry.number, entry.number)
            self._high = max(self._high, entry.number)

    def _rest_of_line(self, text: str, pos: int) -> int:
        stop = text.find("\n", pos, pos + LINE)
        if stop >= 0:
            self._in_line = False
            return stop
        return self._cut(text, pos, pos + LINE)

    def _next_in_tag(self, text: str, pos: int, closing: re.Pattern[str]) -> int:
        if text[pos : pos + 1] == "\n":
            goes_on = self._goes_on_in_tag(text, pos, closing)
            if goes_on == UNDECIDED:
                return UNDECIDED
            if not goes_on:
                return self._end(pos)
        stop = text.find("\n", pos + 1, pos + LINE)
        match = closing.search(text, pos, pos + LINE if stop < 0 else stop)
        if match is not None:
            return self._end(match.end())
        if stop >= 0:
            return stop
        tag = text.rfind("<", pos + LINE - MAX_TAG, pos + LINE)
        return self._cut(text, pos, pos + LINE if tag < 0 else tag)

    def _goes_on_in_tag(self, text: str, pos: int, closing: re.Pattern[str]) -> int:
        """Whether the text goes on with the list after blank lines, or ``UNDECIDED``.

        The closing tag may be missing, and a stream cannot know whether it comes.
        """
        line = read_line(text, pos + 1, final=self.final)
        if not line.is_blank:
            return True
        for _ in range(MAX_BLANK):
            if not line.is_whole or line.end >= len(text):
                return False if line.is_settled else UNDECIDED
            line = read_line(text, line.end + 1, final=self.final)
            if not line.is_blank:
                break
        if not line.is_settled:
            return UNDECIDED
        return self._may_be_tagged(line.text) or closing.search(line.text) is not None

    def _may_be_tagged(self, line: str) -> bool:
        """Whether a line after a blank one is of a list in tags."""
        if line.lstrip(" \t").startswith("<") or _CONTINUED.match(line):
            return True
        entry = read_entry(line)
        return entry is not None and not is_claim(entry, self.known)

    def _cut(self, text: str, pos: int, end: int) -> int:
        """Return where a long line is cut; what is left of it at the end of the text."""
        if len(text) - pos >= LINE:
            return end
        return self._end(len(text)) if self.final else UNDECIDED

    def _end(self, pos: int) -> int:
        self.is_open = False
        return pos


def _add(buffer: Buffer, start: int, end: int, found: list[Found]) -> None:
    """Add a piece of a list, less the line end before the first line, which is not of it."""
    base = buffer.base
    start, end = max(buffer.whole_line_end(start), -base), buffer.whole_line_end(end)
    if start < end:
        found.append(Listing(base + start, base + end, buffer.text[start:end]))
