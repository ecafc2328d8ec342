"""A summary for a terminal: totals, and bars of characters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from citemark.checks.reports._plots import rows_of, text_plot, text_sources
from citemark.checks.reports._text import count, percent, quotes_found, severities
from citemark.checks.reports._wrap import wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["summary_text", "text_width", "totals_of_checks"]

DEFAULT_WIDTH: Final = 80
MIN_WIDTH: Final = 40


def text_width(width: int | None) -> int:
    """Return the columns of a summary: at least what can be read."""
    return max(width or DEFAULT_WIDTH, MIN_WIDTH)


def summary_text(known: Mapping[str, Any], width: int | None) -> str:
    """Return the lines of a summary, given as its plain data."""
    columns_ = text_width(width)
    totals = (line for total in _totals(known) for line in wrapped(total, columns_))
    return "\n".join([*totals, *_plots(known, columns_), *text_sources(known, columns_)])


def _totals(known: Mapping[str, Any]) -> Iterator[str]:
    yield (
        f"{count(known['answers'], 'answer')}, {known['without_citation']:,} without citation, "
        f"{count(known['rows_with_error'], 'row')} not read"
    )
    yield from totals_of_checks(known)


def totals_of_checks(known: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is told of ``figures`` and ``mean_coverage`` of many answers."""
    figures, mean = known["figures"], known["mean_coverage"]
    of_answers = "" if mean is None else f"; mean of the answers {percent(mean)}"
    cited = f"{figures['cited']:,} of {figures['claims']:,} cited"
    yield f"claims: {cited} ({percent(figures['coverage'])}{of_answers})"
    if told := quotes_found(figures):
        yield f"quotes: {told}"
    yield (
        f"cited claims: {figures['supported']:,} supported, {figures['unsure']:,} unsure, "
        f"{figures['unsupported']:,} not supported"
    )
    yield severities(figures)


def _plots(known: Mapping[str, Any], width: int) -> Iterator[str]:
    yield from text_plot("coverage (answers)", rows_of(known["distribution"]), width)
    yield from text_plot("findings by kind", rows_of(known["codes"]), width)
