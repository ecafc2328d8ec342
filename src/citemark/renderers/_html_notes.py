"""The list of sources below an answer: the cited ones, and those that were only given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from citemark.renderers._display import glance_at, passage_of
from citemark.renderers._html_places import page_place, places_in_words, score_place
from citemark.renderers._html_templates import REL, Html, escaped
from citemark.renderers._urls import host_of, safe_url

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citemark.answer import Answer
    from citemark.model import Location, Source
    from citemark.renderers._html_page import Page

__all__ = ["Cited", "Entries", "listed", "notes_html", "places_html"]


class Cited(NamedTuple):
    """What citations tell of a source, each once."""

    places: dict[Location, None]
    quotes: dict[str, None]
    """Words of it that a provider gave as proof."""


NOT_CITED: Final = Cited({}, {})
"""Of a source that is only consulted."""

Entries: TypeAlias = "dict[int, dict[Source, Cited]]"
"""Cited sources by number."""


def listed(answer: Answer) -> Entries:
    """Return what each number of an answer stands for, in order of number."""
    entries: Entries = {}
    known: dict[tuple[int, int], Cited] = {}  # by identity: sources are slow to compare
    for citation in answer.citations:
        number, source = citation.number, citation.source
        if number is None or source is None:
            continue
        cited = known.get((number, id(source)))
        if cited is None:
            cited = entries.setdefault(number, {}).setdefault(source, Cited({}, {}))
            known[number, id(source)] = cited
        if citation.locations:
            cited.places.update(dict.fromkeys(citation.locations))
        if citation.quote:
            cited.quotes[citation.quote] = None
    return dict(sorted(entries.items()))


def notes_html(page: Page, entries: Entries) -> Html:
    """Return the list of sources; nothing if there are none, or none are to be shown."""
    options = page.options
    if options.notes == "none":
        return Html()
    consulted = page.answer.consulted if options.notes == "all" else ()
    if not entries and not consulted:
        return Html()
    notes = [
        page.fill(
            "note",
            id=f"{page.prefix}-src-{number}",
            number=str(number),
            sources=Html("\n".join([_shown(page, *each) for each in sources.items()])),
            backs=page.references.back_to(number),
        )
        for number, sources in entries.items()
    ]
    others = [page.fill("consulted", source=_shown(page, source)) for source in consulted]
    return page.fill(
        "notes",
        id=f"{page.prefix}-sources",
        heading=(options.heading or options.words["heading"]) if notes else "",
        hidden="" if options.heading else "hidden",
        level=str(options.heading_level),
        labelled_by=options.labelled_by or "",
        notes=Html("\n".join(notes)),
        consulted=Html("\n".join(others)),
        consulted_heading=options.words["consulted"],
        consulted_level=str(
            min(options.heading_level + 1, 6) if notes else options.heading_level
        ),
    )


def places_html(page: Page, source: Source, named: Iterable[Location], where: str) -> Html:
    """Return where a source is, and what of it is cited; its relevance if it is asked for."""
    words = page.options.words
    told = [where, page_place(source, words), *places_in_words(named, words)]
    if page.options.scores:
        told.append(score_place(source, words))
    places = [page.fill("place", text=text) for text in dict.fromkeys(told) if text]
    return Html(escaped(words["separator"]).join(places))


def _shown(page: Page, source: Source, cited: Cited = NOT_CITED) -> Html:
    title, host = page.title(source), host_of(source.url)
    return page.fill(
        "source",
        title=title or "…",
        url=safe_url(source.url) or "",
        places=places_html(page, source, cited.places, host if host != title else ""),
        passage=passage_of(source) or glance_at(" … ".join(cited.quotes)),
        rel=REL,
    )
