"""Where in a source something stands, in words: page, lines, sentences, host and score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark.records import finite_number
from citemark.renderers._display import cut, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from citemark.model import Location, Source

__all__ = ["page_of", "page_place", "places_in_words", "score_place"]

MAX_PAGE: Final = 40
"""Code points of a page name that are shown."""

MAX_PLACES: Final = 8
"""Places of one source that are told."""

MAX_TIME: Final = 10**12
"""Milliseconds of a recording."""

_TOLD: Final = frozenset(("page", "line", "sentence", "time"))
"""Units that tell a reader something; characters and blocks are for programs."""


def page_place(source: Source, words: Mapping[str, str]) -> str:
    """Return the page of a source in words; "" if it has none."""
    if source.page is None:
        return ""
    page = cut(one_line(_page_name(source.page)), MAX_PAGE)
    return words["page"].format(page=page) if page else ""


def places_in_words(places: Iterable[Location], words: Mapping[str, str]) -> list[str]:
    """Return the places that markers name, each once, the first eight of them."""
    told = dict.fromkeys(_in_words(place, words) for place in places if place.unit in _TOLD)
    return [*told][:MAX_PLACES]


def score_place(source: Source, words: Mapping[str, str]) -> str:
    """Return the relevance of a source in words, with four digits; "" if it has none."""
    score = finite_number(source.score)
    return "" if score is None else words["score"].format(score=f"{score:.4g}")


def page_of(source: Source, places: Iterable[Location]) -> object:
    """Return the page to open: the first that a marker names, else that of the source."""
    return next((place.start for place in places if place.unit == "page"), source.page)


def _in_words(place: Location, words: Mapping[str, str]) -> str:
    if place.unit == "time":
        return "–".join(dict.fromkeys(map(_clock, (place.start, place.end))))
    first, last = _page_name(place.start), _page_name(place.end - 1)
    if place.end - 1 <= place.start:
        return words[place.unit].format(**{place.unit: first})
    return words[f"{place.unit}s"].format(first=first, last=last)


def _clock(milliseconds: int) -> str:
    """Return a time of a recording: hours if there are any, minutes and seconds."""
    minutes, seconds = divmod(min(milliseconds, MAX_TIME) // 1_000, 60)
    hours, rest = divmod(minutes, 60)
    return f"{hours}:{rest:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def _page_name(page: object) -> str:
    """Return a page as text; "" for what is none, or has more digits than Python writes."""
    if isinstance(page, str):
        return page
    if not isinstance(page, int) or isinstance(page, bool):
        return ""
    return str(page) if abs(page) < 10**MAX_PAGE else ""
