"""What a stream holds back: what more text can still decide, and no more."""

from __future__ import annotations

import pytest
from hypothesis import given
from strategies import FIVE, HOLD, PLAIN, SOURCES, raw, texts

from citemark import Sources
from citemark.parser import Scanner

FLOODS = (
    "[", "[1", "[1,", "[[", "[doc:", "[a](", "<<", "`", "`a ", "``` ", "<code>", "$", "\\(",
    "\r", "【1", "a[1]", "[^", "![", "\n", "\n>", "    ", "\ud83d", "[a", "\n```\n",
)  # fmt: skip

UNHIDDEN = texts(8).filter(
    lambda text: not any(word in text.lower() for word in ("<code", "<pre", "$", "\\(", "\\["))
)


@given(UNHIDDEN, SOURCES)
def test_a_paragraph_end_decides(text: str, sources: Sources) -> None:
    """After blank lines and plain words nothing is open: all is released."""
    scanner = Scanner(known=sources)
    chunk = text + "\n\n\nplain words\n\n\nand more"

    assert raw(scanner.feed(chunk)) == chunk


@pytest.mark.parametrize(
    "text",
    [
        "See [2024 rep",
        "See [5 reasons",
        "call f([1], x",
        "a [y",
        "an [unfinished thought",
        "if 1 < 2",
        "cout << x",
        "x]",
        "- [ ] task",
        "a [1.",
        "a [1234567",
        "a [1, x",
        "![x",
        "plain.",
        "a [3-1] ",
        "```\nx = [1",
        "~~~\n[1]",
        "a (1",
        "[^ ",
    ],
)
def test_what_cannot_become_a_marker_is_released(text: str) -> None:
    """With sources that only numbers name, the tail is text at once and is not held."""
    scanner = Scanner(known=PLAIN)

    assert raw(scanner.feed(text)) == text


@pytest.mark.parametrize(
    ("text", "released"),
    [
        ("a [", "a "),
        ("a [1", "a "),
        ("a [1, ", "a "),
        ("a [[1]", "a "),
        ("a [1]", "a "),
        ("a `[1]", "a `"),
        ("a `b", "a `b"),
        ("a <", "a "),
        ("a <<p", "a "),
        ("a \\", "a "),
        ("a [doc:p", "a "),
        ("a \ud83d", "a "),
        ("x\r", "x"),
        ("a 【1", "a "),
    ],
)
def test_what_may_become_a_marker_is_held(text: str, released: str) -> None:
    """What stands before an open construct is released, the construct is not."""
    scanner = Scanner(known=PLAIN)

    assert raw(scanner.feed(text)) == released
    assert raw(scanner.close()) == text.removeprefix(released)


@pytest.mark.parametrize("unit", FLOODS)
@pytest.mark.parametrize("prefix", ["", "[", "x ", "[[", "<<", "`", "[t]("])
def test_what_is_held_is_bounded(unit: str, prefix: str) -> None:
    """Whatever floods the stream, no more is held back than the grammar may need."""
    text = prefix + unit * (12_000 // len(unit))
    scanner = Scanner(known=Sources(FIVE))
    held = 0
    for start in range(0, len(text), 97):
        chunk = text[start : start + 97]
        held += len(chunk) - len(raw(scanner.feed(chunk)))
        assert held <= HOLD
