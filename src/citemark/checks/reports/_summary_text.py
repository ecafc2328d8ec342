"""A summary for a terminal: bars of characters, and the totals as the last lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from citemark.checks.reports._plots import (
    MIN_PLOTTED,
    rows_of,
    text_list,
    text_never_cited,
    text_plot,
    text_sources,
)
from citemark.checks.reports._text import (
    count,
    percent,
    quotes_found,
    severities,
    support_found,
)
from citemark.checks.reports._wrap import wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["summary_text", "text_width"]

DEFAULT_WIDTH: Final = 80
MIN_WIDTH: Final = 40


def text_width(width: int | None) -> int:
    """Return the columns of a summary: at least what can be read."""
    return max(width or DEFAULT_WIDTH, MIN_WIDTH)


def summary_text(known: Mapping[str, Any], width: int | None) -> str:
    """Return the lines of a summary, given as its plain data."""
    columns = text_width(width)
    shown = _plots if known["answers"] >= MIN_PLOTTED else _lists
    above = "\n".join(shown(known, columns)).strip("\n")
    totals = "\n".join(line for total in _totals(known) for line in wrapped(total, columns))
    return f"{above}\n\n{totals}" if above else totals


def _plots(known: Mapping[str, Any], width: int) -> Iterator[str]:
    yield from text_plot("coverage (answers)", rows_of(known["distribution"]), width)
    yield from text_sources(known, width)
    yield from text_plot("findings by kind", rows_of(known["codes"]), width)


def _lists(known: Mapping[str, Any], width: int) -> Iterator[str]:
    yield from text_never_cited(known, width)
    yield from text_list("findings by kind", rows_of(known["codes"]), width)


def _totals(known: Mapping[str, Any]) -> Iterator[str]:
    yield (
        f"{count(known['answers'], 'answer')}, {known['without_citation']:,} without citation, "
        f"{count(known['rows_with_error'], 'row')} not read"
    )
    figures, mean = known["figures"], known["mean_coverage"]
    of_answers = "" if mean is None else f"; mean of the answers {percent(mean)}"
    cited = f"{figures['cited']:,} of {figures['claims']:,} cited"
    yield f"claims: {cited} ({percent(figures['coverage'])}{of_answers})"
    if told := quotes_found(figures):
        yield f"quotes: {told}"
    if any(known["outcomes"].values()):
        yield f"support: {support_found(known['outcomes'])}"
    yield severities(figures)
