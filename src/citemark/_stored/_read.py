"""Reading of the stored form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NoReturn, TypeVar

from citemark._stored._shapes import (
    ANSWER,
    ASIDE,
    CITATION,
    CITATION_SEGMENT,
    ISSUE,
    LOCATION,
    MARKER,
    PROOF,
    SOURCE,
    TEXT_SEGMENT,
    Shape,
    is_whole,
    shown_value,
    wrong_field,
)
from citemark.errors import StoredAnswerError
from citemark.model import (
    Aside,
    Citation,
    CitationSegment,
    Issue,
    Location,
    Marker,
    Segment,
    Source,
    TextSegment,
)

__all__ = [
    "read_asides",
    "read_consulted",
    "read_fingerprint",
    "read_issues",
    "read_listed",
    "read_segments",
    "read_sources",
    "read_unresolved",
    "require_answer",
]

CONSULTED: Final = "consulted"
ASIDES: Final = "asides"
FINGERPRINT: Final = "fingerprint"
OPTIONAL: Final[Mapping[str, Any]] = {CONSULTED: (), ASIDES: (), FINGERPRINT: None}
"""Fields of an answer that may be missing, and what they are then."""

NO_PROOF: Final = {"quote": "", "confidence": None, "repaired": "", "raw": None}
"""Fields of a citation that may be missing, and what they are then."""

_T = TypeVar("_T")


def require_answer(data: Any) -> None:  # noqa: ANN401  whatever was stored
    """Refuse what has not the fields of a stored answer.

    Raises:
        StoredAnswerError: A field is missing, or of another type; or the version is unknown.
    """
    _require_kind("", data, "version", ANSWER)
    filled = {**OPTIONAL, **data} if isinstance(data, Mapping) else data
    _checked("", filled, ANSWER)


def read_sources(items: list[Any]) -> tuple[Source, ...]:
    """Return the sources.

    Raises:
        StoredAnswerError: One of them is none.
    """
    return _each("sources", items, _read_source)


def read_segments(items: list[Any], sources: tuple[Source, ...]) -> tuple[Segment, ...]:
    """Return the segments, with what they cite.

    Raises:
        StoredAnswerError: One of them is none, or cites a source that is not there.
    """
    return _each("segments", items, lambda item, where: _read_segment(item, where, sources))


def read_unresolved(items: list[Any]) -> tuple[str, ...]:
    """Return the keys that name no source.

    Raises:
        StoredAnswerError: One of them is no string.
    """
    return _each("unresolved", items, _read_text)


def read_issues(items: list[Any]) -> tuple[Issue, ...]:
    """Return the issues.

    Raises:
        StoredAnswerError: One of them is none.
    """
    return _each("issues", items, lambda item, where: Issue(**_spanned(item, where, ISSUE)))


def read_listed(items: list[Any], sources: tuple[Source, ...]) -> tuple[Source, ...]:
    """Return the sources that the model's own list names: each a cited one, or a whole one.

    Raises:
        StoredAnswerError: One of them is neither.
    """
    return _each("listed", items, lambda item, where: _read_listed(item, where, sources))


def read_consulted(data: Mapping[str, Any]) -> tuple[Source, ...]:
    """Return the sources that are not cited, which are stored only if there are any.

    Raises:
        StoredAnswerError: One of them is none.
    """
    return _each(CONSULTED, data.get(CONSULTED, ()), _read_source)


def read_asides(data: Mapping[str, Any], sources: tuple[Source, ...]) -> tuple[Aside, ...]:
    """Return what was written beside the answer, which is stored only if there is anything.

    Raises:
        StoredAnswerError: A part of it is none, or cites a source that is not there.
    """
    return _each(ASIDES, data.get(ASIDES, ()), lambda item, where: _aside(item, where, sources))


def read_fingerprint(data: Mapping[str, Any]) -> str | None:
    """Return the fingerprint of the sources, which is stored only if they were checked."""
    fingerprint: str | None = data.get(FINGERPRINT)
    return fingerprint


def _aside(item: Any, where: str, sources: tuple[Source, ...]) -> Aside:  # noqa: ANN401  whatever was stored
    fields = _checked(where, item, ASIDE)
    segments = _each(
        f"{where}.segments",
        fields["segments"],
        lambda segment, place: _read_segment(segment, place, sources),
    )
    return Aside(fields["channel"], segments)


def _read_listed(item: Any, where: str, sources: tuple[Source, ...]) -> Source:  # noqa: ANN401  whatever was stored
    if isinstance(item, Mapping):
        return _read_source(item, where)
    if not is_whole(item):
        _refuse(where, f"expected a whole number from 0, or an object, not {shown_value(item)}")
    return _source_at(item, where, sources)


def _read_source(item: Any, where: str) -> Source:  # noqa: ANN401  whatever was stored
    source = Source(**_checked(where, item, SOURCE))
    if item["metadata"] and not source.metadata:
        _refuse(f"{where}.metadata", "is nested too deeply")
    return source


def _read_segment(item: Any, where: str, sources: tuple[Source, ...]) -> Segment:  # noqa: ANN401  whatever was stored
    _require_kind(where, item, "type", TEXT_SEGMENT)
    is_text = isinstance(item, Mapping) and item.get("type") == "text"
    fields = _checked(where, item, TEXT_SEGMENT if is_text else CITATION_SEGMENT)
    if is_text:
        return TextSegment(fields["text"])
    return CitationSegment(
        _read_marker(fields["marker"], f"{where}.marker"),
        _each(
            f"{where}.citations",
            fields["citations"],
            lambda citation, place: _read_citation(citation, place, sources),
        ),
        fields["blank"],
    )


def _read_marker(item: Any, where: str) -> Marker:  # noqa: ANN401  whatever was stored
    fields = _spanned(item, where, MARKER)
    fields["keys"] = _each(f"{where}.keys", fields["keys"], _read_text)
    fields["span"] = _read_span(fields, f"{where}.span")
    places = f"{where}.locations"
    if len(fields["locations"]) not in (0, len(fields["keys"])):
        _refuse(places, "expected none at all, or a list for each key")
    fields["locations"] = _each(places, fields["locations"], _read_locations)
    return Marker(**fields)


def _read_span(marker: Mapping[str, Any], where: str) -> tuple[int, int] | None:
    span = marker["span"]
    if span is None:
        return None
    if len(span) != len(("start", "end")) or not all(map(is_whole, span)):
        _refuse(where, "expected two whole numbers from 0, or null")
    start, end = span
    if not start <= end or (marker["raw"] and not _is_within(marker, start, end)):
        _refuse(where, "is not within the marker")
    return start, end


def _is_within(marker: Mapping[str, Any], start: int, end: int) -> bool:
    return bool(marker["start"] <= start and end <= marker["end"])


def _read_locations(items: Any, where: str) -> tuple[Location, ...]:  # noqa: ANN401  whatever was stored
    if not isinstance(items, list | tuple):
        _refuse(where, f"expected a list, not {shown_value(items)}")
    return _each(where, items, lambda item, place: Location(**_spanned(item, place, LOCATION)))


def _read_citation(item: Any, where: str, sources: tuple[Source, ...]) -> Citation:  # noqa: ANN401  whatever was stored
    filled = {**NO_PROOF, **item} if isinstance(item, Mapping) else item
    fields = _checked(where, filled, {**CITATION, **PROOF})
    index = fields["source"]
    fields["source"] = None if index is None else _source_at(index, f"{where}.source", sources)
    fields["locations"] = _read_locations(fields["locations"], f"{where}.locations")
    citation = Citation(**fields)
    if fields["raw"] and not citation.raw:
        _refuse(f"{where}.raw", "is nested too deeply")
    return citation


def _source_at(index: int, where: str, sources: tuple[Source, ...]) -> Source:
    if index >= len(sources):
        reason = f"is {shown_value(index)}, but there are {len(sources)} sources, from 0"
        _refuse(where, reason)
    return sources[index]


def _read_text(item: Any, where: str) -> str:  # noqa: ANN401  whatever was stored
    if not isinstance(item, str):
        _refuse(where, f"expected a string, not {shown_value(item)}")
    return item


def _spanned(item: Any, where: str, shape: Shape) -> dict[str, Any]:  # noqa: ANN401  whatever was stored
    fields = _checked(where, item, shape)
    if fields["end"] < fields["start"]:
        _refuse(f"{where}.end", "is before the start")
    return fields


def _checked(where: str, item: Any, shape: Shape) -> dict[str, Any]:  # noqa: ANN401  whatever was stored
    """Return the fields of an object that has those of a shape, and no other."""
    if not isinstance(item, Mapping):
        _refuse(where or "the whole", f"expected an object, not {shown_value(item)}")
    path = f"{where}." if where else ""
    if item.keys() != shape.keys():
        missing = next((name for name in shape if name not in item), None)
        if missing is not None:
            _refuse(path + missing, "is missing")
        extra = next(name for name in item if name not in shape)
        _refuse(path + shown_value(extra).strip("'"), "is not known")
    _require_right(path, item, shape)
    return dict(item)


def _require_kind(where: str, item: Any, name: str, shape: Shape) -> None:  # noqa: ANN401  whatever was stored
    """Look at the field first that says which others there are, if it is there."""
    if isinstance(item, Mapping) and name in item:
        _require_right(f"{where}." if where else "", item, {name: shape[name]})


def _require_right(path: str, item: Mapping[str, Any], shape: Shape) -> None:
    wrong = wrong_field(item, shape)
    if wrong is not None:
        name, reason = wrong
        _refuse(path + name, reason)


def _refuse(where: str, reason: str) -> NoReturn:
    raise StoredAnswerError(where, reason)


def _each(where: str, items: Sequence[Any], read: Callable[[Any, str], _T]) -> tuple[_T, ...]:
    return tuple(read(item, f"{where}[{n}]") for n, item in enumerate(items))
