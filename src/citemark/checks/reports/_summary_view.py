"""What a page shows of a summary: values for a template."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from citemark.checks.reports._figures import figures_of_all
from citemark.checks.reports._labels import label_of
from citemark.checks.reports._plots import cited_rows, rows_of, too_low, whole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from citemark.checks.reports._figures import Figure
    from citemark.checks.reports._plots import Row
    from citemark.checks.reports._worst import Listed, Worst

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
    answers: tuple[Listed, ...]
    """Answers with findings, worst first."""

    more_answers: int
    """With findings, but not listed."""

    clean_answers: int
    """Without."""


def summary_view(known: Mapping[str, Any], worst: Worst) -> SummaryView:
    """Return what a page shows of ``Summary.to_dict``, and of the worst answers."""
    return SummaryView(
        figures=figures_of_all(known),
        distribution=rows_of(known["distribution"]),
        codes=rows_of(_by_label(known["codes"])),
        most_cited=cited_rows(known),
        too_low=too_low(known),
        never_cited=tuple(one["name"] for one in known["never_cited"]),
        more_never=known["never_cited_count"] - len(known["never_cited"]),
        whole=whole(known),
        errors=tuple((one["name"], one["reason"]) for one in known["errors"]),
        more_errors=known["rows_with_error"] - len(known["errors"]),
        answers=tuple(worst.rows),
        more_answers=worst.left_out,
        clean_answers=known["answers"] - known["with_findings"],
    )


def _by_label(codes: Mapping[str, int]) -> Counter[str]:
    """Return findings by what they are called: two codes may have one name."""
    found: Counter[str] = Counter()
    for code, number in codes.items():
        found[label_of(code)] += number
    return found
