"""An answer whose citations are resolved: what every renderer and check reads."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from citemark._frozen import thaw
from citemark.errors import StoredAnswerError
from citemark.model import Citation, CitationSegment, Issue, Marker, Source, TextSegment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from citemark.model import Segment

__all__ = ["VERSION", "Answer", "Entry"]

VERSION: Final = 1
"""Version of the stored form, see ``Answer.to_dict``."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a source list: a display number and what it stands for."""

    number: int
    """Display number, from 1."""

    sources: tuple[Source, ...]
    """Cited sources with this number, in order of first citation; several if grouped."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A text cut into segments, with the sources it cites.  Immutable and hashable."""

    segments: tuple[Segment, ...]
    """In order; two text segments never follow each other."""

    sources: tuple[Source, ...] = ()
    """Cited sources, each once, in order of display number."""

    unresolved: tuple[str, ...] = ()
    """Keys that name no source, in order, each once, whatever the policy."""

    issues: tuple[Issue, ...] = ()
    """What was odd, in order of position."""

    @property
    def text(self) -> str:
        """The answer as the model wrote it."""
        return "".join(segment.raw for segment in self.segments)

    @property
    def citations(self) -> Iterator[Citation]:
        """All citations, in order."""
        for segment in self.segments:
            if isinstance(segment, CitationSegment):
                yield from segment.citations

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Source list: one entry a display number, in order of number."""
        grouped: dict[int, dict[Source, None]] = {}
        for citation in self.citations:
            if citation.number is not None and citation.source is not None:
                grouped.setdefault(citation.number, {})[citation.source] = None
        return tuple(Entry(number, tuple(grouped[number])) for number in sorted(grouped))

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form from which ``from_dict`` makes an equal answer."""
        index = {source: position for position, source in enumerate(self.sources)}
        return {
            "version": VERSION,
            "segments": [_segment_to_dict(segment, index) for segment in self.segments],
            "sources": [_source_to_dict(source) for source in self.sources],
            "unresolved": list(self.unresolved),
            "issues": [asdict(issue) for issue in self.issues],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Answer:
        """Return the answer that ``to_dict`` stored.

        Raises:
            StoredAnswerError: The data is not such a form, or of another version.
        """
        version = _at("version", lambda: data["version"])
        if version != VERSION:
            reason = f"{version!r} is not known, only {VERSION}"
            raise StoredAnswerError("version", reason)  # noqa: EM101  a field, not a message
        sources = _each("sources", data, lambda item: Source(**item))
        return cls(
            _each("segments", data, lambda item: _segment_from_dict(item, sources)),
            sources,
            _each("unresolved", data, str),
            _each("issues", data, lambda item: Issue(**item)),
        )


def _source_to_dict(source: Source) -> dict[str, Any]:
    fields = {name: getattr(source, name) for name in Source.__dataclass_fields__}
    return fields | {"metadata": thaw(source.metadata)}


def _segment_to_dict(segment: Segment, index: Mapping[Source, int]) -> dict[str, Any]:
    if isinstance(segment, TextSegment):
        return {"type": "text", "text": segment.text}
    return {
        "type": "citation",
        "marker": asdict(segment.marker) | {"keys": list(segment.marker.keys)},
        "citations": [
            {
                "key": citation.key,
                "source": None if citation.source is None else index[citation.source],
                "number": citation.number,
                "occurrence": citation.occurrence,
            }
            for citation in segment.citations
        ],
        "blank": segment.blank,
    }


def _segment_from_dict(item: Mapping[str, Any], sources: tuple[Source, ...]) -> Segment:
    if item["type"] == "text":
        return TextSegment(item["text"])
    marker = Marker(**{**item["marker"], "keys": tuple(item["marker"]["keys"])})
    citations = tuple(
        Citation(**{**citation, "source": _nth(sources, citation["source"])})
        for citation in item["citations"]
    )
    return CitationSegment(marker, citations, item["blank"])


def _nth(sources: tuple[Source, ...], index: int | None) -> Source | None:
    if index is None:
        return None
    if index < 0:
        raise IndexError(index)
    return sources[index]


def _each(name: str, data: Mapping[str, Any], build: Callable[[Any], _T]) -> tuple[_T, ...]:
    items: list[Any] = _at(name, lambda: list(data[name]))
    return tuple(_at(f"{name}[{n}]", partial(build, item)) for n, item in enumerate(items))


def _at(where: str, build: Callable[[], _T]) -> _T:
    try:
        return build()
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise StoredAnswerError(where, f"{type(error).__name__}: {error}") from error
