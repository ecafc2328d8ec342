"""The letters a to z of a text as it is compared, without folding it.

Folding leaves them in their order: whoever looks for words sees by them, and at once, that most
passages do not have these.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import Final

from citemark._lazy import lazy_re
from citemark._quotes._characters import EXPANDED, LEVEL, MARK, expanded

__all__ = ["letters_of", "only_letters"]

_OTHERS: Final = lazy_re(r"[^\x00-\x7f]")
_NO_LETTERS: Final = bytes(range(256)).translate(None, ascii_lowercase.encode())


def letters_of(text: str) -> bytes | None:
    r"""Return the letters of a text; None if it has characters that become such letters.

    >>> letters_of("The main-\ntenance  “crew” [1]"), letters_of("a diﬃcult winter")
    (b'themaintenancecrew', None)
    """
    if not text.isascii() and any(map(_is_in_doubt, set(_OTHERS.findall(text)))):
        return None
    return only_letters(text)


def only_letters(words: str) -> bytes:
    """Return the letters of words, in lower case."""
    return words.encode("ascii", "ignore").lower().translate(None, _NO_LETTERS)


def _is_in_doubt(character: str) -> bool:
    """Whether a character that is not ASCII becomes such letters, or joins one of them."""
    level = LEVEL[ord(character)]
    if level == EXPANDED:
        level = expanded(character)
    return level == MARK or bool(only_letters(level))
