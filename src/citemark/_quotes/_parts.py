"""A quote in pieces: what stands between ellipses and words put in by the editor."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal, NamedTuple

from citemark._lazy import lazy_re
from citemark._quotes._characters import UNSPACED, WORDY
from citemark._quotes._signs import is_measure

__all__ = ["Gap", "Part", "core_of", "count_words", "parts_of"]

Gap = Literal["", "ellipsis", "insert"]

MAX_PARTS: Final = 40
"""Pieces of one quote that are looked for; more of them are a mosaic, no quote."""

_LETTER: Final = lazy_re(r"\[([^\W_])\](?=[^\W_])")
"""``[T]he``: another case."""

_ENDING: Final = lazy_re(r"(?<=[^\W\d_])\[(?!not\b|n't)[^\W\d_]{1,3}\]")
"""``debate[s]``: another ending."""

_GAP: Final = lazy_re(
    r"[ ]?(?:[\[(][ ]?\.{3,}[ ]?[\])]|\.{3,}"
    r"|\[(?![\d ,;-]*\])(?P<insert>[^\[\]]{1,80})\])[ ]?"
)
_EDGES: Final = " \"'.,;:。、-"
_SIGN: Final = lazy_re(r"(?<!\.)-?\.\Z|-\Z")
_WORD: Final = lazy_re(rf"[{UNSPACED}]|\d+(?:[.,:]\d+)+|(?:(?![{UNSPACED}])[{WORDY}])+")
_ASCII: Final = lazy_re(r"\d+(?:[.,:]\d+)+|\w+")
_UNSPACED: Final = lazy_re(f"[{UNSPACED}]")


class Part(NamedTuple):
    """Words that stand together in the passage, and what the quote has before them."""

    words: str
    """Folded; empty only for the end of a quote that breaks off."""

    gap: Gap
    """What separates them from the part before; "" at the start."""

    insert: str = ""
    """Words in square brackets, if that is what does."""


@lru_cache(maxsize=8)  # of one quote they are wanted for each passage
def parts_of(quote: str) -> tuple[Part, ...]:
    """Return the parts of a folded quote, one if nothing is left out."""
    if "[" in quote:
        quote = _ENDING.sub("", _LETTER.sub(r"\1", quote))
    parts: list[Part] = []
    pos = 0
    gap: Gap = ""
    insert = ""
    for match in _GAP.finditer(quote):
        words = core_of(quote[pos : match.start()])
        if words or not parts:
            parts.append(Part(words, gap, insert))
            gap, insert = "", ""
        gap = "ellipsis" if gap == "ellipsis" or not match["insert"] else "insert"
        insert = f"{insert} {match['insert'] or ''}".strip()
        pos = match.end()
        if len(parts) > MAX_PARTS:
            break
    parts.append(Part(core_of(quote[pos:]), gap, insert))
    return tuple(parts)


def core_of(words: str) -> str:
    """Return folded words without the signs at their ends, which a quote may add.

    A dash before a figure stays, as does a point: they are its sign; and so do the marks of
    feet and inches behind it.
    """
    core = words.rstrip(_EDGES)
    end = len(core)
    if core[-1:].isdigit() and words[end : end + 1] in {"'", '"'} and is_measure(words, end):
        core += words[end]
    core = core.lstrip(_EDGES)
    sign = _SIGN.search(words, 0, words.find(core)) if core[:1].isdigit() else None
    return sign[0] + core if sign else core


def count_words(words: str) -> float:
    """Return how much folded words say, in words; two or three characters of Han are one."""
    if words.isascii():
        return len(_ASCII.findall(words))
    found = _WORD.findall(words)
    unspaced = sum(1 for word in found if _UNSPACED.match(word))
    return len(found) - unspaced + unspaced / 2
