"""Stored answers in SQLite and PostgreSQL: what is made of them stands in a table beside them.

The table of the answers is only read.  A row of the side table is written with its page, in one
transaction; a run that was stopped has done whole pages, and a later one does the rest.
"""

from __future__ import annotations

import hashlib
import time
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

from citemark._arguments import require_callable, require_each
from citemark.batch._arguments import (
    CONDITIONS,
    require_options,
    require_table,
    require_type,
)
from citemark.batch._counts import require_count
from citemark.batch._strict import encode
from citemark.batch._usable import require_usable
from citemark.batch.options import DIGEST_BYTES, BatchOptions
from citemark.batch.pool import cpu_count, each
from citemark.batch.rows import SCHEMA, VERSION
from citemark.batch.sources import SourcesTable
from citemark.batch.sql._database import open_database, require_url
from citemark.batch.sql._faults import SqlError, SqlFault
from citemark.batch.sql._look import dry_run, explained, failed_rows_of, state_of
from citemark.batch.sql._names import SqlNames, SqlSources, side_tables
from citemark.batch.sql._reader import Reader
from citemark.batch.sql._settings import Settings
from citemark.batch.sql._tally import SqlDryRun, SqlState, SqlTally
from citemark.batch.sql._work import Done, RangeJob, RangeTask
from citemark.batch.where import Where

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from citemark.batch.sql._plan import Plan

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

RESUMABLE: Final = {"full", "locked", "read-only", "refused", "unreachable"}
"""Faults that somebody can mend, after which a run goes on."""

RESUME: Final = "--resume does the rest"


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

    def __post_init__(self) -> None:
        """Refuse what no run could be made with.

        Raises:
            ArgumentTypeError: A field is of a wrong type.
            BatchOptionError: A number is below 0.
        """
        self._require_arguments()

    def state(self) -> SqlState:
        """Return what is there; nothing is written.

        Raises:
            SqlError: The database or its tables cannot be used.
        """
        with self._reader() as reader:
            return state_of(reader)

    def dry_run(self) -> SqlDryRun:
        """Return what ``go`` would do; all answers are read, nothing is written.

        Raises:
            SqlError: The database or its tables cannot be used, or the connection was lost.
        """
        with self._reader() as reader:
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
            ArgumentTypeError: The id is no text.
            SqlError: The database or its tables cannot be used.
        """
        require_type("id_", id_, str, "an id as str, as it is shown")
        with self._reader() as reader:
            return explained(reader, id_)

    def failed_rows(self) -> str:
        """Return a statement that shows the rows with an ``error``, and why.

        Raises:
            SqlError: The database cannot be used.
        """
        self._require_arguments()
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
        with self._reader() as reader:  # all tables, before anything is written
            plan = reader.plan
            if reader.tables.lacking():
                plan.require_unique()
            reader.tables.make()
            with plan.begun(self.limit, resume=self.resume) as tally.goes_on:
                tally.total = plan.left()[1]
                self.begin(tally)
                self._work(plan, reader.settings, tally)
            self._end(reader, tally)
        return tally

    @contextmanager
    def _reader(self) -> Iterator[Reader]:
        """Hold a connection; what no row can tell is told of the database."""
        with closing(Reader(self._settings())) as reader, reader.database.telling():
            yield reader

    def _work(self, plan: Plan, settings: Settings, tally: SqlTally) -> None:
        workers = cpu_count() if self.workers is None else self.workers
        with closing(RangeJob(settings)) as job, each(job, workers) as work:
            first = plan.name
            while plan.goes_on():
                is_again = plan.name != first
                before = tally.done
                tally.total = max(tally.total, before + plan.left()[1])  # one began anew
                for done in work(RangeTask(plan.name, number) for number in plan.ranges()):
                    _add(tally, done, is_again=is_again)
                    self.report(tally)
                tally.waiting = plan.left()[0]
                if tally.waiting and before == tally.done:
                    self.report(tally)
                    time.sleep(WAIT)

    def _end(self, reader: Reader, tally: SqlTally) -> None:
        """Count what the ranges do not tell."""
        if self.resume or tally.again or tally.done < tally.total:
            others = failed_rows_of(reader) - tally.errors
            tally.kept_errors = max(others, tally.kept_errors)
        tally.without_id = reader.plan.without_id()
        deleted = reader.plan.deleted()
        tally.deleted, tally.deleted_ids = deleted.count, deleted.ids

    def _require_arguments(self) -> None:
        require_url(self.url)
        require_options(self.options)
        require_type("names", self.names, SqlNames, "SqlNames(...)")
        require_table("sources", self.sources)
        self.where = tuple(require_each("where", self.where, Where, CONDITIONS))
        for name in ("begin", "report"):
            require_callable(name, getattr(self, name), "a function")
        require_count("limit", self.limit)
        require_count("workers", self.workers)

    def _settings(self) -> Settings:
        self._require_arguments()
        require_usable(self.options)
        where = [[one.column, one.sign, one.value] for one in self.where]
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


def _add(tally: SqlTally, done: Done, *, is_again: bool) -> None:
    made, others = ("rows", "errors", "nulls"), ("kept", "kept_errors", "left_out")
    for name in made if is_again else (*made, *others):
        setattr(tally, name, getattr(tally, name) + getattr(done, name))
    if is_again:
        tally.again += done.kept + done.left_out
    fault = done.fault
    if fault is None:
        return
    if fault.fault in RESUMABLE and RESUME not in fault.reason:
        raise SqlError(fault.url, fault.fault, f"{fault.reason}; {RESUME}")
    raise fault
