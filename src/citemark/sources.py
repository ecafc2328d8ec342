"""The records that an answer may cite, and how a written key finds one of them.

Look-up is a mapping, never list arithmetic: no key can name a record by accident.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_args

from citemark._compare import (
    comparable_id,
    comparable_title,
    comparable_url,
    decomposed,
    without_last_letter,
)
from citemark.errors import AmbiguousLabelError, CitemarkError, SourceError, shortened
from citemark.model import Source
from citemark.records import as_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["LOOKUPS", "Label", "Lookup", "Sources", "canonical_number"]

Label: TypeAlias = Literal["number", "id"]
"""What the prompt called the sources: 1, 2, 3, ... by position, or their ids."""

Lookup: TypeAlias = Literal["label", "id", "title", "url"]
"""What a key is compared with."""

LOOKUPS: Final[tuple[Lookup, ...]] = get_args(Lookup)


MAX_DIGITS: Final = 6
"""Longest number that is a label, as in the grammar."""


class Sources:
    """An immutable, ordered set of sources with unique ids.

    Args:
        sources: Sources, or mappings that describe them (see ``records.as_source``).
        label: What the prompt called them.  By default 1, 2, 3, ... by position.

    Raises:
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
        "_by",
        "_given_label",
        "_is_ascii",
        "_labels",
        "_numbers",
        "_prefixes",
        "_sources",
    )

    def __init__(
        self,
        sources: Iterable[Source | Mapping[str, Any]] = (),
        *,
        label: Label | None = None,
    ) -> None:
        """Read the records and build the look-up tables."""
        if label not in (None, *get_args(Label)):
            message = f"label={label!r}: choose one of {', '.join(get_args(Label))}"
            raise CitemarkError(message)
        self._sources = tuple(as_source(record, n) for n, record in enumerate(sources, 1))
        self._given_label = label
        self._labels = self._read_labels()
        self._by = self._tables()
        self._numbers = sorted(
            int(name)
            for name in self._by["label"]
            if len(name) <= MAX_DIGITS and canonical_number(name)
        )
        self._prefixes: dict[Lookup, list[str]] = {}
        self._is_ascii = all(name.isascii() for table in self._by.values() for name in table)

    @classmethod
    def of(cls, sources: Sources | Iterable[Source | Mapping[str, Any]]) -> Sources:
        """Return the sources as they are, or made from an iterable."""
        return sources if isinstance(sources, Sources) else cls(sources)

    @classmethod
    def from_keys(cls, keys: Iterable[str | Source | Mapping[str, Any]]) -> Sources:
        """Return sources that stand for bare keys: each is id, label, title and URL.

        Sources among them are taken as they are.
        """
        unique = dict.fromkeys(key for key in keys if isinstance(key, str) and key)
        others = [key for key in keys if not isinstance(key, str)]
        if others:
            return cls([*others, *(Source(key) for key in unique)])
        return cls((Source(key, title=key, url=key) for key in unique), label="id")

    @property
    def label(self) -> Label | None:
        """What the caller said that the prompt called them; None if nothing was said."""
        return self._given_label

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
        return Sources([*self._sources, *new], label=self._given_label)

    def __repr__(self) -> str:
        """Show the labels and ids."""
        named = ", ".join(f"{name}: {source.id!r}" for name, source in self.labelled())
        return f"Sources({named})"

    def labelled(self) -> Iterator[tuple[str, Source]]:
        """Return each label with its source, in order of position."""
        return zip(self._labels, self._sources, strict=True)

    def find(self, key: str, lookup: Lookup) -> tuple[Source, ...]:
        """Return the sources that a key names: none, one, or more if it is ambiguous."""
        return self._by[lookup].get(_comparable(key, lookup), ())

    def has(self, lookup: Lookup) -> bool:
        """Whether there is anything that keys of this kind could name."""
        return bool(self._by[lookup])

    def numbers_between(self, first: int, last: int) -> list[int]:
        """Return the labels that are numbers from first to last, both included, rising."""
        numbers = self._numbers
        return numbers[bisect_left(numbers, first) : bisect_right(numbers, last)]

    def may_begin(self, prefix: str, lookup: Lookup) -> bool:
        """Whether what is written so far may become a key that names a source."""
        if lookup == "url":  # the start of a URL has no comparable form
            return self.has("url")
        if lookup not in self._prefixes:
            self._prefixes[lookup] = sorted(map(decomposed, self._by[lookup]))
        names = self._prefixes[lookup]
        wanted = decomposed(_comparable(prefix, lookup))
        if not (prefix.isascii() and self._is_ascii):
            wanted = without_last_letter(wanted)  # marks that are still to come may change it
        at = bisect_left(names, wanted)
        return at < len(names) and names[at].startswith(wanted)

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

    def _tables(self) -> dict[Lookup, dict[str, tuple[Source, ...]]]:
        tables: dict[Lookup, dict[str, list[Source]]]
        tables = {"label": {}, "id": {}, "title": {}, "url": {}}
        for label, source in self.labelled():
            named: tuple[tuple[Lookup, str | None], ...] = (
                ("label", label),
                ("id", source.id),
                ("title", source.title),
                ("url", source.url),
            )
            for lookup, value in named:
                if value:
                    tables[lookup].setdefault(_comparable(value, lookup), []).append(source)
        return {
            lookup: {key: tuple(found) for key, found in table.items()}
            for lookup, table in tables.items()
        }


def canonical_number(text: str) -> str | None:
    """Return a label number without leading zeros, or None if the text is no such number.

    >>> canonical_number("007"), canonical_number("-1"), canonical_number("²")
    ('7', None, None)
    """
    if not (text.isascii() and text.isdecimal()):
        return None
    return text.lstrip("0") or "0"


def _comparable(text: str, lookup: Lookup) -> str:
    if lookup == "url":
        return comparable_url(text)
    if lookup == "title":
        return comparable_title(text)
    composed = comparable_id(text)
    return (canonical_number(composed) or composed) if lookup == "label" else composed
