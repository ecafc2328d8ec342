"""Text as it goes into a prompt: nothing unseen, and nothing that names one of the sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark.parser import find_markers

if TYPE_CHECKING:
    from collections.abc import Callable

    from citemark.model import Marker
    from citemark.sources import Sources

__all__ = ["cleaned", "last_part", "neutral", "one_line"]

_LINE_ENDS: Final = dict.fromkeys(map(ord, "\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"), "\n")
"""Where ``str.splitlines``, and so perhaps a model, begins a new line."""

_PLAIN: Final = str.maketrans(
    {
        **dict.fromkeys("[【［{｛", "("),
        **dict.fromkeys("]】］}｝", ")"),
        **dict.fromkeys("<＜﹤", "‹"),
        **dict.fromkeys(">＞﹥", "›"),
        **{chr(code): None for code in range(0xE200, 0xE210)},
    }
)
"""What markers are made of, and what looks similar."""


def cleaned(text: str) -> str:
    """Return a text without controls and characters that nobody sees; lines end with a LF.

    >>> cleaned("a" + chr(0xE0041) + chr(0x202E) + "b")
    'ab'
    """
    if text.isascii() and text.isprintable():
        return text
    from citemark.renderers._clean import clean, without_invisible  # noqa: PLC0415  brings regex

    return clean(without_invisible(text.replace("\r\n", "\n").translate(_LINE_ENDS)))


def one_line(text: str) -> str:
    """Return a cleaned text on one line, with single blanks."""
    return " ".join(cleaned(text).split())


def last_part(id_: str) -> str:
    """Return an id without the folders, if it is a path: they are nobody's business."""
    return id_.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]


def neutral(text: str, sources: Sources) -> str:
    """Return a cleaned text in which no marker names a source by its label or id.

    Brackets become parentheses; of a marker that needs none, the key alone stays, or nothing.
    A link or a title that names another source stays: it says what it means.
    """
    for rewrite in _REWRITES:
        found = [one for one in find_markers(text, known=sources) if _names(one, sources)]
        if not found:
            break
        pieces: list[str] = []
        end = 0
        for marker in found:
            pieces += text[end : marker.start], rewrite(marker)
            end = marker.end
        text = "".join((*pieces, text[end:]))
    return text


def _names(marker: Marker, sources: Sources) -> bool:
    return any(
        sources.find(key, "id") or sources.find(key, "label", base=None) for key in marker.keys
    )


def _in_parentheses(marker: Marker) -> str:
    return marker.raw.translate(_PLAIN)


def _keys(marker: Marker) -> str:
    return marker.words + " ".join(marker.keys)


def _nothing(marker: Marker) -> str:
    return marker.words


_REWRITES: Final[tuple[Callable[[Marker], str], ...]] = (
    _in_parentheses,
    _in_parentheses,  # what stood around it may have become a marker now
    _keys,
    _nothing,
)
