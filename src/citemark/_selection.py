"""Which rows of a set are tried, knowing the sources."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from citemark.catalogue import LENIENT, NAMED_NUMBERS, Format, FormatSet, is_named
from citemark.grammar import Grammar, compile_grammar
from citemark.sources import LOOKUPS, Lookup, Sources

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["grammar_for"]

_NUMBERED: Final[WeakKeyDictionary[Sources, bool]] = WeakKeyDictionary()


def grammar_for(formats: Iterable[Format], known: Sources | None) -> Grammar:
    """Return the grammar of those formats whose keys could name a source.

    If the sources are not known, candidates are left out, but for links.  Sources with lenient
    look-up bring the rows of their steps.
    """
    if known is None:
        return _grammar_for(FormatSet.of(formats), ("url",), (), numbers_named=False)
    return _grammar_for(
        FormatSet.of(formats),
        tuple(filter(known.has, LOOKUPS)),
        known.lenient,
        numbers_named=_are_numbered_otherwise(known),
    )


def _are_numbered_otherwise(known: Sources) -> bool:
    """Whether a source is called like ``chunk_7``, and is not the seventh."""
    if known not in _NUMBERED:
        _NUMBERED[known] = any(
            number is not None and (number.lstrip("0") or "0") != label
            for label, source in known.labelled()
            for number in map(is_named, (source.id, source.title))
        )
    return _NUMBERED[known]


@lru_cache(maxsize=64)
def _grammar_for(
    formats: FormatSet,
    named: tuple[Lookup, ...],
    steps: tuple[str, ...],
    *,
    numbers_named: bool,
) -> Grammar:
    """Return the grammar of the formats, less those with nothing that they could name.

    If the sources have names such as ``chunk_7``, a word and a number is such a name, and not
    a label.
    """
    rows = formats | LENIENT if steps else formats
    return compile_grammar(
        tuple(
            row
            for row in rows
            if (row.tier != "candidate" or not set(named).isdisjoint(row.lookup))
            and (not row.step or row.step in steps)
            and not (numbers_named and row.name in NAMED_NUMBERS)
        )
    )
