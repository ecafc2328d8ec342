"""Where a list of sources that a model wrote begins: after a heading, a tag, or on its own.

Each function returns where the first entry begins, None if there is no list, or ``UNDECIDED``
if more text will tell.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from citemark import listing
from citemark._headings import is_heading, is_singular, may_be_heading
from citemark._lazy import lazy_re
from citemark._list_lines import (
    Beginning,
    Line,
    has_evidence,
    is_claim,
    is_named,
    is_only_markers,
    is_strict,
    read_entry,
    read_line,
)
from citemark.listing import LINE, MAX_INLINE
from citemark.verbatim import UNDECIDED

if TYPE_CHECKING:
    import regex

    from citemark.sources import Sources

__all__ = ["LABEL_LINE", "URL_LINE", "Start", "Starts", "may_begin"]

MAX_BLANK: Final = 2
"""Most blank lines between a heading and the first entry."""

_START: Final = lazy_re(
    rf"""\n (?P<blank> {listing.BLANK_LINES}{{0,3}}+ )
    (?: (?P<rule> {listing.RULE} ) [ \t]{{0,9}}+ \n {listing.BLANK_LINES}{{0,2}}+ )?+
    (?P<quotes> {listing.QUOTES} ) [ ]{{0,3}}+""",
    re.VERBOSE,
)
_TAG: Final = lazy_re(rf"< (?P<tag> {listing.TAG_NAMES} ) {listing.TAG_END}", re.VERBOSE)
_AFTER: Final = r"""(?: \( [^()\n]{0,30}+ \) )?+ [ ]?+ [\u3011\u300d]?+ [*_]{0,3}+ [ \t]{0,2}+
    (?P<colon> [:\uff1a] )?+ [*_]{0,3}+ [ \t]{0,9}+ \#{0,6}+ [ \t]{0,9}+"""
_UNDERLINE: Final = lazy_re(r"[ ]{0,3}+(?:=++|-{2,}+)[ \t]*+")
LABEL_LINE: Final = rf"[ ]{{0,3}}+ {listing.LABEL}"
URL_LINE: Final = rf"[ \t]{{0,40}}+ <?+ {listing.URL_START}"
_RULED: Final = rf"{listing.STRICT} | {LABEL_LINE}"


@dataclass(frozen=True, slots=True)
class Start:
    """The start of a list."""

    end: int
    """Where its first entry begins: at the line end before it."""

    entry: Beginning | None = None
    """What the first entry begins with; None in tags, and where all of the list was read."""

    tag: str = ""
    """Name of the tag that encloses it."""

    has_heading: bool = True
    """Whether a heading stands over it."""

    depth: int = 0
    """How many quotes it is in."""

    is_ruled: bool = False
    """Whether, without a heading, a rule stands over it."""


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.VERBOSE)


@cache
def _open_ended(pattern: str) -> regex.Pattern[str]:
    """Return a pattern to ask what the end of a stream's text may become."""
    import regex  # noqa: PLC0415  only streams need it, and it takes 30 ms to import

    return regex.compile(pattern, regex.VERBOSE)


def may_begin(pattern: str, text: str) -> bool:
    """Whether a line whose end has not come may begin as a pattern says."""
    return _open_ended(pattern).match(text, partial=True) is not None


def _may_be(pattern: str, text: str, pos: int) -> bool:
    """Whether the text from a position on may become what a pattern says."""
    return _open_ended(pattern).fullmatch(text, pos, partial=True) is not None


@dataclass(frozen=True, slots=True)
class Starts:
    """Looks for the start of a list at one place of a text."""

    text: str
    """As far as it has come."""

    final: bool
    """Whether no more will come."""

    known: Sources | None
    """The sources, as far as they are known."""

    def heading(self, start: int) -> int:
        """Return where a heading would begin, after nothing but blank lines at a position."""
        head = _START.match(self.text, start)
        return start if head is None or head["rule"] else head.end()

    def find(self, start: int, *, is_first: bool) -> Start | int | None:
        """Return the start of a list at a line end or a tag.

        Args:
            start: Position of the line end or the tag.
            is_first: Whether the line end is that before the first line of the answer, which
                is more likely to begin with a citation than to be the list itself.
        """
        text = self.text
        head = _START.match(text, start)
        tag = _TAG.match(text, head.end() if head else start)
        if tag is not None:
            return Start(tag.end(), tag=tag["tag"])
        if head is None or (head["rule"] and not (head["blank"] or is_first)):
            return None
        depth = head["quotes"].count(">")
        title = listing.HEADING.match(text, head.end())
        if title is None:
            line_end = text.rfind("\n", 0, head.end())
            is_ruled = bool(head["rule"]) and not is_first
            pattern = _RULED if is_ruled else listing.STRICT
            pattern = listing.DEFINITION if is_first else pattern
            return self._without_heading(line_end, depth, pattern, is_ruled=is_ruled)
        words, pos = title["words"], title.end()
        if pos == len(text):
            return UNDECIDED if not self.final and may_be_heading(words) else None
        if not is_heading(words):
            return None
        may_be_inline = not (is_first or depth or is_singular(words))
        return self._after_words(pos, depth, may_be_inline=may_be_inline)

    def _after_words(self, pos: int, depth: int, *, may_be_inline: bool) -> Start | int | None:
        """Return the start of the list whose heading has its words end at a position."""
        text = self.text
        rest = _compiled(_AFTER).match(text, pos)
        end = pos if rest is None else rest.end()
        if text[end : end + 1] == "\n":
            found = self._below(end, depth)
            return self._inline(end) if found is None and may_be_inline else found
        is_open = not self.final and text.find("\n", pos, pos + LINE) < 0
        if is_open and len(text) - pos < LINE and _may_be(_AFTER, text, pos):
            return UNDECIDED
        has_colon = rest is not None and rest["colon"]
        return self._inline(end) if has_colon and may_be_inline else None

    def _below(self, pos: int, depth: int) -> Start | int | None:
        """Return the start at one of the lines below that of a heading."""
        line = self._line(pos + 1)
        if not line.is_settled and not line.text.strip("=- "):
            return UNDECIDED
        if _UNDERLINE.fullmatch(line.text):
            pos = line.end
        for _ in range(MAX_BLANK + 1):
            line = self._line(pos + 1)
            if not line.is_blank:
                break
            if not line.is_whole or line.end >= len(self.text):
                return None if line.is_settled else UNDECIDED
            pos = line.end
        if line.is_blank or line.depth != depth:
            return None
        entry = self._first_entry(line)
        return Start(pos, entry, depth=depth) if isinstance(entry, Beginning) else entry

    def _first_entry(self, line: Line) -> Beginning | int | None:
        """Return what a line below a heading begins with, if it is an entry beyond doubt."""
        if not line.is_settled:
            return UNDECIDED if may_begin(listing.ENTRY, line.text) else None
        entry = read_entry(line.text)
        if entry is None or is_claim(entry, self.known):
            return None
        if entry.number is not None and entry.kind != "ordered":
            return None if is_only_markers(entry.content) else entry
        if has_evidence(entry.content, self.known):
            return entry
        leads = self._leads_below(line)
        return UNDECIDED if leads == UNDECIDED else entry if leads else None

    def _leads_below(self, line: Line) -> int:
        """Whether the line after an entry is its address, or ``UNDECIDED``."""
        if not line.is_whole or (line.end >= len(self.text) and self.final):
            return False
        following = self._line(line.end + 1)
        if not following.is_settled:
            return UNDECIDED if may_begin(URL_LINE, following.text) else False
        return _compiled(URL_LINE).match(following.text) is not None

    def _inline(self, pos: int) -> Start | int | None:
        """Take what follows the words of a heading, if it is the last of the text."""
        text = self.text
        if len(text) - pos > MAX_INLINE:
            return None
        if not self.final:
            return UNDECIDED if _may_be(listing.INLINE, text, pos) else None
        match = _compiled(listing.INLINE).fullmatch(text, pos)
        return None if match is None else Start(pos + len(match[0].rstrip(" \t\n")))

    def _without_heading(
        self, pos: int, depth: int, pattern: str, *, is_ruled: bool = False
    ) -> Start | int | None:
        """Return the start at a line that is of a list even without a heading."""
        line = self._line(pos + 1)
        if not line.is_settled:
            return UNDECIDED if may_begin(pattern, line.text) else None
        entry = read_entry(line.text) if _compiled(pattern).match(line.text) else None
        if entry is None:
            return None
        is_sure = is_strict(line.text, self.known)
        if not is_sure and not (is_ruled and is_named(entry, self.known)):
            return None
        return Start(pos, entry, has_heading=False, depth=depth, is_ruled=is_ruled)

    def _line(self, start: int) -> Line:
        return read_line(self.text, start, final=self.final)
