"""Reports as text and as annotations: what an answer says stays what an answer says."""

from __future__ import annotations

import re

import pytest
from html_rules import made_answers
from report_kit import SOURCES, Told, report

from citemark import Answer, cite
from citemark.checks import CODES, as_github, as_text, check
from citemark.checks.reports import annotation
from citemark.checks.reports._lines import Lines
from citemark.checks.reports._wrap import columns, fitted, plain, wrapped

CITED_UNRESOLVED, UNKNOWN_KEYS, UNCITED = (
    CODES[code].meaning for code in ("cited_unresolved", "unknown_keys", "uncited")
)

HOSTILE = (
    "Tides\x1b[31m rise\x07.\n::error file=x::owned ##[error]no\r::set-output name=a::b. "
    "Fish\u202e swim\u2028::warning::x, y: 100 %0A.\n\n- ::add-mask::secret stays\n"
)


def test_text_has_findings_then_figures():
    """One line for the place, the others behind a bar."""
    assert as_text(report(), name="answer.md") == (
        "answer.md:5:3: warning uncited: This claim has no citation\n"
        "  | Spring tides rise.\n"
        "  | mend: add a citation, or leave the claim out\n"
        "answer.md:6:3: error cited_unresolved: This claim is cited only by what names no "
        "source: '9'\n"
        "  | The moon pulls [9].\n"
        "  | mend: do not show the claim as cited\n"
        "claims: 2 of 4 cited (50 %)\n"
        "quotes: 1 of 1 found in their source\n"
        "support: 2 of 2 cited claims supported (judge: told)\n"
        "1 error, 1 warning, 0 notes"
    )


def test_text_without_figures_or_findings_is_empty():
    assert as_text(report("Boats rot [2]."), figures=False) == ""


@pytest.mark.parametrize("width", [40, 60, 100])
def test_text_keeps_to_the_width(width):
    """Wide characters count twice; words that are longer are cut."""
    text = f"{'潮' * 70}。{'x' * 200}. Tides rise and {'字' * 10} rise and rise and rise.\n"
    shown = as_text(report(text), name="潮" * 30, width=width, figures=False)
    assert max(map(columns, shown.splitlines())) <= width
    assert "mend: add" in shown


def test_colour_is_only_there_if_asked_for():
    """Without it there is no escape character; with it the words are the same."""
    painted, bare = as_text(report(), colour=True), as_text(report())
    assert "\x1b" not in bare
    assert "\x1b[1;31merror\x1b[0m" in painted
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == bare


@pytest.mark.parametrize("width", [None, 40])
def test_text_of_a_hostile_answer_is_no_command(width):
    """No control, no line that starts with what an answer says, no marker of a log."""
    shown = as_text(report(HOSTILE), name="a\n::error::x.md", width=width)
    assert all(char.isprintable() or char == "\n" for char in shown)
    assert "##[" not in shown
    for line in shown.split("\n"):
        assert not line.lstrip().startswith("::")


def test_annotations_are_worst_first_and_have_a_place():
    """Columns only within one line: GitHub takes no others."""
    found = as_github(report("Tides\nrise [9]. Fish swim."), file="a,b:c/x.md").split("\n")
    start = "file=a%2Cb%3Ac/x.md,line="
    assert [line.partition(" (")[0] for line in found] == [
        f"::error {start}1,endLine=2,title=cited_unresolved::{CITED_UNRESOLVED}: '9'",
        f"::error {start}1,endLine=2,title=unknown_keys::{UNKNOWN_KEYS}",
        f"::warning {start}2,endLine=2,col=11,endColumn=20,title=uncited::{UNCITED}",
    ]
    assert found[-1].endswith(" (add a citation, or leave the claim out)")


def test_annotations_of_a_row_are_at_its_line():
    """All of its findings."""
    found = report("Tides rise. Boats rot [2].")
    [line] = as_github(found, file="r", line=7, name="row 7").split("\n")
    assert line.startswith("::warning file=r,line=7,title=uncited::row 7: This claim")
    assert as_github(found).startswith("::warning title=uncited::This claim")


def test_annotations_of_hostile_answers_are_one_line_each():
    """Whatever an answer, a key or a name of a file holds."""
    command = re.compile(r"::(error|warning|notice) (\w+=[^:,\r\n]*,?)+::[^\r\n]*")
    for answer in made_answers(60, 3):
        found = check(answer)
        shown = as_github(found, file="a\r\n::x::,b", name="n\n::error::")
        lines = re.split("[\r\n\u2028\u2029\x85\x0b\x0c]", shown) if shown else []
        assert len(lines) == len(found.findings)
        assert all(command.fullmatch(line) for line in lines)


def test_annotation_is_escaped_as_github_does_it():
    """Percent signs first: what is escaped is not escaped again."""
    found = annotation("error", "50 %: a,\r\nb", "t:,%", file="f", line=2)
    assert found == "::error file=f,line=2,title=t%3A%2C%25::50 %25: a, b"
    assert len(annotation("note", "x" * 5_000, "t")) < 1_100


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_those_of_editors(end):
    """Of each kind of line end; the end belongs to its line."""
    lines = Lines(f"ab{end}{end}c")
    size = len(end)
    assert [lines.place(pos) for pos in (0, 2, 2 + size, 2 + 2 * size)] == [
        (1, 1),
        (1, 3),
        (2, 1),
        (3, 1),
    ]
    assert lines.last_place(0, 2) == (1, 2)
    assert lines.last_place(0, 0) == (1, 1)


def test_wrapping_loses_nothing():
    """Joined, the lines have all that is not white space."""
    text = "a 字字字字字字 bcdefghijklmn op"
    lines = ["a", "字字", "字字", "字字", "bcdef", "ghijk", "lmn", "op"]
    assert list(wrapped(text, 5)) == lines
    assert list(wrapped(text, None)) == [text]
    assert (fitted("字字字", 4), fitted("abc", 3), fitted("abc", None)) == ("字…", "abc", "abc")
    assert plain("a\n##[x] \x1b[1mb") == "a ## [x] b"


def test_words_wider_than_the_line_are_cut():
    """A wide character takes a line of its own, however narrow that is."""
    assert list(wrapped("字字", 1)) == ["字", "字"]


def test_issue_without_a_place_has_no_excerpt():
    """Such as what an adapter says of a whole response."""
    stored = cite("Boats rot [2].", SOURCES).to_dict()
    issue = {"code": "odd_thing", "message": "Odd", "start": 0, "end": 0, "key": ""}
    found = check(Answer.from_dict(stored | {"issues": [issue]}), judge=Told())
    assert as_text(found, figures=False) == "answer:1:1: note odd_thing: Odd"


def test_name_as_long_as_the_line_has_no_colour():
    """The severity is then on a line of its own."""
    shown = as_text(report(), name="x" * 50, width=40, colour=True, figures=False)
    assert "\x1b" not in shown
    assert "uncited" in shown


def test_quote_of_no_source_is_told():
    """It is not looked up, and its key names nothing."""
    found = report("Boats “rot in the salt water” [9].").to_dict()
    [quote] = found["quotes"]
    assert (quote["verdict"], quote["number"], quote["source"]) == ("unverifiable", None, None)
