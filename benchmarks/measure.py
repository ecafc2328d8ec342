"""Timing that a busy machine does not distort, and the rows that the subjects report.

The works are called in turn, forwards and backwards, many times; of each only its least time
counts.  What else runs on the machine can only add to a time.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from dataclasses import asdict, dataclass, field
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Work = Callable[[], object]

__all__ = ["Row", "best", "best_sums", "growth", "main"]

LIMIT = 12
"""Times that ten times the input may take."""


@dataclass(frozen=True, slots=True)
class Row:
    """One figure beside that of its rival."""

    what: str
    """What was done."""

    ours: float
    """Least time or size, in ``unit``."""

    unit: str
    """Of both figures: ``"µs"``, ``"ms"``, ``"s"``, ``"kB"`` or ``"MB"`` (powers of ten)."""

    rival: float | None = None
    """The same of the rival, if there is one."""

    against: str = ""
    """Who the rival is."""

    limit: float | None = None
    """Most that the target allows; None for a figure without target."""

    judged: Literal["ratio", "ours", "difference"] = "ratio"
    """What the limit is for: ours ÷ rival, ours, or ours - rival."""

    details: dict[str, Any] = field(default_factory=dict)
    """More figures, for the JSON only."""

    @property
    def ratio(self) -> float | None:
        """Ours ÷ rival."""
        return self.ours / self.rival if self.rival else None

    @property
    def is_met(self) -> bool | None:
        """Whether the target is reached; None if there is none."""
        values = {
            "ratio": self.ratio,
            "ours": self.ours,
            "difference": self.ours - (self.rival or 0),
        }
        value = values[self.judged]
        return None if self.limit is None or value is None else value <= self.limit


def best(
    works: Sequence[Work], rounds: int, clock: Callable[[], float] = time.perf_counter
) -> list[float]:
    """Return the least seconds that one call of each work took, collector off.

    Works of a second never run undisturbed: ``time.process_time`` leaves the pauses out.
    """
    least = [inf] * len(works)
    order = list(enumerate(works))
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            for index, work in order:
                start = clock()
                work()
                least[index] = min(least[index], clock() - start)
            order.reverse()
    finally:
        gc.enable()
    return least


def best_sums(
    works: Sequence[Callable[[Any], object]],
    samples: Iterable[object],
    rounds: int,
    clock: Callable[[], float] = time.perf_counter,
) -> list[float]:
    """Return for each work the sum over all samples of the least seconds of one call."""
    calls = [partial(work, sample) for sample in samples for work in works]
    least = best(calls, rounds, clock)
    return [sum(least[first :: len(works)]) for first in range(len(works))]


def growth(what: str, times: dict[str, list[float]]) -> Row:
    """Return the row of the work that grew most, of seconds for a tenth and for the whole."""
    ratios = {name: large / small for name, (small, large) in times.items()}
    worst = max(ratios, key=lambda name: ratios[name])
    small, large = times[worst]
    return Row(
        f"{what}: {worst}",
        large * 1e3,
        "ms",
        small * 1e3,
        "a tenth of it",
        LIMIT,
        details={"ratios": ratios},
    )


def main(rows: Callable[[float], list[Row]]) -> None:
    """Print the rows of a script as JSON; its argument, 1 if not given, scales the work."""
    effort = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    print(json.dumps([asdict(row) for row in rows(effort)], ensure_ascii=False, indent=1))
