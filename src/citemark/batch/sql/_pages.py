"""Pages of answers: read with what was made of them before, and written beside them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from citemark._chunks import well_formed
from citemark.batch._strict import encode
from citemark.batch.rows import VERSION, failed_row
from citemark.batch.sql._faults import RowRefusedError, SqlError
from citemark.batch.sql._tables import FOUND, MADE_WITH, SIDE
from citemark.errors import shortened

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from citemark.batch.options import BatchOptions
    from citemark.batch.sql._database import Database
    from citemark.batch.sql._plan import Range
    from citemark.batch.sql._tables import Tables

__all__ = ["PAGE", "Made", "Pages", "StoredRow", "bounded"]

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

    more: dict[str, Any]
    """What conditions ask for besides."""

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
        """Look whether anything was made before."""
        self._database, self._tables = database, tables
        has_side = database.has_table(tables.side)
        self._side = tables.side if has_side else self._no_side()
        self._upsert = self._upsert_statement()
        self._columns = [*tables.read.values(), *tables.more.values()]
        self._forms = database.as_read(tables.answers, self._columns)

    def after(self, range_: Range, count: int = PAGE) -> list[StoredRow]:
        """Return the next answers of a range, in order of their ids."""
        return self._read_where(((">", range_.after), ("<=", range_.last)), count)

    def one(self, range_: Range, key: object) -> list[StoredRow]:
        """Return one answer; none if it is gone, or done: a range does not go back."""
        return self._read_where(((">", range_.after), ("=", key)), 1)

    def find(self, id_: str) -> StoredRow | None:
        """Return the answer whose id is shown so; None if there is none."""
        statement = self._statement(f"a.{self._tables.key} = {self._database.mark}")
        for form in self._database.forms(id_):
            # It may be no number, say, where ids are numbers.
            with suppress(RowRefusedError), self._database.trying():
                rows = self._rows(self._database.run(statement, [form, 1, VERSION]))
                if rows:
                    return rows[0]
        return None

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
            self._try(made)
        except RowRefusedError as error:
            row = {"id": made.stored.row.get("id")}
            found = failed_row(row, options, str(error))
            found["content_digest"] = made.found["content_digest"]
            made = Made(made.stored, found, made.sources_digest)
            self._write_error(made)
        return made

    def _write_error(self, made: Made) -> None:
        try:
            self._try(made)
        except RowRefusedError as error:  # it is the id that is refused, or each row
            id_ = shortened(str(made.stored.key))
            reason = f"no row of the answer {id_!r} can be written: {error}"
            raise SqlError(self._database.url, "keys", reason) from None

    def _try(self, made: Made) -> None:
        with self._database.trying():
            self._database.run(self._upsert, _values(made))

    def _read_where(self, bounds: Sequence[tuple[str, object]], count: int) -> list[StoredRow]:
        """Return answers within bounds of their ids, of which None is none."""
        key, known = f"a.{self._tables.key}", [one for one in bounds if one[1] is not None]
        conditions = [f"{key} {sign} {self._database.mark}" for sign, _ in known]
        condition = " AND ".join([f"{key} IS NOT NULL", *conditions])
        values = [*(bound for _, bound in known), count, VERSION]
        try:
            rows = self._database.run(self._statement(condition), values)
        except RowRefusedError as error:
            raise SqlError(self._database.url, "failed", f"cannot be read: {error}") from None
        return self._rows(rows)

    def _rows(self, rows: list[tuple[Any, ...]]) -> list[StoredRow]:
        names = ["id", *self._tables.read]
        own, width = len(names), 1 + len(self._columns)
        return [
            StoredRow(
                key=row[0],
                row=dict(zip(names, row[:own], strict=True)),
                more=dict(zip(self._tables.more, row[own:width], strict=True)),
                made_with=row[width:-1],
                had_error=bool(row[-1]),
            )
            for row in rows
        ]

    def _statement(self, condition: str) -> str:
        """Return what reads answers in order, up to a number and a weight."""
        tables, database = self._tables, self._database
        columns = [tables.key, *self._columns]
        forms = [self._forms.get(column, "{}") for column in columns]
        names = [form.format(f"p.c{n}") for n, form in enumerate(forms)]
        names[0] = database.as_key("p.c0")
        names += [f"c.{name}" for name in MADE_WITH]
        return (
            f"SELECT {', '.join(names)}, c.error IS NOT NULL "
            f"FROM {bounded(database, tables.answers, columns, condition)} AS p "
            f"LEFT JOIN {self._side} AS c ON c.answer_id = {database.bare('p.c0')} "
            f"AND c.version = {database.mark} ORDER BY p.c0"
        )

    def _no_side(self) -> str:
        """Return a side table without rows, while there is none."""
        nulls = ", ".join(f"NULL AS {name}" for name in SIDE[1:])
        answers = self._tables.answers
        return f"(SELECT {self._tables.key} AS answer_id, {nulls} FROM {answers} WHERE 1 = 0)"

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
        None if error is None else well_formed(error).replace("\0", "\ufffd"),
    )


def bounded(database: Database, table: str, columns: Sequence[str], condition: str) -> str:
    """Return a query for rows in order of the first column, up to a number and a weight.

    Args:
        database: Where it is run.
        table: Called ``a`` in the condition.
        columns: Called ``c0``, ``c1`` and so on in the query; the first one is an id.
        condition: Its parameters come before the number, which is the last.
    """
    given = ", ".join(f"a.{column} AS c{n}" for n, column in enumerate(columns))
    sizes = (f"coalesce({database.size(f'c{n}')}, 0)" for n in range(1, len(columns)))
    own = " + ".join(sizes)
    return (
        f"(SELECT * FROM (SELECT i.*, {own} AS own, "
        f"sum({own}) OVER (ORDER BY c0 ROWS UNBOUNDED PRECEDING) AS weight FROM ("
        f"SELECT {given} FROM {table} AS a WHERE {condition} "
        f"ORDER BY a.{columns[0]} LIMIT {database.mark}) AS i) AS w "
        f"WHERE w.weight - w.own < {MAX_BYTES})"
    )
