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
    """Return the Markdown with placeholders for markers, and the marks by their number.

    Markers that stand together, ``[1][2]``, have one placeholder: a line may break within the
    group where it has to, and nowhere else.
    """
    parts: list[str] = []
    marks: list[Mark] = []
    groups: dict[int, list[Mark]] = {}
    is_behind_marker = False

    def reserved(found: re.Match[str]) -> str:
        marks.append(Mark(found[0], None))
        return _placeholder(len(marks) - 1) + (_LETTER if found[0] == _LETTER else _MARK)

    for segment, citations in shown(answer, repeats=repeats):
        if not isinstance(segment, TextSegment):
            mark = Mark(segment.marker.raw, citations)
            if is_behind_marker:
                groups.setdefault(len(marks) - 1, [marks[-1]]).append(mark)
                continue
            marks.append(mark)
            parts.append(_placeholder(len(marks) - 1))
            is_behind_marker = True
            continue
        text = segment.text
        if isinstance(segment, Words):
            text = within_line(text, _line(parts))
        if not text.isascii():
            text = _RESERVED.sub(reserved, text)
        if not parts:
            text = text.lstrip("\ufeff")
        # What will be taken out keeps no markers apart.
        is_behind_marker = is_behind_marker and not clean(text)
        parts.append(text)
    for number, group in groups.items():
        marks[number] = _together(group)
    return clean("".join(parts)), marks


def _together(group: list[Mark]) -> Mark:
    citations = tuple(citation for mark in group for citation in mark.citations or ())
    return Mark("".join(mark.raw for mark in group), citations)


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
