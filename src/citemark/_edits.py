"""Where a name may be misspelt by one character, so that it is still sure what is meant.

That is a letter of a word of some length, or what joins words: never a digit, nor a letter that
stands for one (``Appendix B``, ``a020507f``), nor a character that is a word of its own.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["edits"]

MIN_EDITED: Final = 5
"""Shortest name in which a separator may be wrong; shortest word in which a letter may be."""

MIN_MISSING: Final = 6
"""Shortest name of which a letter may be missing, or to which one may be added."""

MIN_CHANGED: Final = 10
"""Shortest name in which a letter may be another one: ``intend`` is no ``intent``."""

MAX_EDITED: Final = 200
"""Longest name, as in the grammar: a compatibility form may be many times as long."""

_SEPARATORS: Final = frozenset(" -_.,'\u2019")
_HEX: Final = frozenset("abcdef")


def edits(text: str, *, is_key: bool = False) -> Iterator[tuple[str, str]]:
    """Return a text without one character, and with a gap for it, for each that may be wrong.

    Either is "" where the name would be too short to be sure.  The first letter of a word is
    always right: ``regal`` is no ``legal``.

    Args:
        text: A name, or what may be one.
        is_key: Whether it is what a model wrote, so that a name is what is left of it.
    """
    name_length = len(text) - is_key
    start = 0
    for kind, group in groupby(text if MIN_EDITED <= len(text) <= MAX_EDITED else "", _kind):
        run = "".join(group)
        end = start + len(run)
        if kind == "letter":
            is_open = len(run) >= MIN_EDITED and not _HEX.issuperset(run.lower())
            is_long = len(run) > MIN_EDITED and name_length >= MIN_MISSING
            is_same = len(text) >= MIN_CHANGED
            first = start + 1
        else:
            is_open = kind == "separator" and _joins_letters(text, start, end)
            is_long, is_same, first = len(text) > MIN_EDITED, True, start
        for at in range(first, end if is_open else first):
            before, after = text[:at], text[at + 1 :]
            gap = "\0" if kind == "letter" else "\1"
            yield before + after if is_long else "", before + gap + after if is_same else ""
        start = end


def _joins_letters(text: str, start: int, end: int) -> bool:
    """Whether a separator stands beside a letter: between digits it is a part of the number."""
    return "letter" in (_kind(text[start - 1 : start]), _kind(text[end : end + 1]))


def _kind(character: str) -> str:
    """Return what an edit may do to a character: only like may be taken for like."""
    if character in _SEPARATORS:
        return "separator"
    # A character of Chinese or Korean is a word or a syllable: another one is another name.
    is_letter = character < "\u2e80" and character.isalpha() and not character.isnumeric()
    return "letter" if is_letter else ""
