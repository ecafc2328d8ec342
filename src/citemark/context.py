"""The numbered block of sources that goes into a prompt, with the labels that answers use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from citemark.sources import Sources

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from citemark.model import Source

__all__ = ["build_context"]


def build_context(sources: Sources | Iterable[Source | Mapping[str, Any]]) -> str:
    """Return the sources as a numbered block; "" if there are none.

    Each source is headed by its label in brackets, title, page and URL; its passage is
    indented, so that nothing in it can pass for a heading of the block.

    >>> print(build_context([{"id": "pol-12", "title": "Refunds", "text": "Five days."}]))
    [1] Refunds
        Five days.
    """
    return "\n\n".join(
        _block(label, source) for label, source in Sources.of(sources).labelled()
    )


def _block(label: str, source: Source) -> str:
    page = None if source.page is None else f"p. {source.page}"
    name = source.title or _last_part(source.id)
    about = [_line(str(part)) for part in (name, page, source.url) if part]
    passage = ["    " + line for line in source.text.splitlines() if line.strip()]
    return "\n".join([f"[{_line(label)}] {', '.join(about)}", *passage])


def _last_part(id_: str) -> str:
    """Return an id without the folders, if it is a path: they are nobody's business."""
    return id_.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]


def _line(text: str) -> str:
    return " ".join(text.split())
