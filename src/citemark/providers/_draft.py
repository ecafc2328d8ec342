"""What an adapter reads out of a response: text, sources, and citations with their places.

Adapters fill a draft in whatever order things come; ``citemark.providers._answer`` makes the
answer of it.  A stream fills the same draft, so it cannot come to differ from the whole.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from citemark.model import Issue, Source
from citemark.providers._channel import Channel, Ref
from citemark.providers._node import Node, camel
from citemark.providers._repair import ISSUES, locate, plausible_unit

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from citemark.model import Anchor
    from citemark.providers._offsets import Offsets, Unit

__all__ = ["Draft", "Ref"]

MAX_NOTES: Final = 100
"""Kinds of oddities that are told; a damaged response may have one in each field."""


class Draft(Channel):
    """The answer as far as it was read.

    Args:
        provider: Name of the provider, which each issue about what it sent is told with.
    """

    __slots__ = ("asides", "closing", "issues", "notes", "pages", "provider", "sources")

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
        self.closing: str | None = ""
        """What a stream has yet to end with; "" for nothing, None if it has come."""
        self.notes: Counter[tuple[str, str, str]] = Counter()
        """Code, name and message of what else was odd, counted."""

    def node(self, value: object) -> Node:
        """Return an object of the response, to be read with care."""
        return Node(value, self._say_not)

    def note(self, code: str, name: str, message: str) -> None:
        """Count something odd that has no place in the text."""
        key = code, name, message
        if key in self.notes or len(self.notes) < MAX_NOTES:
            self.notes[key] += 1

    def awaits(self, closing: str) -> None:
        """Take note that more comes: what a stream ends with, unless that has come."""
        if self.closing is not None:
            self.closing = closing

    def unknown(self, kind: str, name: object) -> None:
        """Count an event, block, annotation, ... of a type that is not known.

        Args:
            kind: What it is, in one word.
            name: Its type, as it came.
        """
        shown = name if isinstance(name, str) else type(name).__name__
        self.note(f"unknown_{kind}", shown[:80], f"{kind} of a type that is not known")

    def further(self, name: str) -> None:
        """Count a further answer of a response, of which the first is read.

        Args:
            name: The field that holds the answers.
        """
        self.note("choice", name, "holds more than one answer: the first is read")

    def expect(self, node: Node, kind: str, known: Iterable[str]) -> None:
        """Count the fields of an object that are not among those that are known.

        They are known as on the wire too, in camel case.
        """
        if not node:
            return
        names = _on_the_wire(known if isinstance(known, frozenset) else (*known,))
        if type(node.value) is dict and node.value.keys() <= names:
            return
        for name in node.fields():
            if name not in names:
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

    def probed_unit(
        self, spans: Iterable[tuple[int | None, int | None]], offsets: Offsets | None = None
    ) -> Unit:
        """Return what offsets count of which nobody says that, with an issue if it is odd.

        Args:
            spans: All of one text; the start may be missing where it is 0.
            offsets: Of that text; of the draft by default.
        """
        known = [(start or 0, end) for start, end in spans if end is not None]
        unit = plausible_unit(self.offsets if offsets is None else offsets, known)
        if unit != "code point":
            self.issue("offset_unit", f"{self.provider}: offsets count something else: {unit}")
        return unit

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

    def _say_not(self, name: str, expected: str) -> None:
        self.note("field", name, f"is not {expected}")

    def _say_unplaced(self, start: int | None, end: int | None, key: str) -> None:
        is_empty = start is not None and start == end
        code = "span_empty" if is_empty else "span_out_of_range"
        message = f"{self.provider}: the span {start}..{end} is not in the text"
        self.issue(code, message, key=key)


@lru_cache(maxsize=256)
def _on_the_wire(known: Collection[str]) -> frozenset[str]:
    """Return names of fields with those that they have on the wire."""
    return frozenset((*known, *map(camel, known)))
