"""Figures over many reports, in constant memory, with the worst of them for a page."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from citemark.checks._outcomes import OUTCOMES, count_outcomes
from citemark.checks.reports._data import COUNTED, VERSION
from citemark.checks.reports._page import MAX_TITLE, page_of
from citemark.checks.reports._shares import Shares
from citemark.checks.reports._source_counts import MAX_LISTED, SourceCounts
from citemark.checks.reports._summary_text import summary_text
from citemark.checks.reports._summary_view import summary_view
from citemark.checks.reports._worst import MAX_ROWS, MAX_SECTIONS, Worst
from citemark.renderers._display import cut, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citemark.checks.report import Report
    from citemark.model import Source

__all__ = ["Summary"]

MAX_REASON: Final = 300
"""Code points of the reason why a row could not be read."""


class Summary:
    """Adds up reports, one after the other.

    >>> from citemark import cite
    >>> from citemark.checks import check
    >>> summary = Summary()
    >>> for text in ("Tides rise [1].", "Tides fall."):
    ...     summary.add(check(cite(text, [{"id": "a", "text": "Tides rise."}])))
    >>> summary.to_dict()["figures"]["coverage"]
    0.5

    Args:
        sections: How many answers a page shows in full, the worst; 0 for no answers at all,
            which is quicker.
    """

    def __init__(self, *, sections: int = MAX_SECTIONS) -> None:
        """Start with nothing."""
        self._totals: Counter[str] = Counter()
        self._outcomes: Counter[str] = Counter()
        self._codes: Counter[str] = Counter()
        self._sources = SourceCounts()
        self._shares = Shares()
        self._errors: list[dict[str, str]] = []
        self._worst = Worst(sections, MAX_ROWS if sections > 0 else 0)

    def add(self, report: Report, *, name: str = "") -> None:
        """Add a report.

        Args:
            report: What was found.
            name: What the answer is called; its number if that is not said.
        """
        self._totals["answers"] += 1
        number = self._totals["answers"]
        figures = report.figures
        for key in COUNTED:
            self._totals[key] += figures[key]
        self._totals["with_findings"] += bool(report.findings)
        self._outcomes.update(count_outcomes(report.by_claim))
        self._totals["without_citation"] += figures["no_citation"] is not None
        self._shares.add(figures["coverage"])
        self._codes.update(cut(finding.code, MAX_TITLE) for finding in report.findings)
        for citation in report.answer.citations:
            if citation.source is not None:
                self._sources.cite(citation.source)
        called = cut(one_line(name), MAX_TITLE) or f"Answer {number}"
        self._worst.add(report, figures, number, called)

    def give(self, sources: Iterable[Source]) -> None:
        """Take note of sources that answers may cite, for those that none does."""
        self._sources.give(sources)

    def add_error(self, name: str, reason: str) -> None:
        """Add a row that could not be read."""
        self._totals["rows_with_error"] += 1
        if len(self._errors) < MAX_LISTED:
            reason = cut(one_line(reason), MAX_REASON)
            self._errors.append({"name": cut(one_line(name), MAX_TITLE), "reason": reason})

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        totals = self._totals
        claims = totals["claims"]
        return {
            "version": VERSION,
            "answers": totals["answers"],
            "rows_with_error": totals["rows_with_error"],
            "without_citation": totals["without_citation"],
            "with_findings": totals["with_findings"],
            "figures": {
                **{key: totals[key] for key in COUNTED},
                "coverage": totals["cited"] / claims if claims else None,
            },
            "outcomes": {outcome: self._outcomes[outcome] for outcome in OUTCOMES},
            "mean_coverage": self._shares.mean,
            "distribution": self._shares.to_dict(),
            "codes": dict(self._codes.most_common(MAX_LISTED)),
            **self._sources.to_dict(),
            "errors": list(self._errors),
        }

    def to_text(self, *, width: int | None = None) -> str:
        """Return lines for a terminal; see ``as_text`` for the width."""
        return summary_text(self.to_dict(), width)

    def to_html(self, *, title: str = "Citation report") -> str:
        """Return a page: figures and plots, a list of the worst answers, and some in full."""
        return page_of(title, self._worst.sections, summary_view(self.to_dict(), self._worst))
