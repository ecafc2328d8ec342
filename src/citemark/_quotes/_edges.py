"""Whether the words that were found are whole: no word and no number is cut in two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark._lazy import lazy_re
from citemark._quotes._characters import UNSPACED, WORDY
from citemark._quotes._numbers import is_in_figure, is_in_numeral
from citemark._quotes._signs import is_hanging, is_not

if TYPE_CHECKING:
    from citemark._quotes._fold import Folded

__all__ = ["is_cut"]

_WORDY: Final = lazy_re(f"[{WORDY}]")
_FREE: Final = lazy_re(f"[{UNSPACED}]")
"""Scripts in which words are not set apart."""

_ENDED: Final = lazy_re("[\u1100-\u11ff\uac00-\ud7a3]")
"""Hangul: words take endings, which a quote need not have."""

_HYPHEN: Final = lazy_re("[-\u2010\u2011]")
_PREFIX: Final = lazy_re(r"(?<!\w)(?:non|un|anti|nicht)\Z")
"""Denies what stands behind a dash of any kind."""

_SIGN_BEFORE: Final = lazy_re(r"[¬√∛∜∂∇∆∑∏](?=\w)")
_SIGN_AFTER: Final = lazy_re(r"[#⁺⁻]|\+{1,2}(?![\w+])")
"""Signs that belong to the word beside them: ``¬p``, ``C#``, ``Na⁺``."""

_NEAR: Final = 8
"""Code points before a dash that are looked at."""


def is_cut(folded: Folded, start: int, end: int) -> bool:
    """Whether a range of folded words begins or ends within a word or a number."""
    words = folded.words
    return (start > 0 and _is_cut_before(folded, start)) or (
        end < len(words) and _is_cut_after(folded, end)
    )


def _is_cut_before(folded: Folded, start: int) -> bool:
    words = folded.words
    before, first = words[start - 1], words[start]
    if _joins(before, first) or (_ENDED.match(before) and _ENDED.match(first)):
        return True
    if is_in_numeral(words, start) or is_in_figure(folded, start):
        return True
    further = words[start - 2 : start - 1] if start > 1 else ""
    if _SIGN_BEFORE.match(words, start - 1) or (before == "!" and is_not(folded, start - 1)):
        return True
    if before == "-" and first.isalnum() and further.isalpha():
        return _is_compound(folded, start)
    return first == "t" and before == "'" and further == "n"


def _is_cut_after(folded: Folded, end: int) -> bool:
    words = folded.words
    last, after = words[end - 1], words[end]
    if _joins(last, after) or is_in_numeral(words, end) or is_in_figure(folded, end):
        return True
    further = words[end + 1 : end + 2]
    if last.isalnum() and (_SIGN_AFTER.match(words, end) or is_hanging(folded, end)):
        return True
    if after == "-" and last.isalnum() and further.isalnum():
        return _is_compound(folded, end + 1)
    return after == "'" and last.isalpha() and further.isalpha()


def _joins(one: str, other: str) -> bool:
    """Whether two characters stand in one word."""
    if not (_WORDY.match(one) and _WORDY.match(other)):
        return False
    if one.isdigit() and other.isdigit():
        return True
    return not any(kind.match(side) for kind in (_FREE, _ENDED) for side in (one, other))


def _is_compound(folded: Folded, start: int) -> bool:
    """Whether a hyphen before a letter joins it to another one, without blanks around."""
    at = folded.span(start, start + 1)[0]
    text = folded.text
    if _HYPHEN.match(text[at - 1 : at]) and text[at - 2 : at - 1].isalnum():
        return True
    return _PREFIX.search(text[max(at - _NEAR, 0) : at].rstrip()[:-1].lower()) is not None
