"""Stored answers in SQLite and PostgreSQL: what is made of them stands in a table beside them.

The table of the answers is only read.  A row of the side table is written with its page, in one
transaction; a run that was stopped has done whole pages, and a later one does the rest.
"""

from __future__ import annotations

import hashlib
import time
from contextlib import closing
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Final

from citemark.batch._strict import encode
from citemark.batch.options import DIGEST_BYTES, BatchOptions
from citemark.batch.pool import cpu_count, each
from citemark.batch.rows import SCHEMA, VERSION
from citemark.batch.sources import SourcesTable
from citemark.batch.sql._database import open_database
from citemark.batch.sql._faults import SqlError, SqlFault
from citemark.batch.sql._plan import Deleted, Plan
from citemark.batch.sql._sources import StoredSources
from citemark.batch.sql._tables import SqlNames, SqlSources, Tables
from citemark.batch.sql._work import Done, RangeJob, RangeTask, Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from citemark.batch.sql._database import Database
    from citemark.batch.where import Where

__all__ = [
    "SqlError",
    "SqlFault",
    "SqlNames",
    "SqlRun",
    "SqlSources",
    "SqlState",
    "SqlTally",
]

WAIT: Final = 0.5
"""Seconds between looks at ranges that another run has."""


@dataclass(slots=True)
class SqlTally:
    """How far a run is."""

    total: int = 0
    """Answers to look at; about, if an earlier run had begun."""

    rows: int = 0
    """Rows that were written, by this run."""

    errors: int = 0
    """Of these, rows with an ``error``."""

    nulls: int = 0
    """Of these, rows without an answer."""

    kept: int = 0
    """Answers whose row was there, and the same."""

    kept_errors: int = 0
    """Of these, rows with an ``error``."""

    waiting: int = 0
    """Ranges that another run has; this one waits for it."""

    without_id: int = 0
    """Answers whose id is null: they are left out.  Known at the end."""

    deleted: int = 0
    """Rows of answers that are gone; they stay.  Known at the end."""

    deleted_ids: tuple[str, ...] = ()
    """Some of their ids."""


@dataclass(frozen=True, slots=True)
class SqlState:
    """What a run would find."""

    answers: int
    """Rows of the table of answers with an id."""

    made: int
    """Rows of the side table, of this version of the library."""

    unfinished: int
    """Ranges that an earlier run of the same kind left."""


@dataclass
class SqlRun:
    """A run over the answers of a database.

    ``state`` says what is there, ``go`` does it.
    """

    url: str = field(repr=False)
    """``sqlite:///FILE`` or ``postgresql://USER@HOST/DATABASE``."""

    options: BatchOptions = field(default_factory=BatchOptions)
    names: SqlNames = field(default_factory=SqlNames)

    sources: SourcesTable = field(default_factory=SourcesTable)
    """Sources that answers refer to, if they are in no table of the database."""

    where: Sequence[Where] = ()
    """Conditions that an answer has to meet, all of them."""

    limit: int | None = None
    """Only so many answers are looked at: those with the least ids."""

    workers: int | None = None
    """Processes; one for each CPU by default; 0 works in this process."""

    resume: bool = False
    """Whether to go on where an earlier run ended, or to join one; else all are looked at."""

    retry_errors: bool = False
    """Whether to make rows with an ``error`` again."""

    report: Callable[[SqlTally], None] = lambda tally: None  # noqa: ARG005  nobody listens
    """Called after each range."""

    def state(self) -> SqlState:
        """Return what is there; nothing is written.

        Raises:
            SqlError: The database or its tables cannot be used.
        """
        with closing(open_database(self.url)) as database:
            tables = self._tables(database)
            return SqlState(
                _count(database, tables.answers, f"{tables.key} IS NOT NULL"),
                _count(database, tables.side, f"version = {database.mark}", VERSION),
                _count(database, tables.work, f"run = {database.mark}", self._settings().run),
            )

    def go(self) -> SqlTally:
        """Make a row for each answer that is new or changed.

        Raises:
            SqlError: The database or its tables cannot be used, or the connection was lost.
            ProcessStartError: No worker starts.
        """
        tally = SqlTally()
        settings = self._settings()
        with closing(open_database(self.url)) as database:
            tables = self._tables(database)
            tables.make()
            plan = Plan(database, tables, settings.run)
            if not (self.resume and plan.left()[0]):
                plan.make(self.limit)
            tally.total = plan.left()[1]
            self._work(plan, settings, tally)
            tally.without_id = plan.without_id()
            deleted: Deleted = plan.deleted()
        tally.deleted, tally.deleted_ids = deleted.count, deleted.ids
        return tally

    def _work(self, plan: Plan, settings: Settings, tally: SqlTally) -> None:
        workers = cpu_count() if self.workers is None else self.workers
        with closing(RangeJob(settings)) as job, each(job, workers) as work:
            while plan.left()[0]:
                before = tally.rows + tally.kept
                for done in work(RangeTask(number) for number in plan.ranges()):
                    _add(tally, done)
                    self.report(tally)
                tally.waiting = plan.left()[0]
                if tally.waiting and before == tally.rows + tally.kept:
                    self.report(tally)
                    time.sleep(WAIT)

    def _tables(self, database: Database) -> Tables:
        """Look at all tables, before anything is written."""
        tables = Tables(database, self.names, self._settings().more)
        for one in self.where:
            if not {one.column, one.column.partition(".")[0]} & {"id", *tables.read}:
                raise SqlError(self.url, "missing", f"where: no column {one.column!r} is read")
        if self.names.sources:
            StoredSources(database, tables)
        return tables

    def _settings(self) -> Settings:
        where = [f"{one.column}{one.sign}{one.value}" for one in self.where]
        digest = self.sources.digest
        known = [asdict(self.names), self.options.digest, digest, where, self.limit]
        known += [VERSION, SCHEMA, self.retry_errors]
        run = hashlib.blake2b(encode(known, sort_keys=True), digest_size=DIGEST_BYTES)
        return Settings(
            self.url,
            self.names,
            self.options,
            self.sources,
            digest,
            tuple(self.where),
            self.retry_errors,
            run.hexdigest(),
        )


def _add(tally: SqlTally, done: Done) -> None:
    for name in ("rows", "errors", "nulls", "kept", "kept_errors"):
        setattr(tally, name, getattr(tally, name) + getattr(done, name))
    if done.fault is not None:
        raise done.fault


def _count(database: Database, table: str, condition: str, *values: object) -> int:
    if not database.has_table(table):
        return 0
    [(count,)] = database.run(f"SELECT count(*) FROM {table} WHERE {condition}", values)
    return int(count)
