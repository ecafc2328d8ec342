"""Whether a quote differs from its passage by slips of spelling alone.  Needs rapidfuzz 3.

Likeness is not enough: a quote with one digit changed is 97 % like its passage.  So each word
must be that of the passage, or a near spelling of it that is no word for a figure, no negation
and no name.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from citemark._lazy import lazy_re
from citemark._quotes import core_of, is_cut, is_figure, is_negation, other_signs
from citemark.checks._spelling import is_misspelt

if TYPE_CHECKING:
    from types import ModuleType

    from citemark._quotes import Folded, Nearest, Word

__all__ = ["has_slips_only"]

MIN_SCORE: Final = 90
"""Likeness of the characters, 0 to 100 (rapidfuzz ``ratio``)."""

MIN_LENGTH: Final = 12
"""Code points of a quote that is compared; in shorter ones each letter counts."""

MAX_SLIPS: Final = 5
"""One word in so many may be misspelt, and one in any case."""

SHORT: Final = 3
"""Letters of a word that is another word as soon as one of them is another letter."""

LONG: Final = 8
"""Letters of a word beyond which two of them may be wrong, and a capital is no name's."""

NOUNS: Final = 0.2
"""Share of words with a capital beyond which it is that of nouns, as in German."""

_ALPHABET: Final = lazy_re(r"[a-z\u00df-\u024f\u0370-\u058f\u10d0-\u10ff\u1e00-\u1fff'’]+")
_TURKISH: Final = lazy_re("m[aeıiuü]")
_CAPITAL: Final = lazy_re(r"(?<=[^\W\d_] )[^\W\d_a-z]\w")
_WORD: Final = lazy_re(r"(?<=[^\W\d_] )\w\w")


def has_slips_only(near: Nearest, quote: Folded, passage: Folded) -> float | None:
    """Return the likeness, 0 to 100, of a quote with slips of spelling; None for any other.

    None too if rapidfuzz is not installed.
    """
    library = _rapidfuzz()
    words = core_of(quote.words)
    changes = near.changes
    most = max(len(near.pairs) // MAX_SLIPS, 1)
    if library is None or len(words) < MIN_LENGTH or len(changes) > most:
        return None
    mine = {pair[0].text for pair in near.pairs if pair[0] is not None}
    theirs = {pair[1].text for pair in near.pairs if pair[1] is not None}
    for one, other in changes:
        if one is None or other is None or one.text in theirs or other.text in mine:
            return None
        if not _is_slip(one.text, other.text) or _stands(one.text, passage.words):
            return None
        if _may_be_name(one, quote, passage) or _may_be_name(other, passage, passage):
            return None
    if is_cut(passage, near.start, near.end) or other_signs(near, quote, passage):
        return None
    score: float = library.fuzz.ratio(words, passage.words[near.start : near.end])
    return score if score >= MIN_SCORE else None


def _stands(word: str, words: str) -> bool:
    """Whether the passage has a word elsewhere, which then is a word of its own."""
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", words) is not None


def _is_slip(one: str, other: str) -> bool:
    """Whether a word is a near spelling of another one, and says nothing else by it."""
    if any(map(is_figure, (one, other))) or any(map(is_negation, (one, other))):
        return False
    if not (_ALPHABET.fullmatch(one) and _ALPHABET.fullmatch(other)) or one[0] != other[0]:
        return False
    shorter = min(len(one), len(other))
    if shorter <= SHORT:
        return len(one) == len(other) == SHORT and sorted(one) == sorted(other)
    if is_misspelt(one, other, 1):
        return True
    # "kullanılır" is used, "kullanılmaz" is not: two letters deny in Turkish.
    denied = len(_TURKISH.findall(one)) - len(_TURKISH.findall(other))
    return shorter > LONG and not denied and is_misspelt(one, other, 2)


def _may_be_name(word: Word, folded: Folded, passage: Folded) -> bool:
    """Whether a word has a capital; at the start of a sentence too, where names may stand."""
    start, _ = folded.span(word.start, word.start + 1)
    if not folded.text[start].isupper():
        return False
    return len(word.text) <= LONG or not _has_noun_capitals(passage.text[:4_000])


def _has_noun_capitals(text: str) -> bool:
    words = len(_WORD.findall(text))
    return sum(1 for found in _CAPITAL.findall(text) if found[0].isupper()) > NOUNS * words


@cache
def _rapidfuzz() -> ModuleType | None:
    """Return the library; None if it is not there, or too old."""
    try:
        import rapidfuzz  # noqa: PLC0415  the extra "check"
        from rapidfuzz import fuzz  # noqa: F401, PLC0415  a part of it
    except ImportError:
        return None
    return rapidfuzz if int(rapidfuzz.__version__.split(".")[0]) >= 3 else None  # noqa: PLR2004
