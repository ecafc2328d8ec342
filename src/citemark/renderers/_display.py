"""What every renderer shows of a source: what it is called, and a glance at its passage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import regex

from citemark.renderers._clean import balance_bidi, clean, without_invisible
from citemark.renderers._urls import host_or_name, is_local_path

if TYPE_CHECKING:
    from citemark.model import Source

__all__ = ["MAX_PASSAGE", "MAX_TITLE", "cut", "one_line", "passage_of", "title_of"]

MAX_TITLE: Final = 300
"""Code points of a title that are shown."""

MAX_PASSAGE: Final = 400
"""Code points of a passage that are shown: a glance, not the document."""

_SEPARATORS: Final = regex.compile(r"[/\\]")


def title_of(source: Source) -> str:
    """Return what a source is called: its title, else host or file name, else its id.

    One line of at most 300 code points, without invisible characters.  Of a title or id that
    is a path only the last part is told; "" if nothing can be told.
    """
    for name in (source.title, host_or_name(source), source.id):
        line = one_line(name[: 4 * MAX_TITLE]) if isinstance(name, str) else ""
        if is_local_path(line):
            line = next((part for part in reversed(_SEPARATORS.split(line)) if part), "")
        if line:
            return cut(line, MAX_TITLE)
    return ""


def passage_of(source: Source) -> str:
    """Return the start of a source's passage, one line of at most 400 code points."""
    text = source.text if isinstance(source.text, str) else ""
    line = " ".join(clean(text[: 4 * MAX_PASSAGE]).split())
    short = len(text) <= 4 * MAX_PASSAGE
    return balance_bidi(cut(line if short else f"{line} …", MAX_PASSAGE))


def one_line(text: str) -> str:
    """Return a text as one line that shows all it holds: for titles, labels and links."""
    return " ".join(without_invisible(clean(text)).split())


def cut(text: str, length: int) -> str:
    """Return the text, or its start and an ellipsis: never more code points than asked for.

    It ends with a whole word, unless that takes more than a fifth of it.

    >>> cut("Levels fell by a lot", 16)
    'Levels fell by…'
    """
    if len(text) <= length:
        return text
    start = text[: length - 1]
    words = start if text[length - 1] == " " else start.rpartition(" ")[0]
    return (words if len(words) >= length * 4 // 5 else start).rstrip() + "…"
