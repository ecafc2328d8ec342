"""What every renderer shows of a source: what it is called, and a glance at its passage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import regex

from citemark.renderers._clean import balance_bidi, clean, without_invisible
from citemark.renderers._urls import host_or_name, is_local_path

if TYPE_CHECKING:
    from citemark.model import Source

__all__ = [
    "MAX_PASSAGE",
    "MAX_TITLE",
    "cut",
    "glance_at",
    "one_line",
    "passage_of",
    "title_of",
    "whole_words",
]

MAX_TITLE: Final = 300
"""Code points of a title that are shown."""

MAX_PASSAGE: Final = 400
"""Code points of a passage that are shown: a glance, not the document."""

MAX_CLUSTER: Final = 32
"""Code points of a grapheme that are kept together: more of them are an attack."""

_CREDENTIALS: Final = regex.compile(r"(?<=//)[^/\\?#\s@]*+@")
"""User name and password in an address that stands for a title, or is an id."""

_SEPARATORS: Final = regex.compile(r"[/\\]")
_GRAPHEME: Final = regex.compile(r"\X")


def title_of(source: Source) -> str:
    """Return what a source is called: its title, else host or file name, else its id.

    One line of at most 300 code points, without invisible characters.  Of a title or id that
    is a path only the last part is told, of an address no user name and password; "" if
    nothing can be told.
    """
    return _name(source.title) or _name(host_or_name(source)) or _name(source.id)


def _name(name: object) -> str:
    line = one_line(name[: 4 * MAX_TITLE]) if isinstance(name, str) else ""
    if is_local_path(line):
        line = next((part for part in reversed(_SEPARATORS.split(line)) if part), "")
    return cut(_CREDENTIALS.sub("", line), MAX_TITLE)


def passage_of(source: Source) -> str:
    """Return the start of a source's passage, one line of at most 400 code points."""
    return glance_at(source.text) if isinstance(source.text, str) else ""


def glance_at(text: str, length: int = MAX_PASSAGE) -> str:
    """Return the start of a text as one line of at most so many code points."""
    line = " ".join(clean(text[: 4 * length]).split())
    return balance_bidi(cut(line if len(text) <= 4 * length else f"{line} …", length))


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
    return text[: whole_words(text, length - 1)].rstrip() + "…"


def whole_words(text: str, length: int) -> int:
    """Return where to cut a longer text: at the end of a word, unless that takes a fifth of it.

    Else between two graphemes, so that no letter loses its accent.

    >>> whole_words("Levels fell by a lot", 15)
    14
    """
    if text[length].isspace():
        return length
    blank = text.rfind(" ", 0, length)
    if blank >= length * 4 // 5:
        return blank
    start = max(0, length - MAX_CLUSTER)
    graphemes = _GRAPHEME.finditer(text[start : length + MAX_CLUSTER])
    split = next(start + each.start() for each in graphemes if start + each.end() > length)
    return split if split > start else length
