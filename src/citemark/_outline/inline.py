"""Constructs within a paragraph that no citation can stand in: code, links, formulas, ...

Code and links are told as CommonMark tells them, left to right.  What other renderers may take
for one, or readers, is found besides: it only keeps a citation out.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from citemark._lazy import lazy_re
from citemark.constructs import BEFORE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["Inline"]

MAX_PARENTHESES: Final = 32
"""Parentheses within each other in the address of a link, as commonmark.js has it."""

_ROWS: Final = {
    name: "|".join(
        f"(?: {re.escape(row.opening)} {row.pattern} )" for row in BEFORE if row.name == name
    )
    for name in ("math", "tags", "pre", "autolink")
}

_PUNCTUATION: Final = r"[!-/:-@\[-`{-~]"
_TOKEN: Final = lazy_re(
    rf"""(?P<run> `+ )
       | (?P<math> {_ROWS["math"]} )
       | (?P<escape> \\ {_PUNCTUATION} )
       | (?P<whole> {_ROWS["autolink"]}
                  | & (?: [A-Za-z][A-Za-z0-9]{{1,31}}
                         | \#[0-9]{{1,7}} | \#[xX][0-9A-Fa-f]{{1,6}} ) ;
                  | \*{{2,}}+ | _{{2,}}+ | ~{{2,}}+ )
       | (?P<opening> !? \[ )
       | (?P<closing> \] )""",
    re.VERBOSE,
)
_OTHER: Final = lazy_re(
    rf"""\${{2,}}+ | <!-- (?: [^\-<] | -(?!->) | <(?!!--) )*+ -->
       | {_ROWS["tags"]} | {_ROWS["pre"]}
       | <<? [^<>\s] [^<>\n]{{0,200}}+ >>
       | </?+ [A-Za-z] (?: [^<>"'] | "[^"\n]{{0,1000}}+" | '[^'\n]{{0,1000}}+' ){{0,2000}}+ >
       | < [^\s<>@]{{1,200}}+ @ [^\s<>@]{{1,200}}+ >
       | (?: https?:// | www\. ) [!\#-&(-;=?-\[\]_a-z~]*+ (?<! [?!.,:;*_~)\]] )
       | (?: https?:// | www\. ) [!\#-&(-;=?-\[\]_a-z~]* [\#-&+/0-9=@A-Z_a-z\-]
       | \[ [^\[\]\s]{{1,60}}+ \] | \[ [0-9] [0-9\s,;–-]{{0,60}}+ \]
       | \[\[ [^\[\]\n]{{1,200}}+ \]\]
       | 【 [^【】\n]{{1,200}}+ 】 | ［ [^［］\n]{{1,200}}+ ］
       | \ue200 [^\ue200\ue201\n]{{0,500}}+ \ue201
       | \]\( \s*+ < | \$ [0-9]""",
    re.VERBOSE,
)
_SPECIAL: Final = lazy_re("[\\\\`*_~$\\[<&\ue200【［:w](?:(?<![:w])|(?<=:)//|(?<=w)ww)")
_NAME: Final = lazy_re(r"[^\W_]")
_RUN: Final = lazy_re("`+")

_BLANK: Final = lazy_re(r"\s*+")
_ANGLE: Final = lazy_re(r"< (?: [^<>\\\n] | \\. )*+ >", re.VERBOSE)
_PART: Final = lazy_re(r"[^\x00-\x20\x7f()\\]++ | \\ [^\x00-\x20] | \\ | [()]", re.VERBOSE)
_DEEP: Final = lazy_re(rf"(?: [^\x00-\x20\x7f()\\]*+ \( ){{{MAX_PARENTHESES + 1}}}", re.VERBOSE)
"""A short cut for addresses that are none."""

_END: Final = lazy_re(
    r"""(?: \s++ (?: "(?: [^"\\] | \\. )*+" | '(?: [^'\\] | \\. )*+' | \((?: [^()\\] | \\. )*+\)
             ) )?+ \s*+ \)""",
    re.VERBOSE | re.DOTALL,
)


class Inline:
    """Finds the constructs of one text, paragraph by paragraph.

    Args:
        text: Markdown whose paragraphs have no marks of quotes within.
    """

    def __init__(self, text: str) -> None:
        """Keep the text."""
        self._text = text
        self._runs: dict[int, list[int]] | None = None

    def wholes(self, leaves: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Yield the constructs of some paragraphs, half-open, in no particular order."""
        for start, end in leaves:
            if _SPECIAL.search(self._text, start, end):
                yield from self._constructs(start, end)
                for match in _OTHER.finditer(self._text, start, end):
                    yield match.span()

    def _constructs(self, pos: int, end: int) -> Iterator[tuple[int, int]]:
        text, openings = self._text, list[int]()
        while match := _TOKEN.search(text, pos, end):
            start, pos = match.span()
            kind = match.lastgroup
            if kind == "opening":
                openings.append(start)
                continue
            if kind == "closing":
                stop = self._link_end(pos, end) if openings else None
                start = openings.pop() if openings else start
            elif kind == "run":
                yield start, pos
                stop = self._span_end(start, pos, end)
            elif kind == "math" and not _NAME.search(match[0]):
                stop, pos = None, start + 1 + (match[0][0] == "\\")
            else:
                stop = pos
            if stop is not None:
                yield start, stop
                pos = stop

    def _span_end(self, start: int, pos: int, end: int) -> int | None:
        """Return the end of the code span that a run of backticks opens (6.1)."""
        if self._runs is None:
            self._runs = {}
            for match in _RUN.finditer(self._text):
                self._runs.setdefault(len(match[0]), []).append(match.start())
        runs = self._runs.get(pos - start, ())
        at = bisect_left(runs, pos)
        return runs[at] + pos - start if at < len(runs) and runs[at] < end else None

    def _link_end(self, pos: int, end: int) -> int | None:
        """Return the end of the address of a link, if one begins here (6.3)."""
        text = self._text
        if pos >= end or text[pos] != "(":
            return None
        pos = self._blank_end(pos + 1, end)
        if text.startswith("<", pos, end):
            angle = _ANGLE.match(text, pos, end)
            if angle is None:
                return None
            pos = angle.end()
        else:
            pos = self._address_end(pos, end)
        last = _END.match(text, pos, end)
        return last.end() if last else None

    def _blank_end(self, pos: int, end: int) -> int:
        match = _BLANK.match(self._text, pos, end)
        return match.end() if match else pos

    def _address_end(self, pos: int, end: int) -> int:
        level = 0
        if _DEEP.match(self._text, pos, end):
            return pos
        while match := _PART.match(self._text, pos, end):
            level += (match[0] == "(") - (match[0] == ")")
            if level < 0 or level > MAX_PARENTHESES:
                break
            pos = match.end()
        return pos
