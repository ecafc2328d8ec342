"""Quotes take a time that grows with the length of answer and passage, and not faster."""

from __future__ import annotations

import gc
import time

import pytest

from citemark import cite
from citemark._quotes import Folded, find_quotations, forget_passages
from citemark.checks.quotes import verify_quote, verify_quotes

GROWTH = 30
"""Most times as long for ten times as much: 100 is quadratic, and other work disturbs."""

FLOOR = 0.05
"""Seconds under which clocks say nothing."""

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
    "\n> ", "5 ", "five ", "en ", "二", "ยี่",
)  # fmt: skip


def seconds(work):
    gc.collect()
    forget_passages()
    start = time.process_time()
    work()
    return time.process_time() - start


@pytest.mark.parametrize("name", ANSWERS)
def test_answers(name):
    """Ten times as many quotes take ten times as long."""
    sources = [{"id": "a", "text": MINUTES * 20}]
    short, long = (cite(ANSWERS[name] * n + "[1]", sources) for n in (100, 1_000))
    least = min(seconds(lambda: verify_quotes(short)) for _ in range(2))
    assert seconds(lambda: verify_quotes(long)) <= GROWTH * max(least, FLOOR / GROWTH)


@pytest.mark.parametrize("unit", ["ab ", "1 2 3 ", "a-b-", "the cat ", "二三"])
def test_nearly_there(unit):
    """A quote that fails at its end does not stall where each place is as good as another."""
    short, long = (unit * (size // len(unit)) for size in (1_500, 15_000))
    passage = unit * (20_000 // len(unit))
    least = min(seconds(lambda: verify_quote(f"{short} zz zz", passage)) for _ in range(2))
    assert seconds(lambda: verify_quote(f"{long} zz zz", passage)) <= GROWTH * max(
        least, FLOOR / GROWTH
    )


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
        least = min(seconds(lambda work=work: work(short)) for _ in range(2))
        assert seconds(lambda work=work: work(long)) <= GROWTH * max(least, FLOOR / GROWTH)
