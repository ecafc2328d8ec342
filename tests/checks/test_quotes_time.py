"""Quotes take a time that grows with the length of answer and passage, and not faster."""

from __future__ import annotations

import pytest
from growth_kit import assert_linear

from citemark import cite
from citemark._quotes import Folded, find_quotations, forget_passages
from citemark.checks.quotes import verify_quote, verify_quotes

MINUTES = "The harbour board voted, by nine to four, to dredge the main channel. "

ANSWERS = {
    "quotes": '“voted, by nine to four” [1] and "by ten to four" [1].\n\n',
    "one paragraph": "“voted, by nine to four” and on ",
    "block quotes": "> voted, by ten to four [1]\n\n",
    "one block quote": "> voted, by ten to four [1]\n",
    "sentences": "He said “no such thing here” in all. ",
}
UNITS = (
    '"a ', "“", "‘a’b ", "«a» ", "> ", "> a\n> — ", '`"` ', "„a", "e\u0301", "- ", "a-\nb ",
    "… ", "*a", "_", " \n", "[x] ", "not ", "the ", "1,", "港口", "\u00ad\n", "ﷺ",
    "a" + "\u0301" * 99, "\ud800", ". . .", "' ", "'a ", "“a”", '("a" ', "&quot;", "<q>",
    "\n> ", "5 ", "five ", "en ", "二", "ยี่", '“a" ', "``a b ", "''a b ", "<blockquote>",
    "5 mW ", '5" ', "!a ", "A- ",
)  # fmt: skip


def afresh(work, *args):
    """Return a call that finds no text of an earlier one."""

    def run():
        forget_passages()
        work(*args)

    return run


@pytest.mark.parametrize("name", ANSWERS)
def test_answers(name):
    """Ten times as many quotes take ten times as long."""
    sources = [{"id": "a", "text": MINUTES * 20}]
    short, long = (cite(ANSWERS[name] * n + "[1]", sources) for n in (100, 1_000))
    assert_linear(afresh(verify_quotes, short), afresh(verify_quotes, long))


@pytest.mark.parametrize("unit", ["ab ", "1 2 3 ", "a-b-", "the cat ", "二三"])
def test_nearly_there(unit):
    """A quote that fails at its end does not stall where each place is as good as another."""
    short, long = (unit * (size // len(unit)) for size in (1_500, 15_000))
    passage = unit * (20_000 // len(unit))
    assert_linear(*(afresh(verify_quote, f"{quote} zz zz", passage) for quote in (short, long)))


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS)
def test_texts(unit):
    """As an answer, as a passage and as a quote, long texts made of one thing do not stall."""
    short, long = (unit * (size // len(unit)) for size in (10_000, 100_000))
    for work in (
        Folded,
        find_quotations,
        lambda text: verify_quote("voted, by ten to four … to dredge", text),
        lambda text: verify_quote(text, MINUTES * 20 + text[:1_000]),
    ):
        assert_linear(afresh(work, short), afresh(work, long))
