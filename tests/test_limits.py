"""What is longer than the grammar allows is text, in whole texts and in streams alike."""

from __future__ import annotations

import pytest

from citemark.model import Marker
from citemark.parser import Scanner, find_markers

LONG = {
    "link text": "[" + "a" * 5_000 + "](https://example.org/a) [1]",
    "link address": "[a](https://example.org/" + "a" * 5_000 + ") [1]",
    "image": "![" + "a" * 5_000 + "](x) [1]",
    "code in a link text": "[" + "`c` " * 2_000 + "](x) [1]",
    "reference": "[" + "x y" * 400 + "][1] [2]",
    "code span": "`" + "a " * 2_000 + "[1]` [2]",
    "formula": "$x_1" + "a" * 2_000 + "[1]$ [2]",
    "id": "[doc:" + "a" * 3_000 + "] [1]",
    "title": "[[" + "a" * 500 + "]] [1]",
    "list": "[" + "1, " * 400 + "1] [2]",
    "info string": "```" + "a" * 3_000 + "\n[1]\n```\n[2]",
    "many lines": "plain words [1] and `code [2]`.\n" * 400,
}


def markers(text: str, size: int) -> list[Marker]:
    scanner = Scanner()
    tokens = [
        token
        for start in range(0, len(text), size)
        for token in scanner.feed(text[start : start + size])
    ]
    return [token for token in tokens + scanner.close() if isinstance(token, Marker)]


@pytest.mark.parametrize("size", [1, 7, 1_000, 4_300, 100_000])
@pytest.mark.parametrize("name", LONG)
def test_stream_and_whole_agree(name: str, size: int) -> None:
    """However long a construct is, chunks of any size give the markers of the whole text."""
    text = LONG[name]

    assert markers(text, size) == find_markers(text)


@pytest.mark.parametrize("name", ["link text", "link address", "id", "title", "list"])
def test_too_long_is_text(name: str) -> None:
    """Of a marker that is too long nothing is cited, of what follows it everything."""
    expected = {"list": ["[2]"]}.get(name, ["[1]"])

    assert [marker.raw for marker in find_markers(LONG[name])] == expected


@pytest.mark.parametrize("length", range(990, 1_010))
def test_search_for_a_span_ends(length: int) -> None:
    """A line may start just where the longest code span would end: the search ends too."""
    assert find_markers("`" + "x" * length + "\ny [1]")[0].raw == "[1]"


def test_definition_after_a_long_line() -> None:
    """What a stream lets go of does not change where the next line begins."""
    text = "\n[1]: a\n" + "x " * 3_000 + "\n[1]: b " + "x " * 3_000 + "[2]"

    assert markers(text, 5_000) == find_markers(text)
    assert [marker.raw for marker in find_markers(text)] == ["[2]"]
