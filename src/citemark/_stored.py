"""Reading of the stored form of an answer: plain ``dict`` and ``list``, as JSON has them.

It comes from a file or a database, so each field is checked against a table, and what is wrong
is told with its path.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn, TypeAlias, TypeVar

from citemark.errors import StoredAnswerError, shortened
from citemark.model import (
    Citation,
    CitationSegment,
    Issue,
    Marker,
    Segment,
    Source,
    TextSegment,
)

__all__ = [
    "SOURCE",
    "VERSION",
    "read_issues",
    "read_segments",
    "read_sources",
    "read_unresolved",
    "require_answer",
    "wrong_field",
]

VERSION: Final = 1
"""Version of the stored form, see ``Answer.to_dict``."""

MAX_WHOLE: Final = 2**53
"""JSON readers of other languages know no greater whole number."""

_T = TypeVar("_T")
_Check: TypeAlias = tuple[Callable[[Any], bool], str]
_Shape: TypeAlias = Mapping[str, _Check]


def _is_whole(value: object, least: int = 0) -> bool:
    if not isinstance(value, int) or isinstance(value, bool):
        return False
    return least <= value < MAX_WHOLE


def _is_finite(value: object) -> bool:
    return math.isfinite(value) if isinstance(value, float) else _is_whole(value, -MAX_WHOLE)


def _or_none(check: _Check) -> _Check:
    is_right, expected = check
    return lambda value: value is None or is_right(value), f"{expected} or null"


_TEXT: Final[_Check] = (lambda value: isinstance(value, str), "a string")
_COUNT: Final[_Check] = (_is_whole, "a whole number from 0")
_NUMBER: Final[_Check] = (lambda value: _is_whole(value, 1), "a whole number from 1")
_LIST: Final[_Check] = (lambda value: isinstance(value, list | tuple), "a list")
_OBJECT: Final[_Check] = (lambda value: isinstance(value, Mapping), "an object")
_PAGE: Final[_Check] = (
    lambda value: isinstance(value, str) or _is_whole(value, -MAX_WHOLE),
    "a whole number, a string",
)

SOURCE: Final[_Shape] = {
    "id": _TEXT,
    "title": _TEXT,
    "url": _or_none(_TEXT),
    "text": _TEXT,
    "page": _or_none(_PAGE),
    "kind": _or_none(_TEXT),
    "score": _or_none((_is_finite, "a number")),
    "metadata": _OBJECT,
}
"""What the fields of a ``Source`` have to be: a test, and words for it."""

_ANSWER: Final[_Shape] = {
    "version": (
        lambda value: _is_whole(value) and value == VERSION,
        f"{VERSION}, the only version that is known",
    ),
    "segments": _LIST,
    "sources": _LIST,
    "unresolved": _LIST,
    "issues": _LIST,
}
_TEXT_SEGMENT: Final[_Shape] = {
    "type": (
        lambda value: isinstance(value, str) and value in {"text", "citation"},
        '"text" or "citation"',
    ),
    "text": _TEXT,
}
_CITATION_SEGMENT: Final[_Shape] = {
    "type": _TEXT_SEGMENT["type"],
    "marker": _OBJECT,
    "citations": _LIST,
    "blank": _TEXT,
}
_MARKER: Final[_Shape] = {
    "start": _COUNT,
    "end": _COUNT,
    "raw": _TEXT,
    "format": _TEXT,
    "keys": _LIST,
    "words": _TEXT,
}
_CITATION: Final[_Shape] = {
    "key": _TEXT,
    "source": _or_none(_COUNT),
    "number": _or_none(_NUMBER),
    "occurrence": _COUNT,
}
_ISSUE: Final[_Shape] = {
    "code": _TEXT,
    "message": _TEXT,
    "start": _COUNT,
    "end": _COUNT,
    "key": _TEXT,
}


def wrong_field(fields: Mapping[str, Any], shape: _Shape) -> tuple[str, str] | None:
    """Return the name of the first field that is not as it should be, and why; or None."""
    for name, (is_right, expected) in shape.items():
        if not is_right(fields[name]):
            return name, f"expected {expected}, not {_shown(fields[name])}"
    return None


def require_answer(data: Any) -> None:  # noqa: ANN401  whatever was stored
    """Refuse what has not the fields of a stored answer.

    Raises:
        StoredAnswerError: A field is missing, or of another type; or the version is unknown.
    """
    _require_kind("", data, "version", _ANSWER)
    _checked("", data, _ANSWER)


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
    return _each("issues", items, lambda item, where: Issue(**_spanned(item, where, _ISSUE)))


def _read_source(item: Any, where: str) -> Source:  # noqa: ANN401  whatever was stored
    source = Source(**_checked(where, item, SOURCE))
    if item["metadata"] and not source.metadata:
        _refuse(f"{where}.metadata", "is nested too deeply")
    return source


def _read_segment(item: Any, where: str, sources: tuple[Source, ...]) -> Segment:  # noqa: ANN401  whatever was stored
    _require_kind(where, item, "type", _TEXT_SEGMENT)
    is_text = isinstance(item, Mapping) and item.get("type") == "text"
    fields = _checked(where, item, _TEXT_SEGMENT if is_text else _CITATION_SEGMENT)
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
    fields = _spanned(item, where, _MARKER)
    return Marker(**(fields | {"keys": _each(f"{where}.keys", fields["keys"], _read_text)}))


def _read_citation(item: Any, where: str, sources: tuple[Source, ...]) -> Citation:  # noqa: ANN401  whatever was stored
    fields = _checked(where, item, _CITATION)
    index = fields["source"]
    if index is not None and index >= len(sources):
        reason = f"is {_shown(index)}, but there are {len(sources)} sources, from 0"
        _refuse(f"{where}.source", reason)
    source = None if index is None else sources[index]
    return Citation(fields["key"], source, fields["number"], fields["occurrence"])


def _read_text(item: Any, where: str) -> str:  # noqa: ANN401  whatever was stored
    if not isinstance(item, str):
        _refuse(where, f"expected a string, not {_shown(item)}")
    return item


def _spanned(item: Any, where: str, shape: _Shape) -> dict[str, Any]:  # noqa: ANN401  whatever was stored
    fields = _checked(where, item, shape)
    if fields["end"] < fields["start"]:
        _refuse(f"{where}.end", "is before the start")
    return fields


def _checked(where: str, item: Any, shape: _Shape) -> dict[str, Any]:  # noqa: ANN401  whatever was stored
    """Return the fields of an object that has those of a shape, and no other."""
    if not isinstance(item, Mapping):
        _refuse(where or "the whole", f"expected an object, not {_shown(item)}")
    path = f"{where}." if where else ""
    if item.keys() != shape.keys():
        missing = next((name for name in shape if name not in item), None)
        if missing is not None:
            _refuse(path + missing, "is missing")
        extra = next(name for name in item if name not in shape)
        _refuse(path + _shown(extra).strip("'"), "is not known")
    _require_right(path, item, shape)
    return dict(item)


def _require_kind(where: str, item: Any, name: str, shape: _Shape) -> None:  # noqa: ANN401  whatever was stored
    """Look at the field first that says which others there are, if it is there."""
    if isinstance(item, Mapping) and name in item:
        _require_right(f"{where}." if where else "", item, {name: shape[name]})


def _require_right(path: str, item: Mapping[str, Any], shape: _Shape) -> None:
    wrong = wrong_field(item, shape)
    if wrong is not None:
        name, reason = wrong
        _refuse(path + name, reason)


def _refuse(where: str, reason: str) -> NoReturn:
    raise StoredAnswerError(where, reason)


def _each(where: str, items: list[Any], read: Callable[[Any, str], _T]) -> tuple[_T, ...]:
    return tuple(read(item, f"{where}[{n}]") for n, item in enumerate(items))


def _shown(value: object) -> str:
    """Return a value for a message: short, and whatever it is."""
    if isinstance(value, str):
        return repr(shortened(value))
    if isinstance(value, float | bool) or _is_whole(value, -MAX_WHOLE):
        return shortened(repr(value))
    return "null" if value is None else type(value).__name__
