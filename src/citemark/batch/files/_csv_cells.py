"""Texts in cells of CSV that no spreadsheet runs, and what such cells of an output stood for.

A text that begins as a formula does gets an apostrophe in front.  So does one of apostrophes
before such a text: whatever is written is read as it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import regex

from citemark.renderers.csv import harmless

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["guarded", "is_guarded", "unguarded"]

KNOWN_BY: Final = {"id", "cited", "options_digest"}
"""Columns by which an output is known."""

_NUMBER: Final = regex.compile(
    r"[+\-] (?: [0-9]*+ (?:[.,][0-9]++)*+ (?<=[0-9]) (?:[eE][+\-]?[0-9]++)?+"
    r"         | [0-9]++ (?:\ [0-9]++)*+ )",
    regex.VERBOSE,
)
"""A number with its sign, or that of a phone: ``-0.5``, ``+1e6``, ``-1,5``, ``+49 30 123``."""


def guarded(text: str) -> str:
    """Return a text as a cell.

    >>> [guarded(text) for text in ("-0.5", "=1+1", "'=1+1", "'tis")]
    ['-0.5', "'=1+1", "''=1+1", "'tis"]
    """
    return f"'{text}" if _is_formula(text) else text


def unguarded(cell: str) -> str:
    """Return the text that a cell of an output stands for."""
    is_guard = cell.startswith("'") and _is_formula(cell[1:])
    return cell[1:] if is_guard else cell


def is_guarded(columns: Iterable[str]) -> bool:
    """Whether a file of such columns is an output, in which each text has its guard.

    Somebody may have left out some of them, as those that are empty.
    """
    return {*columns} >= KNOWN_BY


def _is_formula(text: str) -> bool:
    """Whether a text, or what is behind apostrophes before it, would be run."""
    bare = text.lstrip("'")
    return harmless(bare) != bare and not _NUMBER.fullmatch(bare)
