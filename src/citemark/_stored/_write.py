"""Writing of the stored form: lists and objects that JSON holds, in the order of the tables."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from citemark._frozen import thaw
from citemark._stored._shapes import PROOF, SOURCE
from citemark.model import TextSegment

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from citemark.model import Aside, Citation, Issue, Location, Marker, Segment, Source

__all__ = [
    "write_asides",
    "write_consulted",
    "write_fingerprint",
    "write_issue",
    "write_listed",
    "write_segment",
    "write_source",
]


def write_issue(issue: Issue) -> dict[str, Any]:
    """Return all fields of an issue; ``asdict`` copies each, and takes ten times as long."""
    return {name: getattr(issue, name) for name in issue.__slots__}


def write_source(source: Source) -> dict[str, Any]:
    """Return all fields of a source."""
    return {name: thaw(getattr(source, name)) for name in SOURCE}


def write_listed(
    sources: Iterable[Source], index: Mapping[Source, int]
) -> list[int | dict[str, Any]]:
    """Return the position of each source among the cited ones, or itself if it is not cited."""
    return [index[source] if source in index else write_source(source) for source in sources]


def write_consulted(sources: Iterable[Source]) -> dict[str, list[dict[str, Any]]]:
    """Return the field of sources that are not cited; none if there are none."""
    written = [write_source(source) for source in sources]
    return {"consulted": written} if written else {}


def write_fingerprint(fingerprint: str | None) -> dict[str, str]:
    """Return the field of the fingerprint of the sources; none if they were not checked."""
    return {} if fingerprint is None else {"fingerprint": fingerprint}


def write_asides(
    asides: Iterable[Aside], sources: Iterable[Source]
) -> dict[str, list[dict[str, Any]]]:
    """Return the field of what was written beside the answer; none if there is nothing.

    Args:
        asides: What was written.
        sources: Of the answer: those that it cites, then those that it does not.
    """
    index = {source: position for position, source in enumerate(sources)}
    written = [
        {
            "channel": aside.channel,
            "segments": [write_segment(segment, index) for segment in aside.segments],
        }
        for aside in asides
    ]
    return {"asides": written} if written else {}


def write_segment(segment: Segment, index: Mapping[Source, int]) -> dict[str, Any]:
    """Return a segment, with the positions of its sources."""
    if isinstance(segment, TextSegment):
        return {"type": "text", "text": segment.text}
    return {
        "type": "citation",
        "marker": _write_marker(segment.marker),
        "citations": [_write_citation(citation, index) for citation in segment.citations],
        "blank": segment.blank,
    }


def _write_marker(marker: Marker) -> dict[str, Any]:
    return {
        "start": marker.start,
        "end": marker.end,
        "raw": marker.raw,
        "format": marker.format,
        "keys": list(marker.keys),
        "words": marker.words,
        "span": None if marker.span is None else list(marker.span),
        "locations": [_write_locations(places) for places in marker.locations]
        if marker.locations
        else [],
    }


def _write_citation(citation: Citation, index: Mapping[Source, int]) -> dict[str, Any]:
    written: dict[str, Any] = {
        "key": citation.key,
        "source": None if citation.source is None else index[citation.source],
        "number": citation.number,
        "occurrence": citation.occurrence,
        "locations": _write_locations(citation.locations),
    }
    for name in PROOF:
        value = getattr(citation, name)
        if value not in ("", None):
            written[name] = thaw(value)
    return written


def _write_locations(places: tuple[Location, ...]) -> list[dict[str, Any]]:
    return [asdict(place) for place in places] if places else []
