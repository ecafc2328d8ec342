"""Signs beside words that say something: ``∈`` or ``∉``, ``C#`` or ``C``, feet or inches."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from citemark._lazy import lazy_re
from citemark._quotes._characters import UNSPACED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from citemark._quotes._fold import Folded
    from citemark._quotes._near import Nearest, Word

__all__ = ["is_hanging", "is_measure", "is_minus", "is_not", "other_signs"]

MAX_BESIDE: Final = 8
"""Signs before the first word and after the last one that are compared."""

MAX_MARKS: Final = 400
"""Code points before a quotation mark in which the one that it closes is looked for."""

_PRINTED: Final = frozenset(" .,;:?!'\"-。、！？；：，（）()†‡¶®™©℠\ufffd")
"""Stops, marks, dashes, and signs of print that point elsewhere."""

_UNSPACED: Final = lazy_re(f"[{UNSPACED}]")
_OF_BLOCK: Final = lazy_re(r"(?<=[ ])(?:\||#{1,6}|[•‣▪◦●])(?=[ ])")
"""What parts cells, or stands before headings and items."""

_ITEM: Final = lazy_re(r"\n[ \t]*\*[ \t]")
_LONE: Final = lazy_re(r"\W[^\W\d_]-[^\W\d_]\b")
"""``x - y``: a minus."""

_HANGING: Final = lazy_re(r"(?<![^\W\d_])[^\W\d_]{1,4}[-\u2010\u2011\u2212]\Z")
"""``A-`` and ``HIV-``: a dash that is no joint but a minus, if the letters are capitals."""

_OPENING: Final = {mark: lazy_re(rf"(?<!\w){mark}(?=\w)") for mark in "'\""}
_CLOSING: Final = {mark: lazy_re(rf"(?<=[^\s\d]){mark}(?!\w)") for mark in "'\""}
_MARKS: Final = frozenset("'\"")


def is_measure(words: str, at: int) -> bool:
    """Whether a folded quotation mark is that of feet or inches: it closes none.

    >>> is_measure('a 5" pipe', 3), is_measure('in "May 5" he', 9)
    (True, False)
    """
    if words[at] not in _MARKS or not words[at - 1 : at].isdigit():
        return False
    if words[at + 1 : at + 2].isalpha():
        return False  # of the 1990's
    before = words[max(at - MAX_MARKS, 0) : at]
    opened = len(_OPENING[words[at]].findall(before))
    return opened <= len(_CLOSING[words[at]].findall(before))


def other_signs(near: Nearest, quote: Folded, passage: Folded) -> tuple[str, str] | None:
    """Return the first signs of a quote and its passage that are not the same; None if all are.

    Only those between words of which both have the same number are compared, and those that a
    quote has at its ends.
    """
    for mine, theirs in _between(near.pairs):
        one, other = _meant(quote, *mine), _meant(passage, *theirs)
        if one != other:
            return one, other
    (first, start), (last, end) = near.pairs[0], near.pairs[-1]
    if first and start:
        one = _meant(quote, max(first.start - MAX_BESIDE, 0), first.start)
        other = _meant(passage, max(start.start - MAX_BESIDE, 0), start.start)
        if not other.endswith(one):
            return one, other
    if last and end:
        one = _meant(quote, at := _end(last), at + MAX_BESIDE)
        other = _meant(passage, at := _end(end), at + MAX_BESIDE)
        if not other.startswith(one):
            return one, other
    return None


def _between(
    pairs: Sequence[tuple[Word | None, Word | None]],
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield the ranges between two words of a quote, and between the same of the passage."""
    for (one, other), (after, next_) in pairwise(pairs):
        if one and other and after and next_:
            yield (_end(one), after.start), (_end(other), next_.start)


def _end(word: Word) -> int:
    return word.start + len(word.text)


def _meant(folded: Folded, start: int, end: int) -> str:
    """Return the signs of a range that say something."""
    words = folded.words
    gap = words[start:end]
    if gap == " " or not gap:
        return ""
    kept = (
        sign
        for at, sign in enumerate(_OF_BLOCK.sub(lambda match: " " * len(match[0]), gap), start)
        if not sign.isalnum() and (sign not in _PRINTED or _is_meant(folded, at))
    )
    meant = "".join(kept)
    if "*" in meant and _ITEM.search(folded.text[slice(*folded.span(start, end))]):
        return meant.replace("*", "")
    return meant


def _is_meant(folded: Folded, at: int) -> bool:
    """Whether a sign that mostly is one of print belongs to a figure or a name."""
    words = folded.words
    sign, before, after = words[at], words[at - 1 : at], words[at + 1 : at + 2]
    if sign in ".,":
        is_free = not before.isalnum() or _UNSPACED.match(before)
        return after.isdigit() and bool(is_free) and before not in set(".)]}")
    if sign == "-":
        if _LONE.match(words, max(at - 2, 0)) or (at == 1 and _LONE.match(" " + words)):
            return True
        is_point = after in {".", ","} and words[at + 2 : at + 3].isdigit()
        return (is_point and is_minus(folded, at)) or is_hanging(folded, at)
    if sign in "()":
        return (before if sign == ")" else after).isdigit()
    if sign == "!":
        return before.isdigit() or is_not(folded, at)
    return is_measure(words, at)


def is_minus(folded: Folded, at: int) -> bool:
    """Whether a dash is the sign of what stands right behind it: nothing right before it."""
    start, end = folded.span(at, at + 1)
    text = folded.text
    before = text[start - 1 : start] if start else ""
    return not text[end - 1].isspace() and (text[start].isspace() or not before.isalnum())


def is_not(folded: Folded, at: int) -> bool:
    """Whether an exclamation mark denies what stands right behind it: ``!p``."""
    start = folded.span(at, at + 1)[0]
    around = folded.text[max(start - 1, 0) : start], folded.text[start + 1 : start + 2]
    return folded.words[at] == "!" and not around[0].isalnum() and around[1].isalnum()


def is_hanging(folded: Folded, at: int) -> bool:
    """Whether a dash is a minus behind a word: ``A-``, ``HIV-``."""
    start = folded.span(at, at + 1)[0]
    found = _HANGING.search(folded.text[max(start - MAX_BESIDE, 0) : start + 1])
    return (
        found is not None and found[0].isupper() and folded.text[start + 1 : start + 2] == " "
    )
