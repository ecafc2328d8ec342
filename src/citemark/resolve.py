"""Resolution: give each cited key its source, display number and occurrence.

One append-only step for whole texts and streams: a resolver is fed token by token, so a number
is locked as soon as it is shown.  It never raises for what a model wrote, unless asked to.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from citemark.answer import Answer
from citemark.errors import CitemarkError, UnknownFormatError, UnresolvedError
from citemark.model import Citation, CitationSegment, Issue, Marker, TextSegment
from citemark.numbering import GroupBy, Numbering, group_key

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from citemark.formats import Format
    from citemark.model import Segment, Source, Token
    from citemark.sources import Sources

__all__ = ["Resolver", "Unresolved"]

Unresolved: TypeAlias = Literal["keep", "mark", "drop", "raise"]
"""What becomes of a key that names no source: its marker is left as text, it is shown as
"source not found", it is removed with the blank before it, or ``UnresolvedError`` is raised."""

DEFAULT_POLICY: Final[dict[str, Unresolved]] = {
    "explicit": "mark",
    "usual": "keep",
    "candidate": "keep",
}
"""Policy for each tier of formats if the caller names none: prose uses the usual forms too."""


class Resolver:
    """Turn tokens into segments, numbering sources in the order in which they are cited.

    Args:
        sources: What may be cited.
        formats: The formats of the markers.
        unresolved: Policy for keys that name no source; None for that of ``DEFAULT_POLICY``.
        group_by: What shares a number.
        numbering: Numbers given so far, which this answer continues.
        late: Whether sources may come later, so that unknown keys are pending.

    Raises:
        CitemarkError: The policy is none of ``Unresolved``.
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
    ) -> None:
        """Start an answer."""
        if unresolved is not None and unresolved not in get_args(Unresolved):
            reason = (
                f"unresolved={unresolved!r}: choose one of {', '.join(get_args(Unresolved))}"
            )
            raise CitemarkError(reason)
        self.sources = sources
        self._formats = {row.name: row for row in formats}
        self._policy = unresolved
        self._group_key = group_key(group_by)
        self._numbering = Numbering() if numbering is None else numbering
        self._late = late
        self._occurrences: Counter[int] = Counter()
        self._segments: list[Segment] = []
        self._unresolved: dict[str, None] = {}
        self._issues: list[Issue] = []
        self._blank = ""  # held back: it goes if a dropped marker follows
        self._holds_blanks = unresolved == "drop"

    @property
    def answer(self) -> Answer:
        """The answer so far."""
        segments = _merged(self._segments)
        numbered: dict[Source, int] = {}
        for segment in segments:
            if isinstance(segment, CitationSegment):
                for citation in segment.citations:
                    if citation.source is not None and citation.number is not None:
                        numbered.setdefault(citation.source, citation.number)
        return Answer(
            segments,
            tuple(sorted(numbered, key=numbered.__getitem__)),
            tuple(self._unresolved),
            tuple(sorted(self._issues, key=lambda issue: issue.start)),
        )

    def resolve(self, tokens: Iterable[Token]) -> list[Segment]:
        """Return the segments for the next tokens."""
        new: list[Segment] = []
        refused: UnresolvedError | None = None
        for token in tokens:
            if isinstance(token, str):
                new += self._hold_blanks(token) if self._holds_blanks else [TextSegment(token)]
                continue
            try:
                new += self._resolve_marker(token)
            except UnresolvedError as error:
                new.append(TextSegment(token.raw))  # nothing is lost to who goes on
                refused = refused or error
        self._segments += new
        if refused:
            raise refused
        return new

    def close(self) -> list[Segment]:
        """Return what was held back, and settle what is still pending.  The text ends here."""
        last: list[Segment] = [TextSegment(self._blank)] if self._blank else []
        self._blank = ""
        self._segments.extend(last)
        if self._late:
            self._late = False
            self._segments = _without_blanks(map(self._settled, self._segments))
        return last

    def add_sources(self, sources: Sources) -> list[Citation]:
        """Use more sources; return the pending citations that they resolve, in order."""
        self.sources = sources
        resolved: list[Citation] = []
        for at, segment in enumerate(self._segments):
            if isinstance(segment, CitationSegment) and any(
                map(_is_pending, segment.citations)
            ):
                citations = tuple(
                    self._retry(segment.marker, citation, resolved)
                    for citation in segment.citations
                )
                self._segments[at] = CitationSegment(segment.marker, citations)
        return resolved

    def _resolve_marker(self, marker: Marker) -> list[Segment]:
        row = self._formats.get(marker.format)
        if row is None:
            raise UnknownFormatError(marker.format, tuple(self._formats))
        policy = self._policy or DEFAULT_POLICY[row.tier]
        citations = [self._cite(marker, key, row, policy) for key in marker.keys]
        shown = tuple(citation for citation in citations if citation is not None)
        if not shown and policy == "keep":
            return (
                self._hold_blanks(marker.raw)
                if self._holds_blanks
                else [TextSegment(marker.raw)]
            )
        blank, self._blank = self._blank, ""
        if not shown:
            return [CitationSegment(marker, (), blank)]
        segment = CitationSegment(marker, shown)
        return [TextSegment(blank), segment] if blank else [segment]

    def _cite(
        self, marker: Marker, key: str, row: Format, policy: Unresolved
    ) -> Citation | None:
        """Return the citation to show for a key; None if none is shown."""
        source = self._find(marker, key, row)
        if source is not None:
            return self._numbered(key, source, self._numbering.number(self._group_key(source)))
        if self._late:
            return self._numbered(
                key, None, self._numbering.number(self._pending_key(key, row))
            )
        if policy == "raise":
            raise UnresolvedError(key, marker.start, marker.end)
        self._report(marker, key)
        return Citation(key) if policy == "mark" else None

    def _pending_key(self, key: str, row: Format) -> Hashable:
        """Return what numbers a key without source, in this answer and this sense alone."""
        return ("pending", id(self), row.lookup, key)

    def _numbered(self, key: str, source: Source | None, number: int) -> Citation:
        self._occurrences[number] += 1
        return Citation(key, source, number, self._occurrences[number])

    def _find(self, marker: Marker, key: str, row: Format) -> Source | None:
        """Return the source that a key names, if it is one, or one document."""
        for lookup in row.lookup:
            found = self.sources.find(key, lookup)
            if len(found) == 1:
                return found[0]
            if found:
                return self._choose(marker, key, found)
        return None

    def _choose(self, marker: Marker, key: str, found: tuple[Source, ...]) -> Source | None:
        """Return the first of several sources if all are of one page; else none."""
        one_page = found[0].url is not None and len({source.url for source in found}) == 1
        ids = ", ".join(repr(source.id) for source in found[:5])
        end = "the first is taken" if one_page else "none is taken"
        message = f"{key!r} names {len(found)} sources ({ids}): {end}"
        self._issues.append(Issue("ambiguous", message, marker.start, marker.end, key))
        return found[0] if one_page else None

    def _report(self, marker: Marker, key: str) -> None:
        self._unresolved[key] = None
        message = f"{key!r} names no source"
        self._issues.append(Issue("unresolved", message, marker.start, marker.end, key))

    def _hold_blanks(self, text: str) -> list[Segment]:
        """Return a text with the blanks held back before it, less those at its own end."""
        text = self._blank + text
        shown = text.rstrip(" \t")
        self._blank = text[len(shown) :]
        return [TextSegment(shown)] if shown else []

    def _retry(self, marker: Marker, citation: Citation, resolved: list[Citation]) -> Citation:
        if not _is_pending(citation):
            return citation
        source = self._find(marker, citation.key, self._formats[marker.format])
        if source is None or citation.number is None:
            return citation
        row = self._formats[marker.format]
        self._numbering.lock(self._group_key(source), self._pending_key(citation.key, row))
        found = Citation(citation.key, source, citation.number, citation.occurrence)
        resolved.append(found)
        return found

    def _settled(self, segment: Segment) -> Segment:
        """Return a segment in which nothing is pending: what has no source is unresolved."""
        if isinstance(segment, TextSegment) or not any(map(_is_pending, segment.citations)):
            return segment
        marker = segment.marker
        policy = self._policy or DEFAULT_POLICY[self._formats[marker.format].tier]
        shown: list[Citation] = []
        for citation in segment.citations:
            if not _is_pending(citation):
                shown.append(citation)
                continue
            if policy == "raise":
                raise UnresolvedError(citation.key, marker.start, marker.end)
            self._report(marker, citation.key)
            if policy == "mark":
                shown.append(Citation(citation.key))
        if not shown and policy == "keep":
            return TextSegment(marker.raw)
        return CitationSegment(marker, tuple(shown))


def _without_blanks(segments: Iterable[Segment]) -> list[Segment]:
    """Return the segments with the blanks before each that shows nothing made a part of it."""
    mended: list[Segment] = []
    for segment in segments:
        last = mended[-1] if mended else None
        if (
            isinstance(segment, CitationSegment)
            and isinstance(last, TextSegment)
            and not (segment.citations or segment.blank)
        ):
            text = last.text.rstrip(" \t")
            mended[-1:] = [TextSegment(text)] if text else []
            mended.append(CitationSegment(segment.marker, (), last.text[len(text) :]))
        else:
            mended.append(segment)
    return mended


def _is_pending(citation: Citation) -> bool:
    return citation.source is None and citation.number is not None


def _merged(segments: Iterable[Segment]) -> tuple[Segment, ...]:
    """Return the segments with neighbouring texts joined."""
    merged: list[Segment] = []
    texts: list[str] = []
    for segment in segments:
        if isinstance(segment, TextSegment):
            texts.append(segment.text)
            continue
        if texts:
            merged.append(TextSegment("".join(texts)))
            texts.clear()
        merged.append(segment)
    if texts:
        merged.append(TextSegment("".join(texts)))
    return tuple(merged)
