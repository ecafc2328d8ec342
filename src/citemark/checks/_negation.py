"""Whether a sentence denies something: by a word, or by an ending in Japanese and Korean."""

from __future__ import annotations

from typing import Final

from citemark._lazy import lazy_re
from citemark.checks._vocabulary import words_of

__all__ = ["is_negated"]

_WORD: Final = lazy_re(r"[^\W_]+(?:['’][^\W_]+)*")
_DENSE: Final = lazy_re(r"[不没沒未无無非]|ない|なく|ません|なかった|ず(?:に|、)|않|없|못")
_CONTRACTED: Final = ("n't", "n’t", "cannot")
"""Endings of contracted negations."""

_FRENCH: Final = lazy_re(r"n['’][^\W_]")


def is_negated(text: str) -> bool:
    """Whether a sentence says that something is not so; French ``ne … pas`` counts once.

    >>> is_negated("It isn't wet."), is_negated("It is wet."), is_negated("Ce n'est pas vrai.")
    (True, False, True)
    """
    negations = words_of("negations")
    for match in _WORD.finditer(text):
        word = match[0].casefold()
        if word in negations or word.endswith(_CONTRACTED) or _FRENCH.match(word):
            return True
    return _DENSE.search(text) is not None
