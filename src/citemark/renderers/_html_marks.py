"""Markers out of the Markdown, and back: placeholders that no Markdown rule acts upon.

A placeholder names its marker by number, so that none is mistaken when Markdown moves or drops
text.  Whether stars emphasise is decided by what stands around it, see ``_html_inline``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from citemark.model import TextSegment
from citemark.renderers._clean import clean
from citemark.renderers._markdown_text import within_line
from citemark.renderers._shown import Words, shown

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.model import Citation
    from citemark.renderers._shown import Repeats

__all__ = [
    "LITERALS",
    "OPENING",
    "OUTSIDE",
    "PLACEHOLDER",
    "RUN",
    "Mark",
    "cut_markers",
    "mark_number",
    "restored",
]

OPENING: Final = "\u2e0e"
"""First character of a placeholder."""

_DIGITS: Final = "\u2e0f\u2e10\u2e11\u2e12\u2e13\u2e14\u2e15\u2e16"
"""Editors' marks for Ancient Greek: punctuation (Po) in every version of Unicode since 5.1."""

OUTSIDE: Final = OPENING + _DIGITS
"""Characters of a placeholder for a marker: to Markdown it is as if they were not there."""

_LETTER: Final = "\u2e2f"
_MARK: Final = "\u2e17"
LITERALS: Final = _LETTER + _MARK
"""A letter (Lm) and a punctuation mark (Pd) by their classes: one ends the placeholder of a
character of the answer that is of the same class, and is there for Markdown."""

PLACEHOLDER: Final = re.compile(f"{OPENING}([{_DIGITS}]+)[{LITERALS}]?")
"""Group 1 is the number of the mark, see ``mark_number``."""

RUN: Final = re.compile(f"(?:{OPENING}[{_DIGITS}]++(?![{LITERALS}])){{2,}}")
"""Placeholders of markers that stand together."""

_RESERVED: Final = re.compile(f"[{OUTSIDE}{LITERALS}]")
_TO_DIGITS: Final = str.maketrans("01234567", _DIGITS)
_FROM_DIGITS: Final = str.maketrans(_DIGITS, "01234567")

MAX_PARTS: Final = 16
"""Parts that are looked at for the start of a line; one with more has no room for a block."""


class Mark(NamedTuple):
    """What a placeholder stands for."""

    raw: str
    """The characters of the answer, as the model wrote them."""

    citations: tuple[Citation, ...] | None
    """What to show; None for text that happened to look like a part of a placeholder."""


def cut_markers(answer: Answer, repeats: Repeats = "once") -> tuple[str, list[Mark]]:
    """Return the Markdown with placeholders for markers, and the marks by their number."""
    parts: list[str] = []
    marks: list[Mark] = []

    def placeholder(mark: Mark) -> str:
        marks.append(mark)
        return _placeholder(len(marks) - 1)

    def reserved(found: re.Match[str]) -> str:
        kind = _LETTER if found[0] == _LETTER else _MARK
        return placeholder(Mark(found[0], None)) + kind

    for segment, citations in shown(answer, repeats=repeats):
        if isinstance(segment, TextSegment):
            text = segment.text
            if isinstance(segment, Words):
                text = within_line(text, _line(parts))
            if not text.isascii():
                text = _RESERVED.sub(reserved, text)
            if not parts:
                text = text.lstrip("\ufeff")
            parts.append(text)
        else:
            parts.append(placeholder(Mark(segment.marker.raw, citations)))
    return clean("".join(parts)), marks


@lru_cache(maxsize=1_024)
def _placeholder(number: int) -> str:
    return OPENING + f"{number:o}".translate(_TO_DIGITS)


@lru_cache(maxsize=1_024)
def mark_number(digits: str) -> int:
    """Return the number of the mark that the digits of a placeholder spell."""
    return int(digits.translate(_FROM_DIGITS), 8)


def restored(text: str, marks: list[Mark]) -> str:
    """Return the text with the characters of the answer instead of placeholders."""
    if text.isascii():
        return text
    return PLACEHOLDER.sub(lambda found: _raw(found, marks), text)


def _raw(found: re.Match[str], marks: list[Mark]) -> str:
    number = mark_number(found[1])
    # Entities can spell a placeholder after all; one that no mark has stays as it is.
    return clean(marks[number].raw) if number < len(marks) else found[0]


def _line(parts: list[str]) -> str:
    """Return the end of the text so far, at least from the start of its line on."""
    line: list[str] = []
    for part in reversed(parts):
        line.append(part)
        if "\n" in part or len(line) > MAX_PARTS:
            break
    return "".join(reversed(line))
