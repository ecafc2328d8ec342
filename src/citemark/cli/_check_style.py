"""How a report is written: of one answer, or of a row."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from citemark.cli._io import STDIO, as_json

if TYPE_CHECKING:
    from citemark.checks import Report
    from citemark.cli._check_options import Format
    from citemark.cli._check_rows import Row

__all__ = ["Style", "json_line"]


class Style(NamedTuple):
    """What was asked for."""

    format: Format
    name: str
    """File of the answer, or ``-``."""

    title: str
    """Of a page."""

    lang: str
    """Language of the answer; "" if it is not known."""

    width: int | None
    """Columns; None does not wrap."""

    color: bool

    is_text: bool
    """Whether the file is the text of the answer, in which a finding has its line."""

    @property
    def shown_name(self) -> str:
        """What the answer is called."""
        return "stdin" if self.name == STDIO else self.name

    def of_one(self, report: Report) -> str:
        """Return the report of one answer."""
        from citemark.checks import as_github, as_html, as_text

        if self.format == "json":
            return as_json(report.to_dict())
        if self.format == "github":
            return as_github(report, file=self._file if self.is_text else None)
        if self.format == "html":
            return as_html(report, title=self.title, lang=self.lang)
        return as_text(report, name=self.shown_name, width=self.width, colour=self.color)

    def of_row(self, row: Row) -> str:
        """Return what is written of a row at once; "" if it is on the page at the end."""
        if self.format == "html":
            return ""
        return self._of_bad_row(row) if row.report is None else self._of_good(row, row.report)

    def _of_bad_row(self, row: Row) -> str:
        from citemark.checks.reports import annotation, plain

        if self.format == "json":
            return json_line({"row": row.line, "id": row.id, "error": row.error})
        if self.format == "github":
            return annotation("error", row.error, "bad_row", file=self._file, line=row.line)
        return plain(f"{self.shown_name}, {row.name}: error bad_row: {row.error}")

    def _of_good(self, row: Row, report: Report) -> str:
        from citemark.checks import as_github, as_text

        if self.format == "json":
            return json_line({"row": row.line, "id": row.id, "report": report.to_dict()})
        if self.format == "github":
            return as_github(report, file=self._file, line=row.line, name=row.name)
        name = f"{self.shown_name}, {row.name}"
        return as_text(report, name=name, width=self.width, colour=self.color, figures=False)

    @property
    def _file(self) -> str | None:
        return None if self.name == STDIO else self.name


def json_line(value: dict[str, Any]) -> str:
    """Return strict JSON on one line."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
