"""Claims are found in time that grows with the answer, and not faster."""

from __future__ import annotations

from functools import partial

import pytest
from growth_kit import assert_linear

from citemark import cite
from citemark.checks import coverage, split_sentences

SIZE = 10_000
SOURCES = [{"id": "a", "title": "A"}, {"id": "b", "title": "B"}]
UNITS = (
    "a. ", ".", "?! ", "[1] ", "Mr. ", "J. ", "* ", "- a\n", "| a ", "|\n", "> ", "(", "“",
    '"', "“a.” ", "i do not ", "sorry, ", "the sources ", "x\n", "# ", "**", "** a", "a [1]. ",
    "。", "「a。」", "1. ", "…", "`a. ", "$a. ", "[a](", "\ud800. ", "a: ",
    '<cite id="a">a. ',    "न. ", "a.b.", "Sources:\n[1] a\n\n", "Table 1. ",
    "• a\n", "– a\n", "a. b\n", "A b\nC d\n", "A: b\n", "[1]\n", "a  \n", "a <br>", "<li>a",
    "<!-- ", "&nbsp;", "| a<br>b ", "Sources\n\na b. ", "i don't know, and ", "see [1] and `",
    "please note, ", "[!a]\n", "Here is a list, the ",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS)
def test_coverage_is_linear(unit):
    """Ten times the text takes about ten times as long, whatever is repeated."""
    texts = [(unit * (size // len(unit) + 1))[:size] for size in (SIZE, 10 * SIZE)]
    answers = [cite(text, SOURCES) for text in texts]
    assert_linear(*(partial(coverage, answer) for answer in answers))


@pytest.mark.slow
def test_wide_spans_are_linear():
    """Tags that cover many sentences take time for what they cover once."""
    texts = [
        '<cite id="a">' + "It rains. " * (size // 20) + "</cite> It pours." * 9
        for size in (SIZE, 10 * SIZE)
    ]
    answers = [cite(text, SOURCES) for text in texts]
    assert_linear(*(partial(coverage, answer) for answer in answers))


def test_long_answers():
    """An answer of five thousand sentences gives five thousand."""
    answer = cite("It rains [1]. It pours. " * 2_500, SOURCES)
    found = coverage(answer)
    assert (len(found.cited), len(found.uncited)) == (2_500, 2_500)
    assert len(split_sentences("It rains. " * 5_000)) == 5_000
