"""What tables and columns are called, by the caller and in statements."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from citemark._chunks import well_formed
from citemark.batch._arguments import require_type
from citemark.batch.rows import INPUT
from citemark.batch.sql._faults import SqlError
from citemark.errors import ArgumentTypeError

if TYPE_CHECKING:
    from citemark.batch.sql._database import Database

__all__ = [
    "SqlNames",
    "SqlSources",
    "columns_of",
    "no_column",
    "quoted_table",
    "side_name",
    "side_tables",
]

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

    def __post_init__(self) -> None:
        """Refuse what can be no name.

        Raises:
            ArgumentTypeError: It names the field.
        """
        for name in ("table", "set", "id"):
            _require_name(name, getattr(self, name))
        if self.order is not None:
            _require_name("order", self.order)
        object.__setattr__(self, "columns", _columns(self.columns))


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

    def __post_init__(self) -> None:
        """Refuse what can be no name.

        Raises:
            ArgumentTypeError: It names the field.
        """
        _require_name("table", self.table)
        _require_name("key", self.key)
        if self.into is not None:
            _require_name("into", self.into)
        if not isinstance(self.sources, SqlSources | None):
            raise ArgumentTypeError(self.sources, "sources", 'SqlSources("TABLE", ...)')
        object.__setattr__(self, "columns", _columns(self.columns))


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


def _require_name(name: str, value: object) -> None:
    require_type(name, value, str, "a name as str")


def _columns(columns: object) -> dict[str, str | None]:
    """Return columns as they go to other processes, whatever mapping they are given as."""
    if not isinstance(columns, Mapping):
        expected = 'columns by what they are, as in {"answer": "body"}'
        raise ArgumentTypeError(columns, "columns", expected)
    for name, column in columns.items():
        _require_name("columns", name)
        if column is not None:
            _require_name(f"columns[{name!r}]", column)
    return dict(columns)
