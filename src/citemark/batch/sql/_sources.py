"""Sources that stand in a table of the database: those of a page, with one statement or two."""

from __future__ import annotations

import json
from collections import defaultdict
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from citemark.batch._strict import plain
from citemark.batch.rows import is_null, text_of_id
from citemark.batch.sources import RowSourcesError
from citemark.batch.sql._database import UndecodedText
from citemark.batch.sql._faults import RowRefusedError, SqlError
from citemark.batch.sql._names import no_column
from citemark.errors import shortened
from citemark.records import FIELDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from citemark.batch.sql._database import Database
    from citemark.batch.sql._pages import StoredRow
    from citemark.batch.sql._tables import Tables

__all__ = ["StoredSources"]

_Records: TypeAlias = "list[tuple[object, dict[str, Any]]]"
"""Records of one name, each with its place in the prompt."""

_Found: TypeAlias = "dict[object, _Records]"
"""Records by the names that were asked for.  Which they are is the database's to say: to it
1.0 may be 1, or "A" be "a"."""

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
        named = {"id": names.id, "order": names.order}
        named |= {} if self._has_column else {"set": names.set}
        for role, name in named.items():
            if name:
                self._require(role, name, known)
        if not self._has_column and not names.order:
            reason = "name the column by which sources stood in the prompt: "
            reason += "--sources-column order=NAME, or SqlSources(order=NAME)"
            raise SqlError(database.url, "names", reason)
        self._has_sets = names.set in known
        self._fields = self._read_fields(known)
        self._marks: dict[str, str] = {}

    def _read_fields(self, known: Sequence[str]) -> dict[str, str]:
        """Return the column of each field of a record but its id."""
        given, fields = self._names.columns, FIELDS - {"id"}
        for name, column in given.items():
            if name not in fields:
                reason = f"columns of sources: {name!r} is none of {', '.join(sorted(fields))}"
                raise SqlError(self._database.url, "names", reason)
            if column:
                self._require(name, column, known)
        asked: dict[str, str | None] = {name: name for name in fields - {*given.values()}}
        found = sorted((asked | {**given}).items())
        return {name: column for name, column in found if column and column in known}

    def _require(self, role: str, column: str, known: Sequence[str]) -> None:
        if column not in known:
            option = f"--sources-column {role}"
            reason = no_column(self._names.table, column, known, option)
            raise SqlError(self._database.url, "missing", reason)

    def resolve(self, page: Sequence[StoredRow]) -> dict[int, str]:
        """Put the records of each answer into its row.

        Returns:
            Why an answer has none, by its index: what it refers to is not there.
        """
        faults: dict[int, str] = {}
        asked: dict[int, tuple[bool, list[Any]]] = {}
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
            records = (record for name in names for _, record in self._of(name, found))
            page[index].row["sources"] = list(records)
        return faults

    def _of(self, name: object, found: _Found) -> _Records:
        return found.get(self._database.as_named(name), [])

    def _fault(self, names: list[Any], found: _Found, *, is_set: bool) -> str:
        """Return why it is not certain which sources a row has, and in which order."""
        for name in names:
            records, shown = self._of(name, found), repr(shortened(text_of_id(name) or ""))
            if not records and self._has_column:
                return f"the table has none named {shown}"
            if not is_set and len(records) > 1:
                return f"several sets have {shown}; name the set"
            if any(one[0] == other[0] for one, other in pairwise(records)):
                return f"two of {shown} have the same place in {self._names.order!r}"
            texts = (text for _, record in records for text in record.items())
            for field, value in texts:
                if isinstance(value, UndecodedText):
                    return f"the {field} of one of {shown} is {value.fault}"
        return ""

    def _wanted(self, stored: StoredRow) -> tuple[bool, list[Any]] | None:
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
            return (False, given) if all(map(_is_name, given)) else None
        if not (self._has_sets and self._names.order):
            raise RowSourcesError("sources: it names a set, and no column orders the sets")
        return True, [given]

    def _found(self, column: str, names: Iterable[Sequence[Any]]) -> _Found:
        """Return the records of each set or id, each with its place."""
        as_named = self._database.as_named
        wanted = list(dict.fromkeys(as_named(name) for some in names for name in some))
        found: _Found = defaultdict(list)
        for start in range(0, len(wanted), AT_ONCE):
            chosen = wanted[start : start + AT_ONCE]
            for name, place, record in self._read(column, chosen):
                found[name].append((place, record))
        return dict(found)

    def _read(
        self, column: str, names: list[object]
    ) -> list[tuple[object, object, dict[str, Any]]]:
        try:
            with self._database.trying():
                rows = self._database.run(self._statement(column, len(names)), names)
        except RowRefusedError:  # no number, say, for a column of numbers
            if len(names) == 1:
                return []
            return [one for name in names for one in self._read(column, [name])]
        fields = ("id", *self._fields)
        return [
            (
                names[index],
                place,
                {k: _field(k, v) for k, v in zip(fields, values, strict=True)},
            )
            for index, place, *values in rows
        ]

    def _statement(self, column: str, count: int) -> str:
        """Return what reads records with the index of the name that each is found by."""
        quoted, named = self._database.quoted, self._named(column)
        order = self._names.order or self._names.id
        columns = [order, self._names.id, *self._fields.values()]
        values = ", ".join(f"({index}, {named})" for index in range(count))
        return (
            f"SELECT w.column1, {', '.join(f's.{quoted(name)}' for name in columns)} "
            f"FROM (VALUES {values}) AS w JOIN {self._table} AS s "
            f"ON s.{quoted(column)} = w.column2 ORDER BY s.{quoted(order)}"
        )

    def _named(self, column: str) -> str:
        if column not in self._marks:
            self._marks[column] = self._database.named(self._table, column)
        return self._marks[column]


def _is_name(value: object) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def _field(name: str, value: object) -> Any:  # noqa: ANN401  any JSON
    """Return a field of a record: databases hold decimals and objects that are text here."""
    if isinstance(value, UndecodedText):
        return value  # it would become Base64
    if isinstance(value, str) and name in {"score", "metadata"}:
        with suppress(ValueError, RecursionError):
            return float(value) if name == "score" else json.loads(value)
    return plain(value)
