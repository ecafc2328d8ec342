"""Each source of an answer, with what is cited from it beside the words of its passage."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from citemark.checks.reports._held import rows_of
from citemark.checks.reports._markers import labels_of
from citemark.checks.reports._passages import excerpt_of
from citemark.renderers._display import cut, one_line, title_of
from citemark.renderers._urls import safe_url

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citemark.checks.report import Report
    from citemark.checks.reports._held import Held
    from citemark.checks.reports._passages import Excerpt
    from citemark.model import Source

__all__ = ["Cited", "cited_sources", "pairs_in_words"]

MAX_PAGE: Final = 40
"""Code points of the name of a page."""


class Cited(NamedTuple):
    """A source with what is cited from it."""

    number: int
    """Display number; 0 for what is cited from no source."""

    labels: tuple[str, ...]
    """How the answer itself writes it; ``("[1]",)`` if it is only told by a provider."""

    first: bool
    """Whether it is the first one with its number."""

    title: str
    """What it is called."""

    url: str | None
    """Where it is, if a link may go there."""

    page: str
    """Page of the passage; "" if it has none."""

    start: Excerpt | None
    """Start of its passage, if nothing is held against it."""

    held: tuple[Held, ...]
    """Claims and quotes, in order of position."""


def cited_sources(report: Report, most: int) -> tuple[tuple[Cited, ...], int]:
    """Return the sources of an answer in order of number, and how many rows are left out.

    Args:
        report: What was found.
        most: Claims and quotes that are shown, and sources.
    """
    labels = labels_of(report.answer)
    rows, left_out = rows_of(report, most)
    held: dict[Source | None, list[Held]] = {}
    known = set(report.answer.sources)
    for row in rows:
        held.setdefault(row.source if row.source in known else None, []).append(row.make())
    hidden = {row.source for row in left_out} - held.keys()
    entries = [
        (entry.number, one)
        for entry in report.answer.entries
        for one in entry.sources
        if one not in hidden
    ]
    sources = []
    seen: set[int] = set()
    for number, source in entries[:most]:
        called = labels.get(source, (f"[{number}]",))
        cites = tuple(held.get(source, ()))
        sources.append(_cited(number, source, called, cites, first=number not in seen))
        seen.add(number)
    if None in held:
        sources.append(Cited(0, (), False, "", None, "", None, tuple(held[None])))  # noqa: FBT003  named tuple
    return tuple(sources), len(left_out) + max(len(entries) - most, 0)


def pairs_in_words(sources: Iterable[Cited]) -> str:
    """Return how many claims and quotes are shown beside a passage, by what is said of them."""
    found = Counter(one.verdict for source in sources for one in source.held)
    return ", ".join(f"{number:,} {verdict}" for verdict, number in found.most_common())


def _cited(
    number: int, source: Source, labels: tuple[str, ...], held: tuple[Held, ...], *, first: bool
) -> Cited:
    page = "" if source.page is None else cut(one_line(str(source.page)), MAX_PAGE)
    start = None if held else excerpt_of(source.text)
    return Cited(
        number, labels, first, title_of(source), safe_url(source.url), page, start, held
    )
