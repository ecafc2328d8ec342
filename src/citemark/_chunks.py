"""Chunks of a stream as whole characters and line ends."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["Chunks", "pairs_in", "well_formed", "with_line_feeds", "with_whole_characters"]

_UTF_16: Final = "utf-16-le"
_PAIR: Final = re.compile("[\ud800-\udbff][\udc00-\udfff]")


class Chunks:
    """Keeps back half a line end or half a surrogate pair until the next chunk comes."""

    def __init__(self) -> None:
        """Begin with nothing kept."""
        self.waiting = ""

    def whole(self, chunk: str) -> str:
        """Return what was kept and the chunk, less a half at its end."""
        if not chunk:
            return chunk
        chunk, self.waiting = self.waiting + chunk, ""
        if "\ud800" <= chunk[-1] <= "\udbff" or chunk[-1] == "\r":
            chunk, self.waiting = chunk[:-1], chunk[-1]
        return with_whole_characters(chunk)

    def last(self, chunk: str) -> str:
        """Return what was kept and the last chunk."""
        return with_whole_characters(self.waiting + chunk)


def with_whole_characters(text: str) -> str:
    r"""Return a text in which the halves of each surrogate pair are one character.

    A whole text must not differ from its stream, in which a decoder may have cut a pair.

    >>> with_whole_characters("\ud83d\ude00 \ud83d") == "\U0001f600 \ud83d"
    True
    """
    if text.isascii():
        return text
    try:
        text.encode(_UTF_16)  # faster than any search: most texts have no surrogate at all
    except UnicodeEncodeError:
        return text.encode(_UTF_16, "surrogatepass").decode(_UTF_16, "surrogatepass")
    return text


def well_formed(text: str) -> str:
    """Return a text with halves of a surrogate pair joined, and U+FFFD for lone ones."""
    return text.encode(_UTF_16, "surrogatepass").decode(_UTF_16, "replace")


def pairs_in(text: str) -> list[int]:
    r"""Return where the text has fewer characters once pairs are joined: after each, joined.

    >>> pairs_in("a\ud83d\ude00b\ud83d\ude00")
    [2, 4]
    """
    return [pair.end() - count for count, pair in enumerate(_PAIR.finditer(text), 1)]


def with_line_feeds(text: str) -> str:
    r"""Return a text of the same length whose lines all end with a line feed alone.

    >>> with_line_feeds("a\r\nb\rc")
    'a \nb\nc'
    """
    return text.replace("\r\n", " \n").replace("\r", "\n") if "\r" in text else text
