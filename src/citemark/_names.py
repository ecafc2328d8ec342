"""What sources are called, and the tables in which keys are looked up."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from citemark._compare import comparable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from citemark._near import Lookup
    from citemark.model import Source

__all__ = ["Tables", "names_of", "tables_of"]

Tables: TypeAlias = "dict[Lookup, dict[str, tuple[Source, ...]]]"
"""Sources by the comparable form of each of their names."""


def names_of(labelled: Iterable[tuple[str, Source]]) -> Iterator[tuple[Lookup, str, Source]]:
    """Yield each name of each source, as it is written."""
    for label, source in labelled:
        yield "label", label, source
        yield "id", source.id, source
        if source.title:
            yield "title", source.title, source
        if source.url:
            yield "url", source.url, source


def tables_of(labelled: Iterable[tuple[str, Source]]) -> Tables:
    """Return the sources by their names."""
    tables: dict[Lookup, dict[str, list[Source]]]
    tables = {"label": {}, "id": {}, "title": {}, "url": {}}
    for lookup, name, source in names_of(labelled):
        tables[lookup].setdefault(comparable(name, lookup), []).append(source)
    return {
        lookup: {key: tuple(found) for key, found in table.items()}
        for lookup, table in tables.items()
    }
