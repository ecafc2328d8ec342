"""Chunks of a stream as whole characters and line ends."""

from __future__ import annotations

__all__ = ["Chunks", "with_line_feeds"]


class Chunks:
    """Keeps back half a line end or half a surrogate pair until the next chunk comes."""

    def __init__(self) -> None:
        """Begin with nothing kept."""
        self.waiting = ""

    def whole(self, chunk: str) -> str:
        """Return what was kept and the chunk, less a half at its end."""
        if not chunk:
            return chunk
        chunk, self.waiting = self.last(chunk), ""
        if "\ud800" <= chunk[-1] <= "\udbff" or chunk[-1] == "\r":
            chunk, self.waiting = chunk[:-1], chunk[-1]
        return chunk

    def last(self, chunk: str) -> str:
        """Return what was kept and the last chunk, halves of one character joined."""
        before = self.waiting
        if chunk and "\ud800" <= before <= "\udbff" and "\udc00" <= chunk[0] <= "\udfff":
            pair = (before + chunk[0]).encode("utf-16", "surrogatepass")
            return pair.decode("utf-16") + chunk[1:]
        return before + chunk


def with_line_feeds(text: str) -> str:
    r"""Return a text of the same length whose lines all end with a line feed alone.

    >>> with_line_feeds("a\r\nb\rc")
    'a \nb\nc'
    """
    return text.replace("\r\n", " \n").replace("\r", "\n") if "\r" in text else text
