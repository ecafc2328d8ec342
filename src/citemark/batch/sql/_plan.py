"""Which ranges of ids are to be done, as rows of a table that all processes share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from citemark.batch.rows import VERSION
from citemark.batch.sql._faults import SqlError
from citemark.batch.sql._sqlite import UndecodedText

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citemark.batch.sql._database import Database
    from citemark.batch.sql._tables import Tables

__all__ = ["Deleted", "Plan", "Range"]

RANGE: Final = 1_000
"""Answers of a range: what a process takes at once."""

LOOKED_AHEAD: Final = 1_000
"""Ranges whose numbers are read at once."""

SHOWN: Final = 10
"""Ids of deleted answers that are told."""


@dataclass(frozen=True, slots=True)
class Range:
    """A range of ids, and how far it is done."""

    number: int
    after: Any
    """The last id that is done; None if there is none."""

    last: Any
    """The last id of the range; None for all that there are."""

    step: int
    """How many pages are done."""


@dataclass(frozen=True, slots=True)
class Deleted:
    """Rows of the side table whose answers are gone."""

    count: int = 0
    ids: tuple[str, ...] = ()
    """Some of them."""


class Plan:
    """The ranges of a run.

    Args:
        database: A connection.
        tables: Whose answers are done.
        run: A digest of all that the result depends on.
    """

    def __init__(self, database: Database, tables: Tables, run: str) -> None:
        """Read and write nothing yet."""
        self._database, self._tables, self._run = database, tables, run

    def make(self, limit: int | None = None) -> None:
        """Cut all ids into ranges; those of an earlier plan are forgotten.

        Args:
            limit: The greatest number of answers.

        Raises:
            SqlError: Two answers have one id.
        """
        database, mark = self._database, self._database.mark
        answers, key, work = self._tables.answers, self._tables.key, self._tables.work
        with database.planning():
            self.require_unique()
            total = self._total(limit)
            ends = f"n = n / {RANGE} * {RANGE}"  # a percent sign would be a parameter
            ends += "" if limit is None else f" OR n = {total}"
            database.run(f"DELETE FROM {work} WHERE run = {mark}", [self._run])
            database.run(
                f"INSERT INTO {work} (run, number, after, last, step, answers) "
                f"SELECT CAST({mark} AS text), n, lag(k) OVER (ORDER BY n), k, 0, "
                "n - coalesce(lag(n) OVER (ORDER BY n), 0) "
                f"FROM (SELECT {key} AS k, row_number() OVER (ORDER BY {key}) AS n "
                f"FROM {answers} WHERE {key} IS NOT NULL) AS numbered "
                f"WHERE n <= {total} AND ({ends})",
                [self._run],
            )
            if limit is None:
                self._add_open_range(total)

    def ranges(self) -> Iterator[int]:
        """Yield the numbers of the ranges that are left."""
        mark, last = self._database.mark, -1
        while True:
            found = self._database.run(
                f"SELECT number FROM {self._tables.work} WHERE run = {mark} "
                f"AND number > {mark} ORDER BY number LIMIT {LOOKED_AHEAD}",
                [self._run, last],
            )
            yield from (number for (number,) in found)
            if len(found) < LOOKED_AHEAD:
                return
            last = found[-1][0]

    def left(self) -> tuple[int, int]:
        """Return how many ranges are left, and about how many answers."""
        [(ranges, answers)] = self._database.run(
            f"SELECT count(*), coalesce(sum(answers), 0) FROM {self._tables.work} "
            f"WHERE run = {self._database.mark}",
            [self._run],
        )
        return ranges, int(answers)

    def claim(self, number: int) -> Range | None:
        """Return a range; None if it is done, or another process has it.

        Raises:
            SqlError: An id cannot be read.
        """
        return self._range(self._database.claim(self._statement()), number)

    def look(self, number: int) -> Range | None:
        """Return a range, whoever has it; None if it is done.

        Raises:
            SqlError: An id cannot be read.
        """
        return self._range(self._statement(), number)

    def _range(self, statement: str, number: int) -> Range | None:
        found = self._database.run(statement, [self._run, number])
        for one in found:
            self.require_text(*one)
        return Range(*found[0]) if found else None

    def _statement(self) -> str:
        mark, as_key = self._database.mark, self._database.as_key
        return (
            f"SELECT number, {as_key('after')}, {as_key('last')}, step "
            f"FROM {self._tables.work} WHERE run = {mark} AND number = {mark}"
        )

    def advance(self, range_: Range, after: object) -> bool:
        """Note up to where a range is done; return whether nobody else has done it."""
        mark = self._database.mark
        changed = self._database.change(
            f"UPDATE {self._tables.work} SET after = {mark}, step = step + 1 "
            f"WHERE run = {mark} AND number = {mark} AND step = {mark}",
            [after, self._run, range_.number, range_.step],
        )
        return changed == 1

    def end(self, range_: Range) -> None:
        """Forget a range that is done."""
        mark = self._database.mark
        self._database.change(
            f"DELETE FROM {self._tables.work} "
            f"WHERE run = {mark} AND number = {mark} AND step = {mark}",
            [self._run, range_.number, range_.step],
        )

    def without_id(self) -> int:
        """Return how many answers have no id; they cannot be referred to."""
        key = self._tables.key
        [(count,)] = self._database.run(
            f"SELECT count(*) FROM {self._tables.answers} WHERE {key} IS NULL"
        )
        return int(count)

    def deleted(self) -> Deleted:
        """Return which rows were made of answers that are gone."""
        gone = (
            f"FROM {self._tables.side} AS c WHERE c.version = {self._database.mark} "
            f"AND NOT EXISTS (SELECT 1 FROM {self._tables.answers} AS a "
            f"WHERE a.{self._tables.key} = c.answer_id)"
        )
        id_ = self._database.as_key("c.answer_id")
        found = self._database.run(
            f"SELECT {id_} {gone} ORDER BY c.answer_id LIMIT {SHOWN}", [VERSION]
        )
        if not found:
            return Deleted()
        [(count,)] = self._database.run(f"SELECT count(*) {gone}", [VERSION])
        return Deleted(int(count), tuple(str(id_) for (id_,) in found))

    def require_unique(self) -> None:
        """Refuse answers that cannot be told apart.

        Raises:
            SqlError: Two answers have one id.
        """
        key = self._tables.key
        twice = self._database.run(
            f"SELECT {self._database.as_key(key)} "
            f"FROM {self._tables.answers} WHERE {key} IS NOT NULL "
            f"GROUP BY {key} HAVING count(*) > 1 LIMIT 1"
        )
        if twice:
            reason = f"{self._tables.names.key} is not unique: two answers have {twice[0][0]!r}"
            raise SqlError(self._database.url, "keys", reason)

    def require_text(self, *keys: object) -> None:
        """Refuse an id that could not be found again.

        Raises:
            SqlError: It is one.
        """
        for key in keys:
            if isinstance(key, UndecodedText):
                reason = f"{self._tables.names.key}: {key!r} is no UTF-8"
                raise SqlError(self._database.url, "keys", reason)

    def _total(self, limit: int | None) -> int:
        [(count,)] = self._database.run(
            f"SELECT count({self._tables.key}) FROM {self._tables.answers}"
        )
        return int(count) if limit is None else min(int(count), limit)

    def _add_open_range(self, total: int) -> None:
        """Add the range of what is left over, and of answers that come in the meantime."""
        mark, work = self._database.mark, self._tables.work
        end = (
            f"(SELECT last FROM {work} WHERE run = {mark} ORDER BY number DESC LIMIT 1)"
            if total >= RANGE
            else "NULL"
        )
        self._database.run(
            f"INSERT INTO {work} (run, number, after, last, step, answers) "
            f"VALUES ({mark}, {mark}, {end}, NULL, 0, {mark})",
            [self._run, total + 1, *([self._run] if total >= RANGE else []), total % RANGE],
        )
