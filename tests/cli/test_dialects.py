"""``citemark formats``, ``citemark detect``, and the options that choose what is read."""

from __future__ import annotations

import json
from unicodedata import east_asian_width

import pytest
from cli_kit import ANSWER, RECORDS

from citemark import Sources, cite, render
from citemark.formats import ALL, DEFAULT, DIALECTS, LENIENT, LOOSE, OPENAI, RAGFLOW

SETS = {"DEFAULT": DEFAULT, "LOOSE": LOOSE, "LENIENT": LENIENT, "ALL": ALL, **DIALECTS}
TEXT = "Five days [ID:0]. Ever [ID:2]? (ID: 1)"
THREE = [{"id": "a", "title": "A"}, {"id": "b", "title": "B"}, {"id": "c", "title": "C"}]


@pytest.fixture
def chunks(files):
    """An answer as RAGFlow's models write it, and its three sources."""
    files(answer__md=TEXT, sources__json=json.dumps(THREE))


@pytest.mark.parametrize(
    ("arguments", "rows"),
    [
        ([], DEFAULT),
        (["--all"], ALL),
        (["--dialect", "RAGFLOW"], RAGFLOW),
        (["--dialect", "openai"], OPENAI),
        (["--dialect", "gpt-oss"], DIALECTS["GPT_OSS"]),
        (["--dialect", "Loose"], LOOSE),
    ],
)
def test_formats_lists_a_set(citemark, arguments, rows):
    """Every row has its name, tier and example; JSON holds more."""
    listed = json.loads(citemark("formats", "--json", *arguments).out)
    table = citemark("formats", *arguments).out.splitlines()
    assert [row["name"] for row in listed] == [row.name for row in rows]
    assert [row["example"] for row in listed] == [row.example for row in rows]
    assert [row["base"] for row in listed] == [row.base for row in rows]
    assert [line.split()[0] for line in table] == ["name", *(row.name for row in rows)]


def test_formats_as_json_say_what_a_row_is(citemark):
    """Whether it is on by default, and which dialects hold it."""
    listed = json.loads(citemark("formats", "--json", "--all").out)
    rows = {row["name"]: row for row in listed}
    assert {name for name, row in rows.items() if row["default"]} == {
        row.name for row in DEFAULT
    }
    assert {name: row["dialects"] for name, row in rows.items()}["id_number"] == ["RAGFLOW"]
    assert rows["number"] == rows["number"] | {
        "tier": "usual",
        "lookup": ["label"],
        "opening": "[",
        "covers": False,
        "silent": False,
        "note": "",
        "step": "",
    }


def test_formats_of_a_dialect_show_its_own_base(citemark):
    """A row that a dialect changes is listed as the dialect has it."""
    bases = {
        name: {
            line.split()[0]: line.split()[2]
            for line in citemark("formats", "--dialect", name).out.splitlines()
        }["id_number"]
        for name in ("DEFAULT", "RAGFLOW")
    }
    assert bases == {"DEFAULT": "0/1", "RAGFLOW": "0"}


def test_formats_show_what_cannot_be_seen(citemark):
    """Private-use characters are spelled, unlike the format that holds their spelling."""
    out = citemark("formats", "--dialect", "OPENAI").out
    assert "‹U+E200›cite‹U+E202›turn0search1‹U+E201›" in out
    assert r"\ue200cite\ue202turn0search1\ue201" in out
    assert all(char.isprintable() for char in out.replace("\n", ""))


def test_columns_are_aligned_where_characters_are_wide(citemark):
    """A character that takes two columns of a terminal counts as two."""
    lines = citemark("formats", "--dialect", "GPT_OSS").out.splitlines()
    about = {row.name: row.about for row in DIALECTS["GPT_OSS"]}
    columns = {
        sum(2 if east_asian_width(char) in "WF" else 1 for char in line[: line.index(text)])
        for line, text in zip(lines, ["about", *about.values()], strict=True)
    }
    assert len(columns) == 1


def test_formats_of_all_and_of_one_exclude_each_other(citemark):
    """What is asked for is not clear."""
    result = citemark("formats", "--all", "--dialect", "AZURE")
    assert (result.code, result.out) == (2, "")
    assert result.err.splitlines()[-1] == "Error: --all and --dialect exclude each other"


@pytest.mark.parametrize(
    ("option", "arguments", "name"),
    [
        ("--dialect", ["formats", "--dialect", "none"], "none"),
        ("--dialect", ["formats", "--dialect", ""], ""),
        ("--formats", ["markers", "--formats", "DEFAULT,,AZURE"], ""),
        ("--formats", ["markers", "--formats", "DEFAULT, RAG"], "RAG"),
        ("--formats", ["render", "-s", "none.json", "--formats", "__class__"], "__class__"),
    ],
)
def test_an_unknown_set_lists_those_there_are(citemark, option, arguments, name):
    """One line, whatever else is wrong."""
    reason = f"no set of formats {name!r}; known: {', '.join(SETS)}"
    assert citemark(*arguments) == (2, "", f"Error: {option}: {reason}\n")


def test_detect_counts_over_all_files(citemark, files):
    """Most markers first, then the narrowest dialect."""
    files(a__md="A【4:0†source】, B【5:1†source】.", b__md="C [1]. D【4:0†source】", c__md="")
    found = json.loads(citemark("detect", "a.md", "b.md", "c.md", "--json").out)
    counts = {row["dialect"]: (row["markers"], row["files"]) for row in found}
    assert found[:2] == [
        {"dialect": "AZURE", "markers": 3, "files": 2},
        {"dialect": "OPENAI", "markers": 3, "files": 2},
    ]
    assert counts["PERPLEXITY"] == (1, 1)


def test_detect_lists_a_table_of_stdin(citemark):
    """Without a file, and for ``-``."""
    table = "dialect  markers  files\nRAGFLOW  2        1\n"
    for arguments in ([], ["-"]):
        assert citemark("detect", *arguments, stdin=b"A [ID:0], B [ID:3].") == (0, table, "")
    assert citemark("detect", stdin=b"") == (0, "dialect  markers  files\n", "")
    assert citemark("detect", "--json", stdin=b"Nothing.") == (0, "[]\n", "")


def test_detect_reads_stdin_once(citemark):
    """The second time nothing would be there."""
    result = citemark("detect", "-", "-")
    assert (result.code, result.out) == (2, "")
    assert result.err.splitlines()[-1] == "Error: only one FILE can be stdin"


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (None, ["[ID:0]", "[ID:2]"]),
        ("ragflow", ["[ID:0]", "[ID:2]", "(ID: 1)"]),
        ("DEFAULT, ragflow", ["[ID:0]", "[ID:2]", "(ID: 1)"]),
        ("AZURE", []),
    ],
)
@pytest.mark.usefixtures("chunks")
def test_markers_of_chosen_formats(citemark, names, found):
    """--formats takes one name or several."""
    chosen = () if names is None else ("--formats", names)
    listed = json.loads(citemark("markers", "answer.md", "--json", *chosen).out)
    assert [item["raw"] for item in listed] == found


def test_the_later_set_wins(citemark, files):
    """Where two sets have one format, order decides, as with ``|``."""
    files(answer__md="It is [1].")
    for names, base in (("LANGCHAIN,DEFAULT", 1), ("DEFAULT,LANGCHAIN", 0)):
        command = ("render", "answer.md", "-s", "sources.json", "-t", "json", "--formats")
        expected = render(cite("It is [1].", RECORDS, formats=DEFAULT.with_base(base)), "json")
        assert citemark(*command, names).out.rstrip() == expected.rstrip()


@pytest.mark.usefixtures("chunks")
def test_render_with_chosen_formats(citemark):
    """--formats reaches ``cite``."""
    expected = render(cite(TEXT, THREE, formats=DEFAULT | RAGFLOW), "text")
    command = ("render", "answer.md", "-s", "sources.json", "-t", "text")
    result = citemark(*command, "--formats", "DEFAULT,RAGFLOW")
    assert (result.code, result.out.rstrip(), result.err) == (0, expected.rstrip(), "")


def test_lenient_overlooks_and_says_so(citemark, files):
    """--lenient reaches ``Sources``; what it overlooked is on stderr with its line."""
    text = "Hello.\n\nFive days [doc:POL] [1 and 2]."
    files(answer__md=text)
    command = ("render", "answer.md", "-s", "sources.json", "-t", "text")
    strict, lenient = citemark(*command), citemark(*command, "--lenient")
    expected = render(cite(text, Sources(RECORDS, lenient=True)), "text")
    assert strict.err == "1 key names no source: POL\n"
    assert lenient == (
        0,
        expected.rstrip() + "\n",
        (
            "answer.md: line 3: 'POL' is taken for source 'pol': case\n"
            "answer.md: line 3: '[1 and 2]' is read as a marker: and-list\n"
        ),
    )


def test_lenient_markers_need_sources(citemark, files):
    """Without sources nothing can be near."""
    files(answer__md="Five days [1 and 2].")
    refused = citemark("markers", "answer.md", "--lenient")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.splitlines()[-1] == "Error: --lenient needs --sources"
    command = ("markers", "answer.md", "--json", "-s", "sources.json")
    assert json.loads(citemark(*command).out) == []
    listed = json.loads(citemark(*command, "--lenient").out)
    assert [item["keys"] for item in listed] == [["1", "2"]]


def test_odd_things_are_said_with_their_line(citemark, files):
    """Placeholders, halves of markers and doubtful numbers; twenty at most."""
    files(answer__md="A [source].\nB [ID:1].\n" + "C [doc:].\n" * 30)
    result = citemark("render", "answer.md", "-s", "sources.json", "-t", "text")
    lines = result.err.splitlines()
    assert lines[0] == "1 key names no source: 1"
    assert lines[1] == "answer.md: line 1: '[source]' is a placeholder: it names no source"
    assert lines[2].startswith("answer.md: line 2: '1' may count from 0 or from 1")
    assert lines[21] == "answer.md: 12 more issues"
    assert len(lines) == 22


def test_an_answer_without_anything_odd_is_quiet(citemark, files):
    """Stderr is for what needs a look."""
    files()
    result = citemark("render", "-", "-s", "sources.json", stdin=ANSWER.encode())
    assert (result.code, result.err) == (0, "")
