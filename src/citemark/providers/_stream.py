"""Adapters of streams: events fill a draft, and what can be shown is given out as it comes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias

from citemark.errors import CitemarkError
from citemark.model import CitationSegment, TextSegment

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citemark.answer import Answer
    from citemark.model import Marker
    from citemark.providers._draft import Draft
    from citemark.providers._node import Node

__all__ = ["Placement", "StreamBase", "Update"]

SMALL: Final = 4_096
"""Code points up to which an answer is made again at each settled place."""

GROWTH: Final = 1.25
"""A longer one is made again when it is so many times as long: linear in all."""


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
    """

    is_ordered: ClassVar[bool] = False
    """Whether citations come in the order of their places, so that some are settled early."""

    def __init__(self, draft: Draft) -> None:
        """Start an answer."""
        self._draft = draft
        self._given = 0  # code points of text
        self._settled_before = -1  # all that is known up to here was given out
        self._shown: set[tuple[int, Marker]] = set()  # citations that were given out
        self._made = 0  # length of the text of which placements were made last
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
        return [*self._new_text(), *self._settled_placements()]

    def close(self) -> list[Update]:
        """Return what is left.  The stream ends here, whether or not the provider said so.

        Raises:
            CitemarkError: The stream is closed already.
        """
        self._check_open()
        self._finish()
        self._answer = self._make()
        return [*self._new_text(), *self._placements(self._answer, self._draft.length)]

    @property
    def answer(self) -> Answer:
        """The answer: of all that came so far, until the stream is closed."""
        return self._make() if self._answer is None else self._answer

    @abstractmethod
    def _take(self, event: Node) -> None:
        """Read an event into the draft."""

    @abstractmethod
    def _make(self) -> Answer:
        """Return the answer of the draft."""

    def _finish(self) -> None:  # noqa: B027  most providers leave nothing for the end
        """Read what could not be read before the stream had ended."""

    def _settled(self) -> int:
        """Return the place up to which citations are known; only asked if ``is_ordered``."""
        return 0

    def _new_text(self) -> Iterator[TextSegment]:
        text = self._draft.tail(self._given) if self._given < self._draft.length else ""
        self._given = max(self._given, self._draft.length)
        if text:
            yield TextSegment(text)

    def _settled_placements(self) -> Iterator[Placement]:
        length = self._draft.length
        due = self._made < length and (length <= SMALL or length >= GROWTH * self._made)
        settled = self._settled() if self.is_ordered and due else 0
        if settled > self._settled_before:
            self._made, self._settled_before = length, settled
            yield from self._placements(self._make(), settled)

    def _placements(self, answer: Answer, settled: int) -> Iterator[Placement]:
        pos = 0
        for segment in answer.segments:
            start, pos = pos, pos + len(segment.raw)
            if pos > settled:
                break
            if (
                isinstance(segment, CitationSegment)
                and (start, segment.marker) not in self._shown
            ):
                self._shown.add((start, segment.marker))
                yield Placement(start, pos, segment)

    def _check_open(self) -> None:
        if self._answer is not None:
            message = "the stream is closed"
            raise CitemarkError(message)
