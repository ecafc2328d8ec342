"""Where a row gets its sources from: its own records, or a table that rows refer to."""

from __future__ import annotations

import hashlib
import json
import pickle
from collections import OrderedDict
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, Final

from citemark._arguments import require_iterable
from citemark.batch._strict import encode
from citemark.batch.options import DIGEST_BYTES
from citemark.errors import CitemarkError, SourceError, shortened
from citemark.records import as_source
from citemark.sources import Sources

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from citemark.batch.options import BatchOptions
    from citemark.model import Source

__all__ = ["RowSourcesError", "SourcesTable"]

KEPT: Final = 256
"""Selections that are kept ready: rows of a conversation or a search share theirs."""

KEPT_BYTES: Final = 4 << 20
"""Of the records of rows that are kept ready, about; ready ones take some times as much."""


class RowSourcesError(CitemarkError, ValueError):
    """The sources of a row cannot be read."""


class SourcesTable:
    """Sources that rows refer to: by the ids of records, or by the name of a set of them.

    >>> records = [{"id": "a", "set": "may"}, {"id": "b", "set": "may"}, {"id": "c"}]
    >>> table = SourcesTable(records)
    >>> [source.id for source in table.named("may")]
    ['a', 'b']
    """

    def __init__(self, records: Iterable[Source | Mapping[str, Any]] = ()) -> None:
        """Read the records; those with ``set`` can be named by it.

        Records of different sets may share an id; it then names none of them by itself.

        Raises:
            ArgumentTypeError: They are no list or iterable.
            SourceError: A record cannot be used, or has the id of another one of its set.
        """
        self._by_id: dict[str, Source] = {}
        self._sets: dict[str | None, dict[str, Source]] = {}
        self._shared_ids: set[str] = set()
        expected, mend = "a list of records", "put the record into a list, [record]"
        given = require_iterable("records", records, expected, mend)
        self._records = [
            as_source(record, position) for position, record in enumerate(given, 1)
        ]
        for position, source in enumerate(self._records, 1):
            self._add(source, position)
        self._ready = _Ready()

    def _add(self, source: Source, position: int) -> None:
        name = source.metadata.get("set")
        named = self._sets.setdefault(None if name is None else str(name), {})
        if source.id in named:
            reason = f"its id {shortened(source.id)!r} is that of an earlier one"
            raise SourceError(position, reason)
        named[source.id] = source
        if not _same(self._by_id.setdefault(source.id, source), source):
            self._shared_ids.add(source.id)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pass the records to another process, without what was made of them."""
        return SourcesTable, (self._records,)

    @property
    def digest(self) -> str:
        """Hexadecimal digest of all records in their order: rows change when it does.

        Raises:
            SourceError: A record holds what cannot be copied, such as a lock or a connection.
        """
        known = hashlib.blake2b(digest_size=DIGEST_BYTES)
        for position, source in enumerate(self._records, 1):
            try:
                record = asdict(source)
            except Exception as error:
                raise SourceError(position, f"it cannot be copied: {error}") from error
            known.update(encode(record, sort_keys=True) + b"\n")
        return known.hexdigest()

    def __iter__(self) -> Iterator[Source]:
        """Yield all records, in their order."""
        return iter(self._records)

    def __len__(self) -> int:
        """Return how many sources there are."""
        return len(self._records)

    def named(self, name: str) -> list[Source]:
        """Return the sources of a set; or the one source with that id.

        Raises:
            RowSourcesError: There is neither.
        """
        if name in self._sets:
            return [*self._sets[name].values()]
        return [self._with_id(name)]

    def for_row(self, given: object, options: BatchOptions) -> Sources:
        """Return the sources of a row.

        Args:
            given: Records; JSON text of them; ids of the table, or the name of a set of it; or
                None for the whole table.
            options: How keys are looked up in them.

        Raises:
            RowSourcesError: It is nothing of that, or refers to what is not in the table.
            SourceError: A record cannot be used, or keys would be ambiguous.
        """
        read: Any = _read(given)
        if read is None or isinstance(read, str) or _are_ids(read):
            return self._shared(read, options)
        return self._own(read, options)

    def _own(self, records: list[Any], options: BatchOptions) -> Sources:
        """Return the sources of records that stand in a row; many rows may have the same."""
        written = _written(records)
        size = len(written or b"")
        if written is None or size > KEPT_BYTES // 4:  # others would have no room beside it
            return Sources(records, label=options.label, lenient=options.lenient)
        name = hashlib.blake2b(written, digest_size=DIGEST_BYTES).digest()
        return self._ready.get(name, options, lambda: records, size)

    def _shared(self, given: str | list[Any] | None, options: BatchOptions) -> Sources:
        name = tuple(map(str, given)) if isinstance(given, list) else given
        return self._ready.get(name, options, lambda: self._picked(given))

    def _picked(self, given: str | list[Any] | None) -> Iterable[Source]:
        if given is None:
            return [self._with_id(id_) for id_ in self._by_id]
        if isinstance(given, str):
            return self.named(given)
        return [self._with_id(str(id_)) for id_ in given]

    def _with_id(self, id_: str) -> Source:
        if id_ not in self._by_id:
            message = f"sources: the table has none named {shortened(id_)!r}"
            raise RowSourcesError(message)
        if id_ in self._shared_ids:
            message = f"sources: several sets have {shortened(id_)!r}; name the set"
            raise RowSourcesError(message)
        return self._by_id[id_]


class _Ready:
    """Sources that were used last, bounded in number and in bytes."""

    def __init__(self) -> None:
        self.size = 0
        self._held: OrderedDict[tuple[object, ...], tuple[Sources, int]] = OrderedDict()

    def get(
        self,
        name: object,
        options: BatchOptions,
        records: Callable[[], Iterable[Any]],
        size: int = 0,
    ) -> Sources:
        """Return the sources of a name, made of its records if they are not there."""
        key = (name, options.label, options.lenient)
        found = self._held.get(key)
        if found is not None:
            self._held.move_to_end(key)
            return found[0]
        made = Sources(records(), label=options.label, lenient=options.lenient)
        self._held[key] = made, size
        self.size += size
        while len(self._held) > KEPT or self.size > KEPT_BYTES:
            self.size -= self._held.popitem(last=False)[1][1]
        return made


def _written(records: list[Any]) -> bytes | None:
    """Return records as bytes that no others have; None if they are not plain ones.

    JSON would take ``1`` and ``Decimal(1)`` for the same, or objects in another order.
    """
    if not all(type(record) is dict for record in records):
        return None
    try:
        return pickle.dumps(records, protocol=pickle.HIGHEST_PROTOCOL)
    except Exception:  # noqa: BLE001  values of any library
        return None


def _same(one: Source, other: Source) -> bool:
    """Whether two records are the same but for the set that they are in."""
    bare = [
        replace(source, metadata={**source.metadata, "set": None}) for source in (one, other)
    ]
    return bare[0] == bare[1]


def _read(given: object) -> Any:  # noqa: ANN401  records are anything
    """Return records, ids, a name or None out of what a row has."""
    if given is None or (isinstance(given, float) and given != given):  # noqa: PLR0124  NaN
        return None
    if isinstance(given, str) and given.lstrip()[:1] in {"[", "{"}:
        try:
            given = json.loads(given)
        except ValueError as error:
            message = f"sources: no JSON ({error})"
            raise RowSourcesError(message) from None
    if isinstance(given, str):
        if not given.strip():
            raise RowSourcesError("sources: an empty text names none; [] is none, null is all")
        return given.strip()
    if hasattr(given, "keys"):
        return [given]
    if hasattr(given, "__iter__") and not isinstance(given, (bytes, bytearray)):
        return list(given)
    message = f"sources: expected records, JSON or names, not {type(given).__name__}"
    raise RowSourcesError(message)


def _are_ids(given: list[Any]) -> bool:
    return bool(given) and all(
        isinstance(one, (str, int)) and not isinstance(one, bool) for one in given
    )
