"""``citemark check``: what it prints, where, and with which exit code."""

from __future__ import annotations

import json

import pytest
from report_kit import ANSWER, SOURCES

from citemark import Sources, cite
from citemark.checks import as_github, as_html, as_text, check
from citemark.cli import _check_progress

RIGHT = "Boats rot in salt water [2].\n"
NOTHING = "Boats rot in salt water. Paint them each year [2].\n"


@pytest.fixture
def given(files):
    """The answer of the kit and its sources, or what a test gives instead."""

    def write(answer=ANSWER, sources=SOURCES, **others):
        files(answer__md=answer, sources__json=json.dumps(sources), **others)
        known = Sources(sources)
        return check(cite(answer, known), sources=known)

    return write


COMMAND = ("check", "answer.md", "-s", "sources.json")


def jsonl(*rows):
    return "".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows)


def test_text_is_what_the_report_gives(citemark, given):
    """The command adds nothing but a newline at the end; errors give exit code 1."""
    report = given()
    assert citemark(*COMMAND) == (1, as_text(report, name="answer.md") + "\n", "")
    narrow = as_text(report, name="answer.md", width=50, colour=True)
    assert citemark(*COMMAND, "--width", "50", "--color").out == narrow + "\n"


@pytest.mark.parametrize(
    ("format_", "expected"),
    [
        ("json", lambda report: json.dumps(report.to_dict(), ensure_ascii=False, indent=2)),
        ("github", lambda report: as_github(report, file="answer.md")),
        ("html", lambda report: as_html(report, title="Citations of answer.md").rstrip()),
    ],
)
def test_formats_are_those_of_the_report(citemark, given, tmp_path, format_, expected):
    """On stdout, or in a file."""
    shown = expected(given())
    assert citemark(*COMMAND, "--format", format_) == (1, shown + "\n", "")
    assert citemark(*COMMAND, "-f", format_, "-o", "report") == (1, "", "")
    assert (tmp_path / "report").read_text("utf-8") == shown + "\n"


@pytest.mark.parametrize(
    ("answer", "codes"),
    [
        (ANSWER, {"error": 1, "warning": 1, "note": 1, "never": 0}),
        (NOTHING, {"error": 0, "warning": 1, "note": 1, "never": 0}),
        ("They “rot in salt watre” [2].\n", {"error": 0, "warning": 0, "note": 1, "never": 0}),
        (RIGHT, {"error": 0, "warning": 0, "note": 0, "never": 0}),
    ],
)
def test_level_decides_the_exit_code(citemark, given, answer, codes):
    """1 if a finding is as bad as asked for; error is asked for by default."""
    given(answer)
    found = {level: citemark(*COMMAND, "--fail-on", level).code for level in codes}
    assert found == codes
    assert citemark(*COMMAND).code == codes["error"]


def test_answer_may_be_stdin(citemark, given):
    """Annotations then have no file."""
    given()
    result = citemark("check", "-s", "sources.json", stdin=ANSWER.encode())
    assert result.out.startswith("stdin:3:1: ")
    result = citemark("check", "-s", "sources.json", "-f", "github", stdin=ANSWER.encode())
    assert "file=" not in result.out


def test_scope_reaches_the_checks(citemark, given):
    """With --scope paragraph a later citation covers what stands before."""
    given(NOTHING)
    assert citemark(*COMMAND, "--fail-on", "warning", "--scope", "paragraph").code == 0


def test_ways_of_reading_are_those_of_render(citemark, given):
    """Labels, formats, lenient look-up, and the model's own list of sources."""
    records = [{"id": "2", "text": "Tides rise."}, {"id": "1", "text": "Boats rot."}]
    given("Tides rise [1].\n", [{"id": "x"}], other__json=json.dumps(records))
    other = ("check", "answer.md", "-s", "other.json", "--fail-on", "note")
    assert citemark(*other).code == 2
    assert citemark(*other, "--label", "number").code == 0
    assert citemark(*other, "--label", "id").code == 1
    given("Boats rot in salt water {2}.\n")
    assert citemark(*COMMAND, "--fail-on", "warning").code == 1
    assert citemark(*COMMAND, "--formats", "DEFAULT,LOOSE", "--fail-on", "warning").code == 0
    given("Boats rot in salt water [doc:boats.pdf].\n")
    assert citemark(*COMMAND).code == 1
    assert citemark(*COMMAND, "--lenient").code == 0
    given("Tides rise [1].\n\nSources:\n[1] Tide tables\n")
    assert citemark("check", "answer.md", "--source-list", "parse").code == 0


def test_answer_of_a_provider(citemark, files):
    """Its sources are in it; positions are those of its text, and of no file."""
    response = {
        "choices": [
            {
                "message": {
                    "content": "Tides rise. Boats rot.",
                    "annotations": [
                        {
                            "type": "url_citation",
                            "url_citation": {
                                "url": "https://example.org/a",
                                "title": "A",
                                "start_index": 12,
                                "end_index": 22,
                            },
                        }
                    ],
                }
            }
        ]
    }
    files(answer__md=json.dumps(response))
    result = citemark("check", "answer.md", "--provider", "openai_chat", "-f", "github")
    assert (result.code, result.err) == (0, "")
    assert "::warning title=uncited::" in result.out
    refused = citemark("check", "answer.md", "--provider", "openai_chat", "-s", "x")
    assert refused.code == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("check", "answer.md"), "Missing option '--sources' / '-s'."),
        (("check", "-", "-s", "-"), "cannot both be stdin"),
        ((*COMMAND, "-o", "answer.md"), "would write over answer.md"),
        ((*COMMAND, "-o", "sources.json"), "would write over sources.json"),
        ((*COMMAND, "--title", "T"), "--title is for --format html"),
        ((*COMMAND, "--lang", "en"), "--lang is for --format html"),
        ((*COMMAND, "-f", "html", "--lang", "?"), "expected a language tag"),
        ((*COMMAND, "-f", "html", "--color"), "--color is for --format text"),
        ((*COMMAND, "-f", "json", "--width", "90"), "--width is for --format text"),
        ((*COMMAND, "--request", "answer.md"), "--request says what a --provider was asked"),
        ((*COMMAND, "--fail-on", "worse"), "--fail-on"),
        ((*COMMAND, "-o", "none/report.txt"), "none/report.txt: cannot be written"),
        (("check", "no.md", "-s", "sources.json"), "no.md: no such file"),
        (("check", "no.jsonl", "--jsonl"), "no.jsonl: cannot be read"),
        (("check", "answer.md", "--jsonl", "-f", "html", "--lang", "en"), "not for --jsonl"),
        (
            ("check", "answer.md", "--jsonl", "--provider", "auto", "--request", "answer.md"),
            "rows have their own",
        ),
    ],
)
def test_wrong_usage_is_said(citemark, given, tmp_path, arguments, said):
    """With exit code 2, and nothing is written."""
    given()
    result = citemark(*arguments)
    assert (result.code, result.out) == (2, "")
    assert said in result.err
    assert (tmp_path / "answer.md").read_text("utf-8") == ANSWER


def test_language_and_title_reach_the_page(citemark, given):
    given()
    out = citemark(*COMMAND, "-f", "html", "--lang", "pt-BR", "--title", "T <1>").out
    assert 'class="answer" lang="pt-BR"' in out
    assert "<title>T &lt;1&gt;</title>" in out


ROWS = (
    {"id": "a", "answer": RIGHT, "sources": SOURCES},
    "{",
    {"id": 7, "answer": ANSWER, "sources": ["boats", "quay"]},
    {"id": "c", "answer": 5},
    {"answer": NOTHING},
)


def test_rows_are_checked_one_by_one(citemark, given):
    """A bad row is told in its place, and the rest goes on."""
    given(rows__jsonl=jsonl(*ROWS))
    result = citemark("check", "rows.jsonl", "--jsonl", "-s", "sources.json")
    assert (result.code, result.err) == (2, "")
    lines = result.out.splitlines()
    places = [line.partition(": ")[0] for line in lines if line.startswith("rows.jsonl")]
    assert places == [
        "rows.jsonl, row 2",
        "rows.jsonl, row 3 (7):3:1",
        "rows.jsonl, row 3 (7):3:19",
        "rows.jsonl, row 3 (7):3:26",
        "rows.jsonl, row 3 (7):5:3",
        "rows.jsonl, row 3 (7):6:3",
        "rows.jsonl, row 4 (c)",
        "rows.jsonl, row 5:1:1",
    ]
    assert lines[0].startswith("rows.jsonl, row 2: error bad_row: is not JSON: ")
    assert "3 answers, 0 without citation, 2 rows not read" in lines
    assert lines[-1] == "2 errors, 3 warnings, 1 note"


def test_rows_as_json_are_lines(citemark, given):
    """A report or an error for each, in order, and the summary at the end."""
    given(rows__jsonl="\ufeff" + jsonl(*ROWS) + "\n")
    out = citemark("check", "rows.jsonl", "--jsonl", "-s", "sources.json", "-f", "json").out
    *rows, last = map(json.loads, out.splitlines())
    assert [(row["row"], row["id"], "report" in row, "error" in row) for row in rows] == [
        (1, "a", True, False),
        (2, None, False, True),
        (3, 7, True, False),
        (4, "c", False, True),
        (5, None, True, False),
    ]
    known = Sources(SOURCES)
    assert rows[0]["report"] == check(cite(RIGHT, known), sources=known).to_dict()
    assert last["summary"]["answers"] == 3
    assert [one["id"] for one in last["summary"]["never_cited"]] == ["tides"]


def test_rows_as_annotations_have_their_lines(citemark, given):
    """The summary is on stderr: stdout has commands alone."""
    given(rows__jsonl=jsonl(*ROWS))
    result = citemark("check", "rows.jsonl", "--jsonl", "-s", "sources.json", "-f", "github")
    assert all(line.startswith("::") for line in result.out.splitlines())
    assert "::error file=rows.jsonl,line=2,title=bad_row::is not JSON" in result.out
    assert "::warning file=rows.jsonl,line=5,title=uncited::row 5: " in result.out
    lines = result.err.splitlines()
    assert "3 answers, 0 without citation, 2 rows not read" in lines
    assert not any(line.lstrip().startswith("::") for line in lines)


def test_rows_as_a_page(citemark, given, tmp_path):
    """The summary and the answers with findings; bad rows are said on stderr too."""
    given(rows__jsonl=jsonl(*ROWS))
    command = ("check", "rows.jsonl", "--jsonl", "-s", "sources.json", "-f", "html")
    result = citemark(*command, "-o", "report.html")
    html = (tmp_path / "report.html").read_text("utf-8")
    assert (result.code, result.out) == (2, "")
    assert "rows.jsonl, row 2: is not JSON" in result.err
    assert "<title>Citations of rows.jsonl</title>" in html
    assert html.count('<article class="report"') == 2
    assert "1 answer has no findings." in html
    assert citemark(*command).out == html


def test_exit_code_of_rows(citemark, given):
    """Findings of any row count; without bad rows."""
    given(rows__jsonl=jsonl(ROWS[0], ROWS[4]))
    command = ("check", "rows.jsonl", "--jsonl", "-s", "sources.json")
    assert citemark(*command).code == 0
    assert citemark(*command, "--fail-on", "warning").code == 1
    assert citemark(*command, "--fail-on", "never").code == 0


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (b'{"answer": "\xff"}', "is not UTF-8"),
        (b"[" * 100_000, "is nested too deeply"),
        (b"[1]", "is no object like"),
        (b'{"answer": "A [1]."}', 'has no "sources"'),
        (b'{"answer": "A [1].", "sources": [{"title": "no id"}]}', "SourceError"),
        (b'{"answer": "A [1].", "sources": 5}', "RowSourcesError"),
        (b'{"answer": "A [1].", "sources": "may"}', "RowSourcesError"),
        (b'{"sources": []}', 'has no "answer"'),
    ],
)
def test_bad_rows_say_why(citemark, files, row, said):
    """Whatever stands in them, the rows around it are read."""
    good = b'{"answer": "Why?", "sources": []}\n'
    files(rows__jsonl=good + row + b"\n" + good)
    result = citemark("check", "rows.jsonl", "--jsonl")
    assert result.code == 2
    assert f"rows.jsonl, row 2: error bad_row: {said}" in result.out
    assert "2 answers, 0 without citation, 1 row not read" in result.out


def test_rows_of_a_provider(citemark, files):
    """A response as JSON or as its text, or the events of a stream."""
    response = {
        "choices": [{"message": {"content": "Tides rise."}}],
        "citations": ["https://e.org"],
    }
    rows = [{"answer": response}, {"answer": json.dumps(response)}, {"id": 1}, {"answer": "{"}]
    files(rows__jsonl=jsonl(*rows))
    result = citemark("check", "rows.jsonl", "--jsonl", "--provider", "perplexity")
    assert result.code == 2
    assert "2 answers, 2 without citation, 2 rows not read" in result.out


def test_own_lists_of_rows_may_be_the_sources(citemark, files):
    """With --source-list parse, rows need no sources."""
    answer = "Tides rise [1].\n\nSources:\n[1] Tide tables\n"
    files(rows__jsonl=jsonl({"answer": answer}))
    assert citemark("check", "rows.jsonl", "--jsonl", "--source-list", "parse").code == 0


def test_rows_may_come_from_stdin(citemark, files):
    files()
    given = jsonl(ROWS[0]).encode()
    result = citemark("check", "--jsonl", stdin=given)
    assert (result.code, "1 answer," in result.out) == (0, True)


def test_progress_is_said_now_and_then(citemark, files, monkeypatch):
    """Without a terminal in plain lines, on stderr."""
    monkeypatch.setattr(_check_progress, "EVERY", 2)
    files(rows__jsonl=jsonl(*[{"answer": "Why?", "sources": []}] * 5))
    result = citemark("check", "rows.jsonl", "--jsonl")
    assert result.err == "2 rows checked\n4 rows checked\n"


def test_progress_is_a_bar_in_a_terminal(citemark, files, monkeypatch):
    """If reports go elsewhere; where they are seen as they come, there is none."""
    files(rows__jsonl=jsonl(*[{"answer": "Why?", "sources": []}] * 5))
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    result = citemark("check", "rows.jsonl", "--jsonl", "-o", "out.txt")
    assert "Checking" in result.err
    assert "100%" in result.err
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert citemark("check", "rows.jsonl", "--jsonl").err == ""


def test_memory_does_not_grow_with_the_rows(citemark, files, tmp_path):
    """Ten times as many rows take no more of it: peak of what Python holds."""
    import tracemalloc

    peaks = []
    for count in (40, 400):
        files(rows__jsonl=jsonl(*[ROWS[0] | {"id": "x" * 9, "note": "n" * 20_000}] * count))
        citemark("check", "rows.jsonl", "--jsonl", "-f", "html", "-o", "warm.html")
        tracemalloc.start()
        citemark("check", "rows.jsonl", "--jsonl", "-o", "out.txt")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 2 * peaks[0] + 1_000_000
    assert (tmp_path / "out.txt").stat().st_size > 0


def test_width_is_that_of_the_terminal(citemark, given, monkeypatch):
    """If there is one, and it is not told."""
    report = given()
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "60")
    assert citemark(*COMMAND).out == as_text(report, name="answer.md", width=60) + "\n"


def test_events_of_a_provider_may_be_a_row(citemark, files):
    """As a list."""
    events = [
        {"object": "chat.completion.chunk", "choices": [{"delta": {"content": text}}]}
        for text in ("Tides ", "rise.")
    ]
    files(rows__jsonl=jsonl({"id": "s", "answer": events}))
    result = citemark(
        "check", "rows.jsonl", "--jsonl", "--provider", "openai_chat", "-f", "json"
    )
    [row, _] = map(json.loads, result.out.splitlines())
    assert [one["text"] for one in row["report"]["sentences"]] == ["Tides rise."]


def test_support_may_be_left_out(citemark, given):
    """For one answer, and for rows."""
    answer = "Nobody liked the colour [2].\n"
    given(answer, rows__jsonl=jsonl({"answer": answer}))
    rows = ("check", "rows.jsonl", "--jsonl", "-s", "sources.json")
    for command in (COMMAND, rows):
        assert "few_shared_words" in citemark(*command).out
        result = citemark(*command, "--no-support")
        assert (result.code, "few_shared_words" in result.out) == (0, False)


def test_rows_without_their_option_are_told(citemark, given):
    """They are checked as one text, which is seldom meant."""
    given(rows__jsonl=jsonl({"answer": "Boats rot [2]."}))
    said = "rows.jsonl: taken for the text of one answer; rows need --jsonl\n"
    assert citemark("check", "rows.jsonl", "-s", "sources.json").err == said


@pytest.mark.parametrize("id_", ["1e999", "[NaN]", '{"a": -Infinity}'])
def test_ids_that_json_does_not_hold_are_row_errors(citemark, given, id_):
    """The rows after them are read all the same."""
    rows = f'{{"answer": "x [2].", "id": {id_}}}\n{{"answer": "Boats rot [2].", "id": "b"}}\n'
    given(rows__jsonl=rows)
    result = citemark("check", "rows.jsonl", "--jsonl", "-s", "sources.json", "-f", "json")
    first, second, summary = map(json.loads, result.out.splitlines())
    assert (result.code, first["row"], first["id"]) == (2, 1, None)
    assert "strict JSON" in first["error"]
    assert (second["id"], summary["summary"]["answers"]) == ("b", 1)
