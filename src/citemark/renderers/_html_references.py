"""References: what stands in the text for a citation, counted as the text is rendered."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeAlias

from citemark.renderers._allowance import Allowance
from citemark.renderers._display import cut, one_line
from citemark.renderers._html_places import places_in_words
from citemark.renderers._html_templates import COUNT, REL, Html
from citemark.renderers._urls import safe_url

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citemark.model import Citation, Location, Source
    from citemark.renderers._html_page import Page

__all__ = ["References"]

MAX_KEY: Final = 80
"""Code points of a key without source that are shown."""

MAX_LABEL: Final = 80
"""Code points of a title that are read for a reference: it stands at each use of a number, and
the whole title once, in the list of sources."""

_Key: TypeAlias = "tuple[int | None, int, str, tuple[Location, ...]]"
"""Number, identity of the source, key and places: what makes two references the same."""


class References:
    """The references of one answer, and how often each number was used so far."""

    def __init__(self, page: Page) -> None:
        """Start with nothing used."""
        self._page = page
        self._uses: dict[int, int] = {}
        self._single: dict[_Key, Html] = {}
        self._joined: dict[_Key, Html] = {}
        self._joints: dict[bool, Html] = {}
        self._is_joined = page.options.group == "joined"
        self._has_cards = page.options.previews != "none"
        self._is_button = page.options.previews == "button"
        self._rel = REL if page.options.notes == "none" else ""
        self._again = Allowance()
        self._unlinked: dict[int, Source] = {}

    def of(self, citations: Sequence[Citation]) -> str:
        """Return the references of a marker, each with the count of its uses so far."""
        if self._rel:
            citations = list(map(self._bounded, citations))
        if len(citations) == 1:
            return self._counted(citations[0], self._alone(citations[0]))
        before, after = ("[", "]") if self._is_joined else ("", "")
        parts = [self._counted(citation, self._beside(citation)) for citation in citations]
        joint = self._joint(any(map(self._is_shown_as_button, citations)))
        references = Html(joint.join(parts))
        return self._page.fill("citation", before=before, references=references, after=after)

    def back_to(self, number: int) -> Html:
        """Return a way back to each use of a number."""
        page, uses = self._page, self._uses.get(number, 0)
        links = page.fill_counted(
            "backlink",
            uses,
            href=f"#{page.prefix}-ref-{number}-{COUNT}",
            label=page.options.words["back"].format(number=number, use=COUNT),
            use=COUNT if uses > 1 else "",
        )
        return Html(" ".join(links))

    def _bounded(self, citation: Citation) -> Citation:
        """Return a citation, without the URL of its source if it was told too often."""
        source = citation.source
        url = safe_url(source.url) if source else None
        if source is None or url is None or self._again.allows(source, len(url)):
            return citation
        if id(source) not in self._unlinked:
            title = self._page.title(source)
            self._unlinked[id(source)] = replace(source, url=None, title=title)
        return replace(citation, source=self._unlinked[id(source)])

    def _joint(self, breaks: bool) -> Html:  # noqa: FBT001  all there is to tell
        """Return what stands between two references."""
        joint = self._joints.get(breaks)
        if joint is None:
            comma = ", " if self._is_joined else ""
            joint = self._page.fill("joint", comma=comma, breaks="breaks" if breaks else "")
            self._joints[breaks] = joint
        return joint

    def _alone(self, citation: Citation) -> Html:
        """Return a citation with nothing beside it."""
        key = _key(citation)
        html = self._single.get(key)
        if html is None:
            reference = self._reference(citation, "[", "]")
            html = self._page.fill("citation", before="", references=reference, after="")
            self._single[key] = html
        return html

    def _beside(self, citation: Citation) -> Html:
        """Return the reference of a citation that stands beside others."""
        key = _key(citation)
        html = self._joined.get(key)
        if html is None:
            before, after = ("", "") if self._is_joined else ("[", "]")
            html = self._joined[key] = self._reference(citation, before, after)
        return html

    def _counted(self, citation: Citation, html: Html) -> str:
        """Return a reference with the count of its uses, if it leads somewhere."""
        number = citation.number
        if number is None or COUNT not in html:
            return html
        use = self._uses[number] = self._uses.get(number, 0) + 1
        return html.replace(COUNT, str(use))

    def _reference(self, citation: Citation, before: str, after: str) -> Html:
        page, number = self._page, citation.number
        if number is None:
            key = cut(one_line(citation.key), MAX_KEY)
            missing = page.options.words["missing"]
            return page.fill("missing", before=before, key=key, after=after, missing=missing)
        href, has_card = self._href(citation), self._has_cards and citation.source is not None
        if not href and not has_card:
            return page.fill("plain", before=before, number=str(number), after=after)
        values = {
            "before": before,
            "number": str(number),
            "after": after,
            "id": f"{page.prefix}-ref-{number}-{COUNT}",
            "label": self._label(citation),
            "card": f"{page.prefix}-card-{number}" if has_card else "",
        }
        if self._is_shown_as_button(citation):
            return page.fill("button", **values)
        return page.fill("reference", **values, href=href, rel=self._rel)

    def _is_shown_as_button(self, citation: Citation) -> bool:
        """Tell whether a reference opens its card alone: what leads nowhere can still do so."""
        is_found = citation.number is not None and citation.source is not None
        return self._has_cards and is_found and (self._is_button or not self._href(citation))

    def _href(self, citation: Citation) -> str:
        if citation.source is None:
            return ""
        if self._rel:
            return safe_url(citation.source.url) or ""
        return f"#{self._page.prefix}-src-{citation.number}"

    def _label(self, citation: Citation) -> str:
        """Return what is read for a reference: number, title, and the places it names."""
        words, source = self._page.options.words, citation.source
        title = cut(self._page.title(source), MAX_LABEL) if source else ""
        label = words["source"].format(number=citation.number, title=title)
        if not citation.locations:
            return label
        return words["separator"].join((label, *places_in_words(citation.locations, words)))


def _key(citation: Citation) -> _Key:
    return citation.number, id(citation.source), citation.key, citation.locations
