"""As many sources, and as much of the last one, as a budget allows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Final, TypeAlias

from citemark._arguments import require_callable
from citemark._whole import require_whole
from citemark.context._rows import brief_row, cut_row, word_ends
from citemark.errors import ArgumentTypeError, BudgetError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citemark.context._rows import Row
    from citemark.context._styles import Write
    from citemark.model import Source
    from citemark.sources import Sources

__all__ = ["Context", "Count", "fit"]

_MEND: Final = "return how many tokens there are, as len(tokens) does"

Count: TypeAlias = Callable[[str], int]
"""Measures a text: its code points, or the tokens that a model makes of it."""


@dataclass(frozen=True, slots=True)
class Context:
    """A block for the prompt, with the sources that are in it."""

    text: str
    """The block; empty if there are no sources."""

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

    If the first source is too long for its title alone, that is cut: a source must not be able
    to make a budget too small.

    Raises:
        BudgetError: Not even the start of the first source fits.
        CitemarkError: The budget is no whole number from 0, or ``count`` gives no number.
    """
    require_whole("budget", budget, 0)
    measure = _measuring(count)
    try:
        return _fitted(sources, rows, write, budget, measure)
    except BudgetError:
        brief = brief_row(rows[0], sources)
        if brief == rows[0]:
            raise
    return _fitted(sources, [brief, *rows[1:]], write, budget, measure)


def _fitted(
    sources: Sources,
    rows: Sequence[Row],
    write: Write,
    budget: int,
    measure: Callable[[str], float],
) -> Context:
    records = tuple(sources)
    size = _most(len(rows), lambda size: measure(write(rows[:size])) <= budget)
    if size == len(rows):
        return Context(write(rows), sources)
    whole, ends = rows[:size], word_ends(rows[size])

    def written(words: int) -> str:
        return write([*whole, cut_row(rows[size], ends[words - 1], sources)])

    words = _most(len(ends), lambda words: measure(written(words)) <= budget)
    if not words and not size:
        shortest = [write(rows[:1]), *([written(1)] if ends else ())]
        raise BudgetError(budget, min(map(measure, shortest)))
    if not words:
        return Context(write(whole), sources.select(records[:size]), records[size:])
    end = size + 1
    return Context(written(words), sources.select(records[:end]), records[end:], records[size])


def _measuring(count: Count) -> Callable[[str], float]:
    """Return the function that measures, which refuses what is no number.

    Raises:
        ArgumentTypeError: It cannot be called; or, later, what it gives is no number.
    """
    require_callable("count", count, "a function from a text to a number")

    def measure(text: str) -> float:
        size: object = count(text)
        if isinstance(size, bool) or not isinstance(size, Integral | float):
            raise ArgumentTypeError(size, "count", "a function that returns a number", _MEND)
        return int(size) if isinstance(size, Integral) else size

    return measure


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
