"""Short cuts of the search for quotes find what the long way finds."""

from __future__ import annotations

from random import Random

from citemark._quotes._extract import _covered, _parts
from citemark._quotes._fold import _FULL, _PLAIN, _level, _matches

BLANKS = (" ", "  ", "\n", "\n\n", "\r\n", "\t", "    ")
SIGNS = (
    "*",
    "_x_",
    "“q”",
    '"',
    " ;",
    "5 %",
    "€ 5",
    " . . .",
    "…",
    "---",
    "x-\ny",
    "é",
    "a word",
)
OTHERS = ("\u00ad", "e\u0301", "ﬃ", "漢字", "\ufeff", "`c'", "```", "~~~", "$$", "\\[", '["k"]')
BLOCKS = ("- ", "> ", '- "i"', "    'code'", '| a | "b" |', "\n|---|---|\n", "# ", "1. ", "***")
PIECES = (*BLANKS, *SIGNS, *OTHERS, *BLOCKS)
TEXTS = 3_000


def _texts() -> list[str]:
    random = Random(6)  # noqa: S311  no secret
    return ["".join(random.choices(PIECES, k=random.randint(1, 16))) for _ in range(TEXTS)]


def test_changes_are_those_of_a_search_at_each_blank() -> None:
    """Folding looks beside signs alone, and misses nothing that the pattern matches."""
    for text in _texts():
        level = _level(text)
        for pattern in (_PLAIN, _FULL):
            found = [match.span() for match in _matches(level, pattern)]
            assert found == [match.span() for match in pattern.finditer(level)], text


def test_parts_are_read_as_in_the_whole() -> None:
    """What is code in a paragraph does not depend on the paragraphs above it."""
    for text in _texts():
        lines = text.replace("\r\n", " \n")
        assert "".join(map(_covered, _parts(lines))) == _covered(lines), text
