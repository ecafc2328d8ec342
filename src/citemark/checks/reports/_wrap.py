"""Lines of at most so many columns of a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import combining, east_asian_width

from citemark.renderers._display import one_line
from citemark.renderers.text import without_controls

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["columns", "fitted", "fitted_name", "plain", "wrapped"]


def plain(text: str) -> str:
    """Return a text in one line that a terminal or the log of a build takes for no more."""
    return one_line(without_controls(text)).replace("##[", "## [")


def columns(text: str) -> int:
    """Return the columns that a text takes in a terminal: ``字`` takes two."""
    if text.isascii():
        return len(text)
    return sum(
        0 if combining(char) else 1 + (east_asian_width(char) in {"W", "F"}) for char in text
    )


def fitted(text: str, width: int | None) -> str:
    """Return a text, or its start and an ellipsis, in so many columns."""
    if width is None or columns(text) <= width:
        return text
    return _start(text, max(width - 1, 1)).rstrip() + "…"


def fitted_name(name: str, width: int) -> str:
    """Return what a source is called, in so many columns: its id behind the title stays.

    An id that takes more than half of them keeps its start and its end.
    """
    if columns(name) <= width:
        return name
    title, _, id_ = name.rpartition(" (")
    end = f" ({id_}" if title else ""
    if not end or columns(end) > width // 2:
        end = _end(name, width // 2)
    start = _start(name[: -len(end)], max(width - columns(end) - 1, 1))
    return f"{start.rstrip()}…{end}"


def wrapped(text: str, width: int | None) -> Iterator[str]:
    """Yield a text in lines of so many columns; a longer word is cut."""
    if width is None:
        yield text
        return
    line, taken = "", 0
    for word in text.split(" "):
        rest, needed = word, columns(word)
        if line and taken + 1 + needed > width:
            yield line
            line, taken = "", 0
        while needed > width:
            start = _start(rest, width)
            yield start
            rest = rest[len(start) :]
            needed = columns(rest)
        line, taken = (f"{line} {rest}", taken + 1 + needed) if line else (rest, needed)
    if line:
        yield line


def _end(text: str, width: int) -> str:
    """Return as much of the end of a text as fits."""
    return _start(text[::-1], width)[::-1]


def _start(text: str, width: int) -> str:
    """Return as much of the start of a text as fits, and at least one character."""
    taken = 0
    for at, char in enumerate(text):
        taken += columns(char)
        if taken > width and at:
            return text[:at]
    return text
