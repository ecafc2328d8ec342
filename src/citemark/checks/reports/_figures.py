"""Figures as a page shows them: a name, a value in words, and a share for a bar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from citemark.checks._outcomes import count_outcomes
from citemark.checks.model import SEVERITIES
from citemark.checks.reports._labels import in_words
from citemark.checks.reports._text import cite_nothing, count, percent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from citemark.checks.report import Report

__all__ = ["Figure", "figures_of_all", "figures_of_checks", "figures_of_one"]


class Figure(NamedTuple):
    """A figure, in words."""

    name: str
    value: str
    share: float | None = None
    """0 to 1, for a bar; None for none."""

    more: str = ""
    """What else is to be said."""


def figures_of_one(report: Report) -> tuple[Figure, ...]:
    """Return what is shown of the figures of a report."""
    known = report.figures
    return (
        Figure("Claims", f"{known['claims']:,}"),
        Figure("Cited", f"{known['cited']:,}"),
        Figure("Coverage", percent(known["coverage"]), known["coverage"]),
        _quotes(known),
        _support(count_outcomes(report.by_claim)),
        _findings(known),
    )


def figures_of_all(known: Mapping[str, Any]) -> tuple[Figure, ...]:
    """Return what is shown of the totals of ``Summary.to_dict``."""
    without = cite_nothing(known["without_citation"])
    return (
        Figure("Answers", f"{known['answers']:,}", None, without),
        *_figures_of_many(known, known["outcomes"]),
    )


def figures_of_checks(known: Mapping[str, Any]) -> tuple[Figure, ...]:
    """Return what is shown of ``figures`` and ``mean_coverage`` of rows.

    Rows keep no more than what the judge said, so outcomes are told two by two.
    """
    figures = known["figures"]
    outcomes = {
        "supported": figures["supported"],
        "unsure, or with some shared words": figures["unsure"],
        "not supported, or with few shared words": figures["unsupported"],
    }
    return _figures_of_many(known, outcomes)


def _figures_of_many(
    known: Mapping[str, Any], outcomes: Mapping[str, int]
) -> tuple[Figure, ...]:
    figures, mean = known["figures"], known["mean_coverage"]
    of_answers = "" if mean is None else f"mean of the answers: {_together(percent(mean))}"
    return (
        Figure("Claims", f"{figures['claims']:,}", None, f"{figures['cited']:,} cited"),
        Figure("Coverage", percent(figures["coverage"]), figures["coverage"], of_answers),
        _quotes(figures),
        _support(outcomes),
        _findings(figures),
    )


def _quotes(known: Mapping[str, Any]) -> Figure:
    all_, found, unknown = known["quotes"], known["verified"], known["quotes_unknown"]
    more = f"{unknown:,} could not be checked" if unknown else ""
    if not all_:
        return Figure("Quotes found", "–" if unknown else "none", None, more)
    return Figure("Quotes found", f"{found:,} of {all_:,}", found / all_, more)


def _support(outcomes: Mapping[str, int]) -> Figure:
    """Return how many claims that cite anything are supported, and what the others are."""
    judged = sum(outcomes.values())
    if not judged:
        return Figure("Claims supported", "–")
    more = ", ".join(in_words(outcomes))
    good = outcomes["supported"]
    return Figure("Claims supported", f"{good:,} of {judged:,}", good / judged, more)


def _findings(known: Mapping[str, Any]) -> Figure:
    number = known["errors"] + known["warnings"] + known["notes"]
    told = ((known[f"{severity}s"], severity) for severity in SEVERITIES)
    more = ", ".join(count(found, severity) for found, severity in told if found)
    return Figure("Findings", f"{number:,}", None, more)


def _together(words: str) -> str:
    """Return words that stay on one line: a number and its unit."""
    return words.replace(" ", "\u00a0")
