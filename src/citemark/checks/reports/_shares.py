"""How shares are distributed: in steps of a tenth, and for all and nothing of their own."""

from __future__ import annotations

from typing import Final

__all__ = ["Shares", "step_of"]

STEPS: Final = ("0 %", *(f"over {10 * n} to {10 * n + 10} %" for n in range(9)), "over 90 %")
ALL: Final = "100 %"
NONE: Final = "no claims"


PARTS: Final = 1 << 60
"""Parts of one in which shares are added up: the order of floats shows in their sum."""


class Shares:
    """Counts shares of claims by step, and adds them up, in whatever order."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._steps = dict.fromkeys((*STEPS, ALL, NONE), 0)
        self._sum, self._number = 0, 0

    @property
    def mean(self) -> float | None:
        """Mean of the shares; None if there are none."""
        return self._sum / (PARTS * self._number) if self._number else None

    def add(self, share: float | None) -> None:
        """Count a share, 0 to 1; None for an answer without claims."""
        self._steps[step_of(share)] += 1
        if share is not None:
            self._sum += round(share * PARTS)
            self._number += 1

    def merge(self, other: Shares) -> None:
        """Add those of another one."""
        for step, number in other._steps.items():
            self._steps[step] += number
        self._sum += other._sum
        self._number += other._number

    def to_dict(self) -> dict[str, int]:
        """Return how many shares there are of each step, in order."""
        return dict(self._steps)


def step_of(share: float | None) -> str:
    """Return the step of a share: its upper end belongs to it.

    >>> step_of(0.1), step_of(0.11), step_of(0.999)
    ('over 0 to 10 %', 'over 10 to 20 %', 'over 90 %')
    """
    if share is None:
        return NONE
    if share >= 1:
        return ALL
    return STEPS[0 if share <= 0 else min(int((share * 10).__ceil__()), 10)]
