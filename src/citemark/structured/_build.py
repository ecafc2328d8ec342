"""The answer of a reply: its words, with each citation at its place."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

from citemark.api import cite
from citemark.checks.claims import sentences
from citemark.model import CitationSegment
from citemark.providers._answer import proven
from citemark.providers._draft import Draft, Ref
from citemark.providers._tokens import ROWS, place_all
from citemark.resolve import Resolver
from citemark.structured._faults import Fault, shown
from citemark.structured._joined import joined
from citemark.structured._quotes import Quotes, Spans

if TYPE_CHECKING:
    from citemark.answer import Answer
    from citemark.catalogue import FormatSet
    from citemark.model import Issue, Segment, Source
    from citemark.numbering import GroupBy, Numbering
    from citemark.resolve import Unresolved
    from citemark.sources import Sources
    from citemark.structured._faults import Faults
    from citemark.structured._labels import Labels
    from citemark.structured._shape import Reply, Statement

__all__ = ["Options", "build"]

MAX_MISSING: Final = 100
"""Claims that are looked for in a text and not found, after which none is looked for."""

_BESIDE: Final = tuple(
    replace(row, lookup=("label",)) for row in ROWS if row.name in {"claim", "message"}
)
"""Rows of the citations that are put in: they name sources by their labels."""


class Options(NamedTuple):
    """How an answer is resolved; see ``cite``."""

    formats: FormatSet
    """Markers that the words may hold."""

    unresolved: Unresolved | None
    """What becomes of keys that name no source."""

    group_by: GroupBy
    """What shares a number."""

    numbering: Numbering | None
    """Numbers to go on from."""

    consulted: bool
    """Whether sources that are not cited are kept."""


def build(
    reply: Reply, sources: Sources, labels: Labels, faults: Faults, options: Options
) -> Answer:
    """Return the answer of a reply.

    Args:
        reply: What the model wrote.
        sources: What may be cited.
        labels: How they are found.
        faults: Where it is noted what does not fit.
        options: How the answer is resolved.

    Raises:
        UnresolvedError: A key names no source, and the options say ``"raise"``.
    """
    text, spans = _words(reply)
    builder = _Builder(text, spans, cite(text, sources, formats=options.formats), faults)
    statements = [*([reply.answer] if reply.answer else ()), *reply.claims]
    for at, statement in enumerate(statements):
        builder.cite(at, statement, labels, is_whole=reply.answer is not None and at == 0)
    builder.tell_unresolved()
    return builder.answer(sources, labels, options)


def _words(reply: Reply) -> tuple[str, Spans]:
    """Return the text of a reply, and where its statements stand in it."""
    if reply.answer is None:
        text, spans = joined(claim.text for claim in reply.claims)
        return text, Spans(spans)
    text, pos, missing = reply.answer.text, 0, 0
    found: list[tuple[int, int] | None] = []
    for claim in reply.claims:
        wanted = claim.text.strip()
        start = text.find(wanted, pos) if missing < MAX_MISSING else -1
        missing += start < 0
        pos = pos if start < 0 else start + len(wanted)
        found.append(None if start < 0 else (start, pos))
    lost = (claim.text for claim, span in zip(reply.claims, found, strict=True) if not span)
    text, [whole, *more] = joined(chain([text], lost))
    added = iter(more)
    return text, Spans([span or next(added) for span in found], whole)


class _Builder:
    """Collects what is cited.

    Args:
        text: All words.
        spans: Where the statements stand.
        written: The answer as if nothing but its markers was cited.
        faults: Where it is noted what does not fit.
    """

    def __init__(self, text: str, spans: Spans, written: Answer, faults: Faults) -> None:
        """Begin with what the markers cite."""
        self._spans, self._written, self._faults = spans, written, faults
        self._inline = [
            (segment.marker.start, citation.source)
            for segment in written.segments
            if isinstance(segment, CitationSegment)
            for citation in segment.citations
            if citation.source is not None
        ]
        self._starts = [place for place, _ in self._inline]
        self._quotes = Quotes(spans)
        self._draft = Draft("reply")
        self._draft.add(text)

    def cite(self, at: int, statement: Statement, labels: Labels, *, is_whole: bool) -> None:
        """Cite what is listed for a statement, and is not cited by a marker in it.

        Args:
            at: Number of the statement.
            statement: It, with what is listed.
            labels: How sources are found.
            is_whole: Whether it is the whole text, of which nobody knows what is for what.
        """
        start, end = self._spans.all[at]
        first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
        inline = {source for _, source in self._inline[first:last]}
        refs = self._refs(at, statement, labels, inline)
        if not refs:
            return
        is_placed = start < end and not (is_whole and len(sentences(self._written)) > 1)
        if not is_placed:
            message = "has sources that the text does not cite: nothing says what for"
            fault = Fault("no_position", statement.where, message, at, is_grave=False)
            self._faults.add(fault)
        self._draft.cite(start, end, refs, anchor="claim" if is_placed else "message")

    def _refs(
        self, at: int, statement: Statement, labels: Labels, inline: set[Source]
    ) -> list[Ref]:
        """Return what is cited beside the words; quotes of what is cited in them are kept."""
        refs: dict[str, dict[str, Ref]] = {}
        end = self._spans.all[at][1]
        for cited in statement.cited:
            for named in labels.find(cited.label, end):
                if named.source is None:
                    message = f"names no source: {shown(named.key)}"
                    self._faults.add(Fault("", cited.where, message, at, named.key))
                elif named.source in inline:
                    if cited.quote:
                        self._quotes.add(at, named.source, cited.quote)
                    continue
                known = refs.setdefault(named.key, {})
                if cited.quote in known or (known and not cited.quote):
                    self._say_twice(at, cited.where, named.key)
                    continue
                known.pop("", None)  # a quote says more than none
                known[cited.quote] = Ref(named.key, cited.quote, named.locations)
        return [ref for known in refs.values() for ref in known.values()]

    def _say_twice(self, at: int, where: str, key: str) -> None:
        message = f"is listed twice: {shown(key)}"
        fault = Fault("duplicate_citation", where, message, at, key, is_grave=False)
        self._faults.add(fault)

    def tell_unresolved(self) -> None:
        """Note the markers in the words that name no source."""
        for key in self._written.unresolved:
            message = f"has a marker in its text that names no source: {shown(key)}"
            self._faults.add(Fault("", "", message, None, key))

    def answer(self, sources: Sources, labels: Labels, options: Options) -> Answer:
        """Return the answer of what was collected."""
        placed = place_all(self._draft, options.formats, sources)
        resolver = Resolver(
            sources,
            options.formats | _BESIDE,
            unresolved=options.unresolved,
            group_by=options.group_by,
            numbering=options.numbering,
            consulted=options.consulted,
        )
        resolver.resolve(placed.tokens)
        resolver.close()
        answer = resolver.answer
        segments = [proven(segment, placed.found) for segment in answer.segments]
        if options.unresolved is None:
            segments = [*map(_without_unknown, segments)]
        told = self._faults.issues(self._spans.all)
        issues = dict.fromkeys((*answer.issues, *placed.issues, *labels.issues, *told))
        return replace(
            answer,
            segments=self._quotes.given(segments, self._inline),
            issues=tuple(sorted(issues, key=_start)),
        )


def _start(issue: Issue) -> int:
    return issue.start


def _without_unknown(segment: Segment) -> Segment:
    """Return a segment of a listed citation less what names no source: an issue tells it."""
    if not isinstance(segment, CitationSegment) or segment.marker.raw:
        return segment
    known = tuple(one for one in segment.citations if one.source is not None)
    return CitationSegment(segment.marker, known, segment.blank)
