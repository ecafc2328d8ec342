"""What adapters share that keep all that came and read it once it is asked for.

OpenAI's streams repeat themselves in closing events, which may also correct what came before.
So what came is kept in its parts, later ones in place of earlier ones, and the draft is made of
them anew: nothing counts twice, and a stream is read by the same lines as a whole response.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from citemark.providers._answer import answer_of
from citemark.providers._draft import Draft
from citemark.providers._stream import StreamBase

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citemark.answer import Answer
    from citemark.catalogue import FormatSet
    from citemark.providers._node import Node
    from citemark.sources import Label

__all__ = ["Part", "Reader", "ReaderStream"]


@dataclass(slots=True)
class Part:
    """A piece of an answer with a text and annotations of its own."""

    pieces: list[str] = field(default_factory=list)
    """The text, as it came."""

    annotations: dict[int, object] = field(default_factory=dict)
    """By their index in the part."""

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self.pieces)

    def close(self, text: str, annotations: Iterable[object]) -> None:
        """Put what a closing event says in place of what came; what it leaves out stays."""
        if text:
            self.pieces[:] = [text]
        known = dict(enumerate(annotations))
        if known:
            self.annotations = known

    def annotate(self, annotation: object, index: int | None) -> None:
        """Add an annotation, in place of an earlier one of the same index."""
        self.annotations[len(self.annotations) if index is None else index] = annotation


class Reader(ABC):
    """Keeps what came of a response.

    Args:
        provider: Name of the provider.
        formats: Markers that its models write.
        label: What numbers in them are.
    """

    def __init__(self, provider: str, formats: FormatSet, label: Label = "id") -> None:
        """Begin with nothing."""
        self.draft = Draft(provider)
        """The text as it came, and what was odd about events."""
        self._formats = formats
        self._label = label

    @abstractmethod
    def take(self, response: Node) -> None:
        """Keep a response, or an event of a stream."""

    @abstractmethod
    def fill(self, draft: Draft) -> None:
        """Read what came into an empty draft."""

    def settled(self) -> int:
        """Return the place up to which nothing that comes can change a number."""
        return 0

    def text(self) -> str:
        """Return the text of the answer, corrected by closing events."""
        return self._filled().text

    def answer(self) -> Answer:
        """Return the answer of what came so far."""
        return answer_of(self._filled(), formats=self._formats, label=self._label)

    def _filled(self) -> Draft:
        draft = Draft(self.draft.provider)
        self.fill(draft)
        draft.notes.update(self.draft.notes)
        return draft


class ReaderStream(StreamBase):
    """A stream whose events a reader takes."""

    def __init__(self, reader: Reader) -> None:
        """Start an answer."""
        self._reader = reader
        super().__init__(reader.draft)

    def _take(self, event: Node) -> None:
        self._reader.take(event)

    def _settled(self) -> int:
        return self._reader.settled()

    def _finish(self) -> None:
        text = self._reader.text()
        if text != self._draft.text:
            self._draft.replace(text)

    def _make(self) -> Answer:
        return self._reader.answer()
