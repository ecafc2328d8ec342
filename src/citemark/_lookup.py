"""From a key to its source: exact before lenient, and no guess where two bases fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark._compare import canonical_number
from citemark.errors import shortened
from citemark.model import Issue

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citemark.catalogue import Base, Format
    from citemark.model import Marker, Source
    from citemark.sources import Lookup, Sources

__all__ = ["Finder"]

MAX_NAMED: Final = 5
"""Most sources that a message names."""


class Finder:
    """Finds sources, and notes what is odd about the way they were named.

    Args:
        sources: What may be found.
        late: Whether more sources may come: what they could change is then left for the end.
    """

    def __init__(self, sources: Sources, *, late: bool) -> None:
        """Start with an answer of which nothing is known."""
        self.sources = sources
        self.late = late
        self.issues: dict[Issue, None] = {}
        """What was noted, each once."""
        self._bases: dict[str, Base] = {}  # what the numbers of a format count from, if decided

    def find(self, marker: Marker, key: str, row: Format) -> Source | None:
        """Return the source that a key names, if it is one, or one document."""
        for lookup in row.lookup:
            if row.base == 1:
                found = self.sources.find(key, lookup)
            else:
                found = self._find_counted(marker, key, row, lookup)
            if found:
                return found[0] if len(found) == 1 else self._choose(marker, key, found)
        # A source that is still to come may be the one that is meant.
        return None if self.late else self._near(marker, key, row)

    def _base(self, row: Format) -> Base:
        return self._bases.get(row.name) if row.base is None else row.base

    def _is_position(self, id_: str, row: Format) -> bool:
        """Whether a number counts from 0 where ids that are numbers are positions from 1."""
        is_from_0 = row.base != 1 and self._base(row) == 0
        return is_from_0 and self.sources.label is None and canonical_number(id_) is not None

    def _find_counted(
        self, marker: Marker, key: str, row: Format, lookup: Lookup
    ) -> tuple[Source, ...]:
        """Return what a key names whose number may not count from 1."""
        if lookup == "label" and row.base is None:
            return self._find_by_base(marker, key, row)
        if lookup == "id" and self._is_position(key, row):
            return ()
        return self.sources.find(key, lookup, base=row.base)

    def _find_by_base(self, marker: Marker, key: str, row: Format) -> tuple[Source, ...]:
        """Return what a number names that may count from 0 or from 1; nothing if none can tell.

        Once decided, a base stays for the whole answer: what was shown is not changed.
        """
        from_0 = self.sources.find(key, "label", base=0)
        from_1 = self.sources.find(key, "label", base=1)
        if from_0 == from_1:
            return from_1
        base = self._base(row)
        if base is None:
            base = self._decided(key, from_0, from_1)
            self._bases[row.name] = base
        if base is not None:
            return from_1 if base else from_0
        if not self.late:
            message = (
                f"{_quoted(key)} may count from 0 or from 1, and nothing before it says which: "
                f"say so with DEFAULT.with_base(0, {row.name!r}), or with 1 in place of the 0"
            )
            self._note("base", message, marker, key)
        return ()

    def _decided(
        self, key: str, from_0: tuple[Source, ...], from_1: tuple[Source, ...]
    ) -> Base:
        """Return what numbers count from, if a key says so; None if both are possible."""
        if from_0 and canonical_number(key.partition(":")[0].strip()) == "0":
            return 0
        # If the labels are ids, the position from 1 is no label, but could be meant as well.
        if self.late or self.sources.label == "id" or (from_0 and from_1):
            return None
        return 0 if from_0 else 1

    def _near(self, marker: Marker, key: str, row: Format) -> Source | None:
        """Return the one source that a key is near to, whatever it is compared with."""
        base = self._base(row)
        nears = [
            near
            for lookup in row.lookup
            if not (lookup == "label" and base is None)
            and (near := self.sources.near(key, lookup, base=base))
            and not (lookup == "id" and self._is_position(near.sources[0].id, row))
        ]
        if not nears:
            return None
        found = tuple(dict.fromkeys(source for near in nears for source in near.sources))
        source = self._choose(marker, key, found)
        if source is not None:
            steps = ", ".join(nears[0].steps)
            message = f"{_quoted(key)} is taken for source {_quoted(source.id)}: {steps}"
            self._note("lenient", message, marker, key)
        return source

    def _choose(self, marker: Marker, key: str, found: tuple[Source, ...]) -> Source | None:
        """Return the only source; of several the first if all are of one page, else none."""
        if len(found) == 1:
            return found[0]
        one_page = found[0].url is not None and len({source.url for source in found}) == 1
        ids = _listed(source.id for source in found[:MAX_NAMED])
        end = "the first is taken" if one_page else "none is taken"
        message = f"{_quoted(key)} names {len(found)} sources ({ids}): {end}"
        self._note("ambiguous", message, marker, key)
        return found[0] if one_page else None

    def _note(self, code: str, message: str, marker: Marker, key: str) -> None:
        self.issues[Issue(code, message, marker.start, marker.end, key)] = None


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(_quoted, names))


def _quoted(text: str) -> str:
    """Return a key or an id as a message may hold it."""
    return repr(shortened(text))
