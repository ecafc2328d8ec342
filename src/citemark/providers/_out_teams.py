"""An answer as an activity of the Bot Framework, with the citations that Teams shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from citemark.providers._out_sources import cut_units, given_sources, quotes_of
from citemark.providers._out_text import write
from citemark.renderers._markdown_pieces import Piece, Policy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citemark.answer import Answer
    from citemark.providers._out_sources import Given
    from citemark.providers._out_text import Written

__all__ = ["to_teams"]

MAX_CITATIONS: Final = 20
"""Citations that one message may have."""

MAX_NAME: Final = 80
"""Characters of a title."""

MAX_ABSTRACT: Final = 160
"""Characters of the words of a source."""


def to_teams(answer: Answer) -> dict[str, Any]:
    """Return an answer as an activity: text with ``[1]``, and an entity with the citations.

    It has the label of AI-generated content.  Teams' limits hold: the first 20 numbers are
    citations, with titles of 80 and quotes of 160 characters; the markers of further ones stay
    text.  Teams reads Markdown, so images, raw HTML, and links that lead to none of the sources
    are text, as in the Markdown renderer.
    """
    quotes = quotes_of(answer)
    seen: dict[int, Given] = {}
    for given in given_sources(answer):
        if given.number is not None:
            seen.setdefault(given.number, given)
    cited = [seen[number] for number in sorted(seen)[:MAX_CITATIONS]]
    return {
        "type": "message",
        "textFormat": "markdown",
        "text": _safe(write(answer), answer),
        "entities": [
            {
                "type": "https://schema.org/Message",
                "@type": "Message",
                "@context": "https://schema.org",
                "@id": "",
                "additionalType": ["AIGeneratedContent"],
                **({"citation": [_claim(one, quotes) for one in cited]} if cited else {}),
            }
        ],
    }


def _claim(given: Given, quotes: dict[str, str]) -> dict[str, Any]:
    words = quotes.get(given.source.id) or given.passage or given.title
    icon = {"image": {"@type": "ImageObject", "name": "PDF"}} if _is_pdf(given) else {}
    is_page = given.url is not None and given.url.lower().startswith("http")
    return {
        "@type": "Claim",
        "position": given.number,
        "appearance": {
            "@type": "DigitalDocument",
            "name": cut_units(given.title, MAX_NAME),
            "abstract": cut_units(words, MAX_ABSTRACT),
            **({"url": given.url} if is_page else {}),
            **icon,
        },
    }


def _is_pdf(given: Given) -> bool:
    return given.source.kind == "pdf"


def _safe(written: Written, answer: Answer) -> str:
    """Return the text as Markdown that loads, runs and links nothing of the model's own."""
    # Imported late: markdown-it-py takes longer to load than all of citemark.
    from citemark.renderers._markdown_safe import make_safe  # noqa: PLC0415

    urls = {given.url for given in given_sources(answer) if given.url}
    return make_safe([*_pieces(written)], [""], Policy(lambda url: url in urls, ""))


def _pieces(written: Written) -> Iterator[Piece]:
    text, pos = written.text, 0
    for mark in written.marks:
        if mark.anchor != "marker":
            continue
        if pos < mark.start:
            yield Piece(text[pos : mark.start], is_ours=False)
        shown = text[mark.start : mark.end]
        yield Piece(shown, is_ours=True, raw=shown)
        pos = mark.end
    if pos < len(text):
        yield Piece(text[pos:], is_ours=False)
