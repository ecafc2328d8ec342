"""Resolution: give each cited key its source, display number and occurrence.

One append-only step for whole texts and streams: a resolver is fed token by token, so a number
is locked as soon as it is shown.  It never raises for what a model wrote, unless asked to.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from citemark._listed import Listed, SourceList
from citemark._lookup import Finder
from citemark._ranges import Ranges
from citemark._segments import (
    REMARKS,
    is_open,
    is_pending,
    merged,
    numbered,
    placed,
    without_blanks,
)
from citemark._unresolved import Policies, Unresolved, looking_cited
from citemark.answer import Answer
from citemark.catalogue import LENIENT, FormatSet
from citemark.errors import UnknownFormatError, UnresolvedError, shortened
from citemark.model import Citation, CitationSegment, Issue, Listing, Marker, TextSegment
from citemark.numbering import GroupBy, Numbering, Pending, group_key, uncited

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citemark.catalogue import Format
    from citemark.model import Location, Segment, Source, Token
    from citemark.sources import Sources

__all__ = ["Resolver", "SourceList", "Unresolved"]


class Resolver:
    """Turn tokens into segments, numbering sources in the order in which they are cited.

    Args:
        sources: What may be cited.
        formats: The formats of the markers.
        unresolved: Policy for keys that name no source; None for that of ``DEFAULT_POLICY``.
        group_by: What shares a number.
        numbering: Numbers given so far, which this answer continues.
        late: Whether sources may come later, so that unknown keys are pending.
        source_list: What becomes of lists of sources that the model wrote.
        consulted: Whether the answer keeps the sources that it does not cite.

    Raises:
        CitemarkError: The policy is none of ``Unresolved``, or the list's none of its own.
    """

    def __init__(  # noqa: PLR0913  options, all by keyword
        self,
        sources: Sources,
        formats: Iterable[Format],
        *,
        unresolved: Unresolved | None = None,
        group_by: GroupBy = "source",
        numbering: Numbering | None = None,
        late: bool = False,
        source_list: SourceList = "keep",
        consulted: bool = False,
    ) -> None:
        """Start an answer."""
        self._policies = Policies(unresolved)
        self._finder = Finder(sources, late=late)
        rows = FormatSet.of(formats)
        self._formats = (LENIENT | rows if sources.lenient else rows).by_name
        number = self._formats.get("number")
        self._listed = Listed(source_list, base=1 if number is None else number.base)
        self._keeps_consulted = consulted
        self._group_key = group_key(group_by)
        self._numbering = Numbering.of(numbering)
        self._occurrences: Counter[int] = Counter()
        self._segments: list[Segment] = []
        self._unresolved: dict[str, None] = {}
        self._kept: list[Marker] = []  # left as text
        self._issues: list[Issue] = []
        self._stepped: set[Marker] = set()  # found by rows of lenient look-up
        self._blank = ""  # held back: it goes if a dropped marker follows
        self._holds_blanks = unresolved == "drop"
        self._halves = 0  # tags open
        self._ranges = Ranges()

    @property
    def answer(self) -> Answer:
        """The answer so far."""
        segments = merged(self._segments)
        numbers = numbered(segments)
        issues = (*self._finder.issues, *self._issues, *self._listed.issues)
        return Answer(
            segments,
            tuple(sorted(numbers, key=numbers.__getitem__)),
            tuple(self._unresolved),
            tuple(sorted(issues, key=lambda issue: issue.start)),
            tuple(self._listed.named),
            uncited(self._finder.sources, numbers, self._group_key)
            if self._keeps_consulted
            else (),
        )

    def resolve(self, tokens: Iterable[Token]) -> list[Segment]:
        """Return the segments for the next tokens."""
        first = len(self._segments)
        refused: UnresolvedError | None = None
        for token in tokens:
            try:
                self._segments += self._resolve(token)
            except UnresolvedError as error:
                raw = token if isinstance(token, str) else token.raw
                self._segments.append(TextSegment(raw))  # nothing is lost to who goes on
                refused = refused or error
        if refused:
            raise refused
        return self._segments[first:]

    def close(self) -> list[Segment]:
        """Return what was held back, and settle what is still pending.  The text ends here."""
        last = [*self._end_list(), *self._released()]
        self._segments += last
        if self._finder.late:
            self._finder.late = False
            self._segments = without_blanks(map(self._settled, self._segments))
        numbers = numbered(self._segments)
        self._listed.settle(self._finder.sources, numbers)
        if self._kept:
            used = {*numbers.values(), *self._numbering.used}
            self._issues += looking_cited(self._kept, used)
        return last

    def add_sources(self, sources: Sources) -> list[Citation]:
        """Use more sources; return the pending citations that they resolve, in order."""
        self._finder.sources = sources
        resolved: list[Citation] = []
        for at, segment in enumerate(self._segments):
            if is_open(segment):
                citations = tuple(
                    self._retry(segment.marker, citation) for citation in segment.citations
                )
                resolved += (
                    now
                    for now, then in zip(citations, segment.citations, strict=True)
                    if now is not then
                )
                self._segments[at] = CitationSegment(segment.marker, citations)
        return resolved

    def _resolve(self, token: Token) -> list[Segment]:
        if isinstance(token, Listing):
            return self._list(token)
        if self._listed.is_open:
            self._segments += self._end_list()
        if isinstance(token, str):
            return self._text(token)
        token = self._ranges.checked(token)
        if isinstance(token, Marker):
            return self._resolve_marker(token) if token.keys else self._tag(token)
        message = f"{shortened(token.raw)!r} {REMARKS.get(token.code, 'is no marker')}"
        self._issues.append(Issue(token.code, message, token.start, token.end))
        return self._text(token.raw)

    def _text(self, text: str) -> list[Segment]:
        """Return a text; if a dropped marker may follow, less the blanks at its end."""
        if not self._holds_blanks:
            return [TextSegment(text)]
        text = self._blank + text
        shown = text.rstrip(" \t")
        self._blank = text[len(shown) :]
        return [TextSegment(shown)] if shown else []

    def _released(self) -> list[Segment]:
        """Return the blank that was held back."""
        blank, self._blank = self._blank, ""
        return [TextSegment(blank)] if blank else []

    def _list(self, piece: Listing) -> list[Segment]:
        """Return what is shown of a piece of a list of sources that the model wrote."""
        before: list[Segment] = []
        if not self._listed.follows(piece):
            before = [*self._end_list(), *(self._released() if self._listed.is_hidden else ())]
        self._listed.take(piece)
        return before if self._listed.is_hidden else [*before, *self._text(piece.raw)]

    def _end_list(self) -> list[Segment]:
        """Return what stands for the open list, if it was held back, and use its sources."""
        ended = self._listed.close(self._finder.sources, self._segments)
        if ended.sources is not None:
            self.add_sources(ended.sources)
        if ended.hidden is not None:
            return [CitationSegment(ended.hidden, ())]
        return self._text(ended.text) if ended.text else []

    def _tag(self, marker: Marker) -> list[Segment]:
        """Return a tag that names nothing: of it nothing but its words is shown."""
        is_end = self._row(marker).half == "end"
        if is_end and not self._halves:
            return self._text(marker.raw)  # the answer may be about such tags
        self._halves -= is_end
        return [*self._released(), CitationSegment(marker, ())]

    def _resolve_marker(self, marker: Marker) -> list[Segment]:
        row = self._row(marker)
        self._halves += row.half == "start"
        citations = [self._cite(marker, key, places, row) for key, places in placed(marker)]
        shown = tuple(citation for citation in citations if citation is not None)
        if not shown and self._policies.of(row) == "keep":
            self._kept.append(marker)
            return self._text(marker.raw)
        if not shown and not marker.words:
            blank, self._blank = self._blank, ""
            return [CitationSegment(marker, (), blank)]
        segment = CitationSegment(marker, shown)
        return [*self._released(), segment] if self._blank else [segment]

    def _row(self, marker: Marker) -> Format:
        row = self._formats.get(marker.format)
        if row is None:
            raise UnknownFormatError(marker.format, tuple(self._formats))
        return row

    def _cite(
        self, marker: Marker, key: str, places: tuple[Location, ...], row: Format
    ) -> Citation | None:
        """Return the citation to show for a key; None if none is shown."""
        source = self._find(marker, key, row)
        if source is not None:
            number = self._numbering.number(self._group_key(source))
        elif self._finder.late:
            number = self._numbering.number(self._pending_key(key, row))
        else:
            return self._refused(marker, Citation(key, locations=places), row)
        self._occurrences[number] += 1
        return Citation(key, source, number, self._occurrences[number], places)

    def _refused(self, marker: Marker, cited: Citation, row: Format) -> Citation | None:
        """Report a key that names no source; return what is shown of it, if anything is."""
        policy = self._policies.of(row)
        if policy == "raise":
            raise UnresolvedError(cited.key, marker.start, marker.end)
        self._unresolved[cited.key] = None
        message = f"{cited.key!r} names no source"
        self._issues.append(Issue("unresolved", message, marker.start, marker.end, cited.key))
        return replace(cited, number=None, occurrence=0) if policy == "mark" else None

    def _pending_key(self, key: str, row: Format) -> Pending:
        """Return what numbers a key without source, in this answer and this sense alone."""
        base = row.name if row.base is None else row.base
        return Pending(id(self), row.lookup, base, key)

    def _find(self, marker: Marker, key: str, row: Format) -> Source | None:
        source = self._finder.find(marker, key, row)
        if source is not None and row.step and marker not in self._stepped:
            self._stepped.add(marker)
            message = f"{shortened(marker.raw)!r} is read as a marker: {row.step}"
            self._issues.append(Issue("lenient", message, marker.start, marker.end))
        return source

    def _retry(self, marker: Marker, citation: Citation) -> Citation:
        """Return a pending citation with its source, if there is one now."""
        if not is_pending(citation) or citation.number is None:
            return citation
        row = self._row(marker)
        source = self._find(marker, citation.key, row)
        if source is None:
            return citation
        self._numbering.lock(self._group_key(source), self._pending_key(citation.key, row))
        return replace(citation, source=source)

    def _settled(self, segment: Segment) -> Segment:
        """Return a segment in which nothing is pending: what has no source is unresolved."""
        if not is_open(segment):
            return segment
        marker, row = segment.marker, self._row(segment.marker)
        shown: list[Citation] = []
        for citation in segment.citations:
            now = self._retry(marker, citation)  # nothing that comes can change it any more
            settled = self._refused(marker, now, row) if is_pending(now) else now
            if settled is not None:
                shown.append(settled)
        if not shown and self._policies.of(row) == "keep":
            self._kept.append(marker)
            return TextSegment(marker.raw)
        return CitationSegment(marker, tuple(shown))
