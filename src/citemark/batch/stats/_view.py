"""What a page shows of statistics: values for a template."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from citemark.batch.stats._facts import NO_CLAIMS, NOT_CHECKED
from citemark.checks.reports._figures import Figure, figures_of_checks
from citemark.checks.reports._plots import cited_rows, rows_of, too_low, whole
from citemark.checks.reports._text import cite_nothing, count, percent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from citemark.checks.reports._plots import Row

__all__ = ["Plot", "StatsView", "plots_of", "stats_view"]

REASONS: Final = {
    "no_sources": "there were no sources",
    "not_followed": "claims, but no marker",
    "unknown_keys": "markers name no source",
    "no_provider_data": "the provider sent no sources",
    NO_CLAIMS: "nothing that needs a citation",
    NOT_CHECKED: "not known without checks",
}
"""Why answers cite nothing, in words."""


class Plot(NamedTuple):
    """A table with bars."""

    heading: str
    head: tuple[str, str]
    """What its columns are called."""

    rows: tuple[Row, ...]
    more: str = ""
    """What else is to be said."""


class StatsView(NamedTuple):
    """Statistics on a page."""

    figures: tuple[Figure, ...]
    plots: tuple[Plot, ...]
    never_cited: tuple[str, ...]
    more_never: int
    whole: str
    """What is to be said of how whole that is; "" for nothing."""

    made_by: tuple[tuple[str, str, str, str], ...]
    """Version, schema, digest of the options and rows, in words."""

    errors: tuple[tuple[str, str], ...]
    more_errors: int
    unread: tuple[tuple[str, str], ...]
    more_unread: int


def stats_view(known: Mapping[str, Any]) -> StatsView:
    """Return what a page shows of ``Stats.to_dict``."""
    return StatsView(
        figures=(*_totals(known), *(figures_of_checks(known) if known["checked"] else ())),
        plots=plots_of(known),
        never_cited=tuple(one["name"] for one in known["never_cited"]),
        more_never=known["never_cited_count"] - len(known["never_cited"]),
        whole=whole(known),
        made_by=tuple(
            (one["version"], str(one["schema"]), one["options_digest"], f"{one['rows']:,}")
            for one in known["made_by"]
        ),
        errors=_pairs(known["error_rows"]),
        more_errors=known["errors"] - len(known["error_rows"]),
        unread=_pairs(known["unread_rows"]),
        more_unread=known["unread"] - len(known["unread_rows"]),
    )


def plots_of(known: Mapping[str, Any]) -> tuple[Plot, ...]:
    """Return the plots, in order; those without rows are left out."""
    plots = (
        Plot("Coverage", ("Claims cited", "Answers"), rows_of(known["distribution"])),
        _plot(known, "without_citation", "Answers without citation", ("Reason", "Answers")),
        Plot("Most cited sources", ("Source", "Citations"), cited_rows(known), too_low(known)),
        _plot(known, "formats", "Formats of markers", ("Format", "Markers")),
        _plot(known, "dialects", "Dialects that read all of an answer", ("Dialect", "Answers")),
        _plot(known, "issues", "Issues", ("Kind", "Issues")),
        _plot(known, "errors_by_kind", "Errors by kind", ("Kind", "Rows")),
    )
    return tuple(plot for plot in plots if plot.rows)


def _plot(known: Mapping[str, Any], name: str, heading: str, head: tuple[str, str]) -> Plot:
    counts = {REASONS.get(key, key): number for key, number in known[name].items()}
    off = known["too_low"].get(name, 0)
    more = f"There are too many to count each: up to {off:,} too low." if off else ""
    return Plot(heading, head, rows_of(counts), more)


def _totals(known: Mapping[str, Any]) -> tuple[Figure, ...]:
    rate, answers = known["unresolved_rate"], known["answers"]
    return (
        Figure("Rows", f"{known['rows']:,}", None, _rest(known)),
        Figure("Answers", f"{answers:,}", None, cite_nothing(known["cite_nothing"])),
        Figure("Citations", f"{known['citations']:,}"),
        Figure(
            "Unresolved",
            "no citations" if rate is None else percent(rate),
            rate,
            f"{known['unresolved']:,} in {count(known['answers_with_unresolved'], 'answer')}",
        ),
    )


def _rest(known: Mapping[str, Any]) -> str:
    parts = [count(known["errors"], "error"), f"{known['nulls']:,} without answer"]
    if known["unread"]:
        parts.append(f"{known['unread']:,} not read")
    return ", ".join(parts)


def _pairs(rows: list[dict[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((one["name"] or "a row without id", one["reason"]) for one in rows)
