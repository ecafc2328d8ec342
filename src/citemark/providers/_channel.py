"""A growing text, and the citations in it.

Deltas, parts and blocks may be cut between the two halves of a surrogate pair.  A pair is one
character here, as it is in a whole text, and no place is between its halves.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from citemark._chunks import with_whole_characters
from citemark.providers._offsets import Offsets

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from citemark.model import Anchor, Location

__all__ = ["Channel", "Found", "Ref"]


@dataclass(frozen=True, slots=True)
class Ref:
    """One source of a citation, and what the provider says of it there."""

    source: str
    """Id of the source."""

    quote: str = ""
    """Words of the source."""

    locations: tuple[Location, ...] = ()
    """Where in the source they stand."""

    confidence: float | None = None
    """How sure the provider is."""

    raw: Mapping[str, Any] | None = None
    """What the provider sent."""


@dataclass(slots=True)
class Found:
    """A citation: its place in the text of the draft, and its sources."""

    start: int
    """First code point; of a point, its place."""

    end: int
    """Code point after the last one."""

    anchor: Anchor
    """What it is fixed to."""

    refs: list[Ref]
    """Its sources, in order; a source again if another part of it is quoted."""

    repaired: str = ""
    """How its place was mended."""


@dataclass(slots=True)
class Channel:
    """One text with its citations: the answer, or what was written beside it."""

    parts: list[str] = field(default_factory=list)
    """The text, in pieces, less a first half at its end."""

    found: list[Found] = field(default_factory=list)
    """Its citations, in the order in which they came."""

    length: int = 0
    """Code points of the text so far."""

    _starts: list[int] = field(default_factory=list)  # of the pieces
    _half: str = ""  # of a pair, at the end of the text: the other one may still come
    _offsets: Offsets | None = None

    @property
    def offsets(self) -> Offsets:
        """The text so far, ready to convert offsets."""
        if self._offsets is None or len(self._offsets.text) != self.length:
            self._offsets = Offsets(self.text)
        return self._offsets

    @property
    def text(self) -> str:
        """The text so far."""
        if len(self.parts) > 1:
            self.parts[:], self._starts[:] = ["".join(self.parts)], [0]
        return self.parts[0] + self._half if self.parts else self._half

    @property
    def ready(self) -> int:
        """Code points of the text that stay as they are, whatever is added."""
        return self.length - len(self._half)

    def between(self, start: int, end: int) -> str:
        """Return the text between two positions, without putting together all of it."""
        if self._starts and start == self._starts[-1] and end == self.ready:
            return self.parts[-1]
        first = max(bisect_right(self._starts, start) - 1, 0)
        last = bisect_left(self._starts, end, first)
        half = self._half if start <= self.ready < end else ""
        if first >= last:
            return half
        origin = self._starts[first]
        if last == first + 1:
            return self.parts[first][start - origin : end - origin] + half
        return "".join(self.parts[first:last])[start - origin : end - origin] + half

    def add(self, text: str) -> int:
        """Add a piece of text; return where it starts.

        A second half whose first one stands before it starts at their character: code points
        of the piece, counted from there, are those of the text.
        """
        start = self.length
        if not text:
            return start
        if self._half:
            start -= "\udc00" <= text[0] <= "\udfff"
            text = self._half + text
            self.length -= 1
            self._half, self._offsets = "", None
        text = with_whole_characters(text)
        if "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        if text:
            self.parts.append(text)
            self._starts.append(self.length)
        self.length += len(text) + len(self._half)
        return start

    def replace(self, text: str) -> None:
        """Put another text in place of what came so far, as a closing event may."""
        self.parts.clear()
        self._starts.clear()
        self.length, self._half, self._offsets = 0, "", None
        self.add(text)

    def cite(
        self, start: int, end: int, refs: Iterable[Ref], *, anchor: Anchor, repaired: str = ""
    ) -> None:
        """Add a citation, half-open, in code points of this text."""
        self.found.append(Found(start, end, anchor, list(refs), repaired))
