"""What the interfaces of Google have in common: chunks that are named by their index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from citemark.model import Location
from citemark.providers._draft import Ref

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citemark.providers._draft import Draft
    from citemark.providers._node import Node

__all__ = ["Chunk", "Chunks", "kept", "pages", "ref_to", "score_of"]

MAX_INDEX: Final = 10**9
"""Greatest index that is told; Python does not write out those of thousands of digits."""


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


def kept(node: Node, *names: str) -> dict[str, Any]:
    """Return some fields of an object, those that are not empty."""
    return {name: node.get(name) for name in names if node.get(name)}


def score_of(scores: list[Any], position: int) -> float | None:
    """Return a score in a list, which may be shorter, or damaged."""
    score = scores[position] if position < len(scores) else None
    if isinstance(score, int | float) and not isinstance(score, bool) and 0 <= score <= 1:
        return float(score)
    return None
