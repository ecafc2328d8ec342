"""Answers that were pasted, for as long as somebody may want to see them again."""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from citemark.demo._pasted import Pasted

__all__ = ["Store"]

MAX_ANSWERS: Final = 50
MAX_SECONDS: Final = 3_600.0


class Store:
    """Keeps the newest answers under names that nobody can guess; in memory only.

    Args:
        max_answers: How many are kept: the oldest goes when one more comes.
        max_seconds: How long each is kept.
        clock: Seconds that only grow.
    """

    def __init__(
        self,
        max_answers: int = MAX_ANSWERS,
        max_seconds: float = MAX_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start empty."""
        self._max_answers = max_answers
        self._max_seconds = max_seconds
        self._clock = clock
        self._lock = Lock()
        self._kept: OrderedDict[str, tuple[float, Pasted]] = OrderedDict()

    def put(self, pasted: Pasted) -> str:
        """Keep an answer and return its name."""
        name = secrets.token_urlsafe(16)
        with self._lock:
            self._forget()
            self._kept[name] = (self._clock() + self._max_seconds, pasted)
            if len(self._kept) > self._max_answers:
                self._kept.popitem(last=False)
        return name

    def get(self, name: str) -> Pasted | None:
        """Return an answer, or None if it is not kept, or not any more."""
        with self._lock:
            self._forget()
            found = self._kept.get(name)
        return None if found is None else found[1]

    def _forget(self) -> None:
        now = self._clock()
        while self._kept and next(iter(self._kept.values()))[0] <= now:
            self._kept.popitem(last=False)
