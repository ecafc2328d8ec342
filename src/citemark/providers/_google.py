"""What the interfaces of Google have in common: chunks that are named by their index.

Places are told in bytes of a text that may still come, so they are given at the end.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from citemark.catalogue import DIALECTS
from citemark.model import Location
from citemark.providers._answer import answer_of
from citemark.providers._draft import Draft, Ref
from citemark.providers._stream import StreamBase

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citemark.answer import Answer
    from citemark.providers._node import Node

__all__ = ["Chunk", "Chunks", "GoogleReader", "GoogleStream", "pages", "ref_to", "score_of"]

MAX_INDEX: Final = 10**9
"""Greatest index that is told; Python does not write out those of thousands of digits."""


class GoogleReader(ABC):
    """Reads responses, whole or in pieces, into a draft."""

    def __init__(self, provider: str) -> None:
        """Begin with nothing."""
        self.draft = Draft(provider)

    @abstractmethod
    def take(self, response: Node) -> None:
        """Read a response, or an event of a stream."""

    @abstractmethod
    def finish(self) -> None:
        """Give what was cited its place, when the text is whole."""

    def read(self, response: object) -> Answer:
        """Return the answer of a whole response: a mapping, or an object of the SDK."""
        self.take(self.draft.node(response))
        self.finish()
        return self.answer()

    def answer(self) -> Answer:
        """Return the answer of what was read."""
        return answer_of(self.draft, formats=DIALECTS["GEMINI"])


class GoogleStream(StreamBase):
    """A stream whose events a reader takes."""

    def __init__(self, reader: GoogleReader) -> None:
        """Start an answer."""
        self._reader = reader
        super().__init__(reader.draft)

    def _take(self, event: Node) -> None:
        self._reader.take(event)

    def _finish(self) -> None:
        self._reader.finish()

    def _make(self) -> Answer:
        return self._reader.answer()


class Chunk(NamedTuple):
    """A chunk that answers are grounded on."""

    source: str
    """Id of its source."""

    locations: tuple[Location, ...] = ()
    """Its pages in the document."""


class Chunks:
    """Makes sources of chunks: one each, also where several are of one document."""

    def __init__(self, draft: Draft) -> None:
        """Begin with none."""
        self._draft = draft
        self._ids: dict[tuple[str, str], str] = {}

    def take(
        self,
        names: tuple[str, ...],
        text: str = "",
        locations: tuple[Location, ...] = (),
        **fields: Any,  # noqa: ANN401  those of a Source
    ) -> Chunk | None:
        """Take note of a chunk; None if nothing names it.

        Args:
            names: What may name it, the best first; names of documents need not be unique.
            text: Its passage.
            locations: Its pages.
            fields: Others of its source.
        """
        name = next(filter(None, names), "")
        if not name:
            return None
        id_ = self._ids.get((name, text))
        if id_ is None:
            id_ = name
            while id_ in self._draft.sources:
                # A second passage of one document is a source of its own.
                id_ = f"{name}#{len(self._draft.sources) + 1}"
            self._ids[name, text] = id_
        if locations:
            fields["page"] = locations[0].start
        return Chunk(self._draft.source(id_, text=text, **fields), locations)


def ref_to(
    draft: Draft,
    chunks: list[Chunk | None],
    index: object,
    **fields: Any,  # noqa: ANN401  those of a Ref
) -> Iterator[Ref]:
    """Yield the reference to the chunk of an index; tell an issue if there is no such chunk."""
    chunk = None
    if isinstance(index, int) and not isinstance(index, bool) and 0 <= index < len(chunks):
        chunk = chunks[index]
    if chunk is None:
        shown = str(index) if isinstance(index, int) and abs(index) < MAX_INDEX else "?"
        message = f"{draft.provider}: a citation names chunk {shown}, which is not there"
        draft.issue("unknown_source", message, key=shown)
    else:
        yield Ref(chunk.source, locations=chunk.locations, **fields)


def pages(first: int | None, last: int | None = None) -> tuple[Location, ...]:
    """Return the location of pages, both counted from 1 and inclusive; none without a page."""
    if first is None or first < 1:
        return ()
    return (Location("page", first, max(first, last or 0) + 1),)


def score_of(scores: list[Any], position: int) -> float | None:
    """Return a score in a list, which may be shorter, or damaged."""
    score = scores[position] if position < len(scores) else None
    if isinstance(score, int | float) and not isinstance(score, bool) and 0 <= score <= 1:
        return float(score)
    return None
