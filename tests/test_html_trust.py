"""What an attacker who writes answers, or sources, cannot do to the page they are shown on."""

from __future__ import annotations

import pytest
from growth_kit import assert_linear
from html_rules import OPTIONS, example_answers, made_answers, problems
from hypothesis import given
from hypothesis import strategies as st

from citemark import Answer, Sources, cite, render

WRONG = {
    "<p>a <b>b</p>": "parse error",
    "<p><script>1</script></p>": "<script>",
    '<p onclick="x">a</p>': "<p onclick>",
    '<p style="x">a</p>': "<p style>",
    '<p><img src="x"></p>': "<img>",
    '<p id="p-qa">a</p><p id="p-qa">b</p>': "twice",
    '<p id="location">a</p>': "id 'location'",
    '<p class="evil">a</p>': "class",
    '<p><a href="#nowhere">a</a></p>': "leads nowhere",
    '<p><a href="javascript:x" rel="noopener noreferrer nofollow ugc">a</a></p>': "href",
    '<p><a href="//e.example" rel="noopener noreferrer nofollow ugc">a</a></p>': "href",
    '<p><a href="https://e.example/">a</a></p>': "rel",
    '<p><a href="https://e.example/"></a></p>': "no name",
    '<p><button type="button">a<a href="#x">b</a></button></p>': "holds another",
    '<p aria-labelledby="x">a</p>': "leads nowhere",
    '<p tabindex="5">a</p>': "tabindex",
    "<p>a\x1bb</p>": "control",
    "<div>" * 130 + "</div>" * 130: "too deep",
}


@pytest.mark.parametrize(("html", "problem"), WRONG.items())
def test_rules_find_what_is_wrong(html: str, problem: str) -> None:
    """The rules that the tests below rest on find each kind of fault."""
    assert any(problem in found for found in problems(html, "p-q"))


def wrong_answers(answers: list[Answer]) -> dict[str, list[str]]:
    """Return what is wrong, by the text of the answer; options take turns."""
    found = {}
    for number, answer in enumerate(answers):
        options = OPTIONS[number % len(OPTIONS)]
        html = str(render(answer, "html", id_prefix="p-q", **options))
        found[answer.text] = problems(html, "p-q")
    return {text: wrong for text, wrong in found.items() if wrong}


def test_examples_keep_the_rules() -> None:
    """The example answers are valid, accessible and harmless HTML."""
    assert wrong_answers(list(example_answers())) == {}


def test_made_answers_keep_the_rules() -> None:
    """So are answers put together from whole and broken constructs and from attacks."""
    assert wrong_answers(list(made_answers(150, 2))) == {}


@pytest.mark.slow
def test_many_made_answers_keep_the_rules() -> None:
    """``python tests/html_rules.py 5000`` looks at more."""
    assert wrong_answers(list(made_answers(400, 3))) == {}


UNITS = (
    "*", "**", "_", "*a ", "**a ", "a*", "~~", "`", "> ", ">", "- ", "-", "1. ", "# ", "#",
    "\n", "\n\n", "|", "|a", "|-|-|\n", "|:-:|:-:|\n", "|a|b|\n", "a", "[ ] ", "- [x]\n",
    "![a](b)", "[a](b)", "<", "&", '"', "$a_$", "\\(a_\\)", "<http://a>", "\t", "    ",
    "---\n", "```\n", "[", "](", "\\", "&amp;", "\u202e", "\u2e0e", "<a:>", "[1]", "[9]",
    "[1,9]", "<<q>>", "[[x]]",
)  # fmt: skip
SOURCES = Sources([{"id": "a", "title": '"' * 60, "url": "https://example.org/"}])
PER_CHARACTER = 32
"""A mark of a quote becomes an element with its end and a line, at each of forty levels."""

PER_CITATION = 1_200
"""A reference that names its source, and the way back to it."""

FIXED = 4_000


@given(st.lists(st.sampled_from(UNITS), min_size=1, max_size=5), st.integers(1, 120))
def test_output_is_bounded(units: list[str], times: int) -> None:
    """HTML is a small multiple of the text and of the citations, whatever is repeated."""
    text = "".join(units) * times
    answer = cite(text, SOURCES)

    html = render(answer, "html")

    citations = sum(1 for _ in answer.citations)
    assert len(html) <= PER_CHARACTER * len(text) + PER_CITATION * citations + FIXED


def test_cells_that_are_left_out_are_bounded() -> None:
    """A table of a thousand columns with empty rows does not become a million cells."""
    text = "|" + "a|" * 1_000 + "\n|" + ":-:|" * 1_000 + "\n" + "|\n" * 1_000

    html = str(render(cite(text, []), "html"))

    assert html.count("<td") < len(text)
    assert len(html) <= PER_CHARACTER * len(text) + FIXED


@pytest.mark.parametrize("rows", [0, 1, 15, 16, 17, 200, 1_100])
def test_tables_of_any_length_are_whole(rows: int) -> None:
    """Rows that have their cells, or lack a few, are all there, and what follows is not."""
    text = "| a | b | c |\n|---|---|---|\n" + "| x |\n| y | z | w |\n" * rows + "\nafter\n"

    html = str(render(cite(text, []), "html"))

    assert html.count("<tr>") == 1 + 2 * rows
    assert html.count("<table") == 1
    assert html.endswith("</table>\n<p>after</p>\n</div>\n")


def test_title_and_address_are_escaped() -> None:
    """Neither a tag nor the end of an attribute comes from a source."""
    source = {"id": "1", "title": '<img src=x onerror=alert(1)> "T" & Co'}
    url = 'https://example.org/?q="><b>'

    html = str(render(cite("Ok [1].", [source | {"url": url}]), "html", id_prefix="p-q"))

    assert problems(html, "p-q") == []
    assert "<img" not in html
    assert "<b>" not in html


SLOW = (
    "*a ", "a_", " *[1]", "[1]**", "[a](", "![a", "~~a", "a|b\n-|-\n", "* |x\n-|-\n",
    "# a|b|c\n-|-\n", "- [ ] a\n", "\\[a_\n", "$a_", "\u2e0e", "     *[1]", "$$\n> ",
)  # fmt: skip


@pytest.mark.parametrize("unit", SLOW)
def test_time_is_linear(unit: str) -> None:
    """A text ten times as long takes ten times as long to render."""

    def write(size: int) -> None:
        render(cite(unit * (size // len(unit)), SOURCES), "html")

    assert_linear(lambda: write(1_000), lambda: write(10_000))
