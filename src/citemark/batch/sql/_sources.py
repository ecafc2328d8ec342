"""Sources that stand in a table of the database: those of a page, with one statement or two."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from uuid import UUID

from citemark.batch._strict import plain
from citemark.batch.rows import is_null
from citemark.batch.sources import RowSourcesError
from citemark.batch.sql._faults import RowRefusedError, SqlError
from citemark.errors import shortened
from citemark.records import FIELDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from citemark.batch.sql._database import Database
    from citemark.batch.sql._pages import StoredRow
    from citemark.batch.sql._tables import Tables

__all__ = ["StoredSources"]

_Records: TypeAlias = "list[tuple[object, dict[str, Any]]]"
"""Records of one name, each with its place in the prompt."""

AT_ONCE: Final = 500
"""Values of a statement; SQLite before 3.32 takes 999."""


class StoredSources:
    """The table of sources.

    Args:
        database: A connection.
        tables: With ``SqlNames.sources``.

    Raises:
        SqlError: A column is not there, or sets would have no order.
    """

    def __init__(self, database: Database, tables: Tables) -> None:
        """Look at the columns."""
        names = tables.names.sources
        assert names  # noqa: S101  else nobody asks
        self._database, self._table, self._names = database, tables.sources, names
        self._has_column = "sources" in tables.read
        known = tables.known_sources()
        named = [names.id, *([names.order] if names.order else [])]
        named += [] if self._has_column else [names.set]
        for name in named:
            if name not in known:
                reason = f"{names.table!r} has no column {name!r}, only {', '.join(known)}"
                raise SqlError(database.url, "missing", reason)
        if not self._has_column and not names.order:
            reason = "name the column by which sources stood in the prompt (order)"
            raise SqlError(database.url, "names", reason)
        self._has_sets = names.set in known
        self._fields = [name for name in known if name in FIELDS and name != "id"]

    def resolve(self, page: Sequence[StoredRow]) -> dict[int, str]:
        """Put the records of each answer into its row.

        Returns:
            Why an answer has none, by its index: what it refers to is not there.
        """
        faults: dict[int, str] = {}
        asked: dict[int, tuple[bool, list[str]]] = {}
        for index, stored in enumerate(page):
            try:
                wanted = self._wanted(stored)
            except RowSourcesError as error:
                faults[index] = f"RowSourcesError: {error}"
            else:
                if wanted is not None:
                    asked[index] = wanted
        sets = self._found(self._names.set, (asked[n][1] for n in asked if asked[n][0]))
        ids = self._found(self._names.id, (asked[n][1] for n in asked if not asked[n][0]))
        for index, (is_set, names) in asked.items():
            found = sets if is_set else ids
            fault = self._fault(names, found, is_set=is_set)
            if fault:
                faults[index] = f"RowSourcesError: sources: {fault}"
            records = (record for name in names for _, record in found.get(name, ()))
            page[index].row["sources"] = list(records)
        return faults

    def _fault(self, names: list[str], found: Mapping[str, _Records], *, is_set: bool) -> str:
        """Return why it is not certain which sources a row has, and in which order."""
        for name in names:
            records = found.get(name, [])
            if not records and self._has_column:
                return f"the table has none named {shortened(name)!r}"
            if not is_set and len(records) > 1:
                return f"several sets have {shortened(name)!r}; name the set"
            if len({place for place, _ in records}) < len(records):
                return (
                    f"two of {shortened(name)!r} have the same place in {self._names.order!r}"
                )
        return ""

    def _wanted(self, stored: StoredRow) -> tuple[bool, list[str]] | None:
        """Return whether a row names a set, and what it names; None if it has its records."""
        given = stored.row.get("sources") if self._has_column else stored.key
        if self._has_column and isinstance(given, str) and given.lstrip()[:1] in {"[", "{"}:
            try:
                given = json.loads(given)
            except ValueError as error:
                raise RowSourcesError(f"sources: no JSON ({error})") from None
        if is_null(given):
            return False, []
        if isinstance(given, dict):
            return None
        if isinstance(given, list):
            is_bare = all(isinstance(one, (str, int, UUID)) for one in given)
            return (False, [str(one) for one in given]) if is_bare else None
        if not (self._has_sets and self._names.order):
            raise RowSourcesError("sources: it names a set, and no column orders the sets")
        return True, [str(given)]

    def _found(self, column: str, names: Iterable[Sequence[str]]) -> dict[str, _Records]:
        """Return the records of each set or id, each with its place."""
        wanted = sorted({name for some in names for name in some})
        found: dict[str, _Records] = defaultdict(list)
        for start in range(0, len(wanted), AT_ONCE):
            chosen = wanted[start : start + AT_ONCE]
            for name, place, record in self._read(column, chosen):
                found[name].append((place, record))
        return dict(found)

    def _read(self, column: str, names: list[str]) -> list[tuple[str, object, dict[str, Any]]]:
        try:
            with self._database.trying():
                rows = self._database.run(self._statement(column, len(names)), names)
        except RowRefusedError:  # no number, say, for a column of numbers
            if len(names) == 1:
                return []
            return [one for name in names for one in self._read(column, [name])]
        fields = ("id", *self._fields)
        return [
            (str(name), place, {k: plain(v) for k, v in zip(fields, values, strict=True)})
            for name, place, *values in rows
        ]

    def _statement(self, column: str, count: int) -> str:
        quoted = self._database.quoted
        order = self._names.order or self._names.id
        columns = [column, order, self._names.id, *self._fields]
        return (
            f"SELECT {', '.join(f's.{quoted(name)}' for name in columns)} "
            f"FROM {self._table} AS s WHERE s.{quoted(column)} "
            f"IN ({', '.join([self._database.mark] * count)}) ORDER BY s.{quoted(order)}"
        )
