"""Counts as plots: rows with a bar, for a page and for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from citemark.checks.reports._wrap import columns, fitted_name, plain, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = [
    "MIN_PLOTTED",
    "Row",
    "cited_rows",
    "rows_of",
    "text_list",
    "text_never_cited",
    "text_plot",
    "text_sources",
    "too_low",
    "whole",
]

MAX_NAMES: Final = 5
"""Names, with what is counted of them, that a list on one line has."""

MIN_PLOTTED: Final = 12
"""Answers from which plots say more than the findings above them, which they push away."""

MAX_BAR: Final = 30
"""Columns of the longest bar."""


class Row(NamedTuple):
    """A row of a table with a bar."""

    name: str
    number: int
    share: float
    """Of the largest number, 0 to 1."""


def rows_of(counts: Mapping[str, int]) -> tuple[Row, ...]:
    """Return the rows of a plot."""
    return _rows([*counts.items()])


def cited_rows(known: Mapping[str, Any]) -> tuple[Row, ...]:
    """Return the rows of the sources that are cited most; several may have one name."""
    return _rows([(one["name"], one["citations"]) for one in known["most_cited"]])


def _rows(counts: list[tuple[str, int]]) -> tuple[Row, ...]:
    most = max((number for _, number in counts), default=0) or 1
    return tuple(Row(name, number, number / most) for name, number in counts)


def too_low(known: Mapping[str, Any]) -> str:
    """Return what is to be said of the counts of sources; "" if they are exact."""
    off = known["most_cited_too_low"]
    if not off:
        return ""
    return f"There are too many sources to count each: a number may be up to {off:,} too low."


def whole(known: Mapping[str, Any]) -> str:
    """Return what is to be said of the sources that are never cited; "" for nothing."""
    return "" if known["never_cited_is_whole"] else "There were too many sources to note all."


def text_plot(heading: str, rows: tuple[Row, ...], width: int) -> Iterator[str]:
    """Yield a blank line, a heading and a line for each row; nothing if there is none."""
    if not rows:
        return
    yield ""
    yield from wrapped(f"{heading}:", width)
    most = max(row.number for row in rows)
    names = [fitted_name(_shown(row.name), width // 2) for row in rows]
    widest = max(map(columns, names))
    digits = len(f"{most:,}")
    room = max(min(MAX_BAR, width - widest - digits - 6), 0)
    for name, row in zip(names, rows, strict=True):
        bar = "#" * -(-row.number * room // (most or 1))
        blanks = " " * (widest - columns(name))
        yield f"  {name}{blanks}  {row.number:>{digits},}  {bar}".rstrip()


def text_sources(known: Mapping[str, Any], width: int) -> Iterator[str]:
    """Yield the lines of the sources that are cited most, and never."""
    yield from text_plot("most cited (citations)", cited_rows(known), width)
    if said := too_low(known):
        yield from wrapped(f"({said})", width)
    if known["never_cited"]:
        yield ""
        yield f"never cited ({known['never_cited_count']:,}):"
        for one in known["never_cited"]:
            yield "  " + fitted_name(_shown(one["name"]), width - 2)
        if more := known["never_cited_count"] - len(known["never_cited"]):
            yield f"  and {more:,} more"
    if said := whole(known):
        yield from wrapped(f"({said})", width)


def text_list(heading: str, rows: tuple[Row, ...], width: int) -> Iterator[str]:
    """Yield the same on a line, without bars and blank lines, and without rows of 0."""
    parts = [f"{row.number:,} {_shown(row.name)}" for row in rows if row.number]
    yield from _list(heading, parts, len(parts), width)


def text_never_cited(known: Mapping[str, Any], width: int) -> Iterator[str]:
    """Yield the sources that are never cited, on a line."""
    names, number = (
        [_shown(one["name"]) for one in known["never_cited"]],
        known["never_cited_count"],
    )
    yield from _list(f"never cited ({number:,})", names, number, width)
    if said := whole(known):
        yield from wrapped(f"({said})", width)


def _list(heading: str, parts: list[str], number: int, width: int) -> Iterator[str]:
    shown = parts[:MAX_NAMES]
    more = [f"and {number - len(shown):,} more"] if number > len(shown) else []
    if shown:
        yield from wrapped(f"{heading}: {', '.join([*shown, *more])}", width)


def _shown(name: str) -> str:
    """Return a name that may start a line: logs of builds take two colons for a command."""
    return plain(name).replace("::", ": :")
