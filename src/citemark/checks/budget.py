"""How much a judge may be asked, over all that share the budget."""

from __future__ import annotations

from threading import Lock

from citemark._whole import require_whole

__all__ = ["Budget"]


class Budget:
    """Calls and pairs that are left.

    >>> budget = Budget(calls=2, pairs=5)
    >>> budget.take(4), budget.take(4), budget.take(4)
    (4, 1, 0)
    """

    def __init__(self, *, calls: int | None = None, pairs: int | None = None) -> None:
        """Set the bounds.

        Args:
            calls: Calls of a judge, repeated ones too; None for no bound.
            pairs: Pairs that are given to it, those of repeated calls too; None for no bound.

        Raises:
            CitemarkError: A bound is no whole number from 0.
        """
        for name, bound in (("calls", calls), ("pairs", pairs)):
            if bound is not None:
                require_whole(name, bound, 0)
        self.calls = calls
        self.pairs = pairs
        self._lock = Lock()

    def take(self, wanted: int) -> int:
        """Take a call with some pairs, and return how many of them it may have."""
        with self._lock:
            allowed = wanted if self.pairs is None else max(min(wanted, self.pairs), 0)
            if not allowed or (self.calls is not None and self.calls < 1):
                return 0
            if self.calls is not None:
                self.calls -= 1
            if self.pairs is not None:
                self.pairs -= allowed
            return allowed
