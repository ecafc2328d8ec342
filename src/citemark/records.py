"""One record, as people have it, made a ``Source``: a mapping, or a LangChain-like document."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from numbers import Integral
from typing import TYPE_CHECKING, Any, Final

from citemark._arguments import require_iterable
from citemark._stored import SOURCE, wrong_field
from citemark.errors import ArgumentTypeError, SourceError
from citemark.model import Source

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["as_source", "as_sources", "finite_number"]

TEXT_NAMES: Final = ("text", "snippet", "content", "passage", "page_content")
"""Names under which records hold the passage, in order of preference."""

FIELDS: Final = frozenset(
    {"id", "title", "url", "page", "kind", "score", "metadata", *TEXT_NAMES}
)


LIST: Final = "a list of sources or mappings"

MAX_PAGE_DIGITS: Final = 12
"""A longer number is no page, and thousands of digits cannot even be shown."""

MAX_EXACT: Final = 2**53
"""From here on a float is not the number that was meant."""


def as_source(record: Source | Mapping[str, Any], position: int) -> Source:
    """Return the source that a record describes.

    Fields of a wrong type are made usable or left out, since records come from elsewhere:
    only a missing id is refused.  NaN, which tables have for an empty cell, is left out, and a
    whole number is written as one: id ``2.0`` is ``"2"``.  Names that are not fields of
    ``Source`` become metadata.

    Args:
        record: A source as it is; a mapping with at least ``id``; or a mapping or an object
            with ``page_content`` and ``metadata``, whose id is its position if it has none.
        position: Position among the records, from 1.

    Raises:
        SourceError: The record is no mapping, or has no id; or a ``Source`` has a field of a
            wrong type.

    >>> as_source({"id": 7, "title": "Minutes", "snippet": "Levels fell."}, 1).text
    'Levels fell.'
    """
    if isinstance(record, Source):
        return _checked(record, position)
    record = _as_mapping(record, position)
    id_ = _string(record.get("id")).strip(" \t\r\n")
    if not id_:
        raise SourceError(position, 'it has no id; give each record an "id" of its own')
    return Source(
        id=id_,
        title=_string(record.get("title")),
        url=_string(record.get("url")) or None,
        text=_first(record, TEXT_NAMES),
        page=_page(record.get("page")),
        kind=_string(record.get("kind")) or None,
        score=finite_number(record.get("score")),
        metadata=_metadata(record),
    )


def as_sources(records: Iterable[Source | Mapping[str, Any]], start: int = 1) -> list[Source]:
    """Return the sources that records describe, in order; positions count from ``start``.

    Raises:
        ArgumentTypeError: That is no list of records, but one record, say, or None.
        SourceError: See ``as_source``.
    """
    mend = ""
    if isinstance(records, Source | Mapping) or hasattr(records, "page_content"):
        mend = "put the record into a list, [record]"
    elif hasattr(records, "sources"):
        mend = "give its .sources"
    if mend:
        raise ArgumentTypeError(records, "sources", LIST, mend)
    found = require_iterable("sources", records, LIST)
    return [as_source(record, position) for position, record in enumerate(found, start)]


def _as_mapping(record: object, position: int) -> Mapping[str, Any]:
    """Return a record, or the document that it is, as a flat mapping."""
    if hasattr(record, "page_content"):  # a document object, as frameworks have it
        names = ("id", "page_content", "metadata")
        record = {name: getattr(record, name, None) for name in names}
    if not isinstance(record, Mapping):
        raise SourceError(position, f"expected a mapping, not {type(record).__name__}")
    return _from_document(record, position) if "page_content" in record else record


def _checked(source: Source, position: int) -> Source:
    """Return a source that the caller built; what the retriever gave is made usable."""
    page, score = _page(source.page), finite_number(source.score)
    if page is not source.page or score is not source.score:
        source = replace(source, page=page, score=score)
    wrong = wrong_field({name: getattr(source, name) for name in SOURCE}, SOURCE)
    if wrong is not None:
        name, reason = wrong
        raise SourceError(position, f"its {name} is of a wrong type: {reason}")
    if not source.id:
        raise SourceError(position, "its id is empty")
    return source


def _from_document(document: Mapping[str, Any], position: int) -> dict[str, Any]:
    """Return the flat record for a document of ``page_content`` and ``metadata``."""
    given = document.get("metadata")
    metadata = dict(given) if isinstance(given, Mapping) else {}
    origin = _string(metadata.get("source"))
    is_url = origin.startswith(("http://", "https://"))
    flat = {
        name: metadata.pop(name, None) for name in ("title", "url", "page", "kind", "score")
    }
    return flat | {
        "id": _string(document.get("id")) or _string(metadata.pop("id", None)) or position,
        "title": flat["title"] or origin.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1],
        "url": flat["url"] or (origin if is_url else None),
        "text": document["page_content"],
        "metadata": metadata,
    }


def _metadata(record: Mapping[str, Any]) -> dict[Any, Any]:
    given = record.get("metadata")
    extra = {key: value for key, value in record.items() if key not in FIELDS}
    merged = extra | (dict(given) if isinstance(given, Mapping) else {})
    return {key: None if _is_not_finite(value) else value for key, value in merged.items()}


def _first(record: Mapping[str, Any], names: Iterable[str]) -> str:
    return next((text for name in names if (text := _string(record.get(name)))), "")


def _string(value: object) -> str:
    if isinstance(value, str):
        return str.__str__(value)  # a member of an enumeration has another ``str``
    if isinstance(value, bool) or _is_not_finite(value):
        return ""
    try:
        return str(_whole(value)) if isinstance(value, Integral | float) else ""
    except ValueError:  # an integer of thousands of digits
        return ""


def _page(value: object) -> int | str | None:
    if isinstance(value, str):
        return value or None
    number = _whole(value)
    is_page = isinstance(number, int) and not isinstance(number, bool)
    return number if is_page and abs(number) < 10**MAX_PAGE_DIGITS else None


def finite_number(value: object) -> float | None:
    """Return a number that JSON can hold; None for NaN, infinity, and what is no number."""
    if isinstance(value, bool) or not isinstance(value, Integral | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _whole(value: Any) -> Any:  # noqa: ANN401  records hold anything
    """Return a whole number as an ``int``, and all else as it is.

    Tables make 2 a 2.0 if a cell of the column is empty, or a number of a type of their own.
    """
    if isinstance(value, bool):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < MAX_EXACT else value
    return int(value) if isinstance(value, Integral) else value


def _is_not_finite(value: object) -> bool:
    return isinstance(value, float) and not math.isfinite(value)
