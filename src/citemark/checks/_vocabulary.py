"""Words and phrases of many languages, read from the files in ``words`` at first use."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["languages", "words_of"]


@cache
def languages() -> tuple[Mapping[str, Any], ...]:
    """Return what is known of each language; the keys are told in ``words/README.md``."""
    folder = files("citemark.checks").joinpath("words")
    found = sorted(
        (file for file in folder.iterdir() if file.name.endswith(".toml")),
        key=lambda file: file.name,
    )
    return tuple(tomllib.loads(file.read_text("utf-8")) for file in found)


@cache
def words_of(*keys: str) -> frozenset[str]:
    """Return the words of some lists in all languages, in the case that compares."""
    return frozenset(
        word
        for language in languages()
        for key in keys
        for word in language.get(key, "").casefold().split()
    )
