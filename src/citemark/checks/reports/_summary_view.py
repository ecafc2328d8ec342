"""What a page shows of a summary: values for a template."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from citemark.checks.reports._figures import figures_of_all
from citemark.checks.reports._plots import cited_rows, rows_of, too_low, whole

if TYPE_CHECKING:
    from citemark.checks.reports._figures import Figure
    from citemark.checks.reports._plots import Row
    from citemark.checks.reports.summary import Summary

__all__ = ["SummaryView", "summary_view"]


class SummaryView(NamedTuple):
    """A summary on a page."""

    figures: tuple[Figure, ...]
    distribution: tuple[Row, ...]
    codes: tuple[Row, ...]
    most_cited: tuple[Row, ...]
    too_low: str
    """What is to be said of how exact that is; "" for nothing."""

    never_cited: tuple[str, ...]
    more_never: int
    whole: str
    """What is to be said of how whole that is; "" for nothing."""

    errors: tuple[tuple[str, str], ...]
    more_errors: int


def summary_view(summary: Summary) -> SummaryView:
    """Return what a page shows of a summary."""
    known = summary.to_dict()
    return SummaryView(
        figures=figures_of_all(known),
        distribution=rows_of(known["distribution"]),
        codes=rows_of(known["codes"]),
        most_cited=cited_rows(known),
        too_low=too_low(known),
        never_cited=tuple(one["name"] for one in known["never_cited"]),
        more_never=known["never_cited_count"] - len(known["never_cited"]),
        whole=whole(known),
        errors=tuple((one["name"], one["reason"]) for one in known["errors"]),
        more_errors=known["rows_with_error"] - len(known["errors"]),
    )
