"""The text of an answer as it was written, with marks where something was found.

It is shown as it stands, not rendered: so that every mark is where the finding is, whatever
Markdown makes of the text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from citemark.checks.reports._labels import LABELS, label_of
from citemark.checks.reports._markers import markers_of
from citemark.checks.reports._pieces import Layer, pieces, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from citemark.answer import Answer
    from citemark.checks.model import Finding
    from citemark.checks.reports._markers import Link, Written

__all__ = ["Item", "Marked", "mark_answer"]

_BLANK_LINES: Final = re.compile(r"(?:\r\n?|\n)(?:[ \t]*+(?:\r\n?|\n))++")
_CLOSING: Final = re.compile(r"[.!?…。！？।۔؟\"'”’»)\]*_]{0,8}+")
_BLANKS: Final = re.compile(r"[ \t]{0,4}+")


class Item(NamedTuple):
    """Something that is shown of an answer, one after the other."""

    kind: str
    """``"text"``, ``"anchor"`` (a place that findings link to), ``"tag"`` (what was found) or
    ``"link"`` (a number that was not written: told by a provider, or one of a range)."""

    text: str = ""
    """What is shown."""

    marks: tuple[str, ...] = ()
    """Of text: codes of what was found; the severity of what has no label of its own."""

    number: int = 0
    """Of a tag or anchor, that of the finding; of links, and of text that is one, that of the
    source."""

    severity: str = ""
    """Of a tag."""


class Marked(NamedTuple):
    """An answer as it is shown."""

    paragraphs: tuple[tuple[Item, ...], ...]
    """Parts between blank lines, in order."""

    placed: frozenset[int]
    """Numbers of the findings that have a place in them."""

    hidden: int
    """Code points at the end that are not shown."""


def mark_answer(
    answer: Answer, findings: Sequence[tuple[int, Finding]], room: int, most: int
) -> Marked:
    """Return an answer with its marks.

    Args:
        answer: The answer.
        findings: Those that have a place in it, with their numbers.
        room: Code points that are shown; the rest is cut off at the end of a paragraph.
        most: Markers that are shown; the same.
    """
    text = answer.text
    written = markers_of(answer)
    if len(written) > most:
        room = min(room, written[most].start)
    bounds = _paragraphs(text, room)
    events = _Events(answer, findings, written)
    layers = [
        Layer(finding.start, finding.end, name)
        for _, finding in findings
        for name in (LABELS.keys() & {finding.code} or {finding.severity})
    ]
    shape = _Shape(text, layers, written, events)
    paragraphs = tuple(tuple(shape.items(*bound)) for bound in bounds)
    placed = frozenset(
        item.number for part in paragraphs for item in part if item.kind == "anchor"
    )
    return Marked(paragraphs, placed, len(text) - (bounds[-1][1] if bounds else 0))


def _paragraphs(text: str, room: int) -> list[tuple[int, int]]:
    """Return the parts of a text between blank lines; of a first one too long, the start."""
    bounds: list[tuple[int, int]] = []
    pos = 0
    ends = [(match.start(), match.end()) for match in _BLANK_LINES.finditer(text)]
    for end, following in [*ends, (len(text), len(text))]:
        if end > room:
            if not bounds and room > pos:
                bounds.append((pos, room))
            break
        if text[pos:end].strip():
            bounds.append((pos, end))
        pos = following
    return bounds


def _end(pattern: re.Pattern[str], text: str, pos: int) -> int:
    match = pattern.match(text, pos)
    return pos if match is None else match.end()


class _Events:
    """What is put between the characters of an answer, in order of position."""

    def __init__(
        self,
        answer: Answer,
        findings: Sequence[tuple[int, Finding]],
        written: Sequence[Written],
    ) -> None:
        self._ends = {one.start: one.end for one in written if one.start < one.end}
        self._ends |= {one.start: one.end for one in answer.issues if one.code == "unresolved"}
        self._text = answer.text
        made: list[tuple[int, int, Item]] = []
        for number, finding in findings:
            at = self._behind(finding.end)
            tag = Item("tag", label_of(finding.code), (), number, finding.severity)
            made.append((finding.start, 2, Item("anchor", "", (), number)))
            made.append((at, 1 if at > finding.start else 3, tag))
        for one in written:
            links = (Item("link", label, (), number) for label, number in one.added)
            made += ((one.end, 0, link) for link in links)
        self._items = sorted(made, key=lambda event: event[:2])
        self._at = 0

    @property
    def places(self) -> list[int]:
        """Return where they stand."""
        return [pos for pos, _, _ in self._items]

    def until(self, pos: int) -> Iterator[Item]:
        """Yield those up to a position that were not yet."""
        while self._at < len(self._items) and self._items[self._at][0] <= pos:
            yield self._items[self._at][2]
            self._at += 1

    def _behind(self, pos: int) -> int:
        """Return where what follows a sentence ends: full stop, quotation marks, markers."""
        while True:
            after = _end(_CLOSING, self._text, pos)
            blanks = _end(_BLANKS, self._text, after)
            marker = self._ends.get(after, self._ends.get(blanks))
            if marker is None or marker <= pos:
                return after
            pos = marker


class _Shape:
    """Puts text and events together."""

    def __init__(
        self, text: str, layers: list[Layer], written: Sequence[Written], events: _Events
    ) -> None:
        self._text, self._events = text, events
        self._layers = sorted(layers)
        self._layer = 0
        self._open: list[Layer] = []
        links = [link for one in written for link in one.links]
        edges = {edge for start, end, _ in links for edge in (start, end)}
        self._cuts = sorted({*events.places, *edges})
        self._cut = 0
        self._links = {link.start: link for link in links}
        self._link: Link | None = None

    def items(self, start: int, end: int) -> Iterator[Item]:
        """Yield what is shown of a range; the ranges are asked for in order."""
        for piece in pieces(start, end, self._over(start, end), self._within(end)):
            yield from self._events.until(piece.start)
            link = self._links.get(piece.start, self._link)
            self._link = link if link and piece.start < link.end else None
            number = self._link.number if self._link else 0
            words = shown(self._text[piece.start : piece.end])
            yield Item("text", words, piece.names, number)
        yield from self._events.until(end)

    def _over(self, start: int, end: int) -> list[Layer]:
        """Return the layers of a range; each is looked at only while it lasts."""
        first = self._layer
        while self._layer < len(self._layers) and self._layers[self._layer].start < end:
            self._layer += 1
        reaching = [*self._open, *self._layers[first : self._layer]]
        self._open = [layer for layer in reaching if layer.end > start]
        return self._open

    def _within(self, end: int) -> list[int]:
        first = self._cut
        while self._cut < len(self._cuts) and self._cuts[self._cut] < end:
            self._cut += 1
        return self._cuts[first : self._cut]
