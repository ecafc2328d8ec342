"""HTML of an answer, less its citations, is what markdown-it-py makes of the bare text.

Bare is the text without its markers; links and images are shown as the renderer shows them, and
reference definitions are off.  A marker is planted at the end of each run of text of each
example of CommonMark.  Where we differ on purpose is listed by the number of the example.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from citemark import Sources, cite
from citemark.renderers._urls import safe_url
from citemark.renderers.html import HtmlRenderer

if TYPE_CHECKING:
    from collections.abc import Iterator

CORPUS = Path(__file__).parent / "corpora" / "commonmark-0.31.2.json"
SOURCES = Sources([{"id": "1", "title": "Levels"}])
RENDERER = HtmlRenderer(id_prefix="c", notes="none")
CITATION = r'<sup class="cite">.*?</sup>'


@cache
def oracle() -> MarkdownIt:
    """Return markdown-it-py as it is, with what the renderer has on."""
    options = {"html": False, "maxNesting": 41}
    markdown = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    markdown.validateLink = lambda _: True  # type: ignore[method-assign]
    markdown.normalizeLink = markdown.normalizeLinkText = lambda url: url  # type: ignore[method-assign]
    return markdown.disable(["reference", "html_block", "text_join"])


def bare_html(text: str) -> str:
    """Return the HTML of a text without markers, with links as their text and address.

    Headings without words are left out, as in ours.
    """
    tokens = oracle().parse(text)
    for token in tokens:
        token.children = list(_unlinked(token.children or []))
    rendered = str(oracle().renderer.render(tokens, oracle().options, {}))
    return re.sub(r"<h([1-6])></h\1>\n", "", rendered)


def _unlinked(tokens: list[Token]) -> Iterator[Token]:
    link: Token | None = None
    shown = ""
    for token in tokens:
        if token.type == "link_open":
            link, shown = token, ""
            if token.info == "auto" and not safe_url(token.attrs["href"]):
                yield _text("<")
        elif token.type == "link_close":
            address = str(link.attrs["href"]) if link else ""
            if token.info != "auto":
                yield _text(f" ({address})" if address not in ("", shown) else "")
            elif not safe_url(address):
                yield _text(">")
        elif token.type == "image":
            words, address = _words(token.children or []), str(token.attrs["src"])
            told = " ".join(part for part in (words, f"({address})" if address else "") if part)
            shown += told
            yield _text(told)
        else:
            shown += _words([token])
            yield _text(token.content) if token.type == "text_special" else token


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _words(tokens: list[Token]) -> str:
    return "".join(
        _words(token.children)
        if token.children
        else " " * ("break" in token.type) + token.content
        for token in tokens
    )


def html(text: str) -> str:
    """Return the HTML of an answer, less the element around it and what lets it scroll."""
    rendered = str(RENDERER.render(cite(text, SOURCES)))
    body = re.fullmatch(
        r'<div class="cite-body" dir="auto">\n(.*)</div>\n', rendered, re.DOTALL
    )
    assert body
    return body[1].replace(' tabindex="0"', "").replace("&#34;", "&quot;").replace("&#39;", "'")


def text_ends(source: str) -> Iterator[int]:
    """Yield where in its source each run of text ends, but for addresses in angle brackets."""
    at = 0
    for block in oracle().parse(source):
        if block.type in {"fence", "code_block"}:
            for line in filter(None, map(str.strip, block.content.split("\n"))):
                at = _behind(source, line, at)
        end = None
        for token in block.children or []:
            if token.type in {"text", "text_special"}:
                written = token.markup if token.type == "text_special" else token.content
                if written:
                    at = end = _behind(source, written, at)
                continue
            if end is not None and token.info != "auto":
                yield end
            end = None
            for written in _written(token):
                at = _behind(source, written, at)
        if end is not None:
            yield end


def _written(token: Token) -> tuple[str, ...]:
    """Return what stands in the source for a token, as far as it matters for what follows."""
    if token.type == "code_inline":
        return (token.content, token.markup)
    if token.tag in {"em", "strong", "s"}:
        return (token.markup,)
    if token.type == "link_close":
        return (">",) if token.info == "auto" else ("](",)
    return (str(token.attrs["src"]),) if token.type == "image" else ()


def _behind(source: str, written: str, at: int) -> int:
    found = source.find(written, at)
    return found + len(written) if found >= 0 else at


@cache
def examples() -> dict[int, str]:
    """Return the Markdown of each example, by its number."""
    rows = json.loads(CORPUS.read_text(encoding="utf-8"))
    return {row["example"]: row["markdown"] for row in rows}


BARE_EXCEPTIONS = {
    **dict.fromkeys((24, 34, 144), "what is no plain name is no language"),
    **dict.fromkeys((548, 559, 590), "[[foo]] is a citation, of a source by its title"),
}


def test_examples_without_markers() -> None:
    """An example of CommonMark looks as markdown-it-py renders it."""
    differ = {
        number: text
        for number, text in examples().items()
        if number not in BARE_EXCEPTIONS and html(text) != bare_html(text)
    }

    assert differ == {}


ESCAPED = "a back-slash before a marker escapes it"
NO_TEXT = "<code>, <pre> and comments hold no citations, though their tags are text"
TITLE = "[[foo]] is a citation itself, of a source by its title"
DOUBLE = "[[doc:1] is a marker with a bracket too many"
VALUE = "= [1] assigns a value"
LIST = "a star before a blank begins a list item"
LETTER = "a star between a blank and a letter may open as well, as it would without the marker"

EXCEPTIONS: dict[str, dict[int, str]] = {
    "[doc:1]": {
        **dict.fromkeys((90, 644, 646), ESCAPED),
        **dict.fromkeys((148, 169, 179, 625), NO_TEXT),
        **dict.fromkeys((548, 559, 590), TITLE),
        **dict.fromkeys((182, 208, 531, 552, 554, 558, 585, 589), DOUBLE),
    },
    " [1]": {
        88: VALUE,
        **dict.fromkeys((148, 169, 179, 625), NO_TEXT),
        **dict.fromkeys((548, 559, 590), TITLE),
        **dict.fromkeys((285, 367, 442, 444, 473, 521), LIST),
        **dict.fromkeys((356, 370, 396, 411, 416, 417, 429), LETTER),
    },
}


@pytest.mark.parametrize("marker", EXCEPTIONS)
def test_a_marker_at_the_end_of_each_run_of_text(marker: str) -> None:
    """It is one citation, and without it the HTML is that of the bare example."""
    planted, differ = 0, {}
    for number, text in examples().items():
        if number in EXCEPTIONS[marker]:
            continue
        expected = html(text)
        blank = " ?" if marker.startswith(" ") else ""
        for at in text_ends(text):
            rendered = html(text[:at] + marker + text[at:])
            without, citations = re.subn(blank + CITATION, "", rendered)
            planted += 1
            if (without, citations) != (expected, 1):
                differ[number, at] = rendered

    assert differ == {}
    assert planted > 1_000


@pytest.mark.parametrize("marker", EXCEPTIONS)
def test_exceptions_are_needed(marker: str) -> None:
    """An example that does not differ is no exception."""
    for number in EXCEPTIONS[marker]:
        text = examples()[number]
        blank = " ?" if marker.startswith(" ") else ""
        planted = [html(text[:at] + marker + text[at:]) for at in text_ends(text)]
        found = [re.subn(blank + CITATION, "", rendered) for rendered in planted]
        assert any(result != (html(text), 1) for result in found), number


# "@" is a marker.  What it does beside a script without blanks, the cases tell.
FRAGMENTS = (
    "word@", "a@ ", "1.5@", "snake@_case_", "*it@*", "*it*@", "_it@_", "_it_@", "**b@**",
    "**b**@", "***x@***", "~~old@~~", "~~old~~@", "`code`@", "“q”@", " (p@)", "*a **b@** c@*",
    "[t@](x.html)@", "![i](x.png)@", "\\*@", "&amp;@", "*", "**", "_", "`", " ", "  \n", "\n",
    "\n\n", "\n# H@\n", "\n> q@\n", "\n- i@\n", "\n1. i@\n", "\n|a@|b|\n|-|-|\n|**c**@|d@|\n",
    "\n---\n", "\n===\n", "\n    code\n", "\n```py\ncode\n```\n", "é@", " 字。 ", "\xa0",
)  # fmt: skip


@given(st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=12).map("".join))
def test_markers_are_as_if_they_were_not_there(template: str) -> None:
    """Wherever markers stand that directly follow their words, Markdown reads the same."""
    # Marks on either side of a marker are two, though without it they would be one.
    assume(not re.search(r"([*_~`])@+\1", template))
    parts = template.split("@")
    rendered = html("[doc:1]".join(parts))

    # In code it is no citation and stays.
    without = re.sub(rf"{CITATION}|\[doc:1\]", "", rendered)
    assert without == bare_html("".join(parts))
