"""The quotes of an answer, each with the citations that it is cited by."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from citemark._lazy import lazy_re
from citemark._quotes import find_quotations, without_prefixes
from citemark.checks._marks import marks_of
from citemark.checks.splitting import split_sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from citemark._quotes import Quotation
    from citemark.answer import Answer
    from citemark.checks._marks import Mark
    from citemark.model import Citation, Source

__all__ = ["Quoted", "quotes_of"]

MAX_BETWEEN: Final = 80
"""Code points between a quote and the citation beside it: stops, marks, blanks; under a block
quote a name."""

MAX_LEAD: Final = 400
"""Code points of the sentence that leads to a quote below it."""

MAX_BLOCK: Final = 100_000
"""Code points of a paragraph in which quotes are looked for."""

_BETWEEN: Final = lazy_re(r"(?!\s*\n\s*\n)[\s.,;:!?)\]*_\"'”’“‘»«›‹」』。、！？，…>|–—-]*")
_UNDER: Final = lazy_re(r"\s*(?:[-–—]{1,3}[ \t]*[^\n]*)?")
"""Between a block quote and the citation under it: who said so, if anything."""

_LEAD: Final = lazy_re(r"[*_)\s]*[:：][*_)\s]*[\"“„«»‘‚「『<]?(?:q>|blockquote>|p>|\s)*\Z")
"""Ends of the words that lead to a quote below: "As Rowe says [1]:"."""

_LINE_END: Final = lazy_re(r"[ \t.]*(?:\n|\Z)")
_start: Final = attrgetter("start")


class Quoted(NamedTuple):
    """Words that an answer offers as those of a source."""

    words: str
    """As they are written, without the markers among them."""

    start: int
    """First code point in the answer."""

    end: int
    """Code point after the last one."""

    citations: tuple[Citation, ...]
    """What is cited for it, one a source, the nearest first; empty if no key names one."""

    near: int | None = None
    """Where the provider says that it stands: code point of the passage."""


def quotes_of(answer: Answer) -> list[Quoted]:
    """Return the quotes that are cited, in order of position.

    Those of providers have the position of their marker.  Words in quotation marks without a
    citation in their sentence are left out: nothing says where they should stand.
    """
    marks = marks_of(answer)
    found = [
        Quoted(citation.quote, mark.start, mark.end, (citation,), _place(citation))
        for mark in marks
        for citation in mark.citations
        if citation.quote
    ]
    text = answer.text
    for block, quotations in groupby(find_quotations(text), key=attrgetter("block")):
        if block[1] - block[0] <= MAX_BLOCK:
            room = _Room(text, block, [*quotations], marks)
            found += filter(None, map(room.quoted, room.quotations))
    return sorted(found, key=lambda quoted: (quoted.start, quoted.end))


def _place(citation: Citation) -> int | None:
    return next((place.start for place in citation.locations if place.unit == "char"), None)


class _Room:
    """A paragraph, item or block quote with the quotations and markers in it."""

    def __init__(
        self,
        text: str,
        block: tuple[int, int],
        quotations: list[Quotation],
        marks: Sequence[Mark],
    ) -> None:
        """Keep what is there; sentences are looked for if a quotation needs them."""
        self.text = text
        self.quotations = quotations
        self._block = block
        self._all = marks
        self._marks = _within(marks, *block)
        self._spanning = [mark for mark in self._marks if mark.span]

    def quoted(self, quotation: Quotation) -> Quoted | None:
        """Return a quotation with its citations; None if it has none."""
        cited = self._cited(quotation)
        if not cited:
            return None
        citations: dict[Source | None, Citation] = {}
        for mark in cited:
            for citation in mark.citations:
                citations.setdefault(citation.source, citation)
        inside = _within(self._marks, quotation.start, quotation.end)
        words = without_prefixes(_without(self.text, quotation, inside))
        return Quoted(words, quotation.start, quotation.end, tuple(citations.values()))

    def _cited(self, quotation: Quotation) -> Sequence[Mark]:
        """Return the markers that a quotation is cited by, the nearest first."""
        spanning = [
            mark
            for mark in self._spanning
            if mark.span and mark.span[0] < quotation.end and quotation.start < mark.span[1]
        ]
        if spanning:
            return spanning
        found = self._beside(quotation)
        if not (found or quotation.is_block):
            found = self._of_sentence(quotation)
        return found or self._of_lead(quotation)

    def _beside(self, quotation: Quotation) -> Sequence[Mark]:
        """Return the markers right behind a quotation, or else those within it."""
        pos = start = self._block[1] if quotation.is_block else quotation.end
        between = _UNDER if quotation.is_block else _BETWEEN
        found: list[Mark] = []
        for number in range(bisect_left(self._all, pos, key=_start), len(self._all)):
            mark = self._all[number]
            if mark.start - pos > MAX_BETWEEN or not between.fullmatch(
                self.text, pos, mark.start
            ):
                break
            found.append(mark)
            pos, between = mark.end, _BETWEEN
        if found and quotation.is_block and not _LINE_END.match(self.text, pos):
            found = []  # the next paragraph begins with a citation of its own
        return found or _within(self._marks, quotation.start, start)

    def _of_sentence(self, quotation: Quotation) -> Sequence[Mark]:
        """Return the markers of the sentence of a quotation, those behind it first."""
        if not self._marks:
            return []
        at = bisect_right(self._sentences, quotation.start)
        first = self._sentences[at - 1] if at else self._block[0] - 1
        last = self._sentences[at] if at < len(self._sentences) else self._block[1]
        mine = [mark for mark in self._marks if first < mark.start <= last]
        behind = [mark for mark in mine if mark.start >= quotation.end]
        return behind + [mark for mark in reversed(mine) if mark.start < quotation.start]

    def _of_lead(self, quotation: Quotation) -> Sequence[Mark]:
        """Return the markers of the sentence above that ends with a colon, the last first."""
        first = self._block[0] if quotation.is_block else quotation.start
        start = max(first - MAX_LEAD, 0)
        lead = self.text[start:first]
        end = _LEAD.search(lead)
        if end is None or "\n" not in lead[end.start() :]:
            return []
        paragraph = (
            max(lead.rfind("\n\n", 0, end.start()), lead.rfind("\n>", 0, end.start())) + 1
        )
        found = _within(self._all, start + paragraph, start + end.start() + 1)
        if not found:
            return []
        # Markers are no words, by which the sentence might seem to end.
        bare = _blanked(lead[paragraph : end.start()], found, start + paragraph)
        last = split_sentences(bare.replace("\n", " "))[-1:]
        return [
            mark
            for mark in reversed(found)
            if last and mark.end > start + paragraph + last[0][0]
        ]

    @cached_property
    def _sentences(self) -> list[int]:
        """Where sentences start, but the first one: quotes and markers end none."""
        pieces: list[str] = []
        starts, offsets = [0], [self._block[0]]
        size = 0
        for start, end, new in self._fillings():
            piece = self.text[offsets[-1] : start]
            piece = piece if new else piece.rstrip()  # as if the marker was not there
            pieces += piece, new
            size += len(piece) + len(new)
            starts.append(size)
            offsets.append(end)
        pieces.append(self.text[offsets[-1] : self._block[1]])
        found = split_sentences("".join(pieces).replace("\n", " "))
        firsts = [(first, bisect_right(starts, first) - 1) for first, _ in found][1:]
        return [offsets[at] + first - starts[at] for first, at in firsts]

    def _fillings(self) -> Iterator[tuple[int, int, str]]:
        """Yield the ranges of quotations, as one word, and of the markers outside of them."""
        pos = -1
        places = [(q.start, q.end, "x") for q in self.quotations]
        for place in sorted(places + [(mark.start, mark.end, "") for mark in self._marks]):
            if place[0] >= pos:
                yield place
                pos = place[1]


def _without(text: str, quotation: Quotation, marks: Sequence[Mark]) -> str:
    """Return the words of a quotation without markers, and without blanks before these."""
    pieces: list[str] = []
    pos = quotation.start
    for mark in marks:
        if mark.start >= pos:
            pieces.append(text[pos : mark.start].rstrip(" "))
            pos = mark.end
    return "".join([*pieces, text[pos : quotation.end]])


def _blanked(text: str, marks: Sequence[Mark], start: int) -> str:
    """Return a text that begins at a code point of the answer, letters in place of markers."""
    for mark in marks:
        first, last = max(mark.start - start, 0), mark.end - start
        text = text[:first] + "x" * (min(last, len(text)) - first) + text[last:]
    return text


def _within(marks: Sequence[Mark], start: int, end: int) -> Sequence[Mark]:
    first = bisect_left(marks, start, key=_start)
    return marks[first : bisect_right(marks, end - 1, key=_start)]
