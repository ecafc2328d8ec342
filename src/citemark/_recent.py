"""What was made of the texts used last, bounded by their length."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Final, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["OVERHEAD", "Recent"]

OVERHEAD: Final = 500
"""Code points that a text counts besides its own: what is made of it needs room too."""

T = TypeVar("T")


class Recent(Generic[T]):
    """Keeps what a function makes of texts; of the last one whatever its length.

    >>> lengths = Recent(len, 2_000)
    >>> lengths.get("abc"), lengths.size()
    (3, 503)
    """

    def __init__(self, make: Callable[[str], T], limit: int) -> None:
        """Keep nothing yet.

        Args:
            make: Reads a text; under a lock, so each text is read once.
            limit: Code points of all texts that are kept, ``OVERHEAD`` for each counted in.
        """
        self._make, self.limit = make, limit
        self._made: OrderedDict[str, T] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def get(self, text: str) -> T:
        """Return what is made of a text."""
        with self._lock:
            if text in self._made:
                self._made.move_to_end(text)
                return self._made[text]
            made = self._made[text] = self._make(text)
            self._size += len(text) + OVERHEAD
            while self._size > self.limit and len(self._made) > 1:
                self._size -= len(self._made.popitem(last=False)[0]) + OVERHEAD
            return made

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._made.clear()
            self._size = 0

    def size(self) -> int:
        """Return how many code points are kept."""
        return self._size
