"""``citemark render``: what it prints, where, and with which exit code."""

from __future__ import annotations

import json

import pytest
from cli_kit import ANSWER, RECORDS

from citemark import Sources, cite, render


@pytest.mark.parametrize("name", ["html", "markdown", "text", "json"])
def test_render_prints_what_the_renderer_gives(citemark, files, name):
    """The command adds nothing but a newline at the end."""
    files()
    expected = render(cite(ANSWER, RECORDS), name).rstrip("\n") + "\n"
    result = citemark("render", "answer.md", "--sources", "sources.json", "--to", name)
    assert (result.code, result.out.rstrip("\n") + "\n", result.err) == (0, expected, "")


def test_render_reads_stdin_and_writes_a_file(citemark, files, tmp_path):
    """``-`` is stdin, and so is no name; with -o nothing is on stdout."""
    files()
    rest = ("-s", "sources.json", "-t", "text", "-o", "out.txt")
    for name in (["-"], []):
        result = citemark("render", *name, *rest, stdin=ANSWER.encode())
        assert result == (0, "", "")
        text = (tmp_path / "out.txt").read_text("utf-8")
        assert text.rstrip() == render(cite(ANSWER, RECORDS), "text").rstrip()
        (tmp_path / "out.txt").unlink()


def test_sources_may_come_from_stdin(citemark, files):
    """A pipe may hold the sources instead of the answer."""
    files()
    given = json.dumps(RECORDS).encode()
    result = citemark("render", "answer.md", "-s", "-", "-t", "json", stdin=given)
    assert result.out.rstrip() == render(cite(ANSWER, RECORDS), "json").rstrip()


def test_unresolved_keys_are_said_and_found_only_if_asked(citemark, files):
    """The rendering is on stdout either way; --strict makes a finding of the keys."""
    files(answer__md="One [1], none [9] and [doc:x].")
    command = ("render", "answer.md", "-s", "sources.json", "-t", "text")
    lax, strict = citemark(*command), citemark(*command, "--strict")
    assert lax.err == strict.err == "2 keys name no source: 9, x\n"
    assert (lax.code, strict.code) == (0, 1)
    assert lax.out == strict.out != ""


@pytest.mark.parametrize("policy", ["keep", "mark", "drop"])
def test_unresolved_policy_is_that_of_cite(citemark, files, policy):
    """--unresolved reaches ``cite``."""
    text = "None [9], and [doc:x]."
    files(answer__md=text)
    command = ("render", "answer.md", "-s", "sources.json", "-t", "text")
    expected = render(cite(text, RECORDS, unresolved=policy), "text")
    assert citemark(*command, "--unresolved", policy).out.rstrip() == expected.rstrip()


LISTED = "Five days [1], six [2].\n\nSources:\n[1] Refund policy\n[2] Questions\n"


@pytest.mark.parametrize("mode", ["keep", "drop", "parse"])
def test_source_list_is_that_of_cite(citemark, files, mode):
    """--source-list reaches ``cite``."""
    files(answer__md=LISTED)
    command = ("render", "answer.md", "-s", "sources.json", "-t", "text")
    expected = render(cite(LISTED, RECORDS, source_list=mode), "text")
    result = citemark(*command, "--source-list", mode)
    assert (result.code, result.out.rstrip(), result.err) == (0, expected.rstrip(), "")


def test_sources_may_be_those_of_the_answer(citemark, files):
    """With a list that the model wrote, no file of sources is needed, but only then."""
    files(answer__md=LISTED)
    command = ("render", "answer.md", "-t", "text")
    result = citemark(*command, "--source-list", "parse", "--strict")
    assert result == (0, render(cite(LISTED, (), source_list="parse"), "text") + "\n", "")
    assert "[2] Questions" in result.out
    refused = citemark(*command, "--source-list", "drop")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.splitlines()[-1] == "Error: Missing option '--sources' / '-s'."


def test_label_says_what_numbers_name(citemark, files):
    """Ids that are other numbers than the positions need --label."""
    records = [{"id": "2", "title": "Two"}, {"id": "1", "title": "One"}]
    files(answer__md="It is [1].", sources__json=json.dumps(records))
    command = ("render", "answer.md", "-s", "sources.json", "-t", "text")
    for label in ("id", "number"):
        answer = cite("It is [1].", Sources(records, label=label))
        expected = render(answer, "text").rstrip()
        assert citemark(*command, "--label", label).out.rstrip() == expected
    refused = citemark(*command)
    assert (refused.code, refused.out) == (2, "")
    assert refused.err == (
        "Error: sources.json: record 1: its id is the number '2' but not its position, so [2] "
        "could mean either; say --label id if the prompt showed ids, --label number if it "
        "showed 1, 2, 3\n"
    )


def test_id_prefix_reaches_the_html(citemark, files):
    """--id-prefix is the option of the HTML renderer."""
    files()
    expected = render(cite(ANSWER, RECORDS), "html", id_prefix="a7")
    result = citemark("render", "answer.md", "-s", "sources.json", "--id-prefix", "a7")
    assert result.out.rstrip() == expected.rstrip()


def test_page_is_a_whole_page_around_the_answer(citemark, files, tmp_path):
    """--page gives a document that holds the very HTML of the answer, and its stylesheet."""
    files()
    command = ("render", "answer.md", "-s", "sources.json", "--page")
    result = citemark(*command)
    assert result.code == 0
    assert result.err == "The page links to citemark.css; -o FILE puts it beside FILE.\n"
    assert result.out.lower().startswith("<!doctype html>")
    assert render(cite(ANSWER, RECORDS), "html").strip() in result.out
    assert "<title>answer</title>" in result.out
    (tmp_path / "site").mkdir()
    assert citemark(*command, "-o", "site/page.html") == (0, "", "")
    assert (tmp_path / "site" / "page.html").read_text("utf-8") == result.out
    assert "cite-ref" in (tmp_path / "site" / "citemark.css").read_text("utf-8")


def test_offsets_and_newlines_are_those_of_the_file(citemark, files):
    """No newline is translated on the way through."""
    text = "One [1].\r\n\r\nTwo [2].\r\n"
    files(answer__md=text)
    stored = citemark("render", "answer.md", "-s", "sources.json", "-t", "json").out
    assert stored.rstrip() == render(cite(text, RECORDS), "json").rstrip()
    listed = json.loads(citemark("markers", "answer.md", "--json").out)
    assert [text[item["start"] : item["end"]] for item in listed] == ["[1]", "[2]"]


def test_lone_surrogates_in_sources_are_shown_as_replacement(citemark, files):
    """JSON can hold half a character, UTF-8 cannot."""
    files(sources__json='[{"id": "a", "title": "half \\ud83d, whole \\ud83d\\ude00"}]')
    result = citemark("render", "answer.md", "-s", "sources.json", "-t", "text")
    assert result.code == 0
    assert "half \ufffd, whole \U0001f600" in result.out


def test_output_is_not_the_input(citemark, files, tmp_path):
    """A file that is read is never written over."""
    files()
    result = citemark("render", "answer.md", "-s", "sources.json", "-o", "answer.md")

    assert (result.code, (tmp_path / "answer.md").read_text("utf-8")) == (2, ANSWER)
    assert "would write over answer.md" in result.err


def test_stylesheet_of_another_stays(citemark, files, tmp_path):
    """A page does not replace a stylesheet that is not ours, and says so in a line."""
    files(citemark__css="body {}")
    result = citemark("render", "answer.md", "-s", "sources.json", "--page", "-o", "p.html")

    assert (result.code, (tmp_path / "citemark.css").read_text("utf-8")) == (2, "body {}")
    assert "is not ours" in result.err
