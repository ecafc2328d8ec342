"""CSV of an answer: rows that a spreadsheet reads as they are, and never as formulas."""

from __future__ import annotations

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import SOURCES, TEXTS

from citemark import Source, cite, render
from citemark.errors import RendererOptionError
from citemark.renderers.csv import COLUMNS, CsvRenderer

FORMULA = re.compile(r"[\s\x00]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]")


def rows(text: str, *sources: Source, **options: str) -> list[list[str]]:
    """Return the rows of an answer, less the header."""
    rendered = render(cite(text, sources), "csv", **options)
    header, *others = csv.reader(io.StringIO(rendered, newline=""), delimiter=",")
    assert header == list(COLUMNS)
    return others


def test_rows() -> None:
    """Each citation is a row; what names no source has no number."""
    shown = ["pol", "Refunds", "https://example.org/r", "3", "5 days."]
    pol = Source("pol", title="Refunds", url="https://example.org/r", page=3, text="5 days.")

    assert rows("Five [1]. Six [1][doc:x].", pol, Source("b", url="javascript:x")) == [
        ["1", "1", "[1]", "5", "8", "1", *shown],
        ["1", "2", "[1]", "14", "17", "1", *shown],
        ["", "0", "[doc:x]", "17", "24", "x", "", "", "", "", ""],
    ]


@pytest.mark.parametrize(
    "title",
    ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\r=1", "\uff1d1", "\u200b=1", "\x00=1"],
)
def test_no_formula(title: str) -> None:
    """A text that begins like one gets an apostrophe, whatever unseen stands before it."""
    [row] = rows("a [1]", Source("s", title=title))

    assert row[7].startswith("'") or not FORMULA.match(row[7])


def test_quotes_and_lines() -> None:
    """Quotes are doubled, lines joined, and a row ends as RFC 4180 has it."""
    answer = cite("a [1]", [Source("s", title='a "b",\nc;d')])

    assert render(answer, "csv").split("\r\n")[1].split(",", 7)[7] == '"a ""b"", c;d","","",""'
    assert '1;1;"[1]";2;5;' in render(answer, "csv", delimiter=";")


@pytest.mark.parametrize("page", [10**20, True, 1.5, None, "iv"])
def test_pages(page: object) -> None:
    """A page is a number that a spreadsheet can keep, or a text."""
    [row] = rows("a [1]", Source("s", page=page))  # type: ignore[arg-type]

    assert row[9] == ("iv" if page == "iv" else "")


@pytest.mark.parametrize("delimiter", ["|", "", None, ",,"])
def test_bad_delimiter(delimiter: object) -> None:
    """Only what spreadsheets read parts cells."""
    with pytest.raises(RendererOptionError, match="delimiter"):
        CsvRenderer(delimiter=delimiter)  # type: ignore[arg-type]


@given(TEXTS, SOURCES, st.sampled_from([",", ";", "\t"]))
def test_any_answer(text: str, sources: object, delimiter: str) -> None:
    """Every row has every cell, none is a formula, and all of it can be encoded."""
    rendered = render(cite(text, sources), "csv", delimiter=delimiter)  # type: ignore[arg-type]
    table = list(csv.reader(io.StringIO(rendered, newline=""), delimiter=delimiter))

    rendered.encode()
    assert {len(row) for row in table} == {len(COLUMNS)}
    assert not [cell for row in table for cell in row if FORMULA.match(cell)]
