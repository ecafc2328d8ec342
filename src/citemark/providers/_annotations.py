"""Annotations of OpenAI's kind, which other services send too: places in one text.

Some are about a marker or link in the text, some about the words of the answer, some about a
point; the same name may be used for each.  What stands in the text decides.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from citemark._compare import comparable_url
from citemark.catalogue import DEFAULT, FormatSet
from citemark.model import Marker, Source
from citemark.parser import Scanner
from citemark.providers._annotated_sources import (
    FIELDS,
    READERS,
    host_of,
    keep_file,
    web_source,
)
from citemark.providers._bare import is_bare, marker_cut, straight
from citemark.providers._draft import Ref
from citemark.providers._links import Links, holds
from citemark.providers._offsets import Offsets
from citemark.providers._repair import ISSUES, OTHER_UNITS, locate, plausible_unit
from citemark.sources import Sources

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from citemark.model import Anchor
    from citemark.providers._draft import Draft
    from citemark.providers._node import Node
    from citemark.providers._offsets import Unit

__all__ = ["LINKS", "Annotated", "Told", "web_source"]

LINKS: Final = FormatSet(
    row for row in DEFAULT if row.name in {"link", "paren_link", "double_link", "mixed_link"}
)
"""Links to known sources, which services write for citations."""

MAX_MARKER: Final = 4_200
"""Code points of the longest marker: a link with its words."""

MAX_TWINS: Final = 1_000
"""Markers without annotation that are taken for another one's, in one text."""

_MARKER: Final = re.compile(
    r"\s*[(\[\u3010\uff3b\ue200].*[)\]\u3011\uff3d\ue201]\s*", re.DOTALL
)
_DAGGER: Final = re.compile(r"[\u3010\[]\d{1,5}(?::\d{1,5})?\u2020(?P<name>[^\u3011\]]{1,200})")
_DAGGER_START: Final = re.compile(r"[\u3010\[]\d{1,5}(?::\d{1,5})?\u2020")
_ENDS: Final = frozenset(".!?…:;。！？．\"'”’»")


class Told(NamedTuple):
    """What an annotation tells of its place."""

    ref: Ref
    """Its source."""

    start: int | None
    """First offset."""

    end: int | None = None
    """Offset after the last one."""

    anchor: Anchor | None = None
    """What it is fixed to; None: a marker if one stands there, and words if not."""

    expected: str | Sequence[tuple[int, int]] | None = None
    """What must stand there, or where it may be."""

    url: str = ""
    """That of the page, if it is one."""


class Annotated:
    """A text in a draft, to whose words annotations give sources.

    Args:
        draft: The answer; the text is added to it.
        text: The text.
        unit: What the offsets count, if the caller knows; None to find out.
    """

    def __init__(self, draft: Draft, text: str, *, unit: Unit | None = None) -> None:
        """Add the text."""
        self._draft = draft
        self._offsets = Offsets(text)
        self._origin = draft.add(text)
        self._unit = unit
        self._links: Links | None = None

    @property
    def links(self) -> Links:
        """The links of the text."""
        if self._links is None:
            self._links = Links(self._offsets.text)
        return self._links

    def cite(self, annotations: Iterable[object]) -> None:
        """Take note of annotations: their sources, and their places."""
        read = (self._read(self._draft.node(annotation)) for annotation in annotations)
        self.place([told for told in read if told is not None])

    def place(self, told: Sequence[Told]) -> None:
        """Give each citation its place, by what is told of it."""
        if self._unit is None:
            told, unclear = straight(told, self._offsets)
            for item in unclear:
                self._issue("span_shifted", "a span cuts a marker, and may mean another", item)
        free = [item[1:3] for item in told if item.expected is None and item.anchor != "point"]
        known = [(a, b) for a, b in free if a is not None and b is not None and a < b]
        unit = self._unit or plausible_unit(self._offsets, known)
        self._cite_links([item for item in told if not self._place(item, unit)])
        self._cite_twins(told)

    def _place(self, item: Told, unit: Unit) -> bool:
        """Give a citation its place; return whether it has one."""
        if item.anchor == "point":
            return self._place_point(item)
        if item.start is None and item.end is None and not isinstance(item.expected, str):
            self._issue("no_position", "a citation has no position", item)
            return False
        if item.expected is None and self._unit is None and unit != "code point":
            return self._place_in(item, unit)
        return self._place_span(item)

    def _read(self, node: Node) -> Told | None:
        kind = node.text("type")
        body = node.node(kind) if kind and node.has(kind) else node
        if kind == "file":
            keep_file(self._draft, body)
            return None
        read = READERS.get(kind)
        if read is None:
            self._draft.unknown("annotation", kind)
            return None
        self._draft.expect(body, "citation", FIELDS[kind])
        source = read(self._draft, body)
        if source is None:
            self._draft.issue("no_source", f"{self._draft.provider}: a citation has no source")
            return None
        quote = body.text("quote", "cited_text")
        ref = Ref(source, quote, raw=node.plain())
        return self._told(kind, ref, node, body)

    def _told(self, kind: str, ref: Ref, node: Node, body: Node) -> Told:
        at = node if node.has("end_index") else body
        start, end = at.whole("start_index"), at.whole("end_index")
        written = node.text("text")
        is_file = kind in {"file_path", "container_file_citation"}
        if written:
            named = _DAGGER.match(written)
            if named and named["name"] != "source":
                self._draft.source(ref.source, title=named["name"].strip())
            return Told(ref, start, end, "link" if is_file else "marker", written)
        if kind == "file_citation" and start is None and end is None:
            # 0 stands before all words: that of the file in a list, not of a place in the text.
            at_index = body.whole("index") or None
            return Told(ref, at_index, anchor=None if at_index is None else "point")
        if is_file:
            places = self.links.files(body.text("filename"))
            return Told(ref, start, end, "link", places or None)
        if kind == "url_citation":
            return self.about_url(ref, body.text("url"), start, end)
        if kind == "file_citation":
            return self._about_words(ref, start, end)
        return Told(ref, start, end, "claim")

    def about_url(self, ref: Ref, url: str, start: int | None, end: int | None) -> Told:
        """Return what is told of a citation of a page: a link to it, or words."""
        links = self.links.spans(url)
        if not links:
            return self._about_words(ref, start, end)
        if self._is_bare(start, end, links) or self._is_claim(start, end, links):
            return Told(ref, start, end)
        return Told(ref, start, end, "marker", links, url)

    def _about_words(self, ref: Ref, start: int | None, end: int | None) -> Told:
        """Return what is told of a span for which no link stands: words, or a marker."""
        cut = marker_cut(self._offsets.text, start, end)
        return Told(ref, start, end, "marker" if cut else None, cut)

    def _is_bare(
        self, start: int | None, end: int | None, links: Sequence[tuple[int, int]]
    ) -> bool:
        """Whether a span is a marker that is no part of a link to the page."""
        span = locate(self._offsets, start, end, unit=self._unit or "code point")
        if span is None or span.step:
            return False
        return is_bare(self._offsets.text, span.start, span.end, links)

    def _is_claim(
        self, start: int | None, end: int | None, links: Sequence[tuple[int, int]]
    ) -> bool:
        """Whether a span is no link gone astray, but words that the page supports."""
        if start is None or end is None or holds(links, (start, end)):
            return False
        span = locate(self._offsets, start, end, expected=links)
        if span is None or span.step not in {"requoted", "nearest"}:
            return False
        declared = locate(self._offsets, start, end)
        if declared is None or declared.step:
            return False
        words = self._offsets.text[declared.start : declared.end]
        after = self._offsets.text[declared.end : declared.end + 1]
        is_whole = words[-1] in _ENDS or after in _ENDS or after in {"", "\n", " ", ","}
        return is_whole and not any(bracket in words for bracket in "[]()")

    def _place_point(self, item: Told) -> bool:
        at, length = item.start, len(self._offsets.text)
        if at is not None and self._unit:
            at = self._offsets.to_code_points(at, at, self._unit).start
        if at is None or not 0 <= at <= length:
            self._issue("span_out_of_range", f"the point {at} is not in the text", item)
            return False
        place = self._origin + at
        self._draft.cite(place, place, [item.ref], anchor="point")
        return True

    def _place_span(self, item: Told) -> bool:
        return self._draft.place(
            self._draft,
            item.start,
            item.end,
            [item.ref],
            anchor=item.anchor or self._anchor(item.start, item.end, self._unit),
            unit=self._unit or "code point",
            expected=item.expected,
            offsets=self._offsets,
            origin=self._origin,
        )

    def _cite_links(self, told: Iterable[Told]) -> None:
        """Cite for links to pages whose words are their host: they stand for nothing else.

        Other links to them are found in the text as such, and keep their words.
        """
        refs = {comparable_url(item.url): item.ref for item in told if item.url}
        if not refs:
            return
        sources = Sources(Source(page, url=f"https:{page}") for page in refs)
        for token in Scanner(LINKS, known=sources).close(self._offsets.text):
            page = comparable_url(token.keys[0]) if isinstance(token, Marker) else ""
            if page not in refs or not isinstance(token, Marker) or not token.words:
                continue
            if host_of(f"https://{token.words}") == host_of(page):
                start, end = token.start + self._origin, token.end + self._origin
                self._draft.cite(start, end, [refs[page]], anchor="marker")

    def _place_in(self, item: Told, unit: Unit) -> bool:
        """Place a citation by another unit than it should be in."""
        span = locate(self._offsets, item.start, item.end, unit=unit)
        if span is None or span.step:
            return self._place_span(item)
        start, end, step = span.start + self._origin, span.end + self._origin, OTHER_UNITS[unit]
        code, message = ISSUES[step]
        self._issue(code, message, item, start, end)
        anchor = item.anchor or self._anchor(item.start, item.end, unit)
        self._draft.cite(start, end, [item.ref], anchor=anchor, repaired=step)
        return True

    def _anchor(self, start: int | None, end: int | None, unit: Unit | None) -> Anchor:
        """Return "marker" if a marker stands in a place, and "claim" if not."""
        span = locate(self._offsets, start, end, unit=unit or "code point")
        if span is None or span.end - span.start > MAX_MARKER:
            return "claim"
        is_marker = _MARKER.fullmatch(self._offsets.text, span.start, span.end)
        return "marker" if is_marker else "claim"

    def _cite_twins(self, told: Iterable[Told]) -> None:
        """Cite for markers without annotation what the same marker cites elsewhere."""
        refs = {
            item.expected: item.ref
            for item in told
            if isinstance(item.expected, str) and _DAGGER.match(item.expected)
        }
        if not refs:
            return
        taken = {found.start for found in self._draft.found}
        lengths = sorted({*map(len, refs)})
        text, left = self._offsets.text, MAX_TWINS
        for match in _DAGGER_START.finditer(text):
            start = match.start() + self._origin
            if start in taken or not left:
                continue
            pieces = (text[match.start() : match.start() + length] for length in lengths)
            written = next((piece for piece in pieces if piece in refs), "")
            if written:
                source, left = refs[written].source, left - 1
                self._draft.cite(start, start + len(written), [Ref(source)], anchor="marker")

    def _issue(self, code: str, message: str, item: Told, start: int = 0, end: int = 0) -> None:
        shown = f"{self._draft.provider}: {message}"
        self._draft.issue(code, shown, start, end, item.ref.source)
