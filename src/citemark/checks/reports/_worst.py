"""The worst of many answers, in bounded memory: a few in full, more of them as rows."""

from __future__ import annotations

from heapq import heappush, heappushpop
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeAlias, TypeVar

from citemark.checks.model import SEVERITIES
from citemark.checks.reports._section import Limits, section_of
from citemark.checks.reports._text import findings_in_words, percent

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from citemark.checks.report import Report
    from citemark.checks.reports._section import Section

__all__ = ["MAX_ROWS", "MAX_SECTIONS", "Listed", "Worst"]

MAX_SECTIONS: Final = 10
"""Answers that a page shows in full."""

MAX_ROWS: Final = 100
"""Answers that a page lists."""

LIMITS: Final = Limits(text=10_000, markers=500, findings=12, rows=8)
"""How much a page shows of each answer."""

Rank: TypeAlias = tuple[float, ...]

Kept = TypeVar("Kept")


class Listed(NamedTuple):
    """An answer with findings, as a row of a table."""

    prefix: str
    """Where it is in full, if it is."""

    name: str
    coverage: str
    """Share of its claims that is cited, in words."""

    findings: str
    """How many there are of each severity, in words."""


class Worst:
    """Keeps answers with findings: by severity, then by number, then by coverage.

    Args:
        sections: How many are kept in full.
        rows: How many are kept as rows; as many as in full, at least.
    """

    def __init__(self, sections: int, rows: int) -> None:
        """Keep nothing yet."""
        self._sections: _Highest[Section] = _Highest(sections)
        self._rows: _Highest[Listed] = _Highest(max(sections, rows))
        self.left_out = 0
        """Answers with findings that are not listed."""

    def add(self, report: Report, figures: dict[str, Any], number: int, name: str) -> None:
        """Keep a report if it is one of the worst so far.

        Args:
            report: What was found.
            figures: Its figures.
            number: Of the answer, from 1.
            name: What it is called.
        """
        numbers = tuple(figures[f"{severity}s"] for severity in SEVERITIES)
        if not any(numbers):
            return
        share = figures["coverage"]
        rank = (*numbers, 0.0 if share is None else 1.0 - share, -number)
        prefix = f"a{number}"
        row = Listed(prefix, name, percent(share), findings_in_words(figures))
        self.left_out += self._rows.add(rank, lambda: row)
        self._sections.add(
            rank, lambda: section_of(report, prefix=prefix, name=name, limits=LIMITS)
        )

    @property
    def rows(self) -> list[Listed]:
        """Answers with findings, worst first."""
        return self._rows.ordered()

    @property
    def sections(self) -> list[Section]:
        """The first of them, in full."""
        return self._sections.ordered()


class _Highest(Generic[Kept]):
    """Keeps what has the highest ranks; no two ranks are the same."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: list[tuple[Rank, Kept]] = []

    def add(self, rank: Rank, make: Callable[[], Kept]) -> int:
        """Keep something if it is high enough; return how many fell out by it: 0 or 1."""
        is_full = len(self._kept) >= self._most
        if self._most <= 0 or (is_full and rank < self._kept[0][0]):
            return 1
        (heappushpop if is_full else heappush)(self._kept, (rank, make()))
        return int(is_full)

    def ordered(self) -> list[Kept]:
        """Return what is kept, highest first."""
        return [one for _, one in sorted(self._kept, key=lambda one: one[0], reverse=True)]
