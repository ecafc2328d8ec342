"""The numbered block of sources that goes into a prompt, with the labels that answers use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from citemark._lazy import lazy_re
from citemark.sources import Sources

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from citemark.model import Source

__all__ = ["build_context"]

_UNSEEN: Final = lazy_re("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
"""Bidi controls and tag characters: a model reads what no reader of the passage sees."""

_OPENING_LABEL: Final = lazy_re(
    r"[\s\u00ad\u200b-\u200d\u2060\ufeff]*+[\[［【]++\s*+([^\[\]［］【】]{1,200}+)[\]］】]++"
)
"""What a line starts with that may pass for the heading of a source."""


def build_context(sources: Sources | Iterable[Source | Mapping[str, Any]]) -> str:
    """Return the sources as a numbered block; "" if there are none.

    Each source is headed by its label in brackets, title, page and URL.  Nothing in a passage
    can pass for such a heading: passages are indented, and a label or a number in brackets at
    the start of a line is written in parentheses.  Characters that nobody sees (bidi controls,
    tag characters) are left out.

    >>> print(build_context([{"id": "pol-12", "title": "Refunds", "text": "[2] Five days."}]))
    [1] Refunds
        (2) Five days.
    """
    labelled = list(Sources.of(sources).labelled())
    labels = frozenset(_line(label).casefold() for label, _ in labelled)
    return "\n\n".join(_block(label, source, labels) for label, source in labelled)


def _block(label: str, source: Source, labels: frozenset[str]) -> str:
    page = None if source.page is None else f"p. {source.page}"
    name = source.title or _last_part(source.id)
    about = [_line(part) for part in (name, page, source.url) if part]
    lines = _UNSEEN.sub("", source.text).splitlines()
    passage = ["    " + _no_heading(line, labels) for line in lines if line.strip()]
    return "\n".join([f"[{_line(label)}] {', '.join(about)}", *passage])


def _no_heading(line: str, labels: frozenset[str]) -> str:
    found = _OPENING_LABEL.match(line)
    if not found:
        return line
    label = found[1].strip()
    if not (label.isdigit() or label.casefold() in labels):
        return line
    return f"({label}){line[found.end() :]}"


def _last_part(id_: str) -> str:
    """Return an id without the folders, if it is a path: they are nobody's business."""
    return id_.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]


def _line(text: str) -> str:
    return " ".join(_UNSEEN.sub("", text).split())
