"""Words for figures, scales, units and months, read from ``measures.toml`` at first use."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["is_other_word", "meaning_of", "table"]

MAX_PREFIX: Final = 7
"""Code points of a word in a script without blanks; ``キロメートル`` has six."""

FIRST_DENSE: Final = "\u2e80"
"""Letters from here on are of scripts without blanks."""


@cache
def _tables() -> Mapping[str, Mapping[str, str]]:
    text = files("citemark.checks").joinpath("measures.toml").read_text("utf-8")
    return tomllib.loads(text)


@cache
def table(name: str) -> Mapping[str, str]:
    """Return a table: what each word means, by the word in the case that compares."""
    rows = _tables()[name].items()
    return {word: meaning for meaning, words in rows for word in words.casefold().split()}


def meaning_of(name: str, word: str) -> tuple[str, int]:
    """Return what a word means in a table, and how many of its letters say so.

    >>> meaning_of("units", "Weeks"), meaning_of("scales", "亿元"), meaning_of("units", "tree")
    (('week', 5), ('100000000', 1), ('', 0))
    """
    known, folded = table(name), word.casefold()
    if folded in known:
        return known[folded], len(word)
    if folded >= FIRST_DENSE:
        for length in range(min(len(folded), MAX_PREFIX), 0, -1):
            if folded[:length] in known:
                return known[folded[:length]], length
    return "", 0


def is_other_word(word: str) -> bool:
    """Whether the name of a month means something else as it is written: "may"."""
    return word.islower() and word in _tables()["capital"]["months"].split()
