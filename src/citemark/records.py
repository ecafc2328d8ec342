"""One record, as people have it, made a ``Source``: a mapping, or a LangChain-like document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from citemark.errors import SourceError
from citemark.model import Source

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["as_source"]

TEXT_NAMES: Final = ("text", "snippet", "content", "passage", "page_content")
"""Names under which records hold the passage, in order of preference."""

FIELDS: Final = frozenset(
    {"id", "title", "url", "page", "kind", "score", "metadata", *TEXT_NAMES}
)


def as_source(record: Source | Mapping[str, Any], position: int) -> Source:
    """Return the source that a record describes.

    Fields of a wrong type are made usable or left out, since records come from elsewhere:
    only a missing id is refused.  Names that are not fields of ``Source`` become metadata.

    Args:
        record: A source as it is; a mapping with at least ``id``; or a mapping or an object
            with ``page_content`` and ``metadata``, whose id is its position if it has none.
        position: Position among the records, from 1.

    Raises:
        SourceError: The record is no mapping, or has no id.

    >>> as_source({"id": 7, "title": "Minutes", "snippet": "Levels fell."}, 1).text
    'Levels fell.'
    """
    if isinstance(record, Source):
        if not record.id:
            raise SourceError(position, "its id is empty")
        return record
    if hasattr(record, "page_content"):  # a document object, as frameworks have it
        record = {
            name: getattr(record, name, None) for name in ("id", "page_content", "metadata")
        }
    if not isinstance(record, Mapping):
        raise SourceError(position, f"expected a mapping, not {type(record).__name__}")
    if "page_content" in record:
        record = _from_document(record, position)
    id_ = _string(record.get("id"))
    if not id_:
        raise SourceError(position, 'it has no id; give each record an "id" of its own')
    return Source(
        id=id_,
        title=_string(record.get("title")),
        url=_string(record.get("url")) or None,
        text=_first(record, TEXT_NAMES),
        page=_page(record.get("page")),
        kind=_string(record.get("kind")) or None,
        score=_number(record.get("score")),
        metadata=_metadata(record),
    )


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
        "id": document.get("id") or metadata.pop("id", None) or position,
        "title": flat["title"] or origin.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1],
        "url": flat["url"] or (origin if is_url else None),
        "text": document["page_content"],
        "metadata": metadata,
    }


def _metadata(record: Mapping[str, Any]) -> dict[str, Any]:
    given = record.get("metadata")
    extra = {str(key): value for key, value in record.items() if key not in FIELDS}
    return extra | (dict(given) if isinstance(given, Mapping) else {})


def _first(record: Mapping[str, Any], names: Iterable[str]) -> str:
    return next((text for name in names if (text := _string(record.get(name)))), "")


def _string(value: object) -> str:
    try:
        return str(value) if isinstance(value, str | int | float) else ""
    except ValueError:  # an integer of thousands of digits
        return ""


def _page(value: object) -> int | str | None:
    return value if isinstance(value, int | str) and value != "" else None


def _number(value: object) -> float | None:
    try:
        return float(value) if isinstance(value, int | float) else None
    except OverflowError:
        return None
