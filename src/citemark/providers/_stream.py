"""Adapters of streams: events fill a draft, and what can be shown is given out as it comes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from citemark.errors import CitemarkError
from citemark.model import CitationSegment, TextSegment
from citemark.providers._ends import tell_unclosed
from citemark.providers._shown import Shown, cited

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from citemark.answer import Answer
    from citemark.providers._draft import Draft
    from citemark.providers._node import Node
    from citemark.providers._settled import Settler

__all__ = ["Placement", "StreamBase", "Update"]


@dataclass(frozen=True, slots=True)
class Placement:
    """A citation of text that was given out before."""

    start: int
    """First code point of the answer's text that it is shown instead of."""

    end: int
    """Code point after the last one; equal to the start if it is put between the words."""

    segment: CitationSegment
    """The citation, with its number."""


Update: TypeAlias = TextSegment | Placement
"""What there is to show after an event: more text, or a citation in the text so far."""


class StreamBase(ABC):
    """Turns the events of one stream into text, placements and the answer.

    The answer is that of the whole response: it is made of the same draft.  Text is given out
    as it comes.  A citation is given out when nothing that comes can change its number.

    Args:
        draft: What the events fill.
        settler: Tells the citations that are settled; None if that is known at the end alone.
    """

    def __init__(self, draft: Draft, settler: Settler | None = None) -> None:
        """Start an answer."""
        self._draft = draft
        self._settler = settler
        self._given = 0  # code points of text
        self._shown = Shown()
        self._answer: Answer | None = None

    def feed(self, event: object) -> list[Update]:
        """Take in the next event: a mapping, or an object of the SDK.

        What is damaged or unknown is counted among the issues of the answer.

        Returns:
            New text, and citations that are now settled.

        Raises:
            CitemarkError: The stream is closed.
        """
        self._check_open()
        self._take(self._draft.node(event))
        updates = self._new_text(self._draft.ready)
        if self._settler is not None:
            updates += self._placed(self._settler.upto(self._settled()))
        return updates

    def close(self) -> list[Update]:
        """Return what is left.  The stream ends here, whether or not the provider said so.

        Raises:
            CitemarkError: The stream is closed already.
        """
        self._check_open()
        self._finish()
        tell_unclosed(self._draft)
        self._answer = answer = self._shown.kept(self._make())
        return [*self._new_text(self._draft.length), *self._placed(cited(answer.segments))]

    @property
    def answer(self) -> Answer:
        """The answer: of all that came so far, until the stream is closed."""
        return self._shown.kept(self._make()) if self._answer is None else self._answer

    @abstractmethod
    def _take(self, event: Node) -> None:
        """Read an event into the draft."""

    @abstractmethod
    def _make(self) -> Answer:
        """Return the answer of the draft."""

    def _finish(self) -> None:  # noqa: B027  most providers leave nothing for the end
        """Read what could not be read before the stream had ended."""

    def _settled(self) -> int:
        """Return the place before which all citations are known, if there is a settler."""
        return 0

    def _new_text(self, end: int) -> list[Update]:
        if self._given >= end:
            return []
        text = self._draft.between(self._given, end)
        self._given = end
        if self._settler is not None:
            self._settler.add(text)
        return [TextSegment(text)]

    def _placed(self, segments: Iterable[tuple[int, CitationSegment]]) -> Iterator[Placement]:
        for start, segment in segments:
            new = self._shown.new(start, segment)
            if new is not None:
                yield Placement(start, start + len(segment.raw), new)

    def _check_open(self) -> None:
        if self._answer is not None:
            message = "the stream is closed"
            raise CitemarkError(message)
