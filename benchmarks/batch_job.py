"""A job for ``bench_batch``: workers import it, and would not import a script."""

from __future__ import annotations

import os

from citemark import cite, render

__all__ = ["Busy"]


class Busy:
    """A job of nothing but work for a processor: answers that are cited and rendered."""

    def run(self, task: list[str]) -> int:
        """Render all; return who did it."""
        for text in task:
            render(cite(text, []), "html")
        return os.getpid()

    def split(self, task: list[str]) -> list[list[str]]:
        """Return each text by itself."""
        return [[text] for text in task]

    def join(self, results: list[int]) -> int:
        """Return one of them."""
        return results[0]

    def failed(self, task: list[str], reason: str) -> int:  # noqa: ARG002  as a ``Job``
        """Return nothing."""
        return 0

    def weight(self, task: list[str]) -> int:
        """Return the size."""
        return sum(map(len, task))
