"""What a character is compared as: how it is printed goes, what it says stays."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

__all__ = [
    "CJK",
    "CURRENCIES",
    "DROPPED",
    "EXPANDED",
    "LEVEL",
    "MARK",
    "UNSPACED",
    "WORDY",
    "expanded",
]

EXPANDED: Final = "\x00"
"""Stands for a character that is compared as none or several: see ``expanded``."""

DROPPED: Final = "\x01"
"""Stands for a character that is not seen: soft hyphen, zero width, direction."""

MARK: Final = "\x02"
"""Stands for a mark that may become one with the character before it."""

MAX_MARKS: Final = 30
"""Marks of one character that are composed: normalising is quadratic in them."""

CJK: Final = "\u3001-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Han, kana and their punctuation, for a character class: written without blanks."""

UNSPACED: Final = CJK + "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
"""These and Thai, Lao, Burmese, Khmer: no blank shows where a word ends."""

CURRENCIES: Final = "$€£¥₹₽₩₺₴₪฿₫₦¢"
"""Signs of currencies, for a character class."""

WORDY: Final = (
    r"\w\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    r"\u0900-\u0963\u0970-\u0dff\u0e31-\u0eff\u1000-\u1049\u1780-\u17d3"
)
"""What words are made of, for a character class; ``\\w`` leaves out the vowel signs."""

_DOUBLE: Final = "“”„‟«»‹›「」『』〝〞〟＂″"
_SINGLE: Final = "‘’‚‛′´ʼ＇"
_HYPHENS: Final = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d\u2e3a\u2e3b"
_SAME: Final = {
    **dict.fromkeys(map(ord, _DOUBLE), '"'),
    **dict.fromkeys(map(ord, _SINGLE), "'"),
    **dict.fromkeys(map(ord, _HYPHENS), "-"),
    ord("×"): "x",
    ord("İ"): "i",  # its own small form is two characters, which nobody writes
    ord("\n"): "\n",
    ord("\r"): "\n",
    ord("\u2028"): "\n",
    ord("\u2029"): "\n",
}
_SEVERAL: Final = {
    "…": "...",
    "⋯": "...",
    "‥": "...",
    "≥": ">=",
    "≤": "<=",
    "≠": "!=",
}
_MEANT: Final = ("<super>", "<sub>", "<fraction>", "<circle>")
"""Kinds of characters whose plain form is another figure: 10² is not 102."""

# Vowel signs and jamo that join the character before them though they are no accents.
_JOINING: Final = frozenset(
    map(
        ord,
        "ﾞﾟ\u09be\u09d7\u0b3e\u0b56\u0b57\u0bbe\u0bd7"
        "\u0cc2\u0cd5\u0cd6\u0d3e\u0d57\u0dcf\u0ddf\u1b35\u102e",
    )
) | frozenset(range(0x1160, 0x1200))
_ALONE: Final = frozenset({0, 9, 103, 107, 118, 122})
"""Combining classes that stay as they are: virama, and the signs of Thai and Lao."""

_HALF_WIDTH: Final = range(0xFF61, 0xFFA0)


class _Level(dict[int, str]):
    """Maps each code point to one character, so that offsets stay; filled as needed."""

    def __missing__(self, code: int) -> str:
        level = self[code] = _level(chr(code))
        return level


LEVEL: Final = _Level(_SAME)
"""For ``str.translate``."""


@lru_cache(maxsize=4_096)
def expanded(cluster: str) -> str:
    """Return what a character and the marks on it are compared as."""
    is_half = any(ord(character) in _HALF_WIDTH for character in cluster)
    composed = unicodedata.normalize("NFKC" if is_half else "NFC", cluster)
    return "".join(map(_single, composed))


def _level(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Cf" or "\ufe00" <= character <= "\ufe0f" or character == "\u034f":
        return DROPPED
    if character.isspace():
        return " "
    if category == "Cc":
        return "\ufffd"
    if unicodedata.combining(character) not in _ALONE or ord(character) in _JOINING:
        return MARK
    plain = _single(character)
    return plain if len(plain) == 1 else EXPANDED


def _single(character: str) -> str:
    if character in _SEVERAL:
        return _SEVERAL[character]
    if ord(character) in _SAME:
        return _SAME[ord(character)]
    if unicodedata.decomposition(character).startswith(_MEANT):
        return character
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", character).casefold())
