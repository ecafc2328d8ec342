"""A text as it is compared, with the way back to the code points that it is made from.

What is folded is how words are printed: form of letters (NFKC), case, quotation marks, dashes,
blanks, soft hyphens, words divided at the end of a line, emphasis.  What they say is not:
digits, signs, hyphens within words and every letter stay.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from heapq import merge
from typing import TYPE_CHECKING, Final

from citemark._lazy import lazy_re
from citemark._quotes._characters import (
    CJK,
    CURRENCIES,
    DROPPED,
    EXPANDED,
    LEVEL,
    MARK,
    MAX_MARKS,
    expanded,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Change = tuple[int, int, str]

__all__ = ["Folded"]

# The first character is one class, by which ``re`` skips fast to where something is to do.
# After a line end ``>`` is the sign of a quoted line, before a digit only with a blank.
_ASCII: Final = rf"""
    (?<=[ \n]) (?: (?: (?<=\n) | [ ]*+ \n ) [ \n]*+ >[ >\n]*+ (?! (?<=>) [0-9.=] )
    | [ \n\x01]*+ -++ [ \n]*+ | [ \n\x01]++ | (?=["?!;:%‰°٪{CURRENCIES}])
    | (?<=["{CURRENCIES}][ \n]) )
  | (?<=-) (?: -*+ [ \n]++ (?: (?<=\n) >[ >]*+ )? | -++ )
  | (?<=[*_`]) [*_`]*+
  | (?<=\.) [ ] \. [ ] \.
"""
_PLAIN: Final = lazy_re(rf"[ \n\-*_`.] (?: {_ASCII} )", re.VERBOSE)
_FULL: Final = lazy_re(
    rf"""[ \n\-*_`.{EXPANDED}{DROPPED}{MARK}] (?: {_ASCII}
  | (?<=[ \n]) (?=[{CJK}]) | (?<=[{CJK}][ \n])
  | (?<={EXPANDED})
  | (?<={DROPPED}) {DROPPED}*+ (?: [ ]*+ \n [ \n]*+ )?
  | (?<={MARK}) {MARK}{{0,{MAX_MARKS - 1}}} )""",
    re.VERBOSE,
)
_SIGN: Final = lazy_re(
    rf"""[\n\-*_`"?!;:%‰°٪{CURRENCIES}>{EXPANDED}{DROPPED}{MARK}{CJK}]"""
    rf"(?: (?<![{CJK}]) | (?=[ ]) | (?<=[ ].) )",
    re.VERBOSE,
)
"""What all of these have: but for rows of blanks and points, a blank alone is as it is."""
_CONTROLS: Final = lazy_re(r"[\x00-\x09\x0b-\x1f\x7f]")
_NOT_ASCII: Final = lazy_re(r"[^\x00-\x7f]+(?:[ ,.]{1,2}[^\x00-\x7f]+)*")
_CJK: Final = lazy_re(f"[{CJK}]")
_NUMBERS: Final = r"\[[0-9]{1,3}(?:[,;][ ]?[0-9]{1,3}|-[0-9]{1,3}){0,9}\]"
_MARKER: Final = lazy_re(rf"(?<![0-9])[ ]?{_NUMBERS}|[ ]?{_NUMBERS}(?![0-9])")
"""Not between two digits, which would become one figure."""
_HYPHENS: Final = "-\u2010\u00ad"
_TIGHT: Final = "?!;:"
_UNITS: Final = f"%‰°٪{CURRENCIES}"


class Folded:
    r"""A text as it is compared.

    >>> folded = Folded("The main-\ntenance  “crew”")
    >>> folded.words, folded.span(4, 15)
    ('the maintenance "crew"', (4, 17))

    Attributes:
        text: The text, as it is.
        words: As it is compared.
        breaks: Offsets in ``words`` where a hyphen at the end of a line was taken out.
    """

    __slots__ = ("_ends", "_firsts", "_starts", "breaks", "text", "words")

    def __init__(self, text: str, *, without_markers: bool = False) -> None:
        """Fold a text, linear in its length.

        Args:
            text: Any text, lone surrogates too.
            without_markers: Whether to leave out numbers in brackets, such as ``[12]``.
        """
        self.text = text
        self.breaks: list[int] = []
        self._starts: list[int] = []  # in ``words``
        self._firsts: list[int] = []  # in ``text``
        self._ends: list[int] = []  # in ``text``; -1 where each character stands for itself
        self.words = self._fold(_level(text), without_markers=without_markers)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the code points of the text that a range of its words, not empty, is from."""
        first = bisect_right(self._starts, start) - 1
        last = bisect_right(self._starts, end - 1) - 1
        begin, stop = self._firsts[first], self._ends[last]
        if self._ends[first] < 0:
            begin += start - self._starts[first]
        if stop < 0:
            stop = self._firsts[last] + end - self._starts[last]
        return begin, stop

    def offset(self, at: int) -> int:
        """Return the offset in ``words`` of a code point of the text, or of the next kept."""
        number = bisect_right(self._firsts, at) - 1
        if number < 0:
            return 0
        start = self._starts[number]
        if self._ends[number] < 0:
            start += at - self._firsts[number]
        elif at > self._firsts[number]:
            start = len(self.words)
        stop = self._starts[number + 1] if number + 1 < len(self._starts) else len(self.words)
        return min(start, stop)

    def _fold(self, level: str, *, without_markers: bool) -> str:
        pieces: list[str] = []
        starts, firsts, ends = self._starts, self._firsts, self._ends
        size = pos = 0
        pattern = _PLAIN if self.text.isascii() else _FULL
        found = _changes(self.text, level, pattern)
        for start, end, new in _without_markers(level, found) if without_markers else found:
            if start < pos:
                continue
            if start > pos:
                pieces.append(level[pos:start])
                starts.append(size)
                firsts.append(pos)
                ends.append(-1)
                size += start - pos
            if new:
                pieces.append(new)
                starts.append(size)
                firsts.append(start)
                ends.append(end)
                size += len(new)
            elif level[start] == "-":
                self.breaks.append(size)
            pos = end
        if pos < len(level):
            pieces.append(level[pos:])
            starts.append(size)
            firsts.append(pos)
            ends.append(-1)
        return "".join(pieces).replace("\n", " ")


def _level(text: str) -> str:
    """Return a text of the same length, each character by itself as it is compared."""
    if _CONTROLS.search(text):
        return text.translate(LEVEL)
    if text.isascii():
        return text.lower()
    # A table is slow for letters that a C function knows as well.
    return _NOT_ASCII.sub(lambda match: match[0].translate(LEVEL), text).lower()


def _changes(text: str, level: str, pattern: re.Pattern[str]) -> Iterator[Change]:
    """Yield what becomes longer or shorter: start, end, and what stands there instead."""
    for match in _matches(level, pattern):
        start, end = match.span()
        sign = level[start]
        if sign in " \n":
            new = "-" if "-" in match[0] else _blank(text, level, start, end)
        elif sign == "-":
            new = "" if _is_divided(text, level, start, end) else "-"
        elif sign == ".":
            new = "..."
        elif sign == EXPANDED:
            new = expanded(text[start])
        elif sign == DROPPED:
            is_soft = text[start] in _HYPHENS
            new = "" if is_soft or "\n" not in match[0] else " "
        elif sign == MARK:
            start = max(start - 1, 0)
            new = expanded(text[start:end])
        else:
            new = _emphasis(level, start, end)
        if len(new) != end - start or new != level[start:end]:
            yield start, end, new


def _matches(level: str, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern; most blanks, which have none, are not looked at."""
    if "  " in level or ". . ." in level:
        yield from pattern.finditer(level)
        return
    pos = 0
    for sign in _SIGN.finditer(level):
        at = sign.start()
        pos = max(pos, at - 1)
        while pos <= at + 1:  # the blank before it, the sign, the blank behind it
            match = pattern.match(level, pos)
            if match:
                yield match
            pos = match.end() if match else pos + 1


def _without_markers(level: str, changes: Iterable[Change]) -> Iterator[Change]:
    markers = ((*match.span(), "") for match in _MARKER.finditer(level))
    return merge(changes, markers, key=lambda change: (change[0], -change[1]))


def _blank(text: str, level: str, start: int, end: int) -> str:
    """Return what blanks become: one, or none where only typography puts them."""
    before = level[start - 1 : start]
    after = level[end : end + 1]
    is_free = (
        (after and after in _UNITS and before.isdigit())
        or (before and before in CURRENCIES and after.isdigit())
        or (before and _CJK.match(before))
        or (after and _CJK.match(after))
        or (after and after in _TIGHT)
        or (before == '"' and _opens(text[start - 1], level[max(start - 2, 0) : start - 1]))
        or (after == '"' and _closes(text[end], level[end + 1 : end + 2]))
    )
    return "" if is_free else " "


def _opens(mark: str, before: str) -> bool:
    """Whether a quotation mark with a blank behind it opens; French puts one there."""
    return mark in "«‹„" or (mark == '"' and before in " \n(")


def _closes(mark: str, after: str) -> bool:
    """Whether a quotation mark with a blank before it closes."""
    return mark in "»›" or (mark == '"' and after in ",.;:)")


def _is_divided(text: str, level: str, start: int, end: int) -> bool:
    """Whether a hyphen and the line end after it divide a word."""
    return (
        text[start] in _HYPHENS
        and level.find("\n", start, end) >= 0
        and level.count("-", start, end) == 1
        and level[start - 1 : start].isalpha()
        and text[end : end + 1].isalpha()
        and not text[end].isupper()
    )


def _emphasis(level: str, start: int, end: int) -> str:
    """Return signs of emphasis if they are none: in sums, names of code, blanks to fill."""
    run, before, after = level[start:end], level[start - 1 : start], level[end : end + 1]
    is_apart = not before.strip() and not after.strip()
    if "_" in run and before.isalnum() and after.isalnum():
        return run
    if is_apart or ("*" in run and before.isdigit() and after.isdigit()):
        return run
    return ""
