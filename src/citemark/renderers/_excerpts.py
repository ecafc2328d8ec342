"""The passage of a source for its card: the start at a glance, the rest behind a "more"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from citemark.renderers._display import glance_at, whole_words
from citemark.renderers._quotes import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Excerpt", "Piece", "excerpt_of"]

GLANCE: Final = 280
"""Code points of a passage that are seen at once."""

MAX_EXCERPT: Final = 2_000
"""Code points of a passage that a card holds."""

SPARE: Final = 60
"""Code points that are shown rather than put behind a "more"."""


class Piece(NamedTuple):
    """A part of a passage."""

    text: str
    is_quoted: bool
    """Whether the answer quotes it."""


class Excerpt(NamedTuple):
    """A passage as a card shows it; all empty if the source has none."""

    glance: list[Piece]
    """The start."""

    rest: list[Piece]
    """What follows; empty if that is all."""

    is_open: bool
    """Whether the rest is to be seen at once, since the first quote stands in it."""

    phrase: str
    """Words to look for in the source: those that are quoted first, else the start."""


def excerpt_of(text: str, quotes: Iterable[str]) -> Excerpt:
    """Return the passage of a source, with what is quoted of it told apart."""
    shown = glance_at(text, MAX_EXCERPT)
    end = len(shown)
    if end > GLANCE + SPARE:
        end = whole_words(shown, GLANCE)
    ranges = quoted(shown, quotes)
    phrase = shown[slice(*ranges[0])] if ranges else shown[:end].rstrip(" …")
    return Excerpt(
        _pieces(shown, 0, end, ranges),
        _pieces(shown, end, len(shown), ranges),
        bool(ranges) and ranges[0][0] >= end,
        phrase,
    )


def _pieces(text: str, start: int, end: int, ranges: list[tuple[int, int]]) -> list[Piece]:
    pieces: list[Piece] = []
    for first, last in [*ranges, (end, end)]:
        low, high = max(first, start), min(last, end)
        if start < min(low, end):
            pieces.append(Piece(text[start : min(low, end)], is_quoted=False))
        if low < high:
            pieces.append(Piece(text[low:high], is_quoted=True))
        start = max(start, high)
    return pieces
