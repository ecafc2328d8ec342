"""The text of a stream as far as it still matters, and what of it was given out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citemark._chunks import with_line_feeds

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citemark.model import Listing, Marker, Remark, Token

__all__ = ["Buffer"]


class Buffer:
    """Grows at its end, is cut at its start; positions are those of ``text``."""

    __slots__ = (
        "_is_plain",
        "base",
        "lines",
        "postponed",
        "postponed_length",
        "released",
        "text",
    )

    def __init__(self) -> None:
        """Begin with a line end, which makes the first line like all others."""
        self.text = self.lines = "\n"
        """As it came, and with "\\n" for all line ends: both are of one length."""
        self._is_plain = True  # both are the same
        self.base = -1
        """Position of the buffer in the whole text."""
        self.released = 1
        """First code point that was not given out."""
        self.postponed: list[str] = []
        """Chunks that were given out as they came, to be appended together."""
        self.postponed_length = 0

    def postpone(self, chunk: str) -> None:
        """Take in a chunk that is given out as it is, since there is nothing in it."""
        self.postponed.append(chunk)
        self.postponed_length += len(chunk)

    def append_postponed(self) -> None:
        """Append what was given out as it came."""
        self._append("".join(self.postponed))
        self.postponed.clear()
        self.postponed_length = 0
        self.released = len(self.text)

    def append(self, chunk: str) -> None:
        """Take in a chunk."""
        if "\r" in chunk:
            self._is_plain = False
        self._append(chunk)

    def release(self, upto: int, markers: Iterable[Marker | Remark | Listing]) -> list[Token]:
        """Return the markers with the text between them, and after them up to a position."""
        tokens: list[Token] = []
        text, base, released = self.text, self.base, self.released
        upto = self.whole_line_end(upto)
        for marker in markers:
            if marker.start - base < released:
                continue  # it was given out as text, before its source was known
            if released < marker.start - base:
                tokens.append(text[released : marker.start - base])
            tokens.append(marker)
            released = marker.end - base
        if released < upto:
            tokens.append(text[released:upto])
            released = upto
        self.released = released
        return tokens

    def whole_line_end(self, pos: int) -> int:
        """Return a position, or the one before it if it is in the middle of a line end."""
        is_inside = not self._is_plain and self.text[pos - 1 : pos + 1] == "\r\n"
        return pos - 1 if is_inside else pos

    def cut(self, length: int) -> None:
        """Let go of the first code points."""
        self.lines = self.lines[length:]
        self.text = self.lines if self._is_plain else self.text[length:]
        self.base += length
        self.released -= length

    def _append(self, chunk: str) -> None:
        self.lines += with_line_feeds(chunk)
        self.text = self.lines if self._is_plain else self.text + chunk
