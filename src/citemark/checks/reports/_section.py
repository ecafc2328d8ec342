"""What a page shows of one report: values for a template, of bounded size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from citemark._lazy import lazy_re
from citemark.checks.codes import NO_CITATION
from citemark.checks.model import SEVERITIES
from citemark.checks.reports._citations import cited_sources, pairs_in_words
from citemark.checks.reports._figures import figures_of_one
from citemark.checks.reports._labels import LABELS, label_of
from citemark.checks.reports._lines import Lines
from citemark.checks.reports._marked import mark_answer
from citemark.renderers._display import cut, one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from citemark.checks.model import Finding
    from citemark.checks.report import Report
    from citemark.checks.reports._citations import Cited
    from citemark.checks.reports._figures import Figure
    from citemark.checks.reports._marked import Marked

__all__ = ["Limits", "Section", "Told", "section_of"]

_TAG: Final = lazy_re(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,9}")
"""Of a language; anything else is none."""

MAX_MESSAGE: Final = 600
"""Code points of a message."""

MAX_TITLE: Final = 60
"""Code points of a title that is heard after each number."""


class Limits(NamedTuple):
    """How much of a report is shown."""

    text: int = 100_000
    """Code points of the answer."""

    markers: int = 5_000
    """Markers in it."""

    findings: int = 500
    """Findings."""

    rows: int = 300
    """Claims and quotes beside their passages."""


class Told(NamedTuple):
    """A finding as it is listed."""

    number: int
    """From 1, worst first."""

    severity: str
    label: str
    message: str
    mend: str
    line: int
    column: int
    is_placed: bool
    """Whether there is a mark in the text to link to."""

    is_whole: bool
    """Whether it is of the answer as a whole."""


class Section(NamedTuple):
    """An answer on a page."""

    prefix: str
    """Start of all ids."""

    name: str
    """What it is called; "" on a page of its own."""

    figures: tuple[Figure, ...]
    marked: Marked
    legend: tuple[tuple[str, str, str], ...]
    """Look, severity and label of each kind of mark in the text."""

    findings: tuple[Told, ...]
    more_findings: int
    sources: tuple[Cited, ...]
    more_rows: int
    pairs: str
    """How many claims and quotes stand beside a passage, by what is said of them."""

    titles: Mapping[int, str]
    """Titles by number, of the sources that are shown, for those who hear the page."""

    judge: str
    is_lexical: bool
    """Whether words were compared: a hint, no proof."""

    scope: str
    lang: str
    """Language of the answer, a BCP 47 tag; "" if it is not known."""


def section_of(
    report: Report,
    *,
    prefix: str = "a1",
    name: str = "",
    lang: str = "",
    limits: Limits | None = None,
) -> Section:
    """Return what is shown of a report."""
    limits = limits or Limits()
    ordered = sorted(report.findings, key=lambda one: SEVERITIES.index(one.severity))
    numbered = [*enumerate(ordered[: limits.findings], 1)]
    whole = {*NO_CITATION.values()}
    placed = [one for one in numbered if one[1].code not in whole]
    marked = mark_answer(report.answer, placed, limits.text, limits.markers)
    lines = Lines(report.answer.text)
    sources, more_rows = cited_sources(report, limits.rows)
    return Section(
        prefix=prefix,
        name=name,
        figures=figures_of_one(report),
        marked=marked,
        legend=_legend([one for number, one in numbered if number in marked.placed]),
        findings=tuple(_told(number, one, lines, marked) for number, one in numbered),
        more_findings=len(ordered) - len(numbered),
        sources=sources,
        more_rows=more_rows,
        pairs=pairs_in_words(sources),
        titles=_titles(sources),
        judge=cut(one_line(report.judge), MAX_MESSAGE),
        is_lexical=report.judge == "lexical",
        scope=report.scope,
        lang=lang if _TAG.fullmatch(lang) else "",
    )


def _titles(sources: tuple[Cited, ...]) -> dict[int, str]:
    numbered = [one for one in sources if one.number and one.first]
    return {one.number: cut(one.title, MAX_TITLE) for one in numbered}


def _told(number: int, finding: Finding, lines: Lines, marked: Marked) -> Told:
    line, column = lines.place(finding.start)
    return Told(
        number,
        finding.severity,
        label_of(finding.code),
        cut(one_line(finding.message), MAX_MESSAGE),
        cut(one_line(finding.mend), MAX_MESSAGE),
        line,
        column,
        number in marked.placed,
        finding.code in NO_CITATION.values(),
    )


def _legend(findings: list[Finding]) -> tuple[tuple[str, str, str], ...]:
    kinds = dict.fromkeys((one.code, one.severity) for one in findings)
    return tuple(
        (code if code in LABELS else severity, severity, label_of(code))
        for code, severity in kinds
    )
