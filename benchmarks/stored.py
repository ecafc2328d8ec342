"""Rows of stored answers, and the bare loop that runs over them are held against."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corpus import answers, slices

from citemark import Sources, cite, render

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["bare_loop", "rows_of"]


def rows_of(count: int) -> list[dict[str, Any]]:
    """Return rows whose sources differ in their scores: what is kept for others is no help."""
    texts = slices()
    sources = [source for sample in answers() for source in sample.sources][:8]
    return [
        {
            "id": n,
            "answer": texts[n % len(texts)],
            "sources": [
                {"id": one.id, "title": one.title, "url": one.url, "score": n / count}
                for one in sources
            ],
        }
        for n in range(count)
    ]


def bare_loop(given: Sequence[dict[str, Any]]) -> None:
    """Make HTML of each row, and keep nothing."""
    for one in given:
        render(cite(one["answer"], Sources(one["sources"], label="number")), "html")
