"""Text as it goes into a prompt: nothing unseen, and nothing that names one of the sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark._lazy import lazy_re
from citemark.parser import find_markers

if TYPE_CHECKING:
    from collections.abc import Callable

    from citemark.model import Marker
    from citemark.sources import Sources

__all__ = ["cleaned", "last_part", "neutral", "one_line"]

_LINE_ENDS: Final = dict.fromkeys(map(ord, "\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"), "\n")
"""Where ``str.splitlines``, and so perhaps a model, begins a new line."""

_OPENING: Final = lazy_re(r"[\[［【<({\ue200-\ue20f]")
"""What a marker begins with."""

_COMMENT: Final = "<!--"
"""What begins a comment of HTML."""

_WORD: Final = "x "
"""Put before a line, so that it does not begin with what it begins with."""

_FENCE: Final = lazy_re(r"[ >*+\-]{0,20}+(`{3,}+|~{3,}+)(.*+)")

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
    A link or a title that names another source stays: it says what it means.  So does code, if
    it has an end.  Each line is read by itself too: a link definition, or an entry of a list of
    sources, cites nothing where it stands, and would where it is copied to.
    """
    if _OPENING.search(text):
        lines, code = text.split("\n"), _code_lines(text)
        found = [at for at, one in enumerate(lines) if at not in code and _OPENING.search(one)]
        for at in found:
            if _COMMENT in lines[at]:
                lines[at] = _without_comment(lines[at], sources)
        read = [at for at in found if _COMMENT not in lines[at]]
        for at, line in zip(read, _alone([lines[at] for at in read], sources), strict=True):
            lines[at] = line
        text = "\n".join(lines)
    return _rewritten(text, sources)


def _alone(lines: list[str], sources: Sources) -> list[str]:
    """Return lines, rewritten as if each stood within a sentence of its own paragraph."""
    text = _rewritten("\n\n".join(_WORD + line for line in lines), sources)
    parts = text.split("\n\n") if lines else []
    if len(parts) != len(lines):  # a marker began in one and ended in another: one by one
        parts = [_rewritten(_WORD + line, sources) for line in lines]
    return [part[len(_WORD) :] for part in parts]


def _without_comment(line: str, sources: Sources) -> str:
    """Return a line in which no comment of HTML hides a marker: a model reads it too."""
    opened = line.replace(_COMMENT, "‹!--")
    shown = _rewritten(_WORD + opened, sources)[len(_WORD) :]
    return line if shown == opened else shown


def _code_lines(text: str) -> set[int]:
    """Return the numbers of the lines that are code: indented, or in a fence that is closed."""
    code: set[int] = set()
    start, fence = 0, ""
    for at, line in enumerate(text.split("\n")):
        found = _FENCE.match(line)
        if not found:
            code |= {at} if not fence and line.startswith(("    ", "\t")) else set()
        elif not fence:
            start, fence = at, found[1]
        elif found[1].startswith(fence) and not found[2].strip():
            code.update(range(start, at + 1))
            fence = ""
    return code


def _rewritten(text: str, sources: Sources) -> str:
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
