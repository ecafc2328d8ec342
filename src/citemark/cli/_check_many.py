"""``citemark check --jsonl``: reports of many answers, written as they come."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

import click

from citemark.cli._check_out import opened
from citemark.cli._check_progress import progress
from citemark.cli._check_rows import lines_of, size_of
from citemark.cli._check_style import json_line
from citemark.cli._io import STDIO, is_terminal, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from citemark.checks import Summary
    from citemark.checks.model import Severity
    from citemark.cli._check_rows import Row, RowReader
    from citemark.cli._check_style import Style
    from citemark.model import Source

__all__ = ["Many"]

MAX_SAID: Final = 20
"""Bad rows that are said on stderr; all are counted."""


class Many:
    """A run over a file.

    Attributes:
        severities: Those of all findings.
        bad_rows: How many rows could not be read.
    """

    def __init__(self, style: Style, reader: RowReader, given: Iterable[Source]) -> None:
        """Start with no row; ``given`` are sources that any row may cite."""
        from citemark.checks import Summary

        self._style, self._reader = style, reader
        self._is_page = style.format == "html"
        self._summary: Summary = Summary() if self._is_page else Summary(sections=0)
        self._summary.give(given)
        self.severities: set[Severity] = set()
        self.bad_rows = 0

    def run(self, output: str) -> None:
        """Write a report of each row, then the summary."""
        name = self._style.name
        quiet = not self._is_page and output == STDIO and is_terminal(sys.stdout)
        with opened(output) as write:
            with progress(size_of(name), quiet=quiet) as advance:
                for row, size in self._reader.rows(lines_of(name)):
                    self._add(row)
                    write(self._style.of_row(row))
                    advance(size)
            self._end(write)

    def _add(self, row: Row) -> None:
        if row.report is None:
            self.bad_rows += 1
            self._summary.add_error(row.name, row.error)
            if self._is_page and self.bad_rows <= MAX_SAID:
                said = f"{self._style.shown_name}, {row.name}: {row.error}"
                click.echo(printable(said), err=True)
            return
        self._summary.give(row.own_sources)
        self._summary.add(row.report, name=row.name)
        self.severities.update(finding.severity for finding in row.report.findings)

    def _end(self, write: Callable[[str], None]) -> None:
        text = self._summary.to_text(width=self._style.width)
        if self._style.format == "text":
            write(f"\n{text}")
        elif self._style.format == "json":
            write(json_line({"summary": self._summary.to_dict()}))
        else:
            if self._is_page:
                write(self._summary.to_html(title=self._style.title))
            click.echo(text, err=True)
