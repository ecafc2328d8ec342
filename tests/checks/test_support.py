"""Support of the claims of an answer: pairs, missing passages, failures, sync and async."""

from __future__ import annotations

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from citemark import cite
from citemark.checks import (
    AsyncScoreJudge,
    Hearing,
    Judgement,
    ScoreJudge,
    check,
    support,
    support_later,
)

SOURCES = [
    {"id": "minutes", "text": "The board met on 12 March. The quay cost £412,000."},
    {"id": "empty"},
    {"id": "report", "text": "Müller calls the work a success."},
]
ANSWER = cite(
    "# The quay [1]\n\nThe quay cost £421,000 [1][2]. Müller calls the work a success [3]. "
    "Why? The board met [9]. Boats rot.",
    SOURCES,
)


def test_each_claim_with_each_passage():
    """In order; what has no passage is unsure, what has no source is not judged."""
    found = support(ANSWER)
    assert [(one.claim.text, one.citation.number, one.verdict) for one in found] == [
        ("The quay cost £421,000.", 1, "unsupported"),
        ("The quay cost £421,000.", 2, "unsure"),
        ("Müller calls the work a success.", 3, "supported"),
    ]
    assert found[0].reasons == ("the figure 421,000 is not in the passage",)
    assert found[1].reasons == ("the source has no passage",)
    assert (found[1].score, found[1].failed) == (None, False)
    assert [SOURCES[at]["text"][slice(*found[at].window)] for at in (0, 2)] == [
        "The quay cost £412,000.",
        "Müller calls the work a success.",
    ]


def test_same_passage_is_judged_once():
    """However often it occurs; nothing is asked of an answer that cites nothing."""
    asked = []

    def score(pairs):
        asked.append([*pairs])
        return [1] * len(pairs)

    judge = ScoreJudge("s", score)
    text = "Boats rot [3]. Boats rot [3]. Boats rot [3, 1]."
    assert [one.score for one in support(cite(text, SOURCES), judge=judge)] == [1] * 4
    assert [len(call) for call in asked] == [2]
    assert support(cite("Boats rot.", SOURCES), judge=judge) == ()
    assert len(asked) == 1


def test_a_judge_that_fails_is_a_finding():
    """One note a claim, and no claim is called unsupported for it."""

    class Broken:
        name = "broken"

        def judge(self, pairs):
            raise ConnectionError(len(pairs))

    report = check(ANSWER, judge=Broken())
    assert {one.verdict for one in report.support} == {"unsure"}
    codes = [finding.code for finding in report.findings]
    assert codes.count("not_judged") == 2
    assert "unsupported" not in codes


def test_a_reason_of_a_model_is_no_failure():
    """A model that writes as failures read hides nothing."""

    class Sly:
        name = "sly"

        def judge(self, pairs):
            said = Judgement("unsupported", None, None, ("the judge is out of budget",))
            return [said for _ in pairs]

    answer = cite("Boats rot [1].", SOURCES)
    assert [one.code for one in check(answer, judge=Sly()).findings] == ["unsupported"]


def test_many_citations_and_long_claims():
    """A thousand citations and claims of 10,000 words are judged like any other."""
    sources = [{"id": f"s{n}", "text": f"Quay {n} is wet."} for n in range(1, 1_001)]
    text = " ".join(f"Quay {n} is wet [{n}]." for n in range(1, 1_001))
    found = support(cite(text, sources))
    assert [one.verdict for one in found] == ["supported"] * 1_000
    long = "Quay 1 is wet " + "and damp " * 10_000 + "[1]."
    assert len(support(cite(long, sources))) == 1


WORDS = st.lists(
    st.sampled_from(
        ["The quay", " cost 4", "12", " [1]", "[2][3]", ". ", "\n\n", "- ", "不", "\ud800"]
    )
)  # fmt: skip


@given(WORDS.map("".join), WORDS.map("".join))
def test_now_and_later_are_the_same(text, passage):
    """Nothing raises, whatever answers and passages hold."""

    def score(pairs):
        return [len(pair.claim) % 11 / 10 for pair in pairs]

    async def later(pairs):
        return score(pairs)

    answer = cite(text, [{"id": "a", "text": passage}, {"id": "b", "text": text}, {"id": "c"}])
    found = support(answer, judge=ScoreJudge("s", score))
    hearing = Hearing(batch=1, concurrent=3)
    judge = AsyncScoreJudge("s", later)
    assert asyncio.run(support_later(answer, judge, hearing=hearing)) == found
    assert len(support(answer)) == len(found)
