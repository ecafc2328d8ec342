"""A report as plain data: figures, and all that was found."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from citemark.checks._outcomes import of_claim, of_pair
from citemark.checks.reports._lines import Lines

if TYPE_CHECKING:
    from citemark.checks.model import ClaimCheck, Finding, QuoteCheck, Sentence, SupportCheck
    from citemark.checks.report import Report
    from citemark.model import Citation, Source

__all__ = ["COUNTED", "VERSION", "as_dict", "figures_of"]

VERSION: Final = 1
"""Rises when the meaning of a field changes."""

COUNTED: Final = (
    *("claims", "cited", "quotes", "verified", "false_quotes", "quotes_unknown"),
    *("supported", "unsure", "unsupported", "errors", "warnings", "notes"),
)
"""Figures that add up over answers."""


def figures_of(report: Report) -> dict[str, Any]:
    """Return counts of claims, quotes and findings; ``coverage`` is None without a claim."""
    quotes = Counter(quote.verdict for quote in report.quotes)
    support = Counter(found.verdict for found in report.by_claim)
    unknown = quotes["insufficient"] + quotes["unverifiable"]
    severities = Counter(finding.severity for finding in report.findings)
    return {
        "claims": report.coverage.claims,
        "cited": len(report.coverage.cited),
        "coverage": report.coverage.coverage,
        "no_citation": report.coverage.reason,
        "quotes": sum(quotes.values()) - unknown,
        "verified": quotes["verified"] + quotes["fuzzy"],
        "false_quotes": quotes["altered"] + quotes["misattributed"] + quotes["rejected"],
        "quotes_unknown": unknown,
        "supported": support["supported"],
        "unsure": support["unsure"],
        "unsupported": support["unsupported"],
        "errors": severities["error"],
        "warnings": severities["warning"],
        "notes": severities["note"],
    }


def as_dict(report: Report) -> dict[str, Any]:
    """Return a JSON-ready form of a report; see ``Report.to_dict``."""
    lines = Lines(report.answer.text)
    return {
        "version": VERSION,
        "judge": report.judge,
        "scope": report.scope,
        "worst": report.worst,
        "figures": figures_of(report),
        "findings": [_finding(one, lines) for one in report.findings],
        "sentences": [_sentence(one) for one in report.coverage.sentences],
        "quotes": [_quote(one) for one in report.quotes],
        "support": [_support(one) for one in report.support],
        "by_claim": [_of_claim(one) for one in report.by_claim],
        "sources": [
            {"number": entry.number, "id": source.id, "title": source.title}
            for entry in report.answer.entries
            for source in entry.sources
        ],
    }


def _finding(finding: Finding, lines: Lines) -> dict[str, Any]:
    line, column = lines.place(finding.start)
    return {**asdict(finding), "line": line, "column": column}


def _sentence(sentence: Sentence) -> dict[str, Any]:
    return {
        "start": sentence.start,
        "end": sentence.end,
        "text": sentence.text,
        "role": sentence.role,
        "unit": sentence.unit,
        "block": sentence.block,
        "cites": [_id(citation.source) for citation in sentence.citations],
        "unresolved": list(sentence.unresolved),
    }


def _quote(quote: QuoteCheck) -> dict[str, Any]:
    return {
        "quote": quote.quote,
        "verdict": quote.verdict,
        "start": quote.start,
        "end": quote.end,
        **_cited(quote.citation),
        "found_in": _id(quote.source),
        "spans": [list(span) for span in quote.spans],
        "score": quote.score,
        "reason": quote.reason,
    }


def _support(check: SupportCheck) -> dict[str, Any]:
    return {
        "start": check.claim.start,
        "end": check.claim.end,
        **_cited(check.citation),
        "verdict": check.verdict,
        "outcome": of_pair(check),
        "score": check.score,
        "window": None if check.window is None else list(check.window),
        "reasons": list(check.reasons),
        "is_hint": check.is_hint,
    }


def _of_claim(check: ClaimCheck) -> dict[str, Any]:
    return {
        "start": check.claim.start,
        "end": check.claim.end,
        "verdict": check.verdict,
        "outcome": of_claim(check),
        "is_joint": check.is_joint,
        "is_hint": check.is_hint,
        "reasons": list(check.reasons),
    }


def _cited(citation: Citation | None) -> dict[str, Any]:
    if citation is None:
        return {"number": None, "source": None}
    return {"number": citation.number, "source": _id(citation.source)}


def _id(source: Source | None) -> str | None:
    return None if source is None else source.id
