"""Stored answers in SQLite and PostgreSQL: what is made of them stands in a table beside them.

The table of the answers is only read.  A row of the side table is written with its page, in one
transaction; a run that was stopped has done whole pages, and a later one does the rest.
"""

from __future__ import annotations

import hashlib
import time
from contextlib import closing
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

from citemark.batch._strict import encode
from citemark.batch.options import DIGEST_BYTES, BatchOptions
from citemark.batch.pool import cpu_count, each
from citemark.batch.rows import SCHEMA, VERSION
from citemark.batch.sources import SourcesTable
from citemark.batch.sql._database import open_database
from citemark.batch.sql._faults import SqlError, SqlFault
from citemark.batch.sql._look import dry_run, explained, failed_rows_of, state_of
from citemark.batch.sql._reader import Reader
from citemark.batch.sql._settings import Settings
from citemark.batch.sql._tables import SqlNames, SqlSources, side_tables
from citemark.batch.sql._tally import SqlDryRun, SqlState, SqlTally
from citemark.batch.sql._work import Done, RangeJob, RangeTask

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from citemark.batch.sql._plan import Plan
    from citemark.batch.where import Where

__all__ = [
    "SqlDryRun",
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


@dataclass
class SqlRun:
    """A run over the answers of a database.

    ``state`` says what is there, ``dry_run`` what would be done, ``explain`` what becomes of
    one answer; ``go`` does it.
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

    begin: Callable[[SqlTally], None] = lambda tally: None  # noqa: ARG005  nobody listens
    """Called before the first range: ``goes_on`` says whether an earlier run left some."""

    report: Callable[[SqlTally], None] = lambda tally: None  # noqa: ARG005  nobody listens
    """Called after each range."""

    def state(self) -> SqlState:
        """Return what is there; nothing is written.

        Raises:
            SqlError: The database or its tables cannot be used.
        """
        with closing(Reader(self._settings())) as reader:
            return state_of(reader)

    def dry_run(self) -> SqlDryRun:
        """Return what ``go`` would do; all answers are read, nothing is written.

        Raises:
            SqlError: The database or its tables cannot be used, or the connection was lost.
        """
        with closing(Reader(self._settings())) as reader:
            return dry_run(reader, self.limit, self.report, resume=self.resume)

    def explain(self, id_: str) -> dict[str, Any] | None:
        """Return what becomes of one answer; nothing is written.

        Args:
            id_: Its id, as it is shown.

        Returns:
            ``action``: ``"make"``, ``"keep"`` or ``"leave out"``; ``why`` it is made, as in
            ``SqlDryRun.why``; ``input``, what is read, with its sources; ``output``, see
            ``annotate_row``.  None if there is no such answer.

        Raises:
            SqlError: The database or its tables cannot be used.
        """
        with closing(Reader(self._settings())) as reader:
            return explained(reader, id_)

    def failed_rows(self) -> str:
        """Return a statement that shows the rows with an ``error``, and why.

        Raises:
            SqlError: The database cannot be used.
        """
        with closing(open_database(self.url)) as database:
            side = database.shown(side_tables(database, self.names)[0])
        condition = f"version = '{VERSION}' AND error IS NOT NULL"
        return f"SELECT answer_id, error FROM {side} WHERE {condition}"

    def go(self) -> SqlTally:
        """Make a row for each answer that is new or changed.

        Raises:
            SqlError: The database or its tables cannot be used, or the connection was lost.
            ProcessStartError: No worker starts.
        """
        tally = SqlTally()
        settings = self._settings()
        with closing(Reader(settings)) as reader:  # all tables, before anything is written
            plan = reader.plan
            if reader.tables.lacking():
                plan.require_unique()
            reader.tables.make()
            tally.goes_on = self.resume and bool(plan.left()[0])
            if not tally.goes_on:
                plan.make(self.limit)
            tally.total = plan.left()[1]
            self.begin(tally)
            self._work(plan, settings, tally)
            if self.resume or tally.done < tally.total:
                others = failed_rows_of(reader) - tally.errors
                tally.kept_errors = max(others, tally.kept_errors)
            tally.without_id = plan.without_id()
            deleted = plan.deleted()
        tally.deleted, tally.deleted_ids = deleted.count, deleted.ids
        return tally

    def _work(self, plan: Plan, settings: Settings, tally: SqlTally) -> None:
        workers = cpu_count() if self.workers is None else self.workers
        with closing(RangeJob(settings)) as job, each(job, workers) as work:
            while plan.left()[0]:
                before = tally.done
                for done in work(RangeTask(number) for number in plan.ranges()):
                    _add(tally, done)
                    self.report(tally)
                tally.waiting = plan.left()[0]
                if tally.waiting and before == tally.done:
                    self.report(tally)
                    time.sleep(WAIT)

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
    for name in ("rows", "errors", "nulls", "kept", "kept_errors", "left_out"):
        setattr(tally, name, getattr(tally, name) + getattr(done, name))
    if done.fault is not None:
        raise done.fault
