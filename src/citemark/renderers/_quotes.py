"""Words quoted beside a citation: looked for in the passage that it names."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from citemark._quotes import Folded, find_quotations, find_quote, passage_of, without_prefixes
from citemark.model import TextSegment
from citemark.renderers._clean import clean

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citemark.answer import Answer

__all__ = ["compared", "quoted", "quotes_of"]

MAX_QUOTES: Final = 12
"""Quotes that are looked for in the passages of a number."""

MAX_QUOTE: Final = 2_000
"""Code points of a quote that a provider gives."""

MAX_PARAGRAPH: Final = 4_000
"""Code points of a paragraph that are searched for quotes."""

MIN_QUOTE: Final = 4
"""Code points of a quote: a shorter word would be found by chance."""

_EDGES: Final = " \u00a0\u202f.,;:…。，、*_"


def quotes_of(answer: Answer) -> dict[int, list[str]]:
    """Return for each number the words that its paragraphs quote, each once, in order."""
    quotes: dict[int, list[str]] = {}
    line: list[str] = []
    numbers: set[int] = set()
    for segment in answer.segments:
        if isinstance(segment, TextSegment):
            first, *others = segment.text.split("\n\n")
            line.append(first)
            for other in others:
                _add(quotes, numbers, line)
                line, numbers = [other], set()
        else:
            line.append(segment.marker.words)
            numbers.update(c.number for c in segment.citations if c.number is not None)
    _add(quotes, numbers, line)
    return quotes


def quoted(passage: str, quotes: Iterable[str]) -> list[tuple[int, int]]:
    """Return where quotes stand in a passage: half-open, in order, none within another.

    They stand there however either is printed (see ``citemark._quotes``); a quote of several
    parts has several ranges.
    """
    kept = passage_of(passage)
    found: list[tuple[int, int]] = []
    for quote in filter(None, quotes):
        place = find_quote(Folded(quote), kept)
        found += place.spans if place else ()
    return _merged(sorted(found))


def compared(quote: str) -> str:
    """Return a quote as it is looked for: one line, without the signs at its ends."""
    return " ".join(clean(quote[:MAX_QUOTE]).split()).strip(_EDGES)


def _add(quotes: dict[int, list[str]], numbers: set[int], line: list[str]) -> None:
    if not numbers:
        return
    text = "".join(line)[:MAX_PARAGRAPH]
    found = (
        compared(without_prefixes(text[place.start : place.end]))
        for place in find_quotations(text)
    )
    words = [*islice((quote for quote in found if len(quote) >= MIN_QUOTE), MAX_QUOTES)]
    for number in numbers if words else ():
        known = quotes.get(number, [])
        quotes[number] = [*dict.fromkeys((*known, *words))][:MAX_QUOTES]


def _merged(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in ranges:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
