"""What a splitter of the caller gives: every word must be in one of its ranges.

A sentence that is in none would be no claim, and the answer would pass.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from citemark._arguments import require_callable
from citemark._lazy import lazy_re
from citemark.checks.splitting import split_sentences
from citemark.errors import ArgumentTypeError, CitemarkError, shortened

if TYPE_CHECKING:
    from collections.abc import Callable

    from citemark.checks.splitting import Splitter

    Ranges = Callable[[str], list[tuple[int, int]]]

__all__ = ["SplitterError", "checked"]

_WORD: Final = lazy_re(r"[^\W_]")
_EXPECTED: Final = "ranges of the text, each as (start, end)"


class SplitterError(CitemarkError, ValueError):
    """A splitter gave ranges that are none of the text, or left words out."""

    def __init__(self, reason: str, words: str) -> None:
        """Keep what is wrong, and the words in question."""
        super().__init__(f"splitter: {reason}: {shortened(words)!r}")
        self.reason = reason
        self.words = words


def checked(splitter: Splitter | None) -> Ranges:
    """Return a splitter that gives ranges of the text, in order, which hold all its words.

    Raises:
        ArgumentTypeError: It cannot be called, or, when it is used, gives no pairs of numbers.
    """
    if splitter is None:
        return split_sentences
    require_callable("splitter", splitter, "a function from a text to ranges of it")

    def split(text: str) -> list[tuple[int, int]]:
        ranges = _pairs(splitter(text))
        _require_order(text, ranges)
        return ranges

    return split


def _pairs(given: object) -> list[tuple[int, int]]:
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise ArgumentTypeError(given, "splitter", _EXPECTED)
    pairs = []
    for one in given:
        pair = tuple(one) if isinstance(one, list | tuple) else ()
        if len(pair) != 2 or not all(type(at) is int for at in pair):  # noqa: PLR2004  a pair
            raise ArgumentTypeError(one, "splitter", _EXPECTED)
        pairs.append((pair[0], pair[1]))
    return pairs


def _require_order(text: str, ranges: list[tuple[int, int]]) -> None:
    """Refuse ranges beyond the text or out of order, and words that are in none.

    Raises:
        SplitterError: There are such.
    """
    pos = 0
    for start, end in [*ranges, (len(text), len(text))]:
        if not 0 <= start <= end <= len(text):
            reason = f"{start}:{end} is no range of a text of {len(text)} code points"
            raise SplitterError(reason, text)
        if start < pos:
            reason = f"{start}:{end} begins before the end of the range before it"
            raise SplitterError(reason, text[start:pos])
        left_out = text[pos:start]
        if _WORD.search(left_out):
            reason = "no range holds these words"
            raise SplitterError(reason, left_out.strip())
        pos = end
