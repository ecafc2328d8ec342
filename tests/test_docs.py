"""The docs say what is there, and what they show is what happens."""

from __future__ import annotations

import doctest
import inspect
import re
import sys
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

import citemark
from citemark import errors, formats
from citemark.cli import main
from citemark.renderers import get_renderer, renderer_names

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "examples" / "README.md"]
PAGES += sorted(DOCS.glob("*.md"))
sys.path.insert(0, str(DOCS / "_ext"))

from format_table import format_table, readme_with_table  # noqa: E402  found by the line above

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


def test_every_error_is_in_the_api_page():
    """Each exception has an entry of its own."""
    text = (DOCS / "api.md").read_text("utf-8")
    documented = set(re.findall(r"^\.\. autoexception:: .*\.(\w+)$", text, re.MULTILINE))
    assert set(errors.__all__) - documented == set()


def test_format_table_of_the_readme_is_up_to_date():
    """The README shows the rows as they are; if not: ``python docs/_ext/format_table.py``."""
    text = (ROOT / "README.md").read_text("utf-8")
    assert readme_with_table(text) == text


def test_format_table_has_every_format():
    """Each default format has its row, with name and example."""
    rows = format_table().splitlines()[2:]
    assert [f"| `{row.example}` | `{row.name}` |" for row in formats.DEFAULT] == [
        line[: line.index("|", line.index("|", 1) + 1) + 1] for line in rows
    ]


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


def test_every_page_is_in_the_table_of_contents():
    """No page is left out of the index."""
    index = (DOCS / "index.md").read_text("utf-8").splitlines()
    assert [page.stem for page in DOCS.glob("*.md") if page.stem not in [*index, "index"]] == []
