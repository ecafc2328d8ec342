"""One earlier answer without its markers, or with the labels of today."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from citemark._lazy import lazy_re
from citemark.api import cite
from citemark.catalogue import FormatSet
from citemark.model import CitationSegment
from citemark.registry import Registry
from citemark.renderers._shown import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from citemark.model import Marker, Segment, Source
    from citemark.sources import Sources

__all__ = ["How", "relabelled", "stripped"]

SourceList: TypeAlias = Literal["keep", "drop"]
MarkerOf: TypeAlias = Callable[["Source"], str]

_BEFORE: Final = frozenset(" \t\r\n([{（「『《“„«")
_AFTER: Final = frozenset(" \t\r\n.,;!?)]}…。，、；：！？）】」』》”’»*_|")
"""What may stand before and after ``[1]`` without making a link, an index or more of it."""

MAX_ROUNDS: Final = 4
"""Readings of a text: where a marker was, two ends may come together as another one."""

_NUMBERS: Final = lazy_re(r"[ \t]{0,8}\[[\d\s,;:–-]{1,60}\]")
"""What is removed where there is still a marker after all rounds: ``[1-4][1-4][1-4]…`` is read
one by one, from the end."""


class How(NamedTuple):
    """How answers are read."""

    formats: FormatSet
    """Markers that they may hold."""

    source_list: SourceList
    """What becomes of a list of sources that the model wrote itself."""


def stripped(text: str, sources: Sources, how: How) -> str:
    """Return a text without the markers that name sources."""
    for _ in range(MAX_ROUNDS):
        before, text = text, _rewrite(text, sources, _no_marker, how).text
        if text == before:
            return text
    return _NUMBERS.sub("", text)


def relabelled(text: str, sources: Sources, labels: Sources | Registry, how: How) -> str:
    """Return a text whose markers have the labels of today, and no others of today's.

    Args:
        text: With markers that name sources.
        sources: Those that it could cite.
        labels: Those of today.
        how: How texts are read.
    """
    written = _rewrite(text, sources, _marker_writer(labels), how)
    today = labels.sources if isinstance(labels, Registry) else labels
    for _ in range(MAX_ROUNDS):
        foreign = [*_foreign(written, today, how)]
        if not foreign:
            return written.text
        written = _without(written, foreign)
    return _bare(written)


def _rewrite(text: str, sources: Sources, marker_of: MarkerOf, how: How) -> _Written:
    answer = cite(text, sources, **how._asdict())
    segments = tuple(_relabelled(segment, marker_of) for segment in answer.segments)
    written = _Written()
    if segments == answer.segments and all(
        not isinstance(segment, CitationSegment) for segment in segments
    ):
        return written.with_text(text)
    for segment, citations in shown(replace(answer, segments=segments), repeats="all"):
        if isinstance(segment, CitationSegment):
            marks = (marker_of(one.source) for one in citations if one.source is not None)
            written.mark("".join(dict.fromkeys(marks)), segment.marker)
        else:
            written.add(segment.text)
    return written


class _Written:
    """A text with markers in it that are read as such, whatever stands beside them."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self.length = 0
        """In code points."""
        self._is_new = False  # the last piece is a marker that is written anew
        self.marks: list[tuple[int, int]] = []
        """Where markers were written, in order: half-open, in code points."""

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    def with_text(self, text: str) -> _Written:
        """Add a text as it is."""
        self._pieces.append(text)
        self.length += len(text)
        return self

    def add(self, text: str) -> None:
        """Add what is no marker; it is never empty."""
        self.with_text(" " + text if self._is_new and text[0] not in _AFTER else text)
        self._is_new = False

    def mark(self, mark: str, marker: Marker) -> None:
        """Add what is written for a marker, which is never empty."""
        is_new = mark != marker.raw
        if is_new and not self._is_new and self._pieces and self._pieces[-1][-1] not in _BEFORE:
            self.with_text(" ")
        self.marks.append((self.length, self.length + len(mark)))
        self.with_text(mark)
        self._is_new = is_new


def _foreign(written: _Written, today: Sources, how: How) -> Iterator[Marker]:
    """Yield what is read as a label of today, and is none that was written.

    A link names its source by itself, so it is right with any list.
    """
    is_link = {row.name: row.lookup == ("url",) for row in FormatSet.of(how.formats)}
    starts = [start for start, _ in written.marks]
    for segment in cite(written.text, today, **how._asdict()).segments:
        if not isinstance(segment, CitationSegment) or is_link[segment.marker.format]:
            continue
        marker = segment.marker
        at = bisect_right(starts, marker.start) - 1
        is_ours = at >= 0 and marker.end <= written.marks[at][1]
        if not is_ours and any(one.source is not None for one in segment.citations):
            yield marker


def _without(written: _Written, foreign: Iterable[Marker]) -> _Written:
    """Return the same less some markers, each with the blank before it; their words stay."""
    text, left, pos = written.text, _Written(), 0
    cuts: list[tuple[int, int]] = []  # where what goes ends, and by how much all then moves
    for marker in foreign:
        start = marker.start
        while not marker.words and start > pos and text[start - 1] in " \t":
            start -= 1
        left.with_text(text[pos:start] + marker.words)
        pos = marker.end
        follows = text[pos : pos + 1]
        if start < marker.start and follows.strip() and follows not in _AFTER | {":"}:
            left.with_text(" ")
        elif not marker.words and follows == " " and text[start - 1 : start] in {"", "\n"}:
            pos += 1
        cuts.append((pos, left.length - pos))
    ends = [end for end, _ in cuts]
    moves = [0, *(move for _, move in cuts)]
    for start, end in written.marks:
        move = moves[bisect_right(ends, start)]
        left.marks.append((start + move, end + move))
    return left.with_text(text[pos:])


def _bare(written: _Written) -> str:
    """Return the text without numbers in brackets but for the markers that were written."""
    left, pos = _Written(), 0
    for start, end in written.marks:
        left.with_text(_NUMBERS.sub("", written.text[pos:start]))
        left.with_text(written.text[start:end])
        pos = end
    return left.with_text(_NUMBERS.sub("", written.text[pos:])).text


def _relabelled(segment: Segment, marker_of: Callable[[Source], str]) -> Segment:
    """Return a marker with the citations alone that have a label."""
    if not isinstance(segment, CitationSegment):
        return segment
    kept = tuple(one for one in segment.citations if one.source and marker_of(one.source))
    return replace(segment, citations=kept)


def _no_marker(_source: Source) -> str:
    return ""


def _marker_writer(labels: Sources | Registry) -> Callable[[Source], str]:
    """Return the function that writes the marker of a source; "" if it has none."""
    if isinstance(labels, Registry):
        registry = labels
        return lambda source: _bracketed(registry.label(source), "")
    tag = "doc:" if labels.label == "id" else ""
    table = {source: label for label, source in labels.labelled()}
    return lambda source: _bracketed(table.get(source), tag)


def _bracketed(label: str | None, tag: str) -> str:
    return "" if label is None else f"[{tag}{label}]"
