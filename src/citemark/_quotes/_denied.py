"""Whether words beside a place deny the words that stand there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from citemark._lazy import lazy_re
from citemark._quotes._fold import Folded
from citemark._quotes._negation import ends_denied, negation_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citemark._quotes._parts import Part

__all__ = ["denials", "hidden_denial", "is_denied"]

CLAUSE: Final = 120
"""Code points before and after a quote in which a word may deny it."""

_AROUND: Final = " \n\t\"'“”„«»‘’‚‹›「」『』*_`>"
_CLAUSE_START: Final = lazy_re(r".*[.!?;:,()\"。、！？]", re.DOTALL)
_CLAUSE_END: Final = lazy_re(r"[.!?;,()\"。、！？]")


def is_denied(text: str, start: int, end: int) -> bool:
    """Whether a text denies the words that stand at a place, in quotation marks or not."""
    before = text[max(start - CLAUSE, 0) : start].rstrip(_AROUND)
    after = text[end : end + CLAUSE].lstrip(_AROUND)
    bare = f"{before} {text[start:end]} {after}"
    return any(denials(bare, len(before) + 1, len(before) + 1 + end - start))


def denials(text: str, start: int, end: int) -> tuple[str, str]:
    """Return what denies words before them, and after them; "" for nothing."""
    before = _denied_before(_words(text[max(start - CLAUSE, 0) : start]))
    after = _denied_after(_words(text[end : end + CLAUSE])) if text[end - 1].isalnum() else ""
    return before, after


def _words(text: str) -> str:
    return text.lower() if text.isascii() else Folded(text).words


def hidden_denial(words: str, parts: Sequence[Part], places: Sequence[tuple[int, int]]) -> str:
    """Return what is left out at the start or the end of a quote and denies it."""
    start, end = places[0][0], places[-1][1]
    before = "" if parts[0].words else _denied_before(words[max(start - CLAUSE, 0) : start])
    if before or parts[-1].words:
        return before
    return _denied_after(words[end : end + CLAUSE])


def _denied_before(words: str) -> str:
    denied = negation_in(_CLAUSE_START.sub("", words.rstrip()))
    return f"The passage has “{denied}” before these words." if denied else ""


def _denied_after(words: str) -> str:
    stop = _CLAUSE_END.search(words)
    denied = ends_denied(words[: stop.start()] if stop else words)
    return f"The passage has “{denied}” after these words." if denied else ""
