"""An answer whose citations are resolved: what every renderer and check reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from citemark import _stored
from citemark._stored import VERSION
from citemark.errors import NotAnAnswerError
from citemark.model import CitationSegment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Unpack

    from citemark.checks.gate import Requirements
    from citemark.model import Aside, Citation, Issue, Segment, Source

__all__ = ["VERSION", "Answer", "Entry", "as_answer"]


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

    listed: tuple[Source, ...] = ()
    """Sources that the model's own list of sources names, in its order, each once."""

    consulted: tuple[Source, ...] = ()
    """Sources that were given and are not cited, in their order; empty unless asked for."""

    asides: tuple[Aside, ...] = ()
    """What a provider sent beside the answer with citations of its own: thinking, plans."""

    fingerprint: str | None = None
    """``Sources.fingerprint`` of what it was resolved by, if that was checked."""

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

    def require(
        self,
        *,
        coverage: float | None = None,
        unresolved: int | None = None,
        **options: Unpack[Requirements],
    ) -> Answer:
        """Return the answer itself if it is as good as is asked for.

        Args:
            coverage: Least share of its claims that is cited, 0 to 1; an answer without a claim
                passes.
            unresolved: Most keys that name no source.
            options: See ``citemark.checks.Requirements``.

        Raises:
            RequirementError: It is not: the error has what is missing, and the findings.
            CitemarkError: An option has a value that cannot be used, or there is none.

        >>> from citemark import cite
        >>> answer = cite("Tides rise [1]. Boats rot.", [{"id": "a"}])
        >>> answer.require(coverage=0.5, unresolved=0) is answer
        True
        """
        from citemark.checks.gate import require  # noqa: PLC0415  the checks read answers

        return require(self, coverage=coverage, unresolved=unresolved, **options)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form from which ``from_dict`` makes an equal answer.

        Strict JSON holds it (``allow_nan=False``).  What JSON has no form for is changed:
        NaN and infinity become None; dates, bytes and other values of the metadata strings.
        """
        index = {source: position for position, source in enumerate(self.sources)}
        return {
            "version": VERSION,
            "segments": [_stored.write_segment(segment, index) for segment in self.segments],
            "sources": [_stored.write_source(source) for source in self.sources],
            "unresolved": list(self.unresolved),
            "issues": [_stored.write_issue(issue) for issue in self.issues],
            "listed": _stored.write_listed(self.listed, index),
            **_stored.write_consulted(self.consulted),
            **_stored.write_asides(self.asides, (*self.sources, *self.consulted)),
            **_stored.write_fingerprint(self.fingerprint),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Answer:
        """Return the answer that ``to_dict`` stored, in this version or an older one.

        Raises:
            StoredAnswerError: The data is not such a form, or of a newer version.
        """
        data = _stored.upgraded(data)
        _stored.require_answer(data)
        sources = _stored.read_sources(data["sources"])
        consulted = _stored.read_consulted(data)
        return cls(
            _stored.read_segments(data["segments"], sources),
            sources,
            _stored.read_unresolved(data["unresolved"]),
            _stored.read_issues(data["issues"]),
            _stored.read_listed(data["listed"], sources),
            consulted,
            _stored.read_asides(data, (*sources, *consulted)),
            _stored.read_fingerprint(data),
        )


def as_answer(value: Answer) -> Answer:
    """Return an answer as it is.

    Raises:
        NotAnAnswerError: It is a text, say: types are often not checked before programs run.
    """
    if isinstance(value, Answer):
        return value
    raise NotAnAnswerError(value)
