"""Time grows with the length of the text and not faster, on inputs made to be slow."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from growth_kit import assert_linear

from citemark import Sources, cite, render
from citemark.parser import Scanner, find_markers

if TYPE_CHECKING:
    from collections.abc import Callable

WHOLE = 20_000
MEGABYTE = 1_000_000
STREAMED = 6_000

SOURCES = Sources(
    [
        {"id": "a", "title": "aaaa", "url": "https://example.org/a"},
        {"id": "b c", "title": "[[[["},
        {"id": "1/1", "url": "http://a"},
    ]
)

UNITS = (
    "[", "[[", "[1", "[1,", "[1-", "[a](", "[a](<b", "[a](((", '[x](y "', "![[]()", "<<",
    "<a", "<code>", "<pre ", "【1:1†", "【", "[doc:", "[doc:a,", "\\[", "\\", "[1] ", "[1]",
    "a[1]", "a[", "`` ` ", "` ", "`", "`a", "~~~\n```\n", "\n```", "\n````x", "- ", "> ",
    "\n", "\n\n    [1]", "\n> - 1. ", "\r", "\r\n", "$", "$$", "$a", "\\(", "\\[a", "[1]: ",
    "\n[1]:", "[^", "[a][", "]", "][", "<https://a", "http://a", "\u0301\u0316", "\ud83d",
    "é", " ", "\t", "[a ", "[[a ", "a.b[1].", "f(", "f(a)[1]", "_", "![a](b", "[`", "[[1],",
    "|", "\n|`", "\n- `", "*", "&#", "(", "(a-1, ", "([a](", "<co>", "</co: 0", "<cite id=",
    '(cite index="0-1">', "<statement>", "\ue200", "\ue200cite\ue202turn0search1",
    "citeturn0search0", ":cit[a", "{{cite:", "##0", "[ID:1,", "[source ", "\nSources:\n",
    "\n[1] a", "\n- [a](http://a)", "\nSources: [1], ", "interval [1, 2] ",
)  # fmt: skip


def _runs(size: int) -> str:
    """Return runs of backticks of falling length, none of which closes another."""
    count = int((2 * size) ** 0.5)
    return "".join("`" * length + "e" for length in range(count, 0, -1))


def _fences(size: int) -> str:
    count = int((2 * size) ** 0.5)
    return "".join("`" * length + "x\n" for length in range(count, 2, -1))


GENERATED: dict[str, Callable[[int], str]] = {
    "falling runs": _runs,
    "falling fences": _fences,
    "open fence": lambda size: "```\n" + "a [1]\n" * (size // 6),
    "open span": lambda size: "`" + "a [1] " * (size // 6),
    "open list": lambda size: "[" + "1," * (size // 2),
    "ranges": lambda size: "[1" + "-1" * (size // 2) + "]",
    "blanks in a marker": lambda size: "[1" + " " * size + "]",
    "blanks before": lambda size: " " * size + "[1",
    "long id": lambda size: "[doc:" + "a" * size + "]",
    "long url": lambda size: "[a](" + "b" * size + ")",
    "long word": lambda size: "a" * size + "[1]",
    "long name": lambda size: "a." * (size // 2) + "a[1]",
    "long call": lambda size: "f(" + "a" * size + ")[1]",
    "one quote": lambda size: ">" * size + "[1]",
    "deep lists": lambda size: "".join("  " * (n % 20) + "- [1]\n" for n in range(size // 25)),
    "closing brackets": lambda size: "[" * (size // 2) + "]" * (size // 2),
    "one tag": lambda size: "<pre>" + "a" * size + "</pre>",
    "math": lambda size: "$" + "a_1 " * (size // 4) + "$",
    "combining": lambda size: "[[a" + "\u0301\u0316" * (size // 2) + "]]",
    "pairs": lambda size: "[1]\ud83d\ude00" * (size // 5),
}
for unit in UNITS:
    GENERATED[f"{unit!a}"] = lambda size, unit=unit: unit * (size // len(unit))  # type: ignore[misc]


def find(text: str) -> None:
    find_markers(text)
    find_markers(text, known=SOURCES)


def feed_characters(text: str) -> None:
    scanner = Scanner(known=SOURCES)
    for character in text:
        scanner.feed(character)
    scanner.close()


def assert_grows(
    work: Callable[[str], None], text: Callable[[int], str], size: int, margin: float = 3
) -> None:
    """A text is at most ``margin`` times ten times the work of a tenth of it."""
    small, large = text(size // 10), text(size)
    assert_linear(lambda: work(small), lambda: work(large), margin=margin)


@pytest.mark.parametrize("name", GENERATED)
def test_whole(name: str) -> None:
    """A text of 100,000 characters is ten times the work of one of 10,000."""
    assert_grows(find, GENERATED[name], WHOLE)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["'['", "'[a]('", "'[1]'", "falling runs", "open fence", "'\\n'"]
)
def test_whole_of_a_megabyte(name: str) -> None:
    """A text of a million characters is ten times the work of a tenth of it."""
    assert_grows(find, GENERATED[name], MEGABYTE)


@pytest.mark.slow
@pytest.mark.parametrize("name", GENERATED)
def test_by_character(name: str) -> None:
    """A stream of single characters costs the same for each, however long it is."""
    # A short stream has not yet filled what a long one keeps.
    assert_grows(feed_characters, GENERATED[name], STREAMED, margin=4)


HOSTILE = (
    "[", "](", "[a](", "![a](b", "<", "<a ", "<b `>`", "`", "`<b>` $ ", "`a\n<b>`\n",
    "\\(`<b>\\)`", "$$\n```\n<b>$$\n```\n", "```\n<b>\n```\n", "- ```\n  <b>\n\n",
    " a\n\n     <b>\n\n", "[a]: b\n", "1. a\n    ```\n    <b>\n    ```\n", "|`<b>`|\n|-|\n",
    "https://example.org/a ", "http://a/",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("unit", HOSTILE)
def test_markdown(unit: str) -> None:
    """Making Markdown harmless takes ten times as long for ten times as much of it."""

    def write(text: str) -> None:
        render(cite(text, SOURCES), "markdown")

    assert_grows(write, lambda size: unit * (size // len(unit)), WHOLE)
