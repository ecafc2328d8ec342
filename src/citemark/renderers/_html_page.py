"""What one answer needs while it becomes HTML: links judged, markers put back."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

from citemark._chunks import well_formed
from citemark._compare import comparable_url
from citemark.renderers._display import title_of
from citemark.renderers._html_cards import cards_html
from citemark.renderers._html_marks import cut_markers
from citemark.renderers._html_notes import listed, notes_html
from citemark.renderers._html_references import References
from citemark.renderers._html_templates import REL, Html, templates_of
from citemark.renderers._urls import host_of, safe_url

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.model import Source
    from citemark.renderers.html import HtmlRenderer

__all__ = ["NO_LINK", "REL", "Link", "Page"]


@dataclass(slots=True)
class Link:
    """The link of the answer that is being rendered."""

    href: str | None = None
    """None if it is shown as text."""

    is_autolink: bool = False
    """Whether its text is its address."""

    after: str = ""
    """Text to show after a link that is none: its address."""

    references: list[str] = field(default_factory=list)
    """References that stand in it, for a link must not hold another."""


_MANY: Final = 10**9
"""Numbers of pages and places beyond it are told apart by their last nine digits."""

NO_LINK: Final = Link()
"""Outside of links."""


class Page:
    """One answer on its way to HTML.  Not shared: a render makes its own."""

    def __init__(self, answer: Answer, options: HtmlRenderer) -> None:
        """Cut the markers out of the answer."""
        self.answer = answer
        self.options = options
        self.text, self.marks = cut_markers(answer, options.repeats)
        self.link = NO_LINK
        self.emphasis = 0
        self.entries = listed(answer)
        self.prefix = options.id_prefix or f"cite-{self._digest()}"
        self.fill, self.fill_counted = templates_of(options.templates)
        self.references = References(self)
        self._titles: dict[int, str] = {}

    def mark(self, number: int) -> str:
        """Return the HTML for a placeholder; "" within a link, which hands it on."""
        if number >= len(self.marks):
            return ""
        raw, citations = self.marks[number]
        if citations is None:
            return raw
        html = self.references.of(citations)
        if self.link.href is None:
            return html
        self.link.references.append(html)
        return ""

    def link_target(self, address: str) -> str | None:
        """Return where a link of the answer may lead under the link policy, or None."""
        known = self._known_urls.get(comparable_url(address))
        if known or self.options.links == "sources":
            return known
        url = safe_url(address)
        if self.options.links == "safe":
            return url
        return url if url and host_of(url) in self.options.links else None

    def title(self, source: Source) -> str:
        """Return what a source is called."""
        title = self._titles.get(id(source))
        if title is None:
            title = self._titles[id(source)] = title_of(source)
        return title

    def wrapped(self, body: str) -> Html:
        """Return the HTML of the text in the element that gives it its direction."""
        return self.fill("answer", body=Html(body))

    def notes(self) -> Html:
        """Return the list of sources, and the previews if there are to be any.

        To be asked for after the text is rendered, for what is in code is no citation.
        """
        notes = notes_html(self, self.entries)
        if self.options.previews == "none":
            return notes
        return Html(notes + cards_html(self, self.entries))

    @cached_property
    def _known_urls(self) -> dict[str, str]:
        known: dict[str, str] = {}
        for source in self.answer.sources:
            url = safe_url(source.url)
            if url:
                known.setdefault(comparable_url(url), url)
        return known

    def _digest(self) -> str:
        """Return eight letters and digits that tell this answer from others on a page.

        Short answers of a chat have the same text and other sources: all that readers are told
        of the cited ones counts.  Options do not, for body and notes may be made apart.
        """
        told = [self.answer.text]
        for number, sources in self.entries.items():
            for source, cited in sources.items():
                told += (str(number), *_told(source), *cited.quotes)
                for place in cited.places:
                    told.append(f"{place.unit}{place.start % _MANY}-{place.end % _MANY}")
        told = [*map(well_formed, told)]  # as they are in a stored answer
        # With their lengths, so that no text can pass for two others.
        whole = "".join(told) + ",".join(map(str, map(len, told)))
        digest = hashlib.blake2s(whole.encode(), digest_size=4)
        return digest.hexdigest()


def _told(source: Source) -> tuple[str, ...]:
    """Return what is told of a source as texts; of a number its end, for some have no text."""
    page = str(source.page % _MANY) if isinstance(source.page, int) else source.page
    told = (source.id, source.title, source.url, source.text, page)
    return tuple([value if isinstance(value, str) else "" for value in told])
