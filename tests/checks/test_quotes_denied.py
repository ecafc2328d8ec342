"""Quotes that stand in a passage which denies them: told, unless the answer denies them too."""

from __future__ import annotations

import pytest

from citemark import cite
from citemark.checks import check
from citemark.checks.quotes import verify_quote
from citemark.errors import RequirementError

LEASE = [
    {
        "id": "lease",
        "text": "Under clause 9, the landlord is not permitted to terminate this lease. "
        "He is not only permitted to enter at will, but to stay.",
    }
]


def codes(text):
    findings = check(cite(text, LEASE), support=False).findings
    return [(one.severity, one.code) for one in findings if one.code.startswith("quote_")]


@pytest.mark.parametrize(
    "text",
    [
        'The landlord is "permitted to terminate this lease" [1].',
        "The landlord is “permitted to … this lease” [1].",
        "The lease says [1]:\n\n> permitted to terminate this lease\n",
    ],
)
def test_denied_in_the_passage(text):
    """What is quoted without its negation is a warning."""
    assert codes(text) == [("warning", "quote_denied")]


@pytest.mark.parametrize(
    "text",
    [
        'The landlord is not "permitted to terminate this lease" [1].',
        "He is by no means “permitted to terminate this lease” [1].",
        'He is "permitted to enter at will" [1].',
        'He is "not permitted to terminate this lease" [1].',
    ],
)
def test_denied_in_the_answer_too(text):
    """An answer that denies it says what the passage says; "not only" denies nothing."""
    assert codes(text) == []


def test_gate():
    """A denied quote does not pass a gate that lets no warning pass."""
    answer = cite('The landlord is "permitted to terminate this lease" [1].', LEASE)
    with pytest.raises(RequirementError):
        answer.require(fail_on="warning")


def test_place_that_is_not_denied():
    """Of several places the first one counts that nothing denies."""
    passage = "It is not safe for all of us. Now it is safe for all of us."
    found = verify_quote("safe for all of us", passage)
    assert (found.verdict, found.spans, found.reason) == ("verified", ((40, 58),), "")


def test_unit_of_another_place():
    """Of several places the one counts that has the units of the quote."""
    passage = "A power of 5 mW is low. A power of 5 MW is high."
    assert verify_quote("power of 5 MW", passage).spans == ((26, 39),)
