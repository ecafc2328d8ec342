"""How a text reads where something was taken out of it: which blanks and marks tell."""

from __future__ import annotations

from typing import Final

import regex

__all__ = [
    "BLANKS",
    "BLOCK_BEGUN",
    "BLOCK_START",
    "CITATION",
    "HARD_BREAK",
    "LINE_END",
    "MARKS",
    "MAX_LINE",
    "MAX_OPENING",
    "OPENED",
    "PAIRS",
    "SEPARATORS",
    "TELLING",
    "blank_between",
    "is_separator",
    "split_blank",
    "trailing_blank",
]

BLANKS: Final = " \t\xa0\u2009\u202f\u3000"
"""White space within a line, and no-break, thin and ideographic blanks."""

CITATION: Final = "\ufffc"
"""Stands for a citation where the characters around a gap are looked at."""

MAX_OPENING: Final = 12
"""Code points before a gap that are looked at for what opens there."""

MAX_LINE: Final = 200
"""Code points of a line that are looked at for what begins a block."""

SEPARATORS: Final = frozenset(",;、，；،")
"""What may stand between the members of a list of markers."""

MARKS: Final = frozenset("`*_~$")
_OPENING: Final = frozenset("([{（［【「『《〈")
PAIRS: Final = {"(": ")", "（": "）"}

BLOCK_START: Final = regex.compile(
    rf"(?:[{BLANKS}>]|[*+-][ \t]|[0-9]{{1,9}}[.)][ \t]|#{{1,6}}[ \t])*+"
)
BLOCK_BEGUN: Final = regex.compile(
    rf"{BLOCK_START.pattern}(?:[*+-]|[0-9]{{1,9}}[.)]?|#{{1,6}})?"
)
"""What more text may still make the start of a block."""

TELLING: Final = regex.compile(r"\w")
"""Every rule here looks at punctuation and blanks, and at one character behind them."""

LINE_END: Final = regex.compile(r"\r\n?|\n")
HARD_BREAK: Final = regex.compile(r"[ \t]*[ ]{2}")
_NEVER_AFTER_BLANK: Final = regex.compile(
    r"""[.,)\]}…]++ (?= [\s"'“”’«»*_~`] | \Z ) | [。，、；：！？）】」』》〉〕］｝،؛؟۔।॥]""",
    regex.VERBOSE,
)
"""Punctuation that no language puts a blank before: French has one before ``;:!?»``."""

_CLOSING: Final = regex.compile(
    r"""[\p{Terminal_Punctuation}\p{Pe}…–—/] | \\ (?= [\r\n] )
    | ["'“”‘’«»‹›*_~]++ (?= \s | \Z | [\p{Terminal_Punctuation}\p{Pe}…] )""",
    regex.VERBOSE,
)
"""What ends something, so that a blank before it can only have been that of a marker."""

OPENED: Final = regex.compile(
    r"""(?: \A | [\s\p{Ps}] ) (?: ["'“”„‘«»‹›] | [*_~]{1,3} ){1,4}+ \Z | [\p{Ps}] \Z""",
    regex.VERBOSE,
)
"""What opens something, so that a blank after a marker in it can only have been its own."""

_UNSPACED: Final = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\u3001-\u303f\uff01-\uff60]")
"""Characters of scripts that put no blanks between words."""


def blank_between(last: str, before: str, after: str, text: str) -> str:
    if last in _OPENING or (_UNSPACED.match(last) and _UNSPACED.match(text)):
        return ""
    if after:
        shorter = min(after, before or after, key=len)
        return "" if _NEVER_AFTER_BLANK.match(text) else shorter
    if text.startswith(CITATION):
        return "" if last == CITATION else before
    return "" if _CLOSING.match(text) else before


def is_separator(*texts: str) -> bool:
    return len(texts) == 1 and texts[0].strip(BLANKS) in SEPARATORS


def split_blank(text: str) -> tuple[str, str]:
    rest = text.lstrip(BLANKS)
    return text[: len(text) - len(rest)], rest


def trailing_blank(text: str) -> str:
    return text[len(text.rstrip(BLANKS)) :]
