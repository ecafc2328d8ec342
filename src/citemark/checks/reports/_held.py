"""Claims and quotes beside the words of a passage that they are held against."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from citemark.checks._outcomes import extra_citations, of_claim, of_pair
from citemark.checks.codes import kind_of
from citemark.checks.reports._labels import label_of
from citemark.checks.reports._passages import excerpt_of
from citemark.renderers._display import cut, glance_at, one_line, title_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from citemark.checks.model import ClaimCheck, QuoteCheck, SupportCheck
    from citemark.checks.report import Report
    from citemark.checks.reports._passages import Excerpt
    from citemark.model import Source

__all__ = ["Held", "Row", "rows_of"]

MAX_WORDS: Final = 600
"""Code points of a claim or a quote that are shown."""

GOOD: Final[Mapping[str, str]] = {"supported": "supported", "quote_verified": "quote found"}
"""What is said of a claim or a quote that is right."""

TOO_SHORT: Final = "too short to tell"


class Held(NamedTuple):
    """A claim or a quote, held against a passage."""

    kind: str
    """``"claim"`` or ``"quote"``."""

    text: str
    """Its words, one line."""

    verdict: str
    """What is said of it."""

    look: str
    """``"good"``, or a severity."""

    reasons: tuple[str, ...]
    """Why."""

    excerpt: Excerpt | None
    """The words of the passage; None if it has none."""

    elsewhere: str
    """Title of another source, if the excerpt is from that; else ""."""

    together: str = ""
    """What is said of all that the claim cites, if that is something else."""


class Row(NamedTuple):
    """A claim or a quote that may be shown."""

    start: int
    """First code point in the answer."""

    source: Source | None
    """What is cited for it."""

    is_good: bool
    """Whether it is right."""

    make: Callable[[], Held]
    """Gives what is shown: that takes its time."""


def rows_of(report: Report, most: int) -> tuple[list[Row], list[Row]]:
    """Return claims and quotes of a report in order of position, and those that are left out.

    Those that are right are left out first.
    """
    rows = [
        Row(
            one.claim.start,
            check.citation.source,
            check.verdict in GOOD,
            partial(_claim, check, one),
        )
        for one in report.by_claim
        for check in one.checks
    ]
    for quote in report.quotes:
        source = quote.citation.source if quote.citation else None
        is_good = f"quote_{quote.verdict}" in GOOD
        rows.append(Row(quote.start, source, is_good, partial(_quote, quote, source)))
    rows.sort(key=lambda row: (row.is_good, row.start))
    return sorted(rows[:most], key=lambda row: row.start), rows[most:]


def _claim(check: SupportCheck, one: ClaimCheck) -> Held:
    is_extra = any(check is extra for extra in extra_citations(one))
    outcome, together = "extra_citation" if is_extra else of_pair(check), of_claim(one)
    verdict, look = _said(outcome)
    other = label_of(together) if together != outcome and len(one.checks) > 1 else ""
    text = check.claim.text
    passage = check.citation.source.text if check.citation.source else ""
    spans = () if check.window is None else (check.window,)
    excerpt = excerpt_of(passage, spans, text[:MAX_WORDS])
    reasons = _reasons(check.reasons)
    return Held("claim", _words(text), verdict, look, reasons, excerpt, "", other)


def _quote(quote: QuoteCheck, cited: Source | None) -> Held:
    verdict, look = _said(f"quote_{quote.verdict}")
    source = quote.source or cited
    excerpt = excerpt_of(source.text, quote.spans) if source else None
    other = quote.source is not None and quote.source != cited
    elsewhere = title_of(quote.source) if other and quote.source else ""
    reasons = _reasons((quote.reason,) if quote.reason else ())
    return Held("quote", _words(quote.quote), verdict, look, reasons, excerpt, elsewhere)


def _said(code: str) -> tuple[str, str]:
    """Return what a finding, or what is none, is called, and how it looks."""
    if code in GOOD:
        return GOOD[code], "good"
    if code == "quote_insufficient":
        return TOO_SHORT, "note"
    return label_of(code), kind_of(code).severity


def _words(text: str) -> str:
    return glance_at(text, MAX_WORDS)


def _reasons(reasons: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(cut(one_line(reason), MAX_WORDS) for reason in reasons)
