"""A report for a terminal or a log: a line a finding with its place, then the figures.

Only the first line of a finding starts at the margin, with a place; all others start with a
bar: what an answer says is never the start of a line, where a log could take it for a command.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from citemark.checks._outcomes import count_outcomes
from citemark.checks.codes import NO_CITATION
from citemark.checks.model import SEVERITIES
from citemark.checks.reports._labels import in_words
from citemark.checks.reports._lines import Lines
from citemark.checks.reports._wrap import fitted, plain, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from citemark.checks.model import Finding
    from citemark.checks.report import Report

__all__ = ["as_text", "cite_nothing", "count", "percent"]

BAR: Final = "  | "
MIN_WIDTH: Final = 40
"""Columns below which nothing can be read."""

MAX_EXCERPT: Final = 500
"""Code points of the answer that are looked at for an excerpt."""

_COLOURS: Final = {"error": "31", "warning": "33", "note": "36"}


def as_text(
    report: Report,
    *,
    name: str = "answer",
    width: int | None = None,
    colour: bool = False,
    figures: bool = True,
) -> str:
    """Return a report as lines of text: findings in order of position, then the figures.

    Args:
        report: What was found.
        name: What stands before line and column: the name of a file.
        width: Columns of the terminal, at least 40; None does not wrap.
        colour: Whether severities have a colour, by escape sequences.
        figures: Whether the figures follow.

    >>> from citemark import cite
    >>> from citemark.checks import check
    >>> print(as_text(check(cite("Tides rise.", [{"id": "a"}])), figures=False))
    answer:1:1: error not_followed: The answer cites nothing, though it makes claims
      | mend: ask for citations in the prompt (citemark.instructions), or ask again
    answer:1:1: warning uncited: This claim has no citation
      | Tides rise.
      | mend: add a citation, or leave the claim out
    """
    columns = None if width is None else max(width, MIN_WIDTH)
    text = report.answer.text
    lines = Lines(text)
    found: list[str] = []
    for finding in report.findings:
        line, column = lines.place(finding.start)
        place = f"{plain(name)}:{line}:{column}"
        found += _finding(finding, text, place, columns, colour=colour)
    return "\n".join([*found, *(_figures(report) if figures else ())])


def _finding(
    finding: Finding, text: str, place: str, width: int | None, *, colour: bool
) -> Iterator[str]:
    head = f"{place}: {finding.severity} {finding.code}: {plain(finding.message)}"
    first, *rest = wrapped(head, width)
    yield _coloured(first, finding, place) if colour else first
    inner = None if width is None else width - len(BAR)
    for line in wrapped(" ".join(rest), inner) if rest else ():
        yield BAR + line
    if finding.code not in NO_CITATION.values():  # which are of the answer as a whole
        excerpt = plain(text[finding.start : min(finding.end, finding.start + MAX_EXCERPT)])
        if excerpt:
            yield BAR + fitted(excerpt, inner)
    if finding.mend:
        for line in wrapped(f"mend: {finding.mend}", inner):
            yield BAR + line


def _coloured(line: str, finding: Finding, place: str) -> str:
    start = f"{place}: {finding.severity}"
    if not line.startswith(start):  # a name as long as the line
        return line
    paint = f"\x1b[1;{_COLOURS[finding.severity]}m"
    return f"{place}: {paint}{finding.severity}\x1b[0m{line[len(start) :]}"


def _figures(report: Report) -> Iterator[str]:
    figures = report.figures
    cited = f"{figures['cited']} of {figures['claims']} cited"
    yield f"claims: {cited} ({percent(figures['coverage'])})"
    if figures["quotes"] or figures["quotes_unknown"]:
        yield f"quotes: {quotes_found(figures)}"
    if report.by_claim:
        told = support_found(count_outcomes(report.by_claim))
        yield f"support: {told} (judge: {plain(report.judge)})"
    yield severities(figures)


def quotes_found(figures: Mapping[str, Any]) -> str:
    """Return how many quotes stand in their source, and how many cannot be looked up.

    >>> quotes_found({"quotes": 2, "verified": 1, "quotes_unknown": 0})
    '1 of 2 found in their source'
    >>> quotes_found({"quotes": 0, "verified": 0, "quotes_unknown": 3})
    '3 could not be checked'
    """
    parts = []
    if figures["quotes"]:
        parts.append(f"{figures['verified']:,} of {figures['quotes']:,} found in their source")
    if figures["quotes_unknown"]:
        parts.append(f"{figures['quotes_unknown']:,} could not be checked")
    return ", ".join(parts)


def support_found(outcomes: Mapping[str, int]) -> str:
    """Return how many claims are supported, and what the others are.

    >>> support_found({"supported": 1, "unsure": 0, "unsupported": 2})
    '1 of 3 cited claims supported, 2 not supported'
    """
    of_all = f"{outcomes['supported']:,} of {count(sum(outcomes.values()), 'cited claim')}"
    return ", ".join([f"{of_all} supported", *in_words(outcomes)])


def severities(figures: Mapping[str, Any]) -> str:
    """Return how many findings there are of each severity."""
    return ", ".join(count(figures[f"{severity}s"], severity) for severity in SEVERITIES)


def findings_in_words(figures: Mapping[str, Any]) -> str:
    """Return the same without those that there are none of; "none" for nothing."""
    found = {one: figures[f"{one}s"] for one in SEVERITIES}
    return ", ".join(count(number, one) for one, number in found.items() if number) or "none"


def count(number: int, what: str) -> str:
    """Return a number with what it counts.

    >>> count(1, "error"), count(2, "error")
    ('1 error', '2 errors')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def cite_nothing(number: int) -> str:
    """Return how many answers have no citation.

    >>> cite_nothing(1), cite_nothing(2)
    ('1 cites nothing', '2 cite nothing')
    """
    return f"{number:,} {'cites' if number == 1 else 'cite'} nothing"


def percent(share: float | None) -> str:
    """Return a share for people: full only if it is, and nothing only if it is nothing.

    >>> percent(0.999), percent(0.5), percent(0.001), percent(None)
    ('99.9 %', '50 %', '0.1 %', 'no claims')
    """
    if share is None:
        return "no claims"
    rounded = round(100 * share, 1)
    if share < 1:
        rounded = min(rounded, 99.9)
    if share > 0:
        rounded = max(rounded, 0.1)
    return f"{rounded:g} %"
