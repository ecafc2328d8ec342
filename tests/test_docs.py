"""The docs say what is there, and what they show is what happens."""

from __future__ import annotations

import doctest
import inspect
import re
import sys
from dataclasses import fields
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

import citemark
from citemark import Sources, errors, find_markers, formats, providers
from citemark.cli import main
from citemark.renderers import get_renderer, renderer_names

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "examples" / "README.md"]
PAGES += sorted(DOCS.glob("*.md"))
sys.path.insert(0, str(DOCS / "_ext"))

import format_table as tables  # noqa: E402  found by the line above

MARKDOWN = MarkdownIt().enable("table")


def pages(*folders):
    return pytest.mark.parametrize("page", folders or PAGES, ids=lambda page: page.stem)


def python_blocks(page):
    """Yield each interactive block of a page, with the line on which it starts."""
    for token in MARKDOWN.parse(page.read_text("utf-8")):
        if token.type == "fence" and token.info == "pycon":
            yield token.map[0] + 1, token.content


def links(page):
    """Yield the targets of all links of a page."""
    for block in MARKDOWN.parse(page.read_text("utf-8")):
        for token in block.children or ():
            if token.type == "link_open":
                yield token.attrs["href"]


def anchors(page):
    """Return the anchors of a page's headings, as GitHub and MyST make them."""
    tokens = MARKDOWN.parse(page.read_text("utf-8"))
    starts = (n for n, token in enumerate(tokens) if token.type == "heading_open")
    titles = (tokens[n + 1].content for n in starts)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pages()
def test_examples_of_a_page_are_true(page, capsys):
    """The interactive blocks of a page, run in order, print what they show."""
    names = {}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for line, block in python_blocks(page):
        test = doctest.DocTestParser().get_doctest(block, names, page.name, str(page), line)
        runner.run(test, clear_globs=False)
        names = test.globs
    report = capsys.readouterr().out
    assert runner.summarize(verbose=False).failed == 0, report


def test_picture_of_the_readme_is_true():
    """Rendered as text, the left half of the picture is the right half."""
    picture = (
        (ROOT / "README.md").read_text("utf-8").partition("```text\n")[2].partition("```")[0]
    )
    written = "\n".join(line[:47].rstrip() for line in picture.splitlines()).rstrip()
    shown = "\n".join(line[52:] for line in picture.splitlines())
    sources = [
        {"id": "a", "title": "Refund policy", "url": "https://example.org/refunds"},
        {"id": "b", "title": "Questions and answers", "url": "https://example.org/faq"},
    ]
    assert citemark.render(citemark.cite(written, sources), "text") == shown


@pages()
def test_relative_links_lead_somewhere(page):
    """Each link to a file leads to one, and its anchor to a heading of it."""
    dead = []
    for href in links(page):
        if re.match(r"[a-z]+:", href):
            continue
        path, _, anchor = href.partition("#")
        target = (page.parent / path) if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            dead.append(href)
    assert dead == []


def test_every_public_name_is_in_the_api_page():
    """Each name that the package exports has an entry of its own."""
    text = (DOCS / "api.md").read_text("utf-8")
    documented = set(re.findall(r"^\.\. auto\w+:: citemark\.(\w+)$", text, re.MULTILINE))
    assert set(citemark.__all__) - documented == set()


def test_every_name_of_providers_is_in_the_api_page():
    """Functions and types, and the names of the providers."""
    text = (DOCS / "api.md").read_text("utf-8")
    documented = set(re.findall(r"citemark\.providers\.(\w+)(?:\(\))?$", text, re.MULTILINE))
    assert documented == set(providers.__all__)


def test_every_error_is_in_the_api_page():
    """Each exception has an entry of its own."""
    text = (DOCS / "api.md").read_text("utf-8")
    documented = set(re.findall(r"^\.\. autoexception:: .*\.(\w+)$", text, re.MULTILINE))
    assert set(errors.__all__) - documented == set()


def test_every_name_of_formats_is_in_the_api_page():
    """Classes, functions, types and sets, each dialect among them."""
    text = (DOCS / "api.md").read_text("utf-8")
    documented = set(re.findall(r"citemark\.formats\.(\w+)$", text, re.MULTILINE))
    assert documented == set(formats.__all__)


def test_format_table_of_the_readme_is_up_to_date():
    """The README shows the rows as they are; if not: ``python docs/_ext/format_table.py``."""
    text = (ROOT / "README.md").read_text("utf-8")
    assert tables.readme_with_table(text) == text


def test_format_tables_have_every_format():
    """Each format is in one table of the page, with name and example."""
    page = (DOCS / "formats.md").read_text("utf-8")
    sections = re.findall(r"^```\{format-table\} (\w+)$", page, re.MULTILINE)
    assert sorted(sections) == sorted(tables.SECTIONS)
    first_cells = [
        line.split(" | ")[0].removeprefix("| ")
        for section in sections
        for line in tables.format_table(section).splitlines()[2:]
    ]
    assert sorted(first_cells) == sorted(
        f"{tables.code(row.example)}<br>{tables.code(row.name)}" for row in formats.ALL
    )


def test_default_formats_are_below_their_heading():
    """What the page says of being on by default is so."""
    page = (DOCS / "formats.md").read_text("utf-8")
    for heading, on in (("On by default", True), ("Off by default", False)):
        part = page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
        sections = re.findall(r"\{format-table\} (\w+)", part)
        rows = [row for row in formats.ALL if tables.section_of(row) in sections]
        assert rows
        assert {row in formats.DEFAULT for row in rows} == {on}


@pytest.mark.parametrize("text", ["a|b", "`a`", "a`b``c", "[x]", chr(0xE200), "<b>"])
def test_examples_are_shown_as_they_are(text):
    """In a cell of a table, whatever characters are in them."""
    table = f"| A |\n| --- |\n| {tables.code(text)} |\n"
    [_, cell] = [token for token in MARKDOWN.parse(table) if token.type == "inline"]
    [shown] = cell.children
    assert shown.type == "code_inline"
    assert shown.content == text.replace(chr(0xE200), "‹U+E200›")


def cells(page, heading):
    """Yield the rows of the tables below a heading, as lists of inline tokens."""
    text = page.read_text("utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    row = []
    for token in MARKDOWN.parse(text):
        if token.type == "inline" and token.level > 3:
            row.append(token.children)
        elif token.type == "tr_close":
            yield row
            row = []


def codes(cell):
    """Return the code spans of a cell, with hidden characters as they are."""
    spelled = re.compile("‹U\\+([0-9A-F]{4})›")
    return [
        spelled.sub(lambda match: chr(int(match[1], 16)), token.content)
        for token in cell
        if token.type == "code_inline"
    ]


OFF = "What is off by default"
SEEN = [row for row in cells(DOCS / "dialects.md", "By what you see") if codes(row[0])]
KEYS = Sources.from_keys(
    [
        *("0", "1", "2", "3", "4", "5", "policy.pdf", "pqac-a020507f", "name.doc"),
        *("turn0search1", "call-7/1", "https://example.org/a"),
    ],
    lenient=["and-list", "half-thought"],
)


@pytest.mark.parametrize("row", SEEN, ids=lambda row: codes(row[0])[0])
def test_what_you_see_is_read_with_what_is_said(row):
    """The formats in the last column find each example in the first, as a whole."""
    [chosen] = codes(row[2])
    rows = eval(chosen, vars(formats).copy())  # noqa: S307  the page is ours
    for example in codes(row[0]):
        blank = "" if example in {"¹", "^1^"} else " "  # raised numbers follow a word
        found = find_markers(f"five days{blank}{example}.", formats=rows, known=KEYS)
        assert "".join(marker.raw for marker in found) == example


def test_what_is_off_by_default_is_said():
    """Each format that is off has its row, with its example."""
    said = [codes(row[0] + row[1])[:2] for row in cells(DOCS / "dialects.md", OFF)]
    off = [row for row in formats.ALL if row not in formats.DEFAULT]
    assert sorted(filter(None, said)) == sorted([row.example, row.name] for row in off)


def test_every_dialect_has_its_section():
    """With its table."""
    text = (DOCS / "dialects.md").read_text("utf-8")
    sections = dict.fromkeys(re.findall(r"^### (\w+)$", text, re.MULTILINE))
    listed = re.findall(r"^```\{dialect-table\} (\w+)$", text, re.MULTILINE)
    assert list(sections) == listed == sorted(formats.DIALECTS)


@pytest.mark.parametrize("name", formats.DIALECTS)
def test_table_of_a_dialect_has_its_formats(name):
    """In their order, and marked if the default has them not, or otherwise."""
    lines = tables.dialect_table(name).splitlines()[2:]
    for row, line in zip(formats.DIALECTS[name], lines, strict=True):
        assert f"{tables.code(row.example)}<br>{tables.code(row.name)}" in line
        assert (line.split(" | ")[-1] == "yes |") == (row in formats.DEFAULT)


def test_every_field_of_a_format_is_explained():
    """The page on formats of your own has a row for each."""
    text = (DOCS / "extending.md").read_text("utf-8")
    explained = re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)
    assert explained == [field.name for field in fields(formats.Format)]


def test_every_renderer_has_its_section():
    """The page of renderers has a heading for each that is registered."""
    assert set(renderer_names()) - anchors(DOCS / "renderers.md") == set()


@pytest.mark.parametrize("name", renderer_names())
def test_every_option_of_a_renderer_is_described(name):
    """Below the renderer's heading, each of its options has a row."""
    text = (DOCS / "renderers.md").read_text("utf-8")
    section = text.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    options = inspect.signature(get_renderer(name)).parameters
    assert [option for option in options if f"\n| `{option}` |" not in section] == []


@pytest.mark.parametrize("name", main.commands)
def test_every_option_of_a_command_is_described(name):
    """Each command has its section, and in it each of its options is named."""
    text = (DOCS / "cli.md").read_text("utf-8")
    section = text.partition(f"\n## citemark {name}\n")[2].partition("\n## ")[0]
    options = {param.opts[0] for param in main.commands[name].params if param.opts[0][0] == "-"}
    assert {option for option in options if option not in section} == set()


def test_readme_leads_to_every_page():
    """Whoever starts there finds all of them."""
    led_to = {link.partition("#")[0] for link in links(ROOT / "README.md")}
    pages = {f"docs/{page.name}" for page in DOCS.glob("*.md") if page.stem != "index"}
    assert pages - led_to == set()


def test_every_page_is_in_the_table_of_contents():
    """No page is left out of the index."""
    index = (DOCS / "index.md").read_text("utf-8").splitlines()
    assert [page.stem for page in DOCS.glob("*.md") if page.stem not in [*index, "index"]] == []
