"""The tables of a run: the answers, which are only read; what is made of them; what is left.

What is made stands in a side table, by the id of the answer and the version of the library.
What is left stands in a table of ranges of ids; each has a mark up to where it is done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark.batch.rows import INPUT
from citemark.batch.sql._faults import SqlError
from citemark.batch.sql._names import columns_of, no_column, quoted_table, side_tables

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from citemark.batch.sql._database import Database
    from citemark.batch.sql._names import SqlNames

__all__ = ["FOUND", "MADE_WITH", "SIDE", "Tables"]

FOUND: Final = ("cited", "rendered", "citations", "unresolved", "issues", "formats", "checks")
"""Columns of the side table that hold JSON."""

MADE_WITH: Final = ("content_digest", "options_digest", "sources_digest", "schema")
"""Columns that tell whether a row would be made again in the same way."""

SIDE: Final = ("answer_id", "version", *MADE_WITH, *FOUND, "error")
"""Columns of the side table."""

WORK: Final = ("run", "number", "after", "last", "step", "answers")
"""Columns of the table of ranges: ``after`` is the id up to where a range is done."""


class Tables:
    """Names as they stand in statements.

    Args:
        database: Where the tables are.
        names: What they are called.
        more: Further columns of the answers, which conditions ask for.

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
        self.read = self._read(known)
        self.more = {n: database.quoted(n) for n in more if n in known and n not in self.read}
        """Columns that conditions ask for, and nothing else; ``id`` is the key."""
        self.more.pop("id", None)
        sources = names.sources
        self.sources = quoted_table(database, sources.table) if sources else ""
        self._require_apart()

    def _require_apart(self) -> None:
        """Refuse to write into what is read."""
        read = {"the answers": self.answers, "the sources": self.sources}
        for table in (self.side, self.work):
            for what, other in read.items():
                if other and self._database.is_same(table, other):
                    name = self._database.shown(table)
                    reason = f"{name} would be written, and has {what}, which are only read; "
                    reason += "name another table (into)"
                    raise SqlError(self._database.url, "names", reason)

    def _read(self, known: Sequence[str]) -> dict[str, str]:
        """Return the columns of the answers that are read, by their names in a row."""
        given = dict(self.names.columns)
        for name in given:
            if name not in INPUT[1:]:
                reason = f"columns: {name!r} is none of {', '.join(INPUT)}"
                if name == INPUT[0]:
                    reason = f"columns: {name} is named by key"
                raise SqlError(self._database.url, "names", reason)
        asked = {name: given.get(name, name) for name in INPUT[1:]}
        return {
            name: self._column(name, column, known)
            for name, column in asked.items()
            if column and (column in known or name in given or name == "answer")
        }

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

        Ranges of ids that were of another type are of no use any more.

        Raises:
            SqlError: They cannot be made, or a table of other columns has the name.
        """
        with self._database.planning():
            for table, (types, key) in self._lacking().items():
                if self._database.has_table(table):
                    self._database.run(f"DROP TABLE {table}")
                definitions = [(f'"{name}"', kind) for name, kind in types.items()]
                self._database.create(table, self._ids, definitions, key)

    @property
    def _ids(self) -> tuple[str, str]:
        return self.answers, self.names.key

    def lacking(self) -> list[str]:
        """Return the names of the tables that ``make`` makes.

        Raises:
            SqlError: A table of other columns, or of ids of another type, has the name.
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
        """Whether a table is there, and takes the ids that there are.

        Raises:
            SqlError: It has other columns, or holds rows by ids of another type.
        """
        if not self._database.has_table(table):
            return False
        name = self._database.shown(table)
        if {*self._database.columns(table)} != {*types}:
            reason = f"{name} is there and none of ours; name another one"
            raise SqlError(self._database.url, "names", reason)
        column = next(name for name, kind in types.items() if not kind)
        kind = self._database.misfit(table, column, self._ids)
        if kind and table == self.side:
            reason = f"{self.names.key!r} is of another type than when {name} was made; run "
            reason += (
                f"ALTER TABLE {name} ALTER {column} TYPE {kind}, or name another one (into)"
            )
            raise SqlError(self._database.url, "keys", reason)
        return kind is None
