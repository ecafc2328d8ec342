"""What goes out of the sources of an answer: what readers may see, and no more."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

import regex

from citemark.renderers._display import cut, glance_at, one_line, passage_of, title_of
from citemark.renderers._urls import safe_url

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.model import Source

__all__ = ["Given", "cut_units", "given_sources", "id_of", "quotes_of", "told_page", "units"]

MAX_WHOLE: Final = 2**53 - 1
"""The greatest integer that all readers of JSON keep as it is (RFC 8259, 6)."""

_SURROGATES: Final = regex.compile(r"[\ud800-\udfff]")


class Given(NamedTuple):
    """A source as it goes out."""

    source: Source
    """The source itself."""

    number: int | None
    """Its number; None if it is not cited."""

    title: str
    """What it is called; never empty."""

    url: str | None
    """Where it is, if a browser may go there."""

    passage: str
    """The start of its passage."""


def given_sources(answer: Answer) -> list[Given]:
    """Return the sources in the order in which a list counts them.

    First one of each number, so that the numbers are places in the list; then the others of a
    group, then those that are not cited.
    """
    entries = [(entry.number, entry.sources) for entry in answer.entries]
    ordered: list[tuple[Source, int | None]] = [
        (sources[0], number) for number, sources in entries
    ]
    ordered += [(source, number) for number, sources in entries for source in sources[1:]]
    ordered += [(source, None) for source in answer.consulted]
    return [
        Given(
            source,
            number,
            _plain(title_of(source)) or f"Source {position}",
            safe_url(source.url),
            _plain(passage_of(source)),
        )
        for position, (source, number) in enumerate(ordered, 1)
    ]


def id_of(source: Source) -> str:
    """Return the id of a source."""
    return _plain(source.id)


def told_page(source: Source) -> int | str | None:
    """Return the page of a source, if it is a number or a name."""
    page = source.page
    if isinstance(page, str):
        return _plain(page) or None
    is_number = isinstance(page, int) and not isinstance(page, bool)
    return page if is_number and abs(page or 0) <= MAX_WHOLE else None


def quotes_of(answer: Answer) -> dict[str, str]:
    """Return the first quote of each source, by its id."""
    quotes: dict[str, str] = {}
    for citation in answer.citations:
        if citation.source is not None and citation.quote:
            quotes.setdefault(citation.source.id, _plain(glance_at(citation.quote)))
    return quotes


def units(text: str) -> int:
    """Return the length of a text in JavaScript: units of UTF-16."""
    return len(text) + sum(character > "\uffff" for character in text)


def cut_units(text: str, length: int) -> str:
    """Return a text as one line of at most so many units of UTF-16.

    >>> cut_units("🚢 boats leave", 8)
    '🚢 boat…'
    """
    line = one_line(text[: 4 * length])
    if units(line) <= length:
        return line
    counted = accumulate(1 + (character > "\uffff") for character in line)
    room = sum(1 for used in counted if used < length)  # one unit is for the ellipsis
    return cut(line, room + 1) if len(line) > room + 1 else cut(f"{line} ", room + 1)


def _plain(text: str) -> str:
    # Strict readers of JSON refuse half of a surrogate pair.
    return _SURROGATES.sub("\ufffd", str(text))
