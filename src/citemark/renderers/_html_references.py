"""References: what stands in the text for a citation, counted as the text is rendered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from citemark.renderers._display import cut, one_line
from citemark.renderers._html_places import places_in_words
from citemark.renderers._html_templates import REL, Html
from citemark.renderers._urls import safe_url

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citemark.model import Citation, Location
    from citemark.renderers._html_page import Page

__all__ = ["References"]

MAX_KEY: Final = 80
"""Code points of a key without source that are shown."""


USE: Final = "\0"
"""Stands in what is filled for the count of a use; no clean text has one."""

_Key: TypeAlias = "tuple[int | None, int, str, tuple[Location, ...]]"
"""Number, identity of the source, key and places: what makes two references the same."""


class References:
    """The references of one answer, and how often each number was used so far."""

    def __init__(self, page: Page) -> None:
        """Start with nothing used."""
        self._page = page
        self._uses: dict[int, int] = {}
        self._filled: dict[_Key, Html] = {}
        self._is_joined = page.options.group == "joined"
        self._is_button = page.options.previews == "button"
        self._rel = REL if page.options.notes == "none" else ""

    def of(self, citations: Sequence[Citation]) -> Html:
        """Return the references of a marker, each with the count of its uses so far."""
        if len(citations) == 1:
            return self._single(citations[0])
        before, after = ("[", "]") if self._is_joined else ("", "")
        inner = ("", "") if self._is_joined else ("[", "]")
        parts = [self._counted(c, self._reference(c, *inner)) for c in citations]
        references = Html((", " if self._is_joined else "").join(parts))
        return self._page.fill("citation", before=before, references=references, after=after)

    def back_to(self, number: int) -> Html:
        """Return a way back to each use of a number."""
        page, uses = self._page, self._uses.get(number, 0)
        fill, href = page.fill, f"#{page.prefix}-ref-{number}-"
        label = page.options.words["back"].format
        if uses == 1:
            return fill("backlink", href=f"{href}1", label=label(number=number, use=1), use="")
        links = [
            fill("backlink", href=href + use, label=label(number=number, use=use), use=use)
            for use in map(str, range(1, uses + 1))
        ]
        return Html(" ".join(links))

    def _single(self, citation: Citation) -> Html:
        key = (citation.number, id(citation.source), citation.key, citation.locations)
        html = self._filled.get(key)
        if html is None:
            reference = self._reference(citation, "[", "]")
            html = self._page.fill("citation", before="", references=reference, after="")
            self._filled[key] = html
        return Html(self._counted(citation, html))

    def _counted(self, citation: Citation, html: Html) -> str:
        """Return a reference with the count of its uses, if it leads somewhere."""
        number = citation.number
        if number is None or USE not in html:
            return html
        use = self._uses[number] = self._uses.get(number, 0) + 1
        return html.replace(USE, str(use))

    def _reference(self, citation: Citation, before: str, after: str) -> Html:
        page, number = self._page, citation.number
        if number is None:
            key = cut(one_line(citation.key), MAX_KEY)
            missing = page.options.words["missing"]
            return page.fill("missing", before=before, key=key, after=after, missing=missing)
        href, card = self._href(citation), ""
        if citation.source and page.options.previews != "none":
            card = f"{page.prefix}-card-{number}"
        if not href and not card:
            return page.fill("plain", before=before, number=str(number), after=after)
        values = {
            "before": before,
            "number": str(number),
            "after": after,
            "id": f"{page.prefix}-ref-{number}-{USE}",
            "label": self._label(citation),
            "card": card,
        }
        # What leads nowhere can still show its card.
        if self._is_button or not href:
            return page.fill("button", **values)
        return page.fill("reference", **values, href=href, rel=self._rel)

    def _href(self, citation: Citation) -> str:
        if citation.source is None:
            return ""
        if self._rel:
            return safe_url(citation.source.url) or ""
        return f"#{self._page.prefix}-src-{citation.number}"

    def _label(self, citation: Citation) -> str:
        """Return what is read for a reference: number, title, and the places it names."""
        words, source = self._page.options.words, citation.source
        title = self._page.title(source) if source else ""
        label = words["source"].format(number=citation.number, title=title)
        if not citation.locations:
            return label
        return words["separator"].join((label, *places_in_words(citation.locations, words)))
