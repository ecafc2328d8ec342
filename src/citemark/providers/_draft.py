"""What an adapter reads out of a response: text, sources, and citations with their places.

Adapters fill a draft in whatever order things come; ``citemark.providers._answer`` makes the
answer of it.  A stream fills the same draft, so it cannot come to differ from the whole.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from citemark.model import Issue, Source
from citemark.providers._node import Node, camel
from citemark.providers._offsets import Offsets
from citemark.providers._repair import ISSUES, locate

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from citemark.model import Anchor, Location
    from citemark.providers._offsets import Unit

__all__ = ["Draft", "Found", "Ref"]

MAX_NOTES: Final = 100
"""Kinds of oddities that are told; a damaged response may have one in each field."""


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
    """The text, in pieces."""

    found: list[Found] = field(default_factory=list)
    """Its citations, in the order in which they came."""

    length: int = 0
    """Code points of the text so far."""

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
            self.parts[:] = ["".join(self.parts)]
        return self.parts[0] if self.parts else ""

    def tail(self, start: int) -> str:
        """Return the text from a position on, without putting together what is before it."""
        pieces, pos = list[str](), self.length
        for piece in reversed(self.parts):
            if pos <= start:
                break
            pos -= len(piece)
            pieces.append(piece)
        return "".join(reversed(pieces))[max(start - pos, 0) :]

    def add(self, text: str) -> int:
        """Add a piece of text; return where it starts."""
        start = self.length
        if text:
            self.parts.append(text)
            self.length += len(text)
        return start

    def replace(self, text: str) -> None:
        """Put another text in place of what came so far, as a closing event may."""
        self.parts[:] = [text] if text else []
        self.length, self._offsets = len(text), None

    def cite(
        self, start: int, end: int, refs: Iterable[Ref], *, anchor: Anchor, repaired: str = ""
    ) -> None:
        """Add a citation, half-open, in code points of this text."""
        self.found.append(Found(start, end, anchor, list(refs), repaired))


class Draft(Channel):
    """The answer as far as it was read.

    Args:
        provider: Name of the provider, which each issue about what it sent is told with.
    """

    __slots__ = ("asides", "issues", "notes", "pages", "provider", "sources")

    def __init__(self, provider: str) -> None:
        """Begin with nothing."""
        super().__init__()
        self.provider = provider
        self.sources: dict[str, Source] = {}
        """By id, in the provider's order: the first is label 1."""
        self.pages: dict[str, str] = {}
        """Ids of sources by the comparable form of their URL, where an adapter keeps them."""
        self.asides: dict[str, Channel] = {}
        """Thinking and plan, by channel."""
        self.issues: list[Issue] = []
        """What was odd about citations."""
        self.notes: Counter[tuple[str, str, str]] = Counter()
        """Code, name and message of what else was odd, counted."""

    def node(self, value: object) -> Node:
        """Return an object of the response, to be read with care."""
        return Node(
            value, lambda name, expected: self.note("field", name, f"is not {expected}")
        )

    def note(self, code: str, name: str, message: str) -> None:
        """Count something odd that has no place in the text."""
        key = code, name, message
        if key in self.notes or len(self.notes) < MAX_NOTES:
            self.notes[key] += 1

    def unknown(self, kind: str, name: object) -> None:
        """Count an event, block, annotation, ... of a type that is not known.

        Args:
            kind: What it is, in one word.
            name: Its type, as it came.
        """
        shown = name if isinstance(name, str) else type(name).__name__
        self.note(f"unknown_{kind}", shown[:80], f"{kind} of a type that is not known")

    def expect(self, node: Node, kind: str, known: Iterable[str]) -> None:
        """Count the fields of an object that are not among those that are known.

        They are known as on the wire too, in camel case.
        """
        names = (*known,)
        for name in set(node.fields()).difference(names, map(camel, names)):
            self.note("unknown_field", name[:80], f"field of a {kind} that is not known")

    def issue(
        self, code: str, message: str, start: int = 0, end: int = 0, key: str = ""
    ) -> None:
        """Tell something odd about a citation, with its place if it has one."""
        self.issues.append(Issue(code, message, start, end, key))

    def aside(self, channel: str) -> Channel:
        """Return the text of a channel beside the answer: ``"thinking"`` or ``"plan"``."""
        return self.asides.setdefault(channel, Channel())

    def source(self, id_: str, **fields: Any) -> str:  # noqa: ANN401  those of a Source
        """Take note of a source; return its id.

        One that is known keeps its place and what is known of it; fields that it lacked are
        filled, as when a citation has only the URL of an earlier search result.
        """
        known = self.sources.get(id_)
        given = {name: value for name, value in fields.items() if value not in (None, "", {})}
        if known is None:
            self.sources[id_] = Source(id_, **given)
        elif any(not getattr(known, name) for name in given):
            old = {name: getattr(known, name) for name in Source.__slots__ if name != "id"}
            kept = {name: value for name, value in old.items() if value not in (None, "", {})}
            self.sources[id_] = Source(id_, **{**given, **kept})
        return id_

    def place(  # noqa: PLR0913  what providers may say of a place, by keyword
        self,
        channel: Channel,
        start: int | None,
        end: int | None,
        refs: Sequence[Ref],
        *,
        anchor: Anchor = "claim",
        unit: Unit = "code point",
        inclusive: bool = False,
        expected: str | Sequence[tuple[int, int]] | None = None,
        offsets: Offsets | None = None,
        origin: int = 0,
    ) -> bool:
        """Add a citation whose place is told by offsets, mending what does not fit.

        Args:
            channel: The text that it is in: the draft itself, or an aside.
            start: First offset, or None.
            end: Last offset, or None.
            refs: Its sources.
            anchor: What it is fixed to.
            unit: What the offsets count.
            inclusive: Whether the end is the last one, not one after it.
            expected: The words that must stand there, or the places that it may be.
            offsets: Of the text that the offsets count in; that of the channel by default.
            origin: Where that text starts in the channel, in code points.

        Returns:
            Whether it has a place.  If it has none its sources stay in the answer's list.
        """
        within = channel.offsets if offsets is None else offsets
        span = locate(within, start, end, unit=unit, inclusive=inclusive, expected=expected)
        key = refs[0].source if refs else ""
        if span is None:
            self._say_unplaced(start, end, key)
            return False
        first, last = span.start + origin, span.end + origin
        if span.step:
            code, message = ISSUES[span.step]
            self.issue(code, f"{self.provider}: {message}", first, last, key)
        channel.cite(first, last, refs, anchor=anchor, repaired=span.step)
        return True

    def _say_unplaced(self, start: int | None, end: int | None, key: str) -> None:
        is_empty = start is not None and start == end
        code = "span_empty" if is_empty else "span_out_of_range"
        message = f"{self.provider}: the span {start}..{end} is not in the text"
        self.issue(code, message, key=key)
