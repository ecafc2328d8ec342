"""Figures over many reports."""

from __future__ import annotations

import json

import pytest
from report_kit import SOURCES, report

from citemark import Sources
from citemark.checks import Summary
from citemark.checks.reports import _source_counts
from citemark.checks.reports._shares import step_of


def added(*texts, **options):
    found = Summary(sections=0)
    found.give(Sources(SOURCES))
    for text in texts:
        found.add(report(text, **options))
    return found


def test_summary_adds_up():
    """Totals, shares over all claims and over the answers, and what was cited how often."""
    found = added("Boats rot [2]. They “rot in salt water” [2].", "Tides. Fish [1].", "Why?")
    found.add_error("row 4", "is\nno JSON")
    known = found.to_dict()
    steps = {name: number for name, number in known.pop("distribution").items() if number}
    assert steps == {"100 %": 1, "over 40 to 50 %": 1, "no claims": 1}
    assert known == {
        "version": 1,
        "answers": 3,
        "rows_with_error": 1,
        "without_citation": 0,
        "with_findings": 1,
        "figures": {
            "claims": 4,
            "cited": 3,
            "quotes": 1,
            "verified": 1,
            "false_quotes": 0,
            "quotes_unknown": 0,
            "supported": 3,
            "unsure": 0,
            "unsupported": 0,
            "errors": 0,
            "warnings": 1,
            "notes": 0,
            "coverage": 0.75,
        },
        "outcomes": {
            "supported": 3,
            "unsure": 0,
            "some_shared_words": 0,
            "few_shared_words": 0,
            "unsupported": 0,
            "no_passage": 0,
            "not_judged": 0,
        },
        "mean_coverage": 0.75,
        "codes": {"uncited": 1},
        "most_cited": [
            {"id": "boats", "name": "Boats (boats)", "citations": 2},
            {"id": "quay", "name": "Quay report (quay)", "citations": 1},
        ],
        "never_cited": [{"id": "tides", "name": "Tide tables (tides)"}],
        "never_cited_count": 1,
        "most_cited_too_low": 0,
        "never_cited_is_whole": True,
        "errors": [{"name": "row 4", "reason": "is no JSON"}],
    }
    json.dumps(known, allow_nan=False)


def test_summary_of_nothing():
    """Nothing is divided by nothing."""
    known = Summary().to_dict()
    assert (known["figures"]["coverage"], known["mean_coverage"]) == (None, None)
    assert "0 answers" in Summary().to_text()
    assert "no claims" in Summary().to_html()


@pytest.mark.parametrize(
    ("share", "step"),
    [
        (None, "no claims"),
        (0.0, "0 %"),
        (0.0001, "over 0 to 10 %"),
        (0.1, "over 0 to 10 %"),
        (0.11, "over 10 to 20 %"),
        (0.3, "over 20 to 30 %"),
        (0.7, "over 60 to 70 %"),
        (0.9, "over 80 to 90 %"),
        (0.999, "over 90 %"),
        (1.0, "100 %"),
    ],
)
def test_steps_of_the_distribution(share, step):
    """A share at the end of a step is in it; all and nothing have steps of their own."""
    assert step_of(share) == step


def test_text_has_bars():
    """As wide as the terminal; names are cut."""
    texts = ["Boats rot [2]. Fish [1].", *["Boats [2]. Tides rise."] * 11]
    lines = added(*texts).to_text(width=50).splitlines()
    assert max(map(len, lines)) <= 50
    assert "  Boats (boats)       12  ########################" in lines
    assert "never cited (1):" in lines
    assert lines[-1] == "0 errors, 11 warnings, 0 notes"


def test_text_of_few_answers_has_no_plots():
    """They would push the findings out of sight; totals are last, as those of one answer."""
    found = added("Boats rot [2]. Fish swim.", "Boats [2]. Tides [9].")
    assert found.to_text().splitlines() == [
        "never cited (2): Quay report (quay), Tide tables (tides)",
        "findings by kind: 1 uncited, 1 cited_unresolved",
        "",
        "2 answers, 0 without citation, 0 rows not read",
        "claims: 2 of 4 cited (50 %; mean of the answers 50 %)",
        "support: 2 of 2 cited claims supported",
        "1 error, 1 warning, 0 notes",
    ]


def test_names_are_no_commands_for_the_log_of_a_build():
    """At the start of a line or not."""
    for answers in (1, 12):
        found = Summary(sections=0)
        found.give(Sources([{"id": f"s{n}", "title": "::error::x"} for n in range(9)]))
        for _ in range(answers):
            found.add(
                report("Tides [1].", [{"id": "a", "title": "::add-mask::y", "text": "b"}])
            )
        assert "::" not in found.to_text(width=40)


def test_sources_are_counted_in_bounded_memory(monkeypatch):
    """If there are too many, it is told by how much a count may be too low."""
    monkeypatch.setattr(_source_counts, "MAX_KEPT", 2)
    found = Summary(sections=0)
    sources = [{"id": f"s{n}", "text": "Tides."} for n in range(5)]
    found.add(report("A b [1]. C d [2]. E f [3]. G h [1]. I j [4]. K l [5].", sources))
    for _ in range(11):
        found.add(report("Why?", sources))
    known = found.to_dict()
    assert [(one["id"], one["citations"]) for one in known["most_cited"]] == [("s0", 1)]
    assert known["most_cited_too_low"] == 1
    said = "There are too many sources to count each: a number may be up to 1 too low."
    assert f"({said})" in " ".join(found.to_text().split())
    assert said in found.to_html()


def test_sources_that_may_be_cited_are_noted_in_bounded_memory():
    """If there are too many, it is told that some are missing among those never cited."""
    counts = _source_counts.SourceCounts(most_given=2)
    counts.give(Sources(SOURCES))
    known = counts.to_dict()
    assert [one["id"] for one in known["never_cited"]] == ["quay", "boats"]
    assert not known["never_cited_is_whole"]


def test_sources_of_one_id_and_another_title_are_two():
    """Rows that call their sources 1, 2, 3 do not mean the same ones."""
    found = Summary(sections=0)
    for title in ("One", "Other", "One"):
        found.add(report("Tides [1].", [{"id": "1", "title": title}]))
    names = [(one["name"], one["citations"]) for one in found.to_dict()["most_cited"]]
    assert names == [("One (1)", 2), ("Other (1)", 1)]


def test_ids_of_sources_are_shown_as_titles_are():
    """Without a path, a password, or what a terminal obeys; as data they are as they were."""
    counts = _source_counts.SourceCounts()
    ids = ["/srv/secret/a.pdf", "https://user:pw@example.org/", "a\x1b[31m\u202e"]
    counts.give(Sources([{"id": id_, "title": "A"} for id_ in ids]))
    never = counts.to_dict()["never_cited"]
    assert [one["id"] for one in never] == ids
    names = ["A (a.pdf)", "A (https://example.org/)", "A (a\ufffd[31m)"]
    assert [one["name"] for one in never] == names
