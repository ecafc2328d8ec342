"""Figures of the checks, as a row has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from citemark.checks.report import check

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.sources import Sources

__all__ = ["figures_of"]


def figures_of(answer: Answer, sources: Sources | None) -> dict[str, Any]:
    """Return counts of claims, quotes and findings; ``coverage`` is None without a claim."""
    return check(answer, sources=sources).figures
