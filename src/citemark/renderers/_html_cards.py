"""Previews: for each number a card that tells what is cited, where it is, and what it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citemark.renderers._deep_links import deep_link
from citemark.renderers._excerpts import excerpt_of
from citemark.renderers._html_notes import places_html
from citemark.renderers._html_places import page_of
from citemark.renderers._html_templates import REL, Html, escaped
from citemark.renderers._kinds import kind_of
from citemark.renderers._quotes import compared, quotes_of
from citemark.renderers._urls import host_or_name, safe_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from citemark.model import Source
    from citemark.renderers._excerpts import Piece
    from citemark.renderers._html_notes import Cited, Entries
    from citemark.renderers._html_page import Page

__all__ = ["cards_html"]


def cards_html(page: Page, entries: Entries) -> Html:
    """Return a card for each number; nothing if there are none."""
    if not entries:
        return Html()
    quotes = quotes_of(page.answer)
    cards = [
        _card(page, number, sources, quotes.get(number, ()))
        for number, sources in entries.items()
    ]
    return page.fill("cards", cards=Html("\n".join(cards)))


def _card(
    page: Page,
    number: int,
    sources: dict[Source, Cited],
    quotes: Iterable[str],
) -> Html:
    words, is_button = page.options.words, page.options.previews == "button"
    shown = [_shown(page, number, *each, quotes) for each in sources.items()]
    return page.fill(
        "card",
        id=f"{page.prefix}-card-{number}",
        label=words["source"].format(number=number, title=page.title(next(iter(sources)))),
        popover="auto" if is_button else "hint",
        close=words["close"] if is_button else "",
        sources=Html("\n".join(shown)),
    )


def _shown(
    page: Page, number: int, source: Source, cited: Cited, quotes: Iterable[str]
) -> Html:
    title, where, kind = page.title(source), host_or_name(source), kind_of(source)
    words, text = page.options.words, source.text if isinstance(source.text, str) else ""
    told = (*cited.quotes, *_named(text, cited))
    excerpt = excerpt_of(text or " … ".join(told), [*map(compared, told), *quotes])
    url = safe_url(source.url)
    return page.fill(
        "card_source",
        number=str(number),
        kind=kind,
        kind_word=words[kind],
        title=title or "…",
        places=places_html(page, source, cited.places, where if where != title else ""),
        glance=_passage(page, excerpt.glance),
        rest=_passage(page, excerpt.rest),
        is_open="open" if excerpt.is_open else "",
        more=words["more"],
        href=deep_link(url, kind, page_of(source, cited.places), excerpt.phrase) if url else "",
        rel=REL,
        open=words["open"],
    )


def _named(text: str, cited: Cited) -> Iterator[str]:
    """Yield the parts of a passage that citations name by their characters."""
    for place in cited.places:
        if place.unit == "char" and 0 <= place.start < place.end <= len(text):
            yield text[place.start : place.end]


def _passage(page: Page, pieces: Iterable[Piece]) -> Html:
    return Html(
        "".join(
            page.fill("quote", text=text) if is_quoted else escaped(text)
            for text, is_quoted in pieces
        )
    )
