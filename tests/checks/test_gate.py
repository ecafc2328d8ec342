"""Answers that are blocked before anybody sees them."""

from __future__ import annotations

import pickle

import pytest

from citemark import CitemarkError, cite
from citemark.checks import CODES, ScoreJudge
from citemark.errors import RequirementError

SOURCES = [
    {"id": "quay", "text": "The old quay was built of oak. It cost £421 in all."},
    {"id": "boats", "text": "Boats rot in salt water."},
]


def refused(text, **asked):
    with pytest.raises(RequirementError) as caught:
        cite(text, SOURCES).require(**asked)
    error = caught.value
    return error.reasons, [(one.code, one.start, one.end) for one in error.findings]


@pytest.mark.parametrize(
    ("text", "asked", "reason", "findings"),
    [
        ("Boats rot [2]. Tides rise.", {"coverage": 0.9},
         "coverage: 50 % (1 of 2 claims cited), at least 90 %", [("uncited", 15, 26)]),
        ("Tides rise.", {"coverage": 0.01},
         "coverage: 0 % (0 of 1 claims cited), at least 1 %",
         [("not_followed", 0, 11), ("uncited", 0, 11)]),
        ("Boats rot [2]. Tides rise [9][7].", {"unresolved": 1},
         "unresolved keys: 2 ('9', '7'), at most 1", [("cited_unresolved", 15, 33)]),
        ("Boats rot [2][9].", {"unresolved": 0},
         "unresolved keys: 1 ('9'), at most 0", [("unresolved", 13, 16)]),
        ("It cost “£412 in all” [1].", {"false_quotes": 0},
         "quotes that do not stand in their source: 1, at most 0", [("quote_altered", 9, 20)]),
        ("It cost £412 [1].", {"unsupported": 0},
         "claims that are not supported, or not judged: 1, at most 0",
         [("unsupported", 0, 17)]),
        ("Boats rot [2]. Tides rise.", {"fail_on": "warning"},
         "findings of severity 'warning', or worse: 1, at most 0", [("uncited", 15, 26)]),
    ],
)  # fmt: skip
def test_what_is_missing_is_told(text, asked, reason, findings):
    """The reason, with the findings that it is made of, and no others."""
    assert refused(text, **asked) == ((reason,), findings)


def test_unsure_claims_may_be_refused():
    """And with them those of which a judge that fails says nothing."""
    text = "It did not cost £421 in all [1]. Boats rot in salt water [2]."
    reason = "claims that the judge is not sure of, or not judged: 1, at most 0"
    assert refused(text, unsure=0) == ((reason,), [("unsure", 0, 32)])
    answer = cite(text, SOURCES)
    assert answer.require(unsure=1) is answer
    assert answer.require(unsupported=0) is answer

    def down(_pairs):
        raise OSError

    down_told = refused("Boats rot [2].", unsure=0, judge=ScoreJudge("down", down))
    assert down_told[1] == [("not_judged", 0, 14)]


def test_message_has_lines_words_and_whole_reasons():
    """A claim is cut at a word, a reason is not."""
    long = "and it was said to be so by all eyewitnesses who were there on the day"
    with pytest.raises(RequirementError) as caught:
        cite(f"Boats rot [2].\n\nIt cost £5, {long} [1]. Tides.", SOURCES).require(
            unsupported=0, coverage=1
        )
    why = f"{CODES['unsupported'].meaning}: the figure 5 is not in the passage:"
    assert str(caught.value).splitlines()[1:] == [
        f"- 3:1 unsupported: {why} “It cost £5, and it was said to be so by all eyewitnesses…”",
        "- 3:89 uncited: This claim has no citation: “Tides.”",
    ]
    told = r"\n- 1:1 not_followed: [^“]*\n- 1:1 uncited: .*“Tides rise.”"
    with pytest.raises(RequirementError, match=told):
        cite("Tides rise.", SOURCES).require(coverage=1)


def test_all_that_is_missing_is_told_at_once():
    """In one error, whose text has each finding once."""
    reasons, findings = refused("Tides rise [9]. It rains.", coverage=1, unresolved=0)
    assert len(reasons) == 2
    assert sorted({code for code, _, _ in findings}) == [
        "cited_unresolved", "uncited", "unknown_keys",
    ]  # fmt: skip
    assert len(set(findings)) == len(findings)


@pytest.mark.parametrize(
    "asked",
    [{"coverage": 0.5}, {"unresolved": 1}, {"false_quotes": 1}, {"unsupported": 1},
     {"coverage": 0.5, "unresolved": 1, "false_quotes": 1, "unsupported": 1},
     {"coverage": 1, "scope": "paragraph", "unresolved": 1}],
)  # fmt: skip
def test_an_answer_that_is_good_enough_is_returned(asked):
    """What is asked for is enough; it may be exactly met."""
    answer = cite("Tides rise. It cost “£412 in all” [1][9].", SOURCES)
    assert answer.require(**asked) is answer


@pytest.mark.parametrize("text", ["", "I don’t know.", "# Quays\n\n```\nx[1]\n```"])
def test_an_answer_without_a_claim_passes(text):
    """It says nothing that could be cited."""
    answer = cite(text, SOURCES)
    assert answer.require(coverage=1, unresolved=0, unsupported=0, false_quotes=0) is answer


def test_a_judge_that_fails_lets_nothing_pass():
    """Nobody stands for the claim."""

    def down(_pairs):
        raise OSError

    assert refused("Boats rot [2].", unsupported=0, judge=ScoreJudge("down", down)) == (
        ("claims that are not supported, or not judged: 1, at most 0",),
        [("not_judged", 0, 14)],
    )


def test_sources_that_were_given_are_looked_at():
    """A quote of another source is misattributed then."""
    text = "They say “boats rot in salt water” [1]."
    reasons, findings = refused(text, false_quotes=0, sources=SOURCES)
    assert findings == [("quote_misattributed", 10, 33)]
    assert len(reasons) == 1


@pytest.mark.parametrize(
    "asked",
    [{}, {"sources": []}, {"coverage": 90}, {"coverage": -0.1}, {"coverage": float("nan")},
     {"coverage": True}, {"coverage": "0.9"}, {"unresolved": -1}, {"unresolved": 0.5},
     {"unresolved": False}, {"false_quotes": "0"}, {"unsupported": -1}, {"unsure": 0.5},
     {"fail_on": "fatal"}],
)  # fmt: skip
def test_mistakes_of_the_caller(asked):
    """Nothing that would let all answers pass, or none, is taken."""
    with pytest.raises(CitemarkError, match=r"expected|nothing is asked for") as caught:
        cite("Tides rise.", SOURCES).require(**asked)
    assert not isinstance(caught.value, RequirementError)


def test_an_option_that_is_none():
    """As with any function."""
    with pytest.raises(TypeError, match="covrage"):
        cite("Tides rise.", SOURCES).require(covrage=1)


def test_the_error_stays_short_and_can_be_pickled():
    """Whatever a model writes."""
    text = " ".join(f"Tides rise [{'9' * 40}{n}]." for n in range(500))
    with pytest.raises(RequirementError) as caught:
        cite(text, SOURCES).require(coverage=1, unresolved=0)
    assert len(str(caught.value)) < 6_000
    copy = pickle.loads(pickle.dumps(caught.value))  # noqa: S301  what we wrote
    assert (str(copy), copy.findings) == (str(caught.value), caught.value.findings)
