"""Pages of answers: read with what was made of them before, and written beside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from citemark.batch._strict import encode
from citemark.batch.rows import VERSION, failed_row
from citemark.batch.sql._faults import RowRefusedError, SqlError
from citemark.batch.sql._tables import FOUND, MADE_WITH, SIDE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from citemark.batch.options import BatchOptions
    from citemark.batch.sql._database import Database
    from citemark.batch.sql._plan import Range
    from citemark.batch.sql._tables import Tables

__all__ = ["PAGE", "Made", "Pages", "StoredRow"]

PAGE: Final = 250
"""Answers that are read, and committed, at once."""

MAX_BYTES: Final = 16 << 20
"""Of a page; one answer may have more."""


@dataclass(frozen=True, slots=True)
class StoredRow:
    """An answer as it stands in its table."""

    key: Any
    row: dict[str, Any]
    """What is read of it, as ``annotate_row`` takes it."""

    made_with: tuple[Any, ...]
    """Content, options, sources and schema with which it was made before; all None if not."""

    had_error: bool
    """Whether it was made with an error."""


@dataclass(frozen=True, slots=True)
class Made:
    """What became of an answer."""

    stored: StoredRow
    found: dict[str, Any]
    """The row that ``annotate_row`` made."""

    sources_digest: str
    """Of the table of sources that the run was given."""


class Pages:
    """Reads pages of a range, and writes what became of them."""

    def __init__(self, database: Database, tables: Tables) -> None:
        """Read and write nothing yet."""
        self._database, self._tables = database, tables
        self._upsert = self._upsert_statement()

    def after(self, range_: Range, count: int = PAGE) -> list[StoredRow]:
        """Return the next answers of a range, in order of their ids."""
        mark, key = self._database.mark, f"a.{self._tables.key}"
        conditions = [f"{key} IS NOT NULL"]
        values = []
        for sign, bound in ((">", range_.after), ("<=", range_.last)):
            if bound is not None:
                conditions.append(f"{key} {sign} {mark}")
                values.append(bound)
        return self._read(" AND ".join(conditions), values, count)

    def one(self, key: object) -> list[StoredRow]:
        """Return one answer; none if it is gone."""
        return self._read(f"a.{self._tables.key} = {self._database.mark}", [key], 1)

    def write(self, made: Sequence[Made], options: BatchOptions) -> list[Made]:
        """Write rows; what the database refuses becomes a row with an error.

        Returns:
            The rows as they were written.
        """
        try:
            with self._database.trying():
                self._database.run_each(self._upsert, [_values(one) for one in made])
        except RowRefusedError:
            return [self._write_one(one, options) for one in made]
        return list(made)

    def _write_one(self, made: Made, options: BatchOptions) -> Made:
        try:
            with self._database.trying():
                self._database.run(self._upsert, _values(made))
        except RowRefusedError as error:
            row = {"id": made.stored.row.get("id")}
            found = failed_row(row, options, str(error))
            found["content_digest"] = made.found["content_digest"]
            made = Made(made.stored, found, made.sources_digest)
            self._database.run(self._upsert, _values(made))
        return made

    def _read(self, condition: str, values: list[Any], count: int) -> list[StoredRow]:
        try:
            rows = self._database.run(self._statement(condition), [*values, count, VERSION])
        except RowRefusedError as error:
            raise SqlError(self._database.url, "failed", f"cannot be read: {error}") from None
        names = ["id", *self._tables.read]
        width = len(names)
        return [
            StoredRow(
                key=row[0],
                row=dict(zip(names, row[:width], strict=True)),
                made_with=row[width:-1],
                had_error=bool(row[-1]),
            )
            for row in rows
        ]

    def _statement(self, condition: str) -> str:
        """Return what reads answers in order, up to a number and a weight."""
        tables, database = self._tables, self._database
        columns = [tables.key, *tables.read.values()]
        given = ", ".join(f"a.{column} AS c{n}" for n, column in enumerate(columns))
        names = ", ".join(f"p.c{n}" for n in range(len(columns)))
        sizes = [f"coalesce({database.size(f'c{n}')}, 0)" for n in range(1, len(columns))]
        before = ", ".join(f"c.{name}" for name in MADE_WITH)
        return (
            f"SELECT {names}, {before}, c.error IS NOT NULL FROM ("
            f"SELECT i.*, sum({' + '.join(sizes)}) OVER (ORDER BY c0 ROWS UNBOUNDED PRECEDING) "
            f"AS weight, {' + '.join(sizes)} AS own FROM ("
            f"SELECT {given} FROM {tables.answers} AS a WHERE {condition} "
            f"ORDER BY a.{tables.key} LIMIT {database.mark}) AS i) AS p "
            f"LEFT JOIN {tables.side} AS c ON c.answer_id = {database.bare('p.c0')} "
            f"AND c.version = {database.mark} "
            f"WHERE p.weight - p.own < {MAX_BYTES} ORDER BY p.c0"
        )

    def _upsert_statement(self) -> str:
        names = ", ".join(SIDE)
        marks = ", ".join(self._database.mark for _ in SIDE)
        changes = ", ".join(f"{name} = excluded.{name}" for name in SIDE[2:])
        return (
            f"INSERT INTO {self._tables.side} ({names}) VALUES ({marks}) "
            f"ON CONFLICT (answer_id, version) DO UPDATE SET {changes}"
        )


def _values(made: Made) -> tuple[Any, ...]:
    row: Mapping[str, Any] = made.found
    error = row["error"]
    return (
        made.stored.key,
        VERSION,
        row["content_digest"],
        row["options_digest"],
        made.sources_digest,
        row["schema"],
        *(None if row[name] is None else encode(row[name]).decode() for name in FOUND),
        None if error is None else error.replace("\0", "\ufffd"),
    )
