"""Where a word or a character that a reader sees ends, around a position in a text."""

from __future__ import annotations

from typing import Final

import regex

__all__ = ["end_of_character", "end_of_word"]

WINDOW: Final = 64
"""Code points on each side of a position that are read: ``\\X`` is slow on chosen input."""

MAX_WORD: Final = 200
"""Longest rest of a word; what is longer is no word."""

# Of scripts that put no blanks between words any letter may end one.
_UNSPACED: Final = r"""\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\p{Yi}\p{Tai_Tham}\p{Thai}
    \p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}\p{Javanese}\p{Balinese}\u30fc\uff70"""
_LETTER: Final = rf"[[\p{{L}}\p{{N}}\p{{M}}]--[{_UNSPACED}]]"
_REST: Final = regex.compile(
    rf"""(?<= {_LETTER} | {_LETTER} ['’_] | [0-9] [.,] )
         (?: {_LETTER} | ['’_] (?= (?<= {_LETTER} . ) {_LETTER} )
             | [.,] (?= (?<= [0-9] . ) [0-9] ) ){{1,{MAX_WORD + 1}}}+""",
    regex.VERBOSE | regex.VERSION1,
)
_NUMBER_REST: Final = regex.compile("(?<=[0-9][.,])[0-9]")
_CLUSTER: Final = regex.compile(r"\X")


def end_of_word(text: str, position: int) -> int:
    """Return the end of the word that a position is inside of, else the position."""
    if not 0 < position < len(text):
        return position
    before, after = text[position - 1], text[position]
    if not (before.isalnum() or after.isalnum()) or after in " \n":
        return position
    match = _REST.match(text, position)
    if match is None or match.end() - position > MAX_WORD:
        return position
    if before in ".," and not _NUMBER_REST.match(text, position):
        return position
    return match.end()


def end_of_character(text: str, position: int, origin: int = 0) -> int:
    """Return the end of the character, as a reader sees it, that a position is inside of.

    ``origin`` is where the text begins, if it is a part of another one.
    The halves of a surrogate pair count as one; so do those of a flag, or a letter with its
    accents.  One that is longer than ``WINDOW`` is left alone.
    """
    if not 0 < position < len(text):
        return position
    before, after = text[position - 1], text[position]
    if before.isascii() and after.isascii():
        return position + 1 if before == "\r" and after == "\n" else position
    if "\ud800" <= before < "\udc00" <= after < "\ue000":
        return position + 1
    # The same window for neighbours: the flags in a row of them are told by counting.
    start = max(((position + origin) // WINDOW - 1) * WINDOW - origin, 0)
    stop = position + WINDOW
    for at in range(position - 1, start, -1):
        if text[at].isascii() and text[at - 1].isascii():
            start = at
            break
    # A piece of its own: ``regex`` looks back to the start of the text, whatever ``pos`` is.
    clusters = _CLUSTER.finditer(text[start:stop])
    end = next(match.end() + start for match in clusters if match.end() + start >= position)
    return end if end < stop or stop >= len(text) else position
