"""The tables of a run: the answers, which are only read; what is made of them; what is left.

What is made stands in a side table, by the id of the answer and the version of the library.
What is left stands in a table of ranges of ids; each has a mark up to where it is done.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from citemark.batch.rows import INPUT
from citemark.batch.sql._faults import SqlError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from citemark.batch.sql._database import Database

__all__ = ["FOUND", "SIDE", "SqlNames", "SqlSources", "Tables"]

FOUND: Final = ("cited", "rendered", "citations", "unresolved", "issues", "formats", "checks")
"""Columns of the side table that hold JSON."""

MADE_WITH: Final = ("content_digest", "options_digest", "sources_digest", "schema")
"""Columns that tell whether a row would be made again in the same way."""

SIDE: Final = ("answer_id", "version", *MADE_WITH, *FOUND, "error")
"""Columns of the side table."""

WORK: Final = ("run", "number", "after", "last", "step", "answers")
"""Columns of the table of ranges: ``after`` is the id up to where a range is done."""

_PART: Final = re.compile(r'(?:"((?:[^"]|"")+)"|([^".]+))(?:\.(?=.)|$)')


@dataclass(frozen=True, slots=True)
class SqlSources:
    """A table of sources, a record each, from which each answer gets its own.

    Columns are called as fields of ``Source``; others are not read, but for those named here.
    If the answers have a column of sources, it holds the name of a set, or a list of ids (an
    array, or JSON).  If they have none, sets are called by the ids of the answers.
    """

    table: str
    set: str = "set"
    """Column with the name of the set that a record is in."""

    id: str = "id"
    """Column with the id of a record."""

    order: str | None = None
    """Column by which the records of a set stood in the prompt; sets cannot be used without."""


@dataclass(frozen=True, slots=True)
class SqlNames:
    """What tables and columns are called.  ``schema.table`` names a schema."""

    table: str = "answers"
    """The answers: a table or a view."""

    key: str = "id"
    """Column that tells answers apart; anything that has an order."""

    columns: Mapping[str, str | None] = field(default_factory=dict)
    """Columns of the table by what they are: ``{"answer": "body", "provider": None}``.  Those
    that are called so are found by themselves; None leaves one out."""

    into: str | None = None
    """The side table: ``<table>_citations`` by default."""

    sources: SqlSources | None = None


class Tables:
    """Names as they stand in statements.

    Args:
        database: Where the tables are.
        names: What they are called.
        more: Further columns of the answers that are read.

    Raises:
        SqlError: A table or a column is not there.
    """

    def __init__(self, database: Database, names: SqlNames, more: Sequence[str] = ()) -> None:
        """Look at the answers and their sources."""
        self.names = names
        self._database = database
        self.answers = self._table(names.table)
        into = names.into or _joined(names.table, "_citations")
        self.side, self.work = self._table(into), self._table(_joined(into, "_work"))
        known = self._known(self.answers, names.table)
        self.key = self._column(names.key, known, names.table)
        self.read = self._read(known, more)
        self.sources = self._table(names.sources.table) if names.sources else ""

    def _read(self, known: Sequence[str], more: Sequence[str]) -> dict[str, str]:
        """Return the columns of the answers that are read, by their names in a row."""
        given = dict(self.names.columns)
        for name in given:
            if name not in INPUT[1:]:
                reason = f"columns: {name!r} is none of {', '.join(INPUT[1:])}"
                raise SqlError(self._database.url, "names", reason)
        asked = {name: given.get(name, name) for name in INPUT[1:]}
        found = {
            name: self._column(column, known, self.names.table)
            for name, column in asked.items()
            if column and (column in known or name in given or name == "answer")
        }
        extra = {name: self._database.quoted(name) for name in more if name in known}
        return {**extra, **found}

    def _known(self, table: str, name: str) -> list[str]:
        if not self._database.has_table(table):
            raise SqlError(self._database.url, "missing", f"there is no table {name!r}")
        return self._database.columns(table)

    def known_sources(self) -> list[str]:
        """Return the names of the columns of the table of sources."""
        assert self.names.sources  # noqa: S101  else nobody asks
        return self._known(self.sources, self.names.sources.table)

    def _column(self, name: str, known: Sequence[str], table: str) -> str:
        if name not in known:
            reason = f"{table!r} has no column {name!r}, only {', '.join(known)}"
            raise SqlError(self._database.url, "missing", reason)
        return self._database.quoted(name)

    def _table(self, name: str) -> str:
        parts, at = [], 0
        while found := _PART.match(name, at):
            quoted, plain = found.groups()
            parts.append(quoted.replace('""', '"') if quoted else plain)
            at = found.end()
        if not parts or at != len(name) or "\0" in name:
            reason = f'{name!r} is no name of a table; with dots or quotes in it, "..."'
            raise SqlError(self._database.url, "names", reason)
        return ".".join(map(self._database.quoted, parts))

    def make(self) -> None:
        """Make the side table and the table of ranges, if they are not there.

        Raises:
            SqlError: They cannot be made, or a table of other columns has the name.
        """
        database = self._database
        json = dict.fromkeys(FOUND, database.json)
        side = {**dict.fromkeys(SIDE, "text"), **json, "answer_id": ""}
        side |= {"version": "text NOT NULL", "schema": "integer"}
        work = {**dict.fromkeys(WORK, "bigint NOT NULL"), "run": "text NOT NULL"}
        work |= {"after": "", "last": ""}
        with database.planning():
            self._make(self.side, side, '"answer_id", "version"')
            self._make(self.work, work, '"run", "number"')

    def _make(self, table: str, types: Mapping[str, str], key: str) -> None:
        if self._database.has_table(table):
            if {*self._database.columns(table)} != {*types}:
                reason = f"{table} is there and none of ours; name another one"
                raise SqlError(self._database.url, "names", reason)
            return
        definitions = [(f'"{name}"', kind) for name, kind in types.items()]
        self._database.create(table, (self.answers, self.key), definitions, key)


def _joined(name: str, ending: str) -> str:
    return f'{name[:-1]}{ending}"' if name.endswith('"') else name + ending
