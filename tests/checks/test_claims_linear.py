"""Claims are found in time that grows with the answer, and not faster."""

from __future__ import annotations

import pytest
from test_linear_time import assert_linear

from citemark import cite
from citemark.checks import coverage, split_sentences

SIZE = 100_000
SOURCES = [{"id": "a", "title": "A"}, {"id": "b", "title": "B"}]
UNITS = (
    "a. ", ".", "?! ", "[1] ", "Mr. ", "J. ", "* ", "- a\n", "| a ", "|\n", "> ", "(", "“",
    '"', "“a.” ", "i do not ", "sorry, ", "the sources ", "x\n", "# ", "**", "** a", "a [1]. ",
    "。", "「a。」", "1. ", "…", "`a. ", "$a. ", "[a](", "\ud800. ", "a: ",
    '<cite id="a">a. ',    "न. ", "a.b.", "Sources:\n[1] a\n\n", "Table 1. ",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS)
def test_coverage_is_linear(unit):
    """Ten times the text takes about ten times as long, whatever is repeated."""
    assert_linear(
        lambda text: coverage(cite(text, SOURCES)),
        lambda size: (unit * (size // len(unit) + 1))[:size],
        SIZE,
        growth=20,
    )


@pytest.mark.slow
def test_wide_spans_are_linear():
    """Tags that cover many sentences take time for what they cover once."""
    assert_linear(
        lambda text: coverage(cite(text, SOURCES)),
        lambda size: '<cite id="a">' + "It rains. " * (size // 20) + "</cite> It pours." * 9,
        SIZE,
    )


def test_long_answers():
    """An answer of five thousand sentences gives five thousand."""
    answer = cite("It rains [1]. It pours. " * 2_500, SOURCES)
    found = coverage(answer)
    assert (len(found.cited), len(found.uncited)) == (2_500, 2_500)
    assert len(split_sentences("It rains. " * 5_000)) == 5_000
