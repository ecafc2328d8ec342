"""The records that an answer may cite, and how a written key finds one of them.

Look-up is a mapping, never list arithmetic: no key can name a record by accident.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_args

from citemark import _lenient
from citemark._compare import canonical_number, comparable, decomposed, without_last_letter
from citemark._lenient import Near
from citemark.errors import AmbiguousLabelError, CitemarkError, SourceError, shortened
from citemark.model import Source
from citemark.records import as_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from citemark._lenient import Step

__all__ = ["LOOKUPS", "Base", "Label", "Lookup", "Near", "Sources"]

Label: TypeAlias = Literal["number", "id"]
"""What the prompt called the sources: 1, 2, 3, ... by position, or their ids."""

Lookup: TypeAlias = Literal["label", "id", "title", "url"]
"""What a key is compared with."""

Base: TypeAlias = Literal[0, 1] | None
"""What the number of a key counts from.  None: either of them."""

LOOKUPS: Final[tuple[Lookup, ...]] = get_args(Lookup)


MAX_DIGITS: Final = 6
"""Longest number that is a label, as in the grammar."""

MAX_ASKED: Final = 1_024
"""Most answers of lenient look-up that are kept."""


class Sources:
    """An immutable, ordered set of sources with unique ids.

    Args:
        sources: Sources, or mappings that describe them (see ``records.as_source``).
        label: What the prompt called them.  By default 1, 2, 3, ... by position.
        lenient: Names of the differences that do not count where a key names nothing, or True
            for all: "zero-width", "dashes", "blanks", "case", "stem" (a file extension),
            "edit" (one letter), "and-list", "half-thought".

    Raises:
        CitemarkError: ``label`` or ``lenient`` has a value that is not known.
        SourceError: A record has no id, or the id of an earlier one.
        AmbiguousLabelError: An id is a number other than its position, and ``label`` was
            not given: a wrong source would be worse than an error.

    >>> sources = Sources([{"id": "pol-12", "title": "Refunds"}, {"id": "faq", "title": "FAQ"}])
    >>> [source.id for source in sources.find("2", "label")]
    ['faq']
    >>> sources.find("0", "label")
    ()
    """

    __slots__ = (
        "__weakref__",
        "_by",
        "_by_position",
        "_folded",
        "_given_label",
        "_is_ascii",
        "_labels",
        "_nears",
        "_numbers",
        "_prefixes",
        "_sources",
        "_steps",
    )

    def __init__(
        self,
        sources: Iterable[Source | Mapping[str, Any]] = (),
        *,
        label: Label | None = None,
        lenient: bool | Iterable[str] = False,
    ) -> None:
        """Read the records and build the look-up tables."""
        if label not in (None, *get_args(Label)):
            message = f"label={label!r}: choose one of {', '.join(get_args(Label))}"
            raise CitemarkError(message)
        self._sources = tuple(as_source(record, n) for n, record in enumerate(sources, 1))
        self._given_label = label
        self._steps = _lenient.read_steps(lenient)
        self._labels = self._read_labels()
        self._by = self._tables()
        self._numbers = sorted(
            int(name)
            for name in self._by["label"]
            if len(name) <= MAX_DIGITS and canonical_number(name)
        )
        self._by_position: dict[str, tuple[Source, ...]] | None = None
        self._nears: dict[tuple[str, Lookup, Base], Near | None] = {}
        self._folded: dict[Lookup, _lenient.Table] = {}
        self._prefixes: dict[Lookup, list[str]] = {}
        self._is_ascii = all(name.isascii() for table in self._by.values() for name in table)

    @classmethod
    def of(cls, sources: Sources | Iterable[Source | Mapping[str, Any]]) -> Sources:
        """Return the sources as they are, or made from an iterable."""
        return sources if isinstance(sources, Sources) else cls(sources)

    @classmethod
    def from_keys(
        cls,
        keys: Iterable[str | Source | Mapping[str, Any]],
        *,
        lenient: bool | Iterable[str] = False,
    ) -> Sources:
        """Return sources that stand for bare keys: each is id, label, title and URL.

        Sources among them are taken as they are.
        """
        keys = tuple(keys)
        unique = dict.fromkeys(key for key in keys if isinstance(key, str) and key)
        others = [key for key in keys if not isinstance(key, str)]
        if others:
            return cls([*others, *(Source(key) for key in unique)], lenient=lenient)
        named = (Source(key, title=key, url=key) for key in unique)
        return cls(named, label="id", lenient=lenient)

    @property
    def label(self) -> Label | None:
        """What the caller said that the prompt called them; None if nothing was said."""
        return self._given_label

    @property
    def lenient(self) -> tuple[Step, ...]:
        """The steps that may be used where a key names nothing, in their order."""
        return self._steps

    def __len__(self) -> int:
        """Return how many sources there are."""
        return len(self._sources)

    def __iter__(self) -> Iterator[Source]:
        """Iterate in order of position."""
        return iter(self._sources)

    def __add__(self, more: Iterable[Source | Mapping[str, Any]]) -> Sources:
        """Return these sources followed by more; a record that is here already is skipped."""
        here = set(self._sources)
        start = len(self._sources) + 1
        added = [as_source(record, n) for n, record in enumerate(more, start)]
        new = [source for source in added if source not in here]
        return Sources([*self._sources, *new], label=self._given_label, lenient=self._steps)

    def __repr__(self) -> str:
        """Show the labels and ids, and the steps of lenient look-up."""
        named = ", ".join(f"{name}: {source.id!r}" for name, source in self.labelled())
        lenient = f"; lenient: {', '.join(self._steps)}" if self._steps else ""
        return f"Sources({named}{lenient})"

    def labelled(self) -> Iterator[tuple[str, Source]]:
        """Return each label with its source, in order of position."""
        return zip(self._labels, self._sources, strict=True)

    def find(self, key: str, lookup: Lookup, *, base: Base = 1) -> tuple[Source, ...]:
        """Return the sources that a key names: none, one, or more if it is ambiguous.

        Args:
            key: The key, as written.
            lookup: What it is compared with.
            base: What numbers count from, if the key is a label.  From 0, ``"0:3"`` is the
                fourth source too: that of the first search.
        """
        if lookup == "label" and base != 1:
            return self._find_counted(key, base)
        return self._by[lookup].get(comparable(key, lookup), ())

    def near(self, key: str, lookup: Lookup, *, base: Base = 1) -> Near | None:
        """Return what a key that names nothing may mean, if the differences do not count.

        None if that is nothing, or not certain: a wrong source is worse than none.
        """
        if not (self._steps and _lenient.is_key(key, lookup)):
            return None
        asked = (key, lookup, base)
        if asked in (nears := self._nears):
            return nears[asked]
        if len(nears) >= MAX_ASKED:
            self._nears = nears = {}
        near = nears[asked] = self._near(key, lookup, base)
        return near

    def has(self, lookup: Lookup) -> bool:
        """Whether there is anything that keys of this kind could name."""
        return bool(self._by[lookup])

    def numbers_between(self, first: int, last: int, *, base: Base = 1) -> list[int]:
        """Return the numbers from first to last that name a source, both included, rising."""
        numbers: Sequence[int] = self._numbers
        if base != 1 and (count := len(self._from_0())):
            numbers = range(count) if base == 0 else sorted({*numbers, *range(count)})
        return list(numbers[bisect_left(numbers, first) : bisect_right(numbers, last)])

    def may_begin(self, prefix: str, lookup: Lookup, *, base: Base = 1) -> bool:
        """Whether what is written so far may become a key that names a source."""
        if lookup == "url" or self._steps or base != 1:
            return self.has(lookup)  # the start of such a key has no comparable form
        if lookup not in self._prefixes:
            self._prefixes[lookup] = sorted(map(decomposed, self._by[lookup]))
        names = self._prefixes[lookup]
        wanted = decomposed(comparable(prefix, lookup))
        if not (prefix.isascii() and self._is_ascii):
            wanted = without_last_letter(wanted)  # marks that are still to come may change it
        at = bisect_left(names, wanted)
        return at < len(names) and names[at].startswith(wanted)

    def _find_counted(self, key: str, base: Base) -> tuple[Source, ...]:
        """Return what a label names whose number, if it is one, may count from 0."""
        exact = self._by["label"].get(comparable(key, "label"), ())
        if exact and self._given_label == "id":
            return exact
        call, colon, number = (part.strip() for part in key.rpartition(":"))
        is_first = not colon or canonical_number(call) == "0"
        found = self._from_0().get(canonical_number(number) or "", ()) if is_first else ()
        return found if base == 0 else tuple(dict.fromkeys((*exact, *found)))

    def _from_0(self) -> Mapping[str, tuple[Source, ...]]:
        """Return the sources by their position from 0; none if their ids are such numbers."""
        if self._by_position is None:
            is_label = self._given_label == "id" and any(map(canonical_number, self._labels))
            rows = () if is_label else self._sources
            self._by_position = {str(at): (source,) for at, source in enumerate(rows)}
        return self._by_position

    def _near(self, key: str, lookup: Lookup, base: Base) -> Near | None:
        if self.find(key, lookup, base=base):
            return None
        if lookup == "label" and (near := self._near_number(key, base)):
            return near
        steps = _lenient.allowed(self._steps, lookup)
        if lookup not in self._folded:
            names = (name for of, name, _ in self._names() if of == lookup)
            self._folded[lookup] = _lenient.Table(names, lookup, steps)
        name = self._folded[lookup].find(key)
        if name is None:
            return None
        return Near(self.find(name, lookup), _lenient.needed(key, name, lookup, steps))

    def _near_number(self, key: str, base: Base) -> Near | None:
        """Return the source whose number a label is, once it is cleaned."""
        steps = _lenient.allowed(self._steps, "number")

        def found(steps: tuple[Step, ...]) -> tuple[Source, ...]:
            cleaned = _lenient.fold(key, "label", steps)
            is_number = "".join(cleaned.replace(":", " ").split()).isdecimal()
            return self.find(cleaned, "label", base=base) if is_number else ()

        near = found(steps)
        if len(near) != 1:
            return None
        return Near(near, _lenient.fewest(steps, lambda fewer: found(fewer) == near))

    def _read_labels(self) -> tuple[str, ...]:
        ids: dict[str, int] = {}
        for position, source in enumerate(self._sources, 1):
            if source.id in ids:
                name = shortened(repr(source.id))
                reason = f"its id {name} is that of source {ids[source.id]} too"
                raise SourceError(position, reason)
            ids[source.id] = position
            number = canonical_number(source.id)
            if self._given_label is None and number is not None and number != str(position):
                raise AmbiguousLabelError(position, source.id)
        if self._given_label == "id":
            return tuple(ids)
        return tuple(str(position) for position in ids.values())

    def _names(self) -> Iterator[tuple[Lookup, str, Source]]:
        """Return each name of each source, as it is written."""
        for label, source in self.labelled():
            yield "label", label, source
            yield "id", source.id, source
            if source.title:
                yield "title", source.title, source
            if source.url:
                yield "url", source.url, source

    def _tables(self) -> dict[Lookup, dict[str, tuple[Source, ...]]]:
        tables: dict[Lookup, dict[str, list[Source]]]
        tables = {"label": {}, "id": {}, "title": {}, "url": {}}
        for lookup, name, source in self._names():
            tables[lookup].setdefault(comparable(name, lookup), []).append(source)
        return {
            lookup: {key: tuple(found) for key, found in table.items()}
            for lookup, table in tables.items()
        }
