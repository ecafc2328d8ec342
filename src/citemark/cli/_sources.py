"""Sources out of a file, with messages that name the file, the record and the mend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citemark.cli._io import STDIO, BadInputError, read_text
from citemark.cli._records import read_records

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citemark.cli._records import Record
    from citemark.model import Source
    from citemark.sources import Label, Sources

__all__ = ["parse_sources", "read_sources"]


def read_sources(name: str, label: Label | None = None, *, lenient: bool = False) -> Sources:
    """Return the sources that a file describes.

    Args:
        name: File of JSON, JSON Lines or CSV; ``-`` is stdin.
        label: What the prompt called them; None is for 1, 2, 3, ... by position.
        lenient: Whether a key may name one that is only similar.

    Raises:
        BadInputError: It cannot be read, a record has no id or that of another one, or ids
            are other numbers than the positions and the label is not said.
    """
    where = "stdin" if name == STDIO else name
    return parse_sources(read_text(name), where, label, lenient=lenient)


def parse_sources(
    text: str, where: str, label: Label | None = None, *, lenient: bool = False
) -> Sources:
    """Return the sources that a text describes.

    Args:
        text: JSON, JSON Lines or CSV.
        where: What messages call it.
        label: See ``read_sources``.
        lenient: See ``read_sources``.

    Raises:
        BadInputError: As of ``read_sources``.
    """
    from citemark.errors import AmbiguousLabelError, shortened
    from citemark.sources import Sources

    records = read_records(text, where)
    sources = _unique(records)
    try:
        return Sources(sources, label=label, lenient=lenient)
    except AmbiguousLabelError as error:
        id_ = shortened(error.id)
        reason = (
            f"its id is the number {id_!r} but not its position, so [{id_}] could "
            "mean either; say --label id if the prompt showed ids, --label number if it showed "
            "1, 2, 3"
        )
        raise BadInputError(records[error.position - 1].where, reason) from None


def _unique(records: Iterable[Record]) -> list[Source]:
    from citemark.errors import shortened

    seen: dict[str, str] = {}
    sources = []
    for position, record in enumerate(records, 1):
        source = _source(record, position)
        if source.id in seen:
            first = seen[source.id].rsplit(": ", 1)[-1]
            id_ = shortened(source.id)
            reason = f"has the id {id_!r} of {first}; give each record an id of its own"
            raise BadInputError(record.where, reason)
        seen[source.id] = record.where
        sources.append(source)
    return sources


def _source(record: Record, position: int) -> Source:
    from citemark.errors import SourceError
    from citemark.records import as_source

    if not isinstance(record.value, dict):
        kind = type(record.value).__name__
        reason = f'expected an object like {{"id": "a", "title": "A"}}, not {kind}'
        raise BadInputError(record.where, reason)
    try:
        return as_source(record.value, position)
    except SourceError as error:
        raise BadInputError(record.where, error.reason) from None
