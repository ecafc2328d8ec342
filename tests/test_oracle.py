"""Code is what markdown-it-py says it is: markers planted in documents, found or not.

A marker is written at many places of a document.  Where it lands in a text token of the oracle
it must be found, where it lands in code it must not.  Places where we differ on purpose are
listed with a reason in ``exception``.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from citemark import Sources, find_markers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it.token import Token

MARKER = "[917]"
PLANTS = (f" {MARKER} ", f"\n{MARKER}\n", f" {MARKER}\n")
ORACLE = MarkdownIt("commonmark", {"html": False})
# Known sources without URL: links are no markers, and the text of a link is read.
KNOWN = Sources([{"id": "5"}, {"id": "917"}], label="id")
CORPUS = Path(__file__).parent / "corpora" / "commonmark-0.31.2.json"

Place = Literal["code", "text", "elsewhere"]


def oracle_place(document: str) -> Place:
    """Where the planted marker lands; ``elsewhere`` in addresses, images, definitions."""
    tokens = ORACLE.parse(document)
    if any(MARKER in code for code in _code(tokens)):
        return "code"
    return "text" if any(MARKER in text for text in _texts(tokens)) else "elsewhere"


def _code(tokens: list[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type in {"code_inline", "fence", "code_block"}:
            yield token.content
        yield from _code(token.children or [])


def _texts(tokens: list[Token]) -> Iterator[str]:
    """Text of each block; other inline tokens keep apart what stands around them."""
    for token in tokens:
        if token.type == "inline":
            yield "".join(
                child.content if child.type == "text" else "\0"
                for child in token.children or []
            )


def is_found(document: str) -> bool:
    return any("917" in marker.keys for marker in find_markers(document, known=KNOWN))


# Where we differ from the oracle on purpose: what the line or the document looks like, and why.
EXCEPTIONS: dict[str, re.Pattern[str]] = {
    # html is off in the oracle; <code> and <pre> are code for us (a reader sees code), and of a
    # comment a reader sees nothing.
    "html code": re.compile(r"<(?:code|pre|kbd|samp|tt)\b|<!--", re.IGNORECASE),
    # The label of a definition is none of the text, even where CommonMark needs more to follow.
    "definition label": re.compile(r"\[917\][ \n]*:"),
    # The label of what looks like a full reference link is none, whether it is defined or not.
    "reference label": re.compile(r"\][ ]?\[917\]"),
    # Escapes are not undone: \[917] stays text.
    "escape": re.compile(r"\\\[917\]"),
    # Formulas are not CommonMark.
    "math": re.compile(r"\\[(\[][^\0]*\[917\]"),
    # After an operator a bracket is a value, after "type" what is to be typed.
    "value": re.compile(r"(?:=|&&|\btype)[ ]?\[917\]"),
    # A bracket glued to a name may be an index.
    "glued": re.compile(r"""[\w)"'\]]\[917\]"""),
    # What looks like the address of a link is taken for one, whatever its escapes say.
    "address": re.compile(r"\]\([^)]*\[917\][^)]*\\[)>]|\]\(\S*\\[( ].*\[917\]"),
    # A line that begins with a bar may be the row of a table, which ends a paragraph.
    "table row": re.compile(r"^\|", re.MULTILINE),
    # The oracle takes an indented line after a definition for code; the reference does not.
    "after a definition": re.compile(r"^ {0,3}\[[^\]\n]+\]:[^\0]*^ {4}", re.MULTILINE),
    # The oracle forgets the indentation of a line that lazily continues a nested paragraph, and
    # lets a block start there; the reference implementation (commonmark.js) continues it.
    "lazy line": re.compile(
        r"^(?: {0,3}\t| {4})[ \t]*(?:[>*+\-#]|`{3}|~{3}|[0-9]{1,9}[.)])", re.MULTILINE
    ),
}


def exception(document: str) -> str | None:
    document = document.replace("\r\n", "\n").replace("\r", "\n")
    return next((name for name, look in EXCEPTIONS.items() if look.search(document)), None)


def planted(document: str) -> Iterator[str]:
    step = 1 + len(document) // 60
    for at in range(0, len(document) + 1, step):
        for plant in PLANTS:
            yield document[:at] + plant + document[at:]


def disagreement(document: str) -> str | None:
    """Say how we differ from the oracle, if we do and should not."""
    place = oracle_place(document)
    if place == "elsewhere" or (place == "text") == is_found(document):
        return None
    return None if exception(document) else f"{place}: {document!r}"


@cache
def examples() -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads(CORPUS.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("section", sorted({item["section"] for item in examples()}))
def test_examples_of_the_specification(section: str) -> None:
    """Planted anywhere in an example of CommonMark, a marker is found just if it is no code."""
    documents = [item["markdown"] for item in examples() if item["section"] == section]

    differ = [
        found
        for document in documents
        for text in planted(document)
        if (found := disagreement(text))
    ]

    assert differ == []


CONTAINERS = (
    "",
    "",
    "> ",
    ">",
    "- ",
    "1. ",
    "  ",
    "   ",
    "    ",
    "     ",
    "\t",
    " ",
    "* ",
    "+\t",
)
CONTENTS = (
    "```", "~~~", "````", "``` py", "~~~ `x`", "word", "`code", "``", "a ` b", "two `` c",
    "# h", "---", "***", "===", "", "", "\\", "\\`", "`", "- x", "1) x", "``` a`b", "x  ",
    "[917]", "`[917]`", "a [917] b", "``` [917]", "2. y", "|", "&gt;", "*em*", "[917] `",
    "` [917]", "~~~~", "> q",
)  # fmt: skip
LINES = st.builds(
    lambda containers, content, end: "".join(containers) + content + end,
    st.lists(st.sampled_from(CONTAINERS), max_size=3),
    st.sampled_from(CONTENTS),
    st.sampled_from(["\n", "\n", "\n", "\n\n", "\r\n", "\r"]),
)


@settings(max_examples=500)
@given(st.lists(LINES, min_size=1, max_size=8).map("".join), st.integers(0, 400))
@example("- ```\n  [917]\n", 0)
def test_generated_documents(document: str, at: int) -> None:
    """In nested lists, quotes, fences and spans, a marker is found just if it is no code."""
    parts = document.split(MARKER)
    keep = at % len(parts)
    text = "".join(
        part + (MARKER if number == keep else "[5]" if number < len(parts) - 1 else "")
        for number, part in enumerate(parts)
    )
    if MARKER not in text:
        place = at % (len(text) + 1)
        text = f"{text[:place]} {MARKER} {text[place:]}"

    assert disagreement(text) is None
