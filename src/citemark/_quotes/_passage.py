"""The text of a source, with its folded forms; kept for the next quotes from it."""

from __future__ import annotations

from collections import OrderedDict
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Final

from citemark._lazy import lazy_re
from citemark._quotes._fold import Folded

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Passage", "forget_passages", "passage_of"]

MAX_KEPT: Final = 4_000_000
"""Code points of passages that are kept folded: some 30 MB at most."""

_MARKER: Final = lazy_re(r"\[[0-9]")


class Passage:
    """A passage, folded when a quote asks for it.

    Two threads may fold one passage at once; either result serves.
    """

    def __init__(self, text: str) -> None:
        """Keep the text; nothing is read yet."""
        self.text = text

    @cached_property
    def folded(self) -> Folded:
        """The passage as it is compared."""
        return Folded(self.text)

    @property
    def views(self) -> Iterator[Folded]:
        """The passage as it is compared; then without numbers in brackets, if it has some."""
        yield self.folded
        if self._has_markers:
            yield self.bare

    @cached_property
    def bare(self) -> Folded:
        """The passage as it is compared, numbers in brackets left out."""
        return Folded(self.text, without_markers=True) if self._has_markers else self.folded

    @cached_property
    def _has_markers(self) -> bool:
        return _MARKER.search(self.text) is not None


class _Kept:
    """The passages used last, bounded by their length."""

    def __init__(self) -> None:
        self._passages: OrderedDict[str, Passage] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def get(self, text: str) -> Passage:
        with self._lock:
            passage = self._passages.get(text)
            if passage is not None:
                self._passages.move_to_end(text)
                return passage
            passage = Passage(text)
            if len(text) <= MAX_KEPT:
                self._passages[text] = passage
                self._size += len(text)
                while self._size > MAX_KEPT:
                    self._size -= len(self._passages.popitem(last=False)[0])
            return passage

    def clear(self) -> None:
        with self._lock:
            self._passages.clear()
            self._size = 0


_KEPT: Final = _Kept()
passage_of: Final = _KEPT.get
forget_passages: Final = _KEPT.clear
