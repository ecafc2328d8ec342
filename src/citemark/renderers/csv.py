"""CSV: one row a citation, for spreadsheets and for whoever counts citations with one.

A spreadsheet runs a cell that begins like a formula, so a text that does gets an apostrophe in
front, which spreadsheets do not show.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Final

import regex

from citemark.errors import RendererOptionError
from citemark.model import CitationSegment
from citemark.renderers._allowance import Allowance
from citemark.renderers._display import cut, one_line, passage_of, title_of
from citemark.renderers._urls import safe_url

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citemark.answer import Answer
    from citemark.model import Citation, Marker, Source

__all__ = ["COLUMNS", "CsvRenderer", "harmless"]

COLUMNS: Final = (
    "number", "occurrence", "marker", "start", "end", "key", "source", "title", "url", "page",
    "passage",
)  # fmt: skip
"""Names of the columns, the first row."""

DELIMITERS: Final = (",", ";", "\t")
"""What spreadsheets read: the semicolon where numbers have commas."""

MAX_TEXT: Final = 2_048
"""Code points of a cell: what a URL may have."""

MAX_INTEGER: Final = 2**53 - 1
"""The greatest integer that spreadsheets keep as it is."""

# Full-width signs are formulas to some.  What a delimiter of another country would make a cell
# of its own stands in quotes, as all texts do.
_FORMULA: Final = regex.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]")


class CsvRenderer:
    """Render the citations of an answer as a CSV table with a header row (RFC 4180).

    Texts are quoted and on one line; URLs that are not safe are left out, and so is metadata.
    Once a million code points were told again, the title, URL and passage of a source, and the
    marker of several citations, stand in the first row of each alone.
    Save it with the encoding ``utf-8-sig`` for Excel, which misreads other files.

    Args:
        delimiter: Between cells: a comma, a semicolon or a tab.

    Raises:
        RendererOptionError: The delimiter is none of these.
    """

    name: Final = "csv"

    def __init__(self, *, delimiter: str = ",") -> None:
        """Check and keep the options."""
        if delimiter not in DELIMITERS:
            raise RendererOptionError("delimiter", f"no comma, semicolon or tab: {delimiter!r}")  # noqa: EM101  not a message
        self._delimiter = delimiter

    def render(self, answer: Answer) -> str:
        """Return the header and one row a citation, in the order of the answer."""
        table = io.StringIO()
        rows = csv.writer(table, delimiter=self._delimiter, quoting=csv.QUOTE_NONNUMERIC)
        rows.writerow(COLUMNS)
        again = Allowance()
        rows.writerows(_cells(marker, citation, again) for marker, citation in _rows(answer))
        return table.getvalue()


def _rows(answer: Answer) -> Iterator[tuple[Marker, Citation]]:
    for segment in answer.segments:
        if isinstance(segment, CitationSegment):
            for citation in segment.citations:
                yield segment.marker, citation


def _cells(marker: Marker, citation: Citation, again: Allowance) -> list[str | int]:
    source, raw = citation.source, _text(marker.raw)
    told = ["", "", ""] if source is None else _told(source)
    return [
        "" if citation.number is None else citation.number,
        citation.occurrence,
        raw if again.allows(marker, len(raw)) else "",
        marker.start,
        marker.end,
        _text(citation.key),
        _text("" if source is None else source.id),
        *(told[:2] if (is_told := again.allows(source, sum(map(len, told)))) else ["", ""]),
        _page(None if source is None else source.page),
        told[2] if is_told else "",
    ]


def _told(source: Source) -> list[str]:
    """Return title, URL and passage: what may be long."""
    return [_text(title_of(source)), _text(safe_url(source.url)), _text(passage_of(source))]


def _text(value: object) -> str:
    """Return a text as a cell that is no formula; "" for what is no text."""
    line = cut(one_line(value), MAX_TEXT) if isinstance(value, str) else ""
    return harmless(line)


def harmless(text: str) -> str:
    """Return a text as a cell that no spreadsheet runs: an apostrophe before a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def _page(value: object) -> str | int:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if is_number and abs(value) <= MAX_INTEGER else _text(value)  # type: ignore[return-value, arg-type]
