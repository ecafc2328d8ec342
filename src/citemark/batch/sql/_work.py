"""What processes do with a range of answers: read, annotate, write and commit its pages."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from citemark.batch.rows import SCHEMA, annotate_row, content_digest, failed_row, is_null
from citemark.batch.sql._database import open_database
from citemark.batch.sql._faults import SqlError
from citemark.batch.sql._pages import Made, Pages, StoredRow
from citemark.batch.sql._plan import Plan
from citemark.batch.sql._sources import StoredSources
from citemark.batch.sql._tables import Tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from citemark.batch.options import BatchOptions
    from citemark.batch.sources import SourcesTable
    from citemark.batch.sql._tables import SqlNames
    from citemark.batch.where import Where

__all__ = ["Done", "RangeJob", "RangeTask", "Settings"]


@dataclass(frozen=True, slots=True)
class RangeTask:
    """A range, or one answer of it."""

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
    fault: SqlError | None = None
    """Why it was not done to its end."""

    def __add__(self, other: Done) -> Done:
        return Done(
            self.rows + other.rows,
            self.errors + other.errors,
            self.nulls + other.nulls,
            self.kept + other.kept,
            self.kept_errors + other.kept_errors,
            self.fault or other.fault,
        )


@dataclass(frozen=True, slots=True)
class Settings:
    """What all processes are told."""

    url: str = field(repr=False)
    names: SqlNames
    options: BatchOptions
    sources: SourcesTable
    sources_digest: str
    where: tuple[Where, ...]
    retry_errors: bool
    run: str
    """Digest of all that the result depends on."""

    @property
    def more(self) -> list[str]:
        """Columns that conditions may mean."""
        return [n for one in self.where for n in (one.column, one.column.partition(".")[0])]

    def is_same(self, stored: StoredRow, digest: str) -> bool:
        """Whether a row would be made again in the same way."""
        made_with = (digest, self.options.digest, self.sources_digest, SCHEMA)
        return stored.made_with == made_with and not (self.retry_errors and stored.had_error)


class _Worker:
    """What a process has open."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.database = open_database(settings.url)
        try:
            self._look()
        except SqlError:
            self.database.close()
            raise

    def _look(self) -> None:
        database, names = self.database, self.settings.names
        tables = Tables(database, names, self.settings.more)
        self.plan = Plan(database, tables, self.settings.run)
        self.pages = Pages(database, tables)
        self.sources = StoredSources(database, tables) if names.sources else None

    def step(self, task: RangeTask, failure: str | None = None) -> Done | None:
        """Do a page of a range, or one answer; None if there is none, or others have it.

        Args:
            task: What is done.
            failure: Why the answer cannot be annotated, if it cannot.
        """
        with self.database.reading():
            range_ = self.plan.claim(task.number)
            if range_ is None:
                return None
            is_whole = task.key is None
            page = self.pages.after(range_) if is_whole else self.pages.one(task.key)
            if not page:
                if is_whole:
                    self.plan.end(range_)
                return None
            self.plan.require_text(*(stored.key for stored in page))
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
        faults = self.sources.resolve(page) if self.sources else {}
        made, kept, kept_errors = [], 0, 0
        for index, stored in enumerate(page):
            if not all(condition.takes(stored.row) for condition in self.settings.where):
                continue
            digest = content_digest(stored.row)
            if failure is None and self.settings.is_same(stored, digest):
                kept += 1
                kept_errors += stored.had_error
                continue
            made.append(self._made(stored, digest, failure or faults.get(index)))
        return made, Done(kept=kept, kept_errors=kept_errors)

    def _made(self, stored: StoredRow, digest: str, failure: str | None) -> Made:
        settings = self.settings
        if failure is None:
            found = annotate_row(stored.row, settings.options, settings.sources)
        else:
            found = failed_row(stored.row, settings.options, failure)
            found["content_digest"] = digest
        return Made(stored, found, settings.sources_digest)


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
        with _opened(self._settings) as worker:
            range_ = worker.plan.claim(task.number)
            page = worker.pages.after(range_) if range_ else []
        return [RangeTask(task.number, stored.key) for stored in page]

    def join(self, results: list[Done]) -> Done:
        """Return the result of a task from those of its parts."""
        return sum(results, Done())

    def failed(self, task: RangeTask, reason: str) -> Done:
        """Write the row of an answer that ends each process that reads it."""
        if task.key is None:  # the range was done by others in the meantime
            return Done()
        with _opened(self._settings) as worker:
            return worker.step(task, reason) or Done()

    def weight(self, task: RangeTask) -> int:  # noqa: ARG002  the answers are not in it
        """Return the bytes of a task."""
        return 0

    def close(self) -> None:
        """End the connection of this process."""
        if self._worker is not None:
            self._worker.database.close()
        self._worker = None


@contextmanager
def _opened(settings: Settings) -> Iterator[_Worker]:
    worker = _Worker(settings)
    try:
        yield worker
    finally:
        worker.database.close()
