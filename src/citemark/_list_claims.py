"""Which lines that begin like an entry of a list of sources are sentences: claims, cited."""

from __future__ import annotations

import re
from typing import Final

from citemark._lazy import lazy_re
from citemark.listing import FILE, LINK, URL_START

__all__ = ["is_sentence", "says_something"]

MIN_WORDS: Final = 3
"""Fewest words that a marker at the end of a sentence follows; a title may be shorter."""

MIN_CHARACTERS: Final = 8
"""The same, in scripts that put no blanks between words."""

_ADDRESS: Final = lazy_re(rf"{URL_START} | {LINK} | {FILE}", re.VERBOSE)
_DOCUMENT: Final = lazy_re(r"[ \t]*+(?:doc(?:ument)?|source)[ ][0-9]", re.IGNORECASE)
_MARKER: Final = lazy_re(
    r"""\[ \^?+ [0-9]{1,4}+ (?: [ ]?+ [,;\-\u2013] [ ]?+ [0-9]{1,4}+ ){0,9}+ \] (?! \( )
      | [\u3010\uff3b] [^\u3010\u3011\uff3b\uff3d\n]{1,60}+ [\u3011\uff3d]""",
    re.VERBOSE,
)
_FIRST_WORD: Final = lazy_re(r"[^\W\d_]{2,40}+(?=[ ,]|[.!?]$)")
_STOPS: Final = (".", "!", "?", "\u3002")
_NAMES: Final = (
    "al",
    "bin",
    "da",
    "de",
    "del",
    "della",
    "den",
    "der",
    "des",
    "di",
    "dos",
    "du",
)
_MORE_NAMES: Final = ("el", "la", "le", "ten", "ter", "van", "von", "zu")
_PLACES: Final = ("chapter", "ibid", "page", "pages", "section", "see")
_CAREFUL: Final = frozenset((*_NAMES, *_MORE_NAMES, *_PLACES))
"""What a name, or a place in a source, may begin with."""


def says_something(content: str) -> bool:
    """Whether what follows a label is a claim, as in ``[1] says so``."""
    if content[:1] not in {" ", "\t"} or not content.strip()[:1].isalpha():
        return False
    if _DOCUMENT.match(content) or _ADDRESS.search(content):
        return False
    return is_sentence(content.strip(" \t*_"))


def is_sentence(content: str) -> bool:
    """Whether what follows a label cites within a sentence, or is the rest of one."""
    if any(_is_within(content, marker) for marker in _MARKER.finditer(content)):
        return True
    word = _FIRST_WORD.match(content)
    return (
        word is not None
        and word[0].islower()
        and word[0] not in _CAREFUL
        and content.endswith(_STOPS)
    )


def _is_within(content: str, marker: re.Match[str]) -> bool:
    """Whether a marker stands in a sentence or at its end, and not in a row of entries."""
    before, after = content[: marker.start()], content[marker.end() :].lstrip(" ")
    words = len(before.split())
    if after.startswith(_STOPS):
        is_long = len(before) >= MIN_CHARACTERS and before[-1] >= "\u2e80"
        return words >= MIN_WORDS or is_long
    return words > 1 and after[:1].islower()
