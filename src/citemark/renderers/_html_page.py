"""What one answer needs while it becomes HTML: uses counted, links judged, templates filled."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from markupsafe import Markup

from citemark._compare import comparable_url
from citemark._templates import environment
from citemark.renderers._display import cut, one_line, passage_of, title_of
from citemark.renderers._html_marks import cut_markers
from citemark.renderers._urls import host_of, safe_url

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jinja2 import Template

    from citemark.answer import Answer, Entry
    from citemark.model import Citation, Source
    from citemark.renderers.html import HtmlRenderer

__all__ = ["NO_LINK", "REL", "Link", "Page"]

REL: Final = "noopener noreferrer nofollow ugc"
"""Of every link that leads away: the page behind it learns nothing and gains nothing."""

MAX_KEY: Final = 80
"""Code points of a key without source that are shown."""

MAX_PAGE: Final = 40
"""Code points of a page name that are shown."""


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


NO_LINK: Final = Link()
"""Outside of links."""


COUNT: Final = "\0"
"""Stands in filled templates for how often a number was used; no clean text has one."""

NEXT: Final = "\1"
"""Stands between filled templates, or for a number in them; no clean text has one either."""


_Alike: TypeAlias = "tuple[tuple[int | None, str], ...]"
"""Number and source, or key, of each citation of a marker."""


class _Item(NamedTuple):
    """A citation as its template wants it; "" for what it does not have."""

    number: int | str
    id: str = ""
    href: str = ""
    label: str = ""
    rel: str = ""
    card: str = ""
    note: str = ""


class _SourceLines(NamedTuple):
    """A source as its template wants it."""

    title: str
    url: str | None
    place: str
    passage: str


class _Note(NamedTuple):
    """A line of the source list as its template wants it."""

    number: int
    sources: list[_SourceLines]
    backs: Markup


class Page:
    """One answer on its way to HTML.  Not shared: a render makes its own."""

    def __init__(self, answer: Answer, options: HtmlRenderer) -> None:
        """Cut the markers out of the answer."""
        self.answer = answer
        self.options = options
        self.text, self.marks = cut_markers(answer, options.repeats)
        self.link = NO_LINK
        self.emphasis = 0
        self.prefix = options.id_prefix or f"cite-{_digest(answer)}"
        self._uses: dict[int | str, int] = {}
        self._back_links: dict[bool, str] = {}

    def mark(self, number: int) -> str:
        """Return the HTML for a placeholder; "" within a link, which hands it on."""
        if number >= len(self.marks):
            return ""
        raw, citations = self.marks[number]
        if citations is None:
            return raw
        if not citations:
            return ""
        html = self._references(citations)
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
        return url if host_of(url) in self.options.links else None

    def wrapped(self, body: str) -> str:
        """Return the HTML of the text in the element that gives it its direction."""
        return str(_macro("html/answer.html", "answer")(Markup(body)))  # noqa: S704  escaped

    def notes(self) -> str:
        """Return the list of sources, and the previews if there are to be any."""
        notes = [self._note(entry) for entry in self.answer.entries]
        options = self.options
        if not notes:
            return ""
        names = {"notes": notes, "prefix": self.prefix, "rel": REL}
        parts = []
        if options.notes == "cited":
            headed = {"heading": options.heading, "heading_level": options.heading_level}
            parts.append(_template("html/notes.html").render(**names, **headed))
        if options.previews == "hint":
            parts.append(_template("html/cards.html").render(**names))
        return "".join(f"{part}\n" for part in parts)

    def _references(self, citations: Sequence[Citation]) -> str:
        """Return the references of a marker, each with the count of its uses so far."""
        pieces, linked = self._filled[_alike(citations)]
        parts = [pieces[0]]
        for number, piece in zip(linked, pieces[1:], strict=True):
            uses = self._uses[number] = self._uses.get(number, 0) + 1
            parts += (str(uses), piece)
        return "".join(parts)

    @cached_property
    def _filled(self) -> dict[_Alike, tuple[list[str], list[int | str]]]:
        """The references of all markers: the template is filled once, for all that are alike.

        Each is cut where the count of its uses goes, beside the numbers that are counted: those
        that lead somewhere.
        """
        groups = {_alike(citations): citations for _, citations in self.marks if citations}
        items = [[*map(self._item, citations)] for citations in groups.values()]
        html = str(_macro("html/citation.html", "citations")(items, NEXT)).split(NEXT)
        linked = ([item.number for item in group if item.href] for group in items)
        return {
            alike: (part.split(COUNT), numbers)
            for alike, part, numbers in zip(groups, html, linked, strict=False)
        }

    def _item(self, citation: Citation) -> _Item:
        number, source, options = citation.number, citation.source, self.options
        if number is None:
            key = cut(one_line(citation.key), MAX_KEY)
            return _Item(key, note=options.words["missing"])
        if source is None:
            return _Item(number)
        prefix = self.prefix
        has_notes = options.notes == "cited"
        return _Item(
            number,
            id=f"{prefix}-ref-{number}-{COUNT}",
            href=f"#{prefix}-src-{number}" if has_notes else safe_url(source.url) or "",
            label=options.words["source"].format(number=number, title=title_of(source)),
            rel="" if has_notes else REL,
            card=f"{prefix}-card-{number}" if options.previews == "hint" else "",
        )

    def _note(self, entry: Entry) -> _Note:
        sources = [self._lines(source) for source in entry.sources]
        return _Note(entry.number, sources, self._backs(entry.number))

    def _backs(self, number: int) -> Markup:
        uses = self._uses.get(number, 0)
        back = self._back(numbered=uses > 1).replace(NEXT, str(number))
        links = (back.replace(COUNT, str(use)) for use in range(1, uses + 1))
        return Markup(" ".join(links))  # noqa: S704  made by a template

    def _back(self, *, numbered: bool) -> str:
        """Return the template of a way back, less the number and the count of uses."""
        if numbered not in self._back_links:
            back = _macro("html/backlink.html", "backlink")(
                f"{self.prefix}-ref-{NEXT}-{COUNT}",
                self.options.words["back"].format(number=NEXT, use=COUNT),
                COUNT if numbered else "",
            )
            self._back_links[numbered] = str(back)
        return self._back_links[numbered]

    def _lines(self, source: Source) -> _SourceLines:
        host = host_of(source.url)
        title = title_of(source)
        page = cut(one_line(_page_name(source.page)), MAX_PAGE)
        named = self.options.words["page"].format(page=page) if page else ""
        place = ", ".join(part for part in (host if host != title else "", named) if part)
        return _SourceLines(title or "…", safe_url(source.url), place, passage_of(source))

    @cached_property
    def _known_urls(self) -> dict[str, str]:
        known: dict[str, str] = {}
        for source in self.answer.sources:
            url = safe_url(source.url)
            if url:
                known.setdefault(comparable_url(url), url)
        return known


def _page_name(page: object) -> str:
    """Return a page as text; "" for what is none, or has more digits than Python writes."""
    if isinstance(page, str):
        return page
    if not isinstance(page, int) or isinstance(page, bool):
        return ""
    return str(page) if abs(page) < 10**MAX_PAGE else ""


def _alike(citations: Sequence[Citation]) -> _Alike:
    """Return what makes the references of two markers the same, but for the count of uses."""
    return tuple(
        (citation.number, citation.source.id if citation.source else citation.key)
        for citation in citations
    )


def _digest(answer: Answer) -> str:
    """Return eight letters and digits that tell this answer from others on a page."""
    return hashlib.sha256(answer.text.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def _template(name: str) -> Template:
    return environment().get_template(name)


@cache
def _macro(template: str, name: str) -> Callable[..., Markup]:
    macro: Callable[..., Markup] = getattr(_template(template).module, name)
    return macro
