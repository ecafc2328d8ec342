"""As many sources, and as much of the last one, as a budget allows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from citemark.context._rows import cut_row, word_ends
from citemark.errors import CitemarkError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citemark.context._rows import Row
    from citemark.context._styles import Write
    from citemark.model import Source
    from citemark.sources import Sources

__all__ = ["Context", "Count", "fit"]

Count: TypeAlias = Callable[[str], int]
"""Measures a text: its code points, or the tokens that a model makes of it."""


@dataclass(frozen=True, slots=True)
class Context:
    """A block for the prompt, with the sources that are in it."""

    text: str
    """The block; empty if not even a part of the first source fits."""

    sources: Sources
    """What is in the block, by the labels it has there.  Resolve the answer with these."""

    left_out: tuple[Source, ...] = ()
    """Sources that are not in the block, in their order."""

    cut: Source | None = None
    """The source whose passage is not all there, if there is one: always the last."""

    def __str__(self) -> str:
        """Return the block."""
        return self.text


def fit(
    sources: Sources, rows: Sequence[Row], write: Write, budget: int, count: Count
) -> Context:
    """Return what fits into a budget.

    Raises:
        CitemarkError: The budget is no whole number from 0.
    """
    if isinstance(budget, bool) or not isinstance(budget, int) or budget < 0:
        message = f"budget={budget!r}: expected a whole number from 0"
        raise CitemarkError(message)
    records = tuple(sources)
    size = _most(len(rows), lambda size: count(write(rows[:size])) <= budget)
    if size == len(rows):
        return Context(write(rows), sources)
    whole, ends = rows[:size], word_ends(rows[size])

    def written(words: int) -> str:
        return write([*whole, cut_row(rows[size], ends[words - 1], sources)])

    words = _most(len(ends), lambda words: count(written(words)) <= budget)
    if not words:
        return Context(write(whole), sources.select(records[:size]), records[size:])
    end = size + 1
    return Context(written(words), sources.select(records[:end]), records[end:], records[size])


def _most(high: int, fits: Callable[[int], bool]) -> int:
    """Return the highest number up to this that fits; 0, which is not asked, always does.

    Whatever the answers, one that fitted is returned: not all that count tokens count more
    for more text.
    """
    low, over = 0, high + 1
    while low < high:  # in growing steps: what is far too much is never measured
        probe = min(max(2 * low, 1), high)
        if not fits(probe):
            over = probe
            break
        low = probe
    while over - low > 1:
        middle = (low + over) // 2
        if fits(middle):
            low = middle
        else:
            over = middle
    return low
