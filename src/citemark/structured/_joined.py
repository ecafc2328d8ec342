"""Statements as one text: sentences of a paragraph, or blocks of Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark._lazy import lazy_re
from citemark.checks.splitting import split_sentences

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["joined"]

_BLOCK: Final = lazy_re(
    r"[ ]{0,3}(?:(?P<item>[-*+][ \t]|[0-9]{1,9}[.)][ \t])|(?P<row>\|)"
    r"|#{1,6}[ \t]|>|```|~~~|\$\$)"
)
"""How a block that is no paragraph begins."""

_MARKERS: Final = lazy_re(r"(?:\s{0,3}[\[【［][^\[\]【】［］\n]{1,60}[\]】］]){1,9}\Z")
"""At the end of a statement, where they are no words."""

MAX_READ: Final = 200
"""Code points of a statement that are read for where it ends."""

_UNSPACED: Final = lazy_re(r"[\u3000-\u30ff\u3400-\u9fff\uff01-\uff60]")
"""Scripts that put no blanks between sentences."""


def joined(texts: Iterable[str]) -> tuple[str, list[tuple[int, int]]]:
    r"""Return texts as one, and where each stands in it, half-open, in code points.

    >>> joined(["Tides rise.", "Tides fall.", "- Why?", "- The moon."])[0]
    'Tides rise. Tides fall.\n\n- Why?\n- The moon.'
    """
    parts: list[str] = []
    spans: list[tuple[int, int]] = []
    length = 0
    before = ""
    for text in texts:
        between = _between(before, text) if before else ""
        start = length + len(between)
        length = start + len(text)
        parts += (between, text)
        spans.append((start, length))
        before = text
    return "".join(parts), spans


def _between(before: str, text: str) -> str:
    """Return what stands between two texts that follow each other."""
    last = before[before.rfind("\n", 0, len(before.rstrip())) + 1 :]
    first, then = _BLOCK.match(last), _BLOCK.match(text)
    if first or then or "\n" in before.strip() or "\n" in text.strip():
        is_one = first and then and first.lastgroup and first.lastgroup == then.lastgroup
        return _lines(before, text, 1 if is_one else 2)
    is_apart = before[-1].isspace() or text[0].isspace()
    is_dense = _UNSPACED.match(before[-1]) and _UNSPACED.match(text[0])
    blank = "" if is_dense else " "
    if not _are_two(before, blank, text):
        return _lines(before, text, 2)
    return "" if is_apart else blank


def _are_two(before: str, blank: str, text: str) -> bool:
    """Whether two statements are still told apart as sentences of one paragraph."""
    words = _MARKERS.sub("", before[-MAX_READ:].rstrip())
    pair = words + blank + text[:MAX_READ].lstrip()
    ends = {end for _, end in split_sentences(pair)}
    return len(words) in ends


def _lines(before: str, text: str, wanted: int) -> str:
    """Return the line ends that are missing between two texts."""
    there = len(before) - len(before.rstrip("\n")) + len(text) - len(text.lstrip("\n"))
    return "\n" * max(wanted - there, 0)
