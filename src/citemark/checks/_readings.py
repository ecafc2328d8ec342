"""A sentence as it stands, and with one sign in place of "the given documents"."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final

from citemark.checks._phrase import SOURCES, Phrase
from citemark.checks._vocabulary import languages

__all__ = ["readings_of"]

LENGTH: Final = 4
"""Letters that tell a noun from nearly all others."""


@lru_cache(maxsize=16)
def readings_of(words: str) -> tuple[str, ...]:
    """Return a sentence; and with a sign for "the sources", by the languages it may be in.

    Written out in all phrases, those words would take seconds to compile.
    """
    starts = {token[:LENGTH] for token in words.replace("'", " ").split()}
    if words.isascii():
        if starts.isdisjoint(_starts()):
            return (words,)
    else:
        starts |= {token[:2] for token in starts}
    numbers = {number for start in starts & _starts() for number in _nouns()[start]}
    if not words.isascii():
        numbers |= {number for noun, number in _dense_nouns() if noun in words}
    found = {words: None}
    for number in sorted(numbers):
        phrases = tuple(at for at, one in enumerate(_sources(number)) if one.may_match(words))
        if phrases:
            found[_pattern(number, phrases).sub(SOURCES, words)] = None
    return tuple(found)


@cache
def _sources(number: int) -> tuple[Phrase, ...]:
    """Return what names the sources in a language."""
    language = languages()[number]
    return tuple(Phrase(text, language) for text in language.get("sources", ()))


@cache
def _nouns() -> dict[str, tuple[int, ...]]:
    """Return how the nouns in it start, each with its languages."""
    found: dict[str, tuple[int, ...]] = {}
    for number, language in enumerate(languages()):
        if language.get("blanks", True):
            nouns = {noun[:LENGTH] for one in _sources(number) for noun in one.nouns()}
            for noun in nouns:
                found[noun] = (*found.get(noun, ()), number)
    return found


@cache
def _starts() -> frozenset[str]:
    """Return the same, for the sentences that have none of them: nearly all."""
    return frozenset(_nouns())


@cache
def _dense_nouns() -> tuple[tuple[str, int], ...]:
    """Return the nouns of languages without blanks, each with its language."""
    return tuple(
        (noun, number)
        for number, language in enumerate(languages())
        if not language.get("blanks", True)
        for one in _sources(number)
        for noun in one.nouns()
    )


@cache
def _pattern(number: int, phrases: tuple[int, ...]) -> re.Pattern[str]:
    """Return the pattern of some of the phrases of a language."""
    start = r"\b" if languages()[number].get("blanks", True) else ""
    return re.compile(
        f"{start}(?:{'|'.join(_sources(number)[at].pattern() for at in phrases)})"
    )
