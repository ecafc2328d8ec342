"""The tables of a run: the answers, which are only read; what is made of them; what is left.

What is made stands in a side table, by the id of the answer and the version of the library.
What is left stands in a table of ranges of ids; each has a mark up to where it is done.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from citemark._chunks import well_formed
from citemark.batch.rows import INPUT
from citemark.batch.sql._faults import SqlError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from citemark.batch.sql._database import Database

__all__ = [
    "FOUND",
    "MADE_WITH",
    "SIDE",
    "SqlNames",
    "SqlSources",
    "Tables",
    "columns_of",
    "no_column",
    "quoted_table",
    "side_name",
    "side_tables",
]

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

    Columns that are called as fields of ``Source``, or named here, are read; others are not.
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

    columns: Mapping[str, str | None] = field(default_factory=dict)
    """Columns of the table by the fields of ``Source``: ``{"text": "passage", "kind": None}``.
    Those that are called so are found by themselves; None leaves one out."""


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
        self.answers = quoted_table(database, names.table)
        self.side, self.work = side_tables(database, names)
        known = self._known(self.answers, names.table)
        self.key = self._column("id", names.key, known)
        self.read = self._read(known, more)
        sources = names.sources
        self.sources = quoted_table(database, sources.table) if sources else ""

    def _read(self, known: Sequence[str], more: Sequence[str]) -> dict[str, str]:
        """Return the columns of the answers that are read, by their names in a row."""
        given = dict(self.names.columns)
        for name in given:
            if name not in INPUT[1:]:
                reason = f"columns: {name!r} is none of {', '.join(INPUT[1:])}"
                raise SqlError(self._database.url, "names", reason)
        asked = {name: given.get(name, name) for name in INPUT[1:]}
        found = {
            name: self._column(name, column, known)
            for name, column in asked.items()
            if column and (column in known or name in given or name == "answer")
        }
        extra = {
            name: self._database.quoted(name) for name in more if name in known and name != "id"
        }
        return {**extra, **found}

    def _known(self, table: str, name: str) -> list[str]:
        return columns_of(self._database, table, name)

    def known_sources(self) -> list[str]:
        """Return the names of the columns of the table of sources."""
        assert self.names.sources  # noqa: S101  else nobody asks
        return self._known(self.sources, self.names.sources.table)

    def _column(self, role: str, name: str, known: Sequence[str]) -> str:
        if name not in known:
            reason = no_column(self.names.table, name, known, f"--column {role}")
            raise SqlError(self._database.url, "missing", reason)
        return self._database.quoted(name)

    def make(self) -> None:
        """Make the side table and the table of ranges, if they are not there.

        Raises:
            SqlError: They cannot be made, or a table of other columns has the name.
        """
        like = (self.answers, self.key)
        with self._database.planning():
            for table, (types, key) in self._lacking().items():
                definitions = [(f'"{name}"', kind) for name, kind in types.items()]
                self._database.create(table, like, definitions, key)

    def lacking(self) -> list[str]:
        """Return the names of the tables that ``make`` makes.

        Raises:
            SqlError: A table of other columns has the name.
        """
        return [self._database.shown(table) for table in self._lacking()]

    def _lacking(self) -> dict[str, tuple[dict[str, str], str]]:
        """Return types of columns and primary key of each table that is not there."""
        database = self._database
        json = dict.fromkeys(FOUND, database.json)
        side = {**dict.fromkeys(SIDE, "text"), **json, "answer_id": ""}
        side |= {"version": "text NOT NULL", "schema": "integer"}
        work = {**dict.fromkeys(WORK, "bigint NOT NULL"), "run": "text NOT NULL"}
        work |= {"after": "", "last": ""}
        side_key, work_key = '"answer_id", "version"', '"run", "number"'
        asked = {self.side: (side, side_key), self.work: (work, work_key)}
        return {
            table: made for table, made in asked.items() if not self._is_ours(table, made[0])
        }

    def _is_ours(self, table: str, types: Mapping[str, str]) -> bool:
        """Whether a table is there.

        Raises:
            SqlError: It is, and has other columns.
        """
        if not self._database.has_table(table):
            return False
        if {*self._database.columns(table)} != {*types}:
            name = self._database.shown(table)
            reason = f"{name} is there and none of ours; name another one"
            raise SqlError(self._database.url, "names", reason)
        return True


def side_tables(database: Database, names: SqlNames) -> tuple[str, str]:
    """Return the side table and the table of ranges, as they stand in statements.

    Raises:
        SqlError: They cannot be called so.
    """
    into = side_name(names)
    return quoted_table(database, into), quoted_table(database, _joined(into, "_work"))


def side_name(names: SqlNames) -> str:
    """Return what the side table is called."""
    return names.into or _joined(names.table, "_citations")


def columns_of(database: Database, table: str, name: str) -> list[str]:
    """Return the columns of a table.

    Args:
        database: Where it is.
        table: As it stands in statements.
        name: As it was given.

    Raises:
        SqlError: There is none.
    """
    if not database.has_table(table):
        lower = name.lower()  # as PostgreSQL writes names that had no quotes
        is_lower = lower != name and database.has_table(quoted_table(database, lower))
        hint = f", but {lower!r}" if is_lower else ""
        raise SqlError(database.url, "missing", f"there is no table {name!r}{hint}")
    return database.columns(table)


def no_column(table: str, name: str, known: Sequence[str], option: str) -> str:
    """Return that a table lacks a column, and what says which it is."""
    others = [column for column in known if column not in INPUT]
    found = others[0] if len(others) == 1 else "COLUMN"
    reason = f"{table!r} has no column {name!r}, only {', '.join(known)}"
    return f"{reason}; {option}={found} says which it is"


def quoted_table(database: Database, name: str) -> str:
    """Return a table's name as it stands in statements.

    Raises:
        SqlError: It is no name.
    """
    parts, at = [], 0
    while found := _PART.match(name, at):
        quoted, plain = found.groups()
        parts.append(quoted.replace('""', '"') if quoted else plain)
        at = found.end()
    is_text = "\0" not in name and well_formed(name) == name
    if not parts or at != len(name) or not is_text:
        reason = f'{name!r} is no name of a table; with dots or quotes in it, "..."'
        raise SqlError(database.url, "names", reason)
    return ".".join(map(database.quoted, parts))


def _joined(name: str, ending: str) -> str:
    return f'{name[:-1]}{ending}"' if name.endswith('"') else name + ending
