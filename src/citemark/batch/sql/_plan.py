"""Which ranges of ids are to be done, as rows of a table that all processes share."""

from __future__ import annotations

import secrets
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from citemark.batch.rows import VERSION
from citemark.batch.sql._database import UndecodedText
from citemark.batch.sql._faults import SqlError, others_write

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

NONCE_BYTES: Final = 8
"""Of the name of a plan: no other one, made for the same run again, is called so."""


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

    plan: str = ""
    """Name of the plan that it is of."""


@dataclass(frozen=True, slots=True)
class Deleted:
    """Rows of the side table whose answers are gone."""

    count: int = 0
    ids: tuple[str, ...] = ()
    """Some of them."""


class Plan:
    """The ranges of a run.  Its table has those of one plan at a time.

    A plan has a name of its own, so that what was read by an earlier one is never noted in it.

    Args:
        database: A connection.
        tables: Whose answers are done.
        run: A digest of all that the result depends on: plans of equal runs start with it.
    """

    def __init__(self, database: Database, tables: Tables, run: str) -> None:
        """Read and write nothing yet."""
        self._database, self._tables, self._run = database, tables, run
        self.name = ""

    @contextmanager
    def begun(self, limit: int | None, *, resume: bool) -> Iterator[bool]:
        """Have a plan, and keep runs of another kind away meanwhile: a context manager.

        Args:
            limit: The greatest number of answers.
            resume: Whether to take one that an equal run left, if there is one.

        Yields:
            Whether there was one.

        Raises:
            SqlError: A run of another kind writes there, or two answers have one id.
        """
        with self._database.present(self._tables.work, self._run):
            goes_on = resume and self.find()
            if not goes_on:
                self.make(limit)
            yield goes_on

    def find(self) -> bool:
        """Take the plan that an equal run made; return whether there is one."""
        found = self._database.run(
            f"SELECT run FROM {self._tables.work} WHERE run LIKE {self._database.mark} LIMIT 1",
            [f"{self._run}%"],
        )
        self.name = found[0][0] if found else self.name
        return bool(found)

    def goes_on(self) -> bool:
        """Whether there are ranges; if an equal run began anew, they are those of its plan.

        Raises:
            SqlError: A run of another kind has put its plan in the place of this one.
        """
        if self.left()[0] or self.find():
            return True
        if self._database.run(f"SELECT 1 FROM {self._tables.work} LIMIT 1"):
            raise others_write(self._database.url)
        return False

    def make(self, limit: int | None = None) -> None:
        """Cut all ids into ranges; those of earlier plans, of whichever run, are forgotten.

        Args:
            limit: The greatest number of answers.

        Raises:
            SqlError: Two answers have one id.
        """
        database, mark = self._database, self._database.mark
        answers, key, work = self._tables.answers, self._tables.key, self._tables.work
        with database.telling(), database.planning():
            self.require_unique()
            total = self._total(limit)
            ends = f"n = n / {RANGE} * {RANGE}"  # a percent sign would be a parameter
            if limit is not None:  # answers may be deleted between two statements
                ends += f" OR n = {total} OR n = (SELECT count({key}) FROM {answers})"
            database.run(f"DELETE FROM {work}")
            self.name = f"{self._run}.{secrets.token_hex(NONCE_BYTES)}"
            database.run(
                f"INSERT INTO {work} (run, number, after, last, step, answers) "
                f"SELECT CAST({mark} AS text), n, lag(k) OVER (ORDER BY n), k, 0, "
                "n - coalesce(lag(n) OVER (ORDER BY n), 0) "
                f"FROM (SELECT {key} AS k, row_number() OVER (ORDER BY {key}) AS n "
                f"FROM {answers} WHERE {key} IS NOT NULL) AS numbered "
                f"WHERE n <= {total} AND ({ends})",
                [self.name],
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
                [self.name, last],
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
            [self.name],
        )
        return ranges, int(answers)

    def claim(self, plan: str, number: int) -> Range | None:
        """Return a range; None if it is done, its plan is gone, or another process has it.

        Raises:
            SqlError: An id cannot be read.
        """
        return self._range(self._database.claim(self._statement()), plan, number)

    def look(self, number: int) -> Range | None:
        """Return a range, whoever has it; None if it is done.

        Raises:
            SqlError: An id cannot be read.
        """
        return self._range(self._statement(), self.name, number)

    def _range(self, statement: str, plan: str, number: int) -> Range | None:
        found = self._database.run(statement, [plan, number])
        for one in found:
            self.require_text(*one)
        return Range(*found[0]) if found else None

    def _statement(self) -> str:
        mark, as_key = self._database.mark, self._database.as_key
        return (
            f"SELECT number, {as_key('after')}, {as_key('last')}, step, run "
            f"FROM {self._tables.work} WHERE run = {mark} AND number = {mark}"
        )

    def advance(self, range_: Range, after: object) -> bool:
        """Note up to where a range is done.

        Returns:
            Whether it was as it had been read: nobody else has done it, its plan is there.
        """
        mark = self._database.mark
        changed = self._database.change(
            f"UPDATE {self._tables.work} SET after = {mark}, step = step + 1 "
            f"WHERE run = {mark} AND number = {mark} AND step = {mark}",
            [after, range_.plan, range_.number, range_.step],
        )
        return changed == 1

    def end(self, range_: Range) -> None:
        """Forget a range that is done."""
        mark = self._database.mark
        self._database.change(
            f"DELETE FROM {self._tables.work} "
            f"WHERE run = {mark} AND number = {mark} AND step = {mark}",
            [range_.plan, range_.number, range_.step],
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
        key = f"a.{self._tables.key}"  # first as its index has it, then as rows are found
        gone = (
            f"FROM {self._tables.side} AS c WHERE c.version = {self._database.mark} "
            f"AND NOT EXISTS (SELECT 1 FROM {self._tables.answers} AS a "
            f"WHERE {key} = c.answer_id AND c.answer_id = {self._database.bare(key)})"
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
                reason = f"{self._tables.names.key}: {bytes(key)!r} is {key.fault}"
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
            [self.name, total + 1, *([self.name] if total >= RANGE else []), total % RANGE],
        )
