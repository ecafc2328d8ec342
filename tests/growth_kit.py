"""Time grows with the size of the work and not faster.

No test has an absolute limit.  Processor time is taken, without that of the collector: it looks
at all objects again and again while they pile up, which is not our doing.
"""

from __future__ import annotations

import gc
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["assert_linear"]

FLOOR = 0.05
"""Seconds under which clocks say nothing."""


def seconds(work: Callable[[], object], times: int) -> float:
    """Return the least processor time that the work took."""
    spent = []
    gc.disable()  # and nothing is collected before: the heap of a long run takes a second
    try:
        for _ in range(times):
            start = time.process_time()
            work()
            spent.append(time.process_time() - start)
    finally:
        gc.enable()
    return min(spent)


def assert_linear(
    small: Callable[[], object],
    large: Callable[[], object],
    *,
    ratio: int = 10,
    margin: float = 3,
) -> None:
    """Hold if the large work takes no longer than its size makes it, with a wide margin.

    Args:
        small: The work on a small thing.
        large: The work on one that is ``ratio`` times as large.
        ratio: How many times.
        margin: Times as long that it may take beyond that; quadratic work takes ``ratio``.
    """
    allowed = ratio * margin
    spent = seconds(large, 1)
    if spent <= FLOOR:
        return
    base = seconds(small, 1)
    if spent > allowed * base + FLOOR:
        # Something else may have run: measure both again before it counts.
        base, spent = seconds(small, 3), seconds(large, 2)
    assert spent <= allowed * base + FLOOR, f"{spent / base:.0f} times for {ratio} times"
