"""What processes do with a range of answers: read, annotate, write and commit its pages."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from citemark.batch.rows import is_null
from citemark.batch.sql._faults import SqlError
from citemark.batch.sql._reader import Reader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citemark.batch.sql._pages import Made, StoredRow
    from citemark.batch.sql._settings import Settings

__all__ = ["Done", "RangeJob", "RangeTask"]


@dataclass(frozen=True, slots=True)
class RangeTask:
    """A range of a plan, or one answer of it."""

    plan: str
    number: int
    key: Any = None
    """The id of the answer; None for all that are left."""


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a task."""

    rows: int = 0
    errors: int = 0
    nulls: int = 0
    kept: int = 0
    kept_errors: int = 0
    left_out: int = 0
    fault: SqlError | None = None
    """Why it was not done to its end."""

    def __add__(self, other: Done) -> Done:
        return Done(
            self.rows + other.rows,
            self.errors + other.errors,
            self.nulls + other.nulls,
            self.kept + other.kept,
            self.kept_errors + other.kept_errors,
            self.left_out + other.left_out,
            self.fault or other.fault,
        )


class _Worker(Reader):
    """What a process has open."""

    def step(self, task: RangeTask, failure: str | None = None) -> Done | None:
        """Do a page of a range, or one answer; None if there is none, or others have it.

        Args:
            task: What is done.
            failure: Why the answer cannot be annotated, if it cannot.
        """
        with self.database.telling(), self.database.reading():
            range_ = self.plan.claim(task.plan, task.number)
            if range_ is None:
                return None
            is_whole = task.key is None
            page = self.pages.after(range_) if is_whole else self.pages.one(range_, task.key)
            if not page:
                if is_whole:
                    self.plan.end(range_)
                return None
            made, done = self._annotated(page, failure)
            with self.database.writing():
                if not self.plan.advance(range_, page[-1].key):
                    return Done()
                written = self.pages.write(made, self.settings.options)
                if is_whole and page[-1].key == range_.last:
                    self.plan.end(replace(range_, step=range_.step + 1))
        return done + _counted(written)

    def _annotated(
        self, page: Sequence[StoredRow], failure: str | None
    ) -> tuple[list[Made], Done]:
        """Return what becomes of a page: rows that are to be written, and what is kept."""
        made, done = [], Done()
        for read in self.read(page):
            if not read.is_wanted:
                done += Done(left_out=1)
            elif failure is None and read.why is None:
                done += Done(kept=1, kept_errors=int(read.stored.had_error))
            else:
                made.append(self.made(read, failure))
        return made, done


def _counted(written: Sequence[Made]) -> Done:
    return Done(
        rows=len(written),
        errors=sum(one.found["error"] is not None for one in written),
        nulls=sum(is_null(one.stored.row.get("answer")) for one in written),
    )


class RangeJob:
    """The job of a pool: see ``pool.Job``.  Each process has a connection of its own."""

    def __init__(self, settings: Settings) -> None:
        """Connect later: the job goes to other processes."""
        self._settings = settings
        self._worker: _Worker | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pass the settings to another process, without the connection."""
        return RangeJob, (self._settings,)

    def run(self, task: RangeTask) -> Done:
        """Do a range to its end, a page a transaction; or one answer of it."""
        done = Done()
        try:
            self._worker = self._worker or _Worker(self._settings)
            while (step := self._worker.step(task)) is not None:
                done += step
                if task.key is not None:
                    break
        except SqlError as fault:
            self.close()
            return done + Done(fault=fault)
        return done

    def split(self, task: RangeTask) -> list[RangeTask]:
        """Return a task for each answer of the next page of a range."""
        if task.key is not None:
            return [task]
        with closing(_Worker(self._settings)) as worker, worker.database.reading():
            range_ = worker.plan.claim(task.plan, task.number)
            page = worker.pages.after(range_) if range_ else []
        return [replace(task, key=stored.key) for stored in page]

    def join(self, results: list[Done]) -> Done:
        """Return the result of a task from those of its parts."""
        return sum(results, Done())

    def failed(self, task: RangeTask, reason: str) -> Done:
        """Write the row of an answer that ends each process that reads it."""
        parts = self.split(task)
        if len(parts) != 1:  # the range was done by others in the meantime
            return Done()
        with closing(_Worker(self._settings)) as worker:
            return worker.step(parts[0], reason) or Done()

    def weight(self, task: RangeTask) -> int:  # noqa: ARG002  the answers are not in it
        """Return the bytes of a task."""
        return 0

    def close(self) -> None:
        """End the connection of this process."""
        if self._worker is not None:
            self._worker.close()
        self._worker = None
