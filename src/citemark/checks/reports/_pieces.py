"""A text cut where something begins or ends, so that each piece is shown in one way."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from citemark.renderers._clean import balance_bidi, clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["Layer", "Piece", "pieces", "shown"]


class Layer(NamedTuple):
    """A range of a text that is shown in some way."""

    start: int
    """First code point."""

    end: int
    """Code point after the last one."""

    name: str
    """How it is shown."""


class Piece(NamedTuple):
    """A range of a text over which nothing begins or ends."""

    start: int
    """First code point."""

    end: int
    """Code point after the last one."""

    names: tuple[str, ...]
    """Layers over it, each name once, sorted."""


def pieces(
    start: int, end: int, layers: Iterable[Layer], cuts: Iterable[int] = ()
) -> Iterator[Piece]:
    """Yield the pieces of a range, in order; joined they are the range.

    Args:
        start: First code point.
        end: Code point after the last one.
        layers: What is shown in some way; may overlap, and reach over the range.
        cuts: More places to cut at.

    >>> layers = [Layer(0, 5, "a"), Layer(3, 7, "b")]
    >>> [piece[:2] + piece.names for piece in pieces(0, 9, layers)]
    [(0, 3, 'a'), (3, 5, 'a', 'b'), (5, 7, 'b'), (7, 9)]
    """
    changes: dict[int, list[tuple[str, int]]] = {cut: [] for cut in cuts if start < cut < end}
    for layer in layers:
        first, last = max(layer.start, start), min(layer.end, end)
        if first < last:
            changes.setdefault(first, []).append((layer.name, 1))
            changes.setdefault(last, []).append((layer.name, -1))
    active: Counter[str] = Counter()
    pos = start
    for place in sorted(changes):
        if place > pos:
            yield Piece(pos, place, _names(active))
            pos = place
        for name, change in changes[place]:
            active[name] += change
    if pos < end:
        yield Piece(pos, end, _names(active))


def _names(active: Counter[str]) -> tuple[str, ...]:
    return tuple(sorted(name for name, count in active.items() if count))


def shown(text: str) -> str:
    """Return a piece of a text as a page may hold it."""
    return balance_bidi(clean(text))
