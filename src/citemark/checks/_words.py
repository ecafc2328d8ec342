"""The words of one block without its markers, with the way back to the answer."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from citemark._lazy import lazy_re

if TYPE_CHECKING:
    from collections.abc import Collection

    from citemark.checks._blocks import Block, Masked
    from citemark.checks._marks import Mark

__all__ = ["Words"]

_NAME: Final = lazy_re(r"[^\W_]")
_SMALL: Final = lazy_re(r"\s+(?P<letter>[^\W\d_])")
_STOPPED: Final = lazy_re(r"[.!?…‽。！？｡．؟۔।॥։።፧][\"'”’»)\]*_~]*\s*\Z")
_TAIL: Final = 20
"""Code points that tell whether a sentence has just ended."""


class Words:
    """Takes the markers out of a block.

    Attributes:
        text: What is left, code and addresses as letters, for a splitter.
        marks: The markers, with the place in the text where each was.
    """

    def __init__(self, masked: Masked, block: Block, marks: Collection[Mark]) -> None:
        """Cut the block at its markers."""
        self._masked, self._end = masked, block.end
        self._starts = {mark.start for mark in marks}
        self._pieces: list[str] = []
        self._written: list[str] = []
        self._places: list[int] = []
        self._origins: list[int] = []
        self._length = 0
        self.marks: list[tuple[int, Mark]] = []
        pos = block.start
        late: list[Mark] = []
        for mark in marks:
            if mark.start > block.end:
                late.append(mark)
            elif pos <= mark.start or mark.start == mark.end:
                self._cut(pos, mark)
                pos = max(pos, mark.end)
        self._add(pos, block.end)
        self.marks += ((self._length, mark) for mark in late)
        self.text = "".join(self._pieces)
        self._words = "".join(self._written)

    def written(self, start: int, end: int) -> str:
        """Return the words of a range of the text as they stand in the answer, on one line."""
        return " ".join(self._words[start:end].split())

    def origin(self, pos: int) -> int:
        """Return where in the answer a character of the text stands."""
        at = bisect_right(self._places, pos) - 1
        return self._origins[at] + pos - self._places[at]

    def _add(self, start: int, end: int) -> None:
        if start < end:
            self._put(self._masked.text[start:end], self._masked.words[start:end], start)

    def _put(self, text: str, words: str, origin: int) -> None:
        self._pieces.append(text)
        self._written.append(words)
        self._places.append(self._length)
        self._origins.append(origin)
        self._length += len(text)

    def _cut(self, pos: int, mark: Mark) -> None:
        """Add the words before a marker; and in its place nothing, a blank, or a letter."""
        if mark.start == mark.end:  # a provider's word
            self._add(pos, mark.start)
            self.marks.append((self._length, mark))
            return
        before = self._masked.text[pos : mark.start]
        follows_end = (
            bool(_STOPPED.search(before[-_TAIL:])) if before.strip() else not self._length
        )
        if follows_end and self._is_subject(mark):
            self._add(pos, mark.start)
            self.marks.append((self._length + 1, mark))
            self._put("X", " ", mark.start)  # "[2] adds that ..." starts a sentence
            return
        self._add(pos, pos + len(before.rstrip()))
        self.marks.append((self._length, mark))
        is_last = mark.end not in self._starts
        if self._length and is_last and _NAME.match(self._masked.text, mark.end, self._end):
            self._put(" ", " ", mark.end - 1)

    def _is_subject(self, mark: Mark) -> bool:
        """Whether a marker is the first word of a sentence, which goes on in lower case."""
        if not (mark.citations or mark.unresolved):
            return False
        text = self._masked.text
        if mark.start and not text[mark.start - 1].isspace():
            return False
        following = _SMALL.match(text, mark.end, self._end)
        return following is not None and following["letter"].islower()
