"""How much an output may repeat: what a source is called, and where it is, at each citation."""

from __future__ import annotations

from typing import Final

__all__ = ["MAX_REPEATED", "Allowance"]

MAX_REPEATED: Final = 1_000_000
"""Code points of titles, addresses and passages that are told again for sources already told.

With more, an answer of many citations would be a thousand times its length.
"""


class Allowance:
    """What one output may still tell again."""

    def __init__(self) -> None:
        """Start with nothing told."""
        self._told: dict[int, object] = {}  # the values, so that an identity stays its own
        self._left = MAX_REPEATED

    def allows(self, value: object, size: int) -> bool:
        """Tell whether something may be told: for the first time always.

        Args:
            value: What it is told of; known again by its identity.
            size: Code points that it takes.
        """
        if id(value) not in self._told:
            self._told[id(value)] = value
            return True
        self._left -= size
        return self._left >= 0
