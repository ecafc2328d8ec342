"""What adapters share that keep all that came and read it once it is asked for.

OpenAI's streams repeat themselves in closing events, which may also correct what came before.
So what came is kept in its parts, later ones in place of earlier ones, and the draft is made of
them anew: nothing counts twice, and a stream is read by the same lines as a whole response.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from citemark._chunks import with_whole_characters
from citemark.providers._answer import answer_of
from citemark.providers._draft import Draft
from citemark.providers._stream import StreamBase

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from citemark.answer import Answer
    from citemark.catalogue import FormatSet
    from citemark.providers._node import Node
    from citemark.providers._settled import Settler
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
        return with_whole_characters("".join(self.pieces))

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
        self._begun: dict[Any, None] = {}  # parts whose text was given out, in that order

    @abstractmethod
    def take(self, response: Node) -> None:
        """Keep a response, or an event of a stream."""

    @abstractmethod
    def fill(self, draft: Draft) -> None:
        """Read what came into an empty draft."""

    def read(self, response: object) -> Answer:
        """Return the answer of a whole response: a mapping, or an object of an SDK."""
        self.take(self.draft.node(response))
        return self.answer()

    def add_to(self, key: object, part: Part, text: str) -> int:
        """Add a piece to the text of a part; return where it starts as it is given out."""
        if text:
            self._begun.setdefault(key)
        part.pieces.append(text)
        return self.draft.add(text)

    def in_order(self, keys: Collection[Any]) -> list[Any]:
        """Return the keys of parts in the order of the answer.

        What was given out stands in that order, whatever the keys say: places count in it.
        """
        begun = [key for key in self._begun if key in keys]
        return [*begun, *sorted(key for key in keys if key not in self._begun)]

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
        draft.issues += self.draft.issues
        return draft


class ReaderStream(StreamBase):
    """A stream whose events a reader takes."""

    def __init__(self, reader: Reader, settler: Settler | None = None) -> None:
        """Start an answer."""
        self._reader = reader
        super().__init__(reader.draft, settler)

    def _take(self, event: Node) -> None:
        self._reader.take(event)

    def _finish(self) -> None:
        text = self._reader.text()
        if text != self._draft.text:
            self._draft.replace(text)

    def _make(self) -> Answer:
        return self._reader.answer()
