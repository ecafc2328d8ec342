"""Statistics for a terminal: a table of totals, then bars of characters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from citemark.batch.stats._view import plots_of, stats_view
from citemark.checks.reports._plots import (
    MIN_PLOTTED,
    text_list,
    text_never_cited,
    text_plot,
    text_sources,
)
from citemark.checks.reports._summary_text import text_width
from citemark.checks.reports._wrap import fitted, plain, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from citemark.batch.stats._view import StatsView

__all__ = ["stats_text"]


def stats_text(known: Mapping[str, Any], width: int | None) -> str:
    """Return the lines of ``Stats.to_dict``."""
    columns = text_width(width)
    view = stats_view(known)
    plots = _plots if known["answers"] >= MIN_PLOTTED else _lists
    lines = [*_totals(view, columns), *plots(known, columns)]
    lines += _failed("errors", view.errors, view.more_errors, columns)
    lines += _failed("not read", view.unread, view.more_unread, columns)
    return "\n".join(lines)


def _totals(view: StatsView, width: int) -> Iterator[str]:
    names = max(len(figure.name) for figure in view.figures)
    values = max(len(figure.value) for figure in view.figures)
    for one in view.figures:
        more = one.more.replace("\u00a0", " ")
        line = f"{one.name.lower():<{names}}  {one.value:>{values}}  {more}"
        yield from _wrapped_after(line.rstrip(), width, names + values + 4)


def _wrapped_after(line: str, width: int, indent: int) -> Iterator[str]:
    """Yield a line of a table, the rest of its last column below that."""
    if len(line) <= width:
        yield line
        return
    start, rest = line[:indent], line[indent:]
    for part in wrapped(rest, max(width - indent, 1)):
        yield start + part
        start = " " * indent


def _plots(known: Mapping[str, Any], width: int) -> Iterator[str]:
    for plot in plots_of(known):
        if plot.heading != "Most cited sources":  # which stand with those never cited
            heading = f"{plot.heading.lower()} ({plot.head[1].lower()})"
            yield from text_plot(heading, plot.rows, width)
            if plot.more:
                yield from wrapped(f"({plot.more})", width)
    yield from text_sources(known, width)


def _lists(known: Mapping[str, Any], width: int) -> Iterator[str]:
    """Yield the same for few answers: a line each."""
    plots = plots_of(known)
    if plots:
        yield ""
    for plot in plots:
        yield from text_list(
            f"{plot.heading.lower()} ({plot.head[1].lower()})", plot.rows, width
        )
        if plot.more:
            yield from wrapped(f"({plot.more})", width)
    yield from text_never_cited(known, width)


def _failed(
    heading: str, rows: tuple[tuple[str, str], ...], more: int, width: int
) -> Iterator[str]:
    if not rows:
        return
    yield ""
    yield f"{heading}:"
    for name, reason in rows:
        yield "  " + fitted(plain(f"{name}: {reason}"), width - 2)
    if more:
        yield f"  and {more:,} more"
