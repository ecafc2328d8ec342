"""Findings as workflow commands of GitHub Actions, which shows them beside the lines.

Each is one line.  Values are escaped as GitHub's toolkit does it, and hold no line ends and no
controls: what an answer says ends neither a value nor a command.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark.checks.model import SEVERITIES
from citemark.checks.reports._lines import Lines
from citemark.checks.reports._wrap import fitted, plain

if TYPE_CHECKING:
    from citemark.checks.model import Severity
    from citemark.checks.report import Report

__all__ = ["annotation", "as_github"]

MAX_MESSAGE: Final = 1_000
"""Columns of a message that are told."""

LEVELS: Final[dict[Severity, str]] = {"error": "error", "warning": "warning", "note": "notice"}

_DATA: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def as_github(
    report: Report, *, file: str | None = None, line: int | None = None, name: str = ""
) -> str:
    """Return one annotation a finding, worst first: GitHub shows the first few of each kind.

    Args:
        report: What was found.
        file: Path of the answer in the repository; None for annotations without a place.
        line: The line in the file that holds the whole answer, as in JSON Lines; None if the
            file is the text of the answer.
        name: What messages call the answer, in front; "" for nothing.
    """
    lines = Lines(report.answer.text)
    found = sorted(report.findings, key=lambda one: SEVERITIES.index(one.severity))
    made = []
    for finding in found:
        place: dict[str, object] = {} if line is None else {"line": line}
        if file is not None and line is None:
            first, column = lines.place(finding.start)
            last, last_column = lines.last_place(finding.start, finding.end)
            place = {"line": first, "endLine": last}
            if first == last:  # GitHub takes columns of one line only
                place |= {"col": column, "endColumn": last_column}
        told = f"{name}: {finding.message}" if name else finding.message
        if finding.mend:
            told = f"{told} ({finding.mend})"
        made.append(annotation(finding.severity, told, finding.code, file=file, **place))
    return "\n".join(made)


def annotation(
    severity: Severity, message: str, title: str, *, file: str | None = None, **place: object
) -> str:
    r"""Return one annotation.

    >>> annotation("note", "100 %\n::error::no", "a, b", file="x.md", line=3)
    '::notice file=x.md,line=3,title=a%2C b::100 %25 ::error::no'
    """
    given = {"file": file, **place, "title": title}
    values = ",".join(
        f"{name}={plain(str(value)).translate(_PROPERTY)}"
        for name, value in given.items()
        if value is not None
    )
    told = fitted(plain(message), MAX_MESSAGE).translate(_DATA)
    return f"::{LEVELS[severity]} {values}::{told}"
