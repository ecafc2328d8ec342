"""What all checks together find, and how bad it is."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from issue_codes import codes_in
from report_kit import ANSWER, SOURCES, Told, report

from citemark import Answer, Sources, cite
from citemark.checks import CODES, Finding, LexicalJudge, as_html, as_text, check
from citemark.checks.codes import NO_CITATION, kind_of
from citemark.checks.model import SEVERITIES

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "checks_report.md"


def codes(found):
    return [finding.code for finding in found.findings]


def marked(found):
    """Return what was found of which words."""
    text = found.answer.text
    return [(one.severity, one.code, text[one.start : one.end]) for one in found.findings]


def test_findings_are_in_order_of_position():
    """Each with the words that it is about."""
    assert marked(report(verdict="unsupported", reasons=("no word of it",))) == [
        ("warning", "unsupported", "It cost £412 [1]."),
        ("warning", "unsupported", "Boats “rot in salt water” [2]."),
        ("warning", "uncited", "Spring tides rise."),
        ("error", "cited_unresolved", "The moon pulls [9]."),
    ]


def test_finding_says_what_and_what_to_do():
    """The whole of one."""
    [found] = report("Tides rise. Boats rot [2].").findings
    meaning, mend = "This claim has no citation", "add a citation, or leave the claim out"
    assert found == Finding("warning", "uncited", 0, 11, meaning, mend)


@pytest.mark.parametrize(
    ("text", "given", "code"),
    [
        ("Tides rise.", 0, "nothing_to_cite"),
        ("Tides rise.", 3, "not_followed"),
        ("Tides rise [doc:9].", 3, "unknown_keys"),
    ],
)
def test_answer_without_citation_has_a_reason(text, given, code):
    """It is found of the answer as a whole."""
    found = report(text, Sources(SOURCES[:given]), given=True)
    [whole] = [one for one in found.findings if one.code in NO_CITATION.values()]
    assert (whole.code, whole.start, whole.end) == (code, 0, len(text))


def test_provider_without_data_is_told():
    """By the issue of an adapter."""
    stored = cite("Tides rise.", SOURCES).to_dict()
    issue = {"code": "no_sources", "message": "none", "start": 0, "end": 0, "key": ""}
    found = check(Answer.from_dict(stored | {"issues": [issue]}))
    assert codes(found) == ["no_sources", "no_provider_data"]


def test_nothing_is_found_of_what_is_right():
    """No finding, and no worst."""
    found = report("Boats “rot in salt water” [2].")
    assert (found.findings, found.worst) == ((), None)


@pytest.mark.parametrize(
    ("quote", "code"),
    [
        ("It cost £412 in all", "quote_altered"),
        ("Boats rot in salt water", "quote_misattributed"),
        ("The harbour was closed for a long winter", "quote_rejected"),
    ],
)
def test_false_quotes_are_errors(quote, code):
    """Of a quote that is not in the cited source."""
    found = report(f"They say “{quote}” [1].", Sources(SOURCES), given=True)
    assert [(one.severity, one.code) for one in found.findings] == [("error", code)]


def test_claim_is_unsupported_if_no_passage_supports_it():
    """One of several that does is enough."""

    class First:
        name = "first"

        def judge(self, pairs):
            verdicts = ("supported", "unsupported")
            return [Told(verdicts[at % 2]).judgement for at in range(len(pairs))]

    text = "Boats rot [1, 2]."
    assert codes(report(text, judge=First())) == ["extra_citation"]
    assert codes(report(text, verdict="unsupported")) == ["unsupported"]


def test_passages_may_support_a_claim_together():
    """What no passage says alone, and what they do not say together either."""
    built = {"id": "a", "text": "The quay was built in 1931."}
    mended = {"id": "b", "text": "The quay was mended in 1968."}
    text = "The quay was built in 1931 and mended in {} [1][2]."
    for year, expected in {"1968": [], "1986": ["unsupported"]}.items():
        found = check(cite(text.format(year), [built, mended]))
        assert [one.verdict for one in found.support] == ["unsupported"] * 2
        assert codes(found) == expected
        assert found.figures["unsupported"] == len(expected)
        assert [one.is_joint for one in found.by_claim] == [True]


def test_claims_are_counted_once():
    """Not once for each passage."""
    figures = report("Boats rot [1, 2]. It cost £4 [1].").figures
    assert (figures["supported"], figures["unsure"], figures["unsupported"]) == (2, 0, 0)


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("Nobody liked the colour", ("note", "few_shared_words")),
        ("It cost £412 in all", ("warning", "unsupported")),
    ],
)
def test_few_shared_words_are_a_note(claim, expected):
    """What a paraphrase has as well; another figure is more."""
    [found] = report(f"{claim} [1].", judge=LexicalJudge()).findings
    assert (found.severity, found.code) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It did not cost £421 in all [1, 2].", ["unsure"]),
        ("It cost £421 in all and was built of stone [1].", []),
        ("It cost £421 in all [1].", []),
        ("Tides rise at noon [3].", []),
    ],
)
def test_a_claim_that_something_speaks_against_is_told(text, expected):
    """A negation, say; not that words are missing, nor that there is no passage."""
    found = report(text, judge=LexicalJudge())
    assert [one.code for one in found.findings if one.code != "few_shared_words"] == expected


def test_a_judge_that_says_unsure_is_told_with_its_reason():
    """Whoever it is."""
    [found] = report("Boats rot [2].", verdict="unsure", reasons=("it may be so",)).findings
    assert (found.severity, found.code) == ("note", "unsure")
    assert found.message == f"{CODES['unsure'].meaning}: it may be so"


def test_extra_citations_are_told_one_by_one():
    """Each with the marker and the name of its source; a source without passage is none."""
    text = "The quay was built of oak [1, 2][3]. It cost £421 in all [2, 1]."
    found = report(text, judge=LexicalJudge()).findings
    assert [(one.severity, one.code, one.start) for one in found] == [
        ("note", "extra_citation", 0),
        ("note", "extra_citation", 37),
    ]
    assert [one.message.removeprefix(CODES["extra_citation"].meaning) for one in found] == [
        ": [2] Boats: 0 of its 3 words are in the passage",
        ": [2] Boats: the figure 421 is not in the passage",
    ]


def test_a_judge_that_fails_on_passages_together_is_told():
    """It did not say that the claim is unsupported."""

    class Once:
        name, batch = "once", 1

        def judge(self, pairs):
            if "\n\n" in pairs[0].premise:
                raise OSError
            return [Told("unsupported").judgement]

    found = report("Boats rot [1][2].", judge=Once())
    assert codes(found) == ["not_judged"]
    assert found.to_dict()["by_claim"][0]["outcome"] == "not_judged"


def test_true_claims_are_seldom_called_unsure():
    """Minimal pairs: none of those that are so, all negations of those that are not."""
    rows = (ROOT / "tests" / "corpora" / "support.jsonl").read_text("utf-8").splitlines()
    told = Counter()
    for row in map(json.loads, rows):
        found = check(cite(f"{row['claim']} [1]", [{"id": "a", "text": row["source"]}]))
        told[row["supported"], row["kind"]] += "unsure" in codes(found)
    assert {kind: n for (is_true, kind), n in told.items() if n and is_true} == {}
    assert told[False, "negation"] == 20
    assert told[False, "unrelated"] == 0


def test_support_may_be_left_out():
    """No judge is asked, and nothing is said of it."""

    class Never:
        name = "never"

        def judge(self, _):
            raise AssertionError

    found = report("Boats rot [2]. Nobody liked it [1].", judge=Never(), support=False)
    assert (found.support, found.by_claim, found.findings, found.judge) == ((), (), (), "")
    assert "support" not in as_text(found)
    assert "Support was judged" not in as_html(found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tides rise [9]. Boats rot [2].", ["cited_unresolved"]),
        ("Tides rise. [9] Boats rot [2].", ["cited_unresolved"]),
        ("Tides rise [9][8]. Boats rot [2].", ["cited_unresolved"]),
        ("Boats rot [2][9].", ["unresolved"]),
        ("Boats rot [2]. See [9].", ["unresolved"]),
    ],
)
def test_a_key_without_a_source_is_told_once(text, expected):
    """Of the claim, if it cites nothing else; of the marker, if it does."""
    assert codes(report(text)) == expected


def test_claims_that_could_not_be_cited_are_told_once():
    """There were no sources."""
    assert codes(report("Tides rise. Boats rot.", [], given=True)) == ["nothing_to_cite"]


def test_shown_as_counts():
    """In a debugger or a log, not as all that they hold."""
    found = report()
    assert repr(found) == "<Report: 2 of 4 claims cited (50 %), 1 error, 1 warning, 0 notes>"
    assert repr(found.coverage) == "<Coverage: 2 of 4 claims cited>"
    none = report("Tides rise.").coverage
    assert repr(none) == "<Coverage: 0 of 1 claims cited, not_followed>"


def test_quotes_that_cannot_be_looked_up_are_counted_apart():
    """They are not missing: there was nothing to look in."""
    text = "They say “the tide is high at noon today” [3], and “salt water” [2]."
    figures = report(text).figures
    assert (figures["quotes"], figures["verified"], figures["quotes_unknown"]) == (0, 0, 2)
    assert "quotes: 2 could not be checked" in as_text(report(text))


def test_judge_that_fails_is_a_note():
    """The claim is not called unsupported."""

    class Broken:
        name = "broken"

        def judge(self, _):
            raise OSError(5, "no route")

    [found] = report("Boats rot [2].", judge=Broken()).findings
    assert (found.severity, found.code) == ("note", "not_judged")
    assert found.message == "The judge failed: OSError: [Errno 5] no route"


def test_long_lists_in_messages_are_cut():
    """A claim may have thousands of unknown keys, each as long as it likes."""
    keys = "".join(f"[doc:{'x' * 150}{n}]" for n in range(40))
    [found] = [one for one in report(f"Tides rise {keys}.").findings if one.code[0] == "c"]
    assert len(found.message) < 600
    assert found.message.endswith("and 35 more")


def test_paragraph_scope_is_told():
    """A later citation covers what stands before it."""
    text = "Tides rise. Boats rot [2]."
    strict, wide = report(text), report(text, scope="paragraph")
    assert (strict.scope, codes(strict)) == ("strict", ["uncited"])
    assert (wide.scope, codes(wide)) == ("paragraph", [])


def test_at_least_counts_from_the_worst():
    """What ``--fail-on`` asks for."""
    found = report()
    found_at = {level: {one.severity for one in found.at_least(level)} for level in SEVERITIES}
    assert found_at["error"] == {"error"}
    assert found_at["note"] == {"error", "warning"} == found_at["warning"]
    assert found.worst == "error"


def test_dictionary_is_the_whole_report():
    """Positions in code points, lines and columns from 1."""
    text = "Tides rise.\r\nBoats “rot in salt water” [2]."
    found = report(text).to_dict()
    assert found == {
        "version": 1,
        "judge": "told",
        "scope": "strict",
        "worst": "warning",
        "figures": {
            "claims": 2,
            "cited": 1,
            "coverage": 0.5,
            "no_citation": None,
            "quotes": 1,
            "verified": 1,
            "false_quotes": 0,
            "quotes_unknown": 0,
            "supported": 1,
            "unsure": 0,
            "unsupported": 0,
            "errors": 0,
            "warnings": 1,
            "notes": 0,
        },
        "findings": [
            {
                "severity": "warning",
                "code": "uncited",
                "start": 0,
                "end": 11,
                "message": "This claim has no citation",
                "mend": "add a citation, or leave the claim out",
                "line": 1,
                "column": 1,
            }
        ],
        "sentences": [
            {
                "start": 0,
                "end": 11,
                "text": "Tides rise.",
                "role": "claim",
                "unit": "sentence",
                "block": 0,
                "cites": [],
                "unresolved": [],
            },
            {
                "start": 13,
                "end": 43,
                "text": "Boats “rot in salt water”.",
                "role": "claim",
                "unit": "sentence",
                "block": 0,
                "cites": ["boats"],
                "unresolved": [],
            },
        ],
        "quotes": [
            {
                "quote": "rot in salt water",
                "verdict": "verified",
                "start": 20,
                "end": 37,
                "number": 1,
                "source": "boats",
                "found_in": "boats",
                "spans": [[6, 23]],
                "score": None,
                "reason": "",
            }
        ],
        "support": [
            {
                "start": 13,
                "end": 43,
                "number": 1,
                "source": "boats",
                "verdict": "supported",
                "outcome": "supported",
                "score": 0.5,
                "window": None,
                "reasons": [],
                "is_hint": False,
            }
        ],
        "by_claim": [
            {
                "start": 13,
                "end": 43,
                "verdict": "supported",
                "outcome": "supported",
                "is_joint": False,
                "is_hint": False,
                "reasons": [],
            }
        ],
        "sources": [{"number": 1, "id": "boats", "title": "Boats"}],
    }


def test_dictionary_is_strict_json():
    """Whatever a source holds, and without private metadata."""
    hostile = {"id": "\ud800", "title": "\x00<b>", "score": float("nan"), "text": "Tides."}
    found = report("Tides [1].", [hostile | {"path": "/srv/secret"}]).to_dict()
    text = json.dumps(found, allow_nan=False)
    assert json.loads(text) == found
    assert "secret" not in text


def rows(heading):
    part = PAGE.read_text("utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return {
        row[0].strip("` "): [cell.strip() for cell in row[1:]]
        for line in part.splitlines()
        if line.startswith("| `")
        for row in [line.strip("|").split("|")]
    }


def test_table_of_the_docs_is_that_of_the_code():
    """Code, severity, meaning and mend."""
    assert rows("Findings") == {
        code: [kind.severity, f"{kind.meaning}.", f"{kind.mend[0].upper()}{kind.mend[1:]}."]
        for code, kind in CODES.items()
    }


def test_codes_are_not_those_of_issues():
    """But for the one that is more than a note: a code has one meaning."""
    assert CODES.keys() & codes_in(ROOT / "src" / "citemark") == {"unresolved"}
    assert kind_of("span_shifted").severity == "note"
    assert all(re.fullmatch("[a-z]+(_[a-z]+)*", code) for code in CODES)


def test_every_figure_is_explained():
    """The page has a row for each."""
    assert list(rows("Data")) == list(report(ANSWER).figures)
