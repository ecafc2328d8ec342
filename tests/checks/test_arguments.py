"""What is no answer, and no text, is refused at once, with an error of our own."""

from __future__ import annotations

import asyncio

import pytest

from citemark import CitemarkError
from citemark.checks import (
    LexicalJudge,
    check,
    claims,
    coverage,
    metrics,
    sentences,
    split_sentences,
    support,
    support_later,
    verify_quote,
    verify_quotes,
)
from citemark.errors import NotAnAnswerError, TextTypeError


def later(answer):
    return asyncio.run(support_later(answer, LexicalJudge()))


OF_ANSWERS = (check, claims, coverage, metrics, sentences, support, later, verify_quotes)
OF_TEXTS = (
    split_sentences,
    lambda text: verify_quote(text, "It voted."),
    lambda text: verify_quote("It voted.", text),
)


@pytest.mark.parametrize("value", ["It voted [1].", "", {"text": "It voted."}, None, 5])
@pytest.mark.parametrize("work", OF_ANSWERS, ids=lambda work: work.__name__)
def test_no_answer(work, value):
    """A text in place of an answer is the commonest slip; the message says what to do."""
    with pytest.raises(NotAnAnswerError, match=r"cite\(text, sources\)") as caught:
        work(value)
    assert isinstance(caught.value, CitemarkError)
    assert isinstance(caught.value, TypeError)


def test_no_answer_among_answers():
    """One of many is refused as one alone."""
    with pytest.raises(NotAnAnswerError, match="not str"):
        metrics(["It voted [1]."])


@pytest.mark.parametrize("value", [b"It voted.", None, 5])
@pytest.mark.parametrize("work", OF_TEXTS)
def test_no_text(work, value):
    """Bytes, numbers and nothing are no texts."""
    with pytest.raises(TextTypeError):
        work(value)
