"""The records that an answer may cite, and how a written key finds one of them.

Look-up is a mapping, never list arithmetic: no key can name a record by accident.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_args

from citemark import _lenient
from citemark._arguments import require_each, require_iterable
from citemark._compare import canonical_number, comparable, decomposed, without_last_letter
from citemark._fingerprint import fingerprint_of, require_same
from citemark._labels import read_labels
from citemark._lenient import Near
from citemark._names import names_of, tables_of
from citemark._near import Base, Lookup, Nears
from citemark.errors import CitemarkError
from citemark.model import Source
from citemark.records import as_sources

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Self

    from citemark._lenient import Step

__all__ = ["LOOKUPS", "Base", "Label", "Lookup", "Near", "Sources"]

Label: TypeAlias = Literal["number", "id"]
"""What the prompt called the sources: 1, 2, 3, ... by position, or their ids."""

LOOKUPS: Final[tuple[Lookup, ...]] = get_args(Lookup)


MAX_DIGITS: Final = 6
"""Longest number that is a label, as in the grammar."""


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
        ArgumentTypeError: The sources are no list, but one record, say.
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
        "_counted",
        "_fingerprint",
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
        records = tuple(as_sources(sources))
        self._build(records, read_labels(records, label), label, _lenient.read_steps(lenient))

    def _build(
        self,
        sources: tuple[Source, ...],
        labels: tuple[str, ...],
        label: Label | None,
        steps: tuple[Step, ...],
    ) -> None:
        """Take what was read, and build the look-up tables."""
        self._sources, self._labels = sources, labels
        self._given_label, self._steps = label, steps
        self._by = tables_of(self.labelled())
        self._numbers = sorted(
            int(name)
            for name in self._by["label"]
            if len(name) <= MAX_DIGITS and canonical_number(name)
        )
        self._by_position: dict[str, tuple[Source, ...]] | None = None
        self._counted: list[int] | None = None
        self._nears = Nears(steps)
        self._prefixes: dict[Lookup, list[str]] = {}
        self._is_ascii = all(name.isascii() for table in self._by.values() for name in table)
        self._fingerprint: str | None = None

    def _like(self, sources: tuple[Source, ...], labels: tuple[str, ...]) -> Self:
        """Return other sources with the options of these."""
        other = type(self).__new__(type(self))
        other._build(sources, labels, self._given_label, self._steps)  # noqa: SLF001  of our own class
        return other

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
        keys = tuple(require_iterable("keys", keys, "a list of keys"))
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

    def __add__(self, more: Iterable[Source | Mapping[str, Any]]) -> Self:
        """Return these sources followed by more; a record that is here already is skipped."""
        here = set(self._sources)
        start = len(self._sources) + 1
        added = as_sources(more, start)
        new = [source for source in added if source not in here]
        sources = (*self._sources, *new)
        labels = read_labels(sources, self._given_label, self._labels)
        return self._like(sources, labels)

    def select(self, wanted: Iterable[Source]) -> Self:
        """Return those of these sources that are wanted, in their order there, by their labels.

        What is left out can no longer be cited.  A source that is not among these is left out.
        """
        labels = {source: label for label, source in self.labelled()}
        given = require_each("wanted", wanted, Source, "sources, and nothing else")
        chosen = tuple(one for one in dict.fromkeys(given) if one in labels)
        return self._like(chosen, tuple(labels[one] for one in chosen))

    @property
    def fingerprint(self) -> str:
        """What tells another list apart: its labels, ids, URLs, titles or texts differ.

        Page, kind, score and metadata do not count.  It is the same in every process and on
        every machine, and made when it is first asked for.
        """
        if self._fingerprint is None:
            self._fingerprint = fingerprint_of(self.labelled())
        return self._fingerprint

    def require(self, fingerprint: str | None) -> Self:
        """Return these sources if the fingerprint is theirs, or None.

        Raises:
            SourcesChangedError: It is that of another list; the message says what differs.
        """
        if fingerprint is not None:
            require_same(fingerprint, self.fingerprint, self.labelled())
        return self

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
        return self._nears.near(
            key, lookup, base, self._find, lambda: names_of(self.labelled())
        )

    def has(self, lookup: Lookup) -> bool:
        """Whether there is anything that keys of this kind could name."""
        return bool(self._by[lookup])

    def numbers_between(self, first: int, last: int, *, base: Base = 1) -> list[int]:
        """Return the numbers from first to last that name a source, both included, rising."""
        if base != 1 and self._counted is None:
            self._counted = sorted(map(int, self._from_0()))
        if base != 1 and self._counted:
            from_0 = _within(self._counted, first, last)
            others = () if base == 0 else _within(self._numbers, first, last)
            return sorted({*from_0, *others})
        return _within(self._numbers, first, last)

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

    def _find(self, key: str, lookup: Lookup, base: Base) -> tuple[Source, ...]:
        return self.find(key, lookup, base=base)

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
            rows: Iterable[tuple[int, Source]]
            if self._given_label != "id":
                rows = ((int(label) - 1, source) for label, source in self.labelled())
            else:
                is_label = any(map(canonical_number, self._labels))
                rows = () if is_label else enumerate(self._sources)
            self._by_position = {str(at): (source,) for at, source in rows}
        return self._by_position


def _within(numbers: list[int], first: int, last: int) -> list[int]:
    return numbers[bisect_left(numbers, first) : bisect_right(numbers, last)]
