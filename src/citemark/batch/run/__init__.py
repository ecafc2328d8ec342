"""A run over files: every row once, whatever happens in between.

An output is made under a hidden name, in chunks that are on the disk before the manifest says
so; it gets its own name when it is whole.  A run that was killed goes on after its last chunk;
from a table to a table, with the first file that is not whole.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from citemark.batch._faults import writing
from citemark.batch._record import RecordError
from citemark.batch._usable import require_usable
from citemark.batch.files import read_rows
from citemark.batch.options import BatchOptions
from citemark.batch.pool import cpu_count, each
from citemark.batch.rows import SCHEMA, VERSION, annotate_row, text_of_id
from citemark.batch.run._given import read_given
from citemark.batch.run._going import Files, Tally
from citemark.batch.run._headers import require_headers
from citemark.batch.run._job import job_of
from citemark.batch.run._manifest import Manifest, read_manifest
from citemark.batch.run._plan import Step, plan_step
from citemark.batch.run._same import place_of
from citemark.batch.run._targets import find_targets
from citemark.batch.sources import SourcesTable

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence

    from citemark.batch.run._manifest import Progress
    from citemark.batch.run._targets import Target, Targets
    from citemark.batch.run._work import Maker
    from citemark.batch.where import Where

__all__ = ["CHUNK", "Run", "Step", "Tally", "find_row"]

CHUNK: Final = 64
"""Batches of a chunk at most, each of up to 256 rows: how often the disk is waited for.  What a
kill can cost is less where rows take long: see ``_going.CHUNK_SECONDS``."""


@dataclass
class Run:
    """Rows of files to rows of files.

    ``steps`` says what would be done, ``go`` does it.
    """

    inputs: Sequence[str | os.PathLike[str]]
    """Files, folders, or ``-`` for stdin."""

    output: str | os.PathLike[str]
    """A file, a folder, or ``-`` for stdout."""

    options: BatchOptions = field(default_factory=BatchOptions)
    table: SourcesTable = field(default_factory=SourcesTable)

    where: Sequence[Where] = ()
    """Conditions that a row has to meet, all of them."""

    limit: int | None = None
    """The greatest number of rows of each input."""

    workers: int | None = None
    """Processes; one for each CPU by default; 0 works in this process."""

    resume: bool = False
    """Whether to go on where an earlier run ended, and to leave what is whole and the same."""

    overwrite: bool = False
    """Whether what is there may be replaced."""

    begin: Callable[[Tally], None] = lambda tally: None  # noqa: ARG005  nobody listens
    """Called before the first batch: ``steps`` say where the run goes on."""

    report: Callable[[Tally], None] = lambda tally: None  # noqa: ARG005  nobody listens
    """Called after each batch."""

    chunk: int = CHUNK
    """Batches of a chunk, at most."""

    make: Maker = annotate_row
    """What makes rows; another one than this is given rows of an output."""

    more: Sequence[str | os.PathLike[str]] = ()
    """Files that are read besides the inputs, as that of the sources: none is written over."""

    tally: Tally | None = field(default=None, init=False)
    """How far ``go`` is, or was when something ended it; None before it begins."""

    def __post_init__(self) -> None:
        """Refuse what no run can do.

        Raises:
            ArgumentTypeError: An argument is of a type that cannot be used.
            BatchOptionError: It has a value that it cannot have.
        """
        read_given(self)

    def steps(self) -> list[Step]:
        """Return what would be done with each input; nothing is written.

        Raises:
            BatchFileError: An input or an output cannot be used.
            BatchOptionError: A renderer refuses its options.
        """
        targets = self._targets()
        if targets.manifest is None:
            return self._steps(targets, {})
        return self._steps(targets, read_manifest(targets.manifest, is_mended=self.overwrite))

    def go(self) -> Tally:
        """Make all outputs.

        Raises:
            BatchFileError: A file cannot be read or written, changed, or another run has it.
            BatchOptionError: A renderer refuses its options.
            ProcessStartError: No worker starts.
        """
        targets = self._targets()
        if targets.manifest is None:
            return self._go(targets, None)
        with writing(str(targets.manifest)):
            targets.manifest.parent.mkdir(parents=True, exist_ok=True)
        with Manifest(targets.manifest, is_mended=self.overwrite) as manifest:
            return self._go(targets, manifest)

    def _targets(self) -> Targets:
        """Return what becomes of inputs, if all of them and the options will do."""
        require_usable(self.options)
        targets = find_targets(*read_given(self))
        require_headers(targets.each, self.make, self.where)
        return targets

    def _go(self, targets: Targets, manifest: Manifest | None) -> Tally:
        steps = self._steps(targets, manifest.known if manifest else {})
        files = Files(
            steps,
            manifest,
            self._settings,
            make=self.make,
            limit=self.limit,
            chunk=self.chunk,
        )
        files.takes_all, self.tally = not self.where, files.tally
        given = self.options, self.table, tuple(self.where), self.make
        job = job_of(*given, has_tables=any(step.target.is_table for step in steps))
        workers = cpu_count() if self.workers is None else self.workers
        self.begin(files.tally)
        with files, each(job, workers) as work:
            for result in work(files.tasks()):
                files.take(result)
                self.report(files.tally)
        return files.tally

    def _steps(self, targets: Targets, known: Mapping[str, Progress]) -> list[Step]:
        return [
            plan_step(
                target,
                known.get(target.key),
                self._settings(target),
                resume=self.resume,
                overwrite=self.overwrite,
            )
            for target in targets.each
        ]

    def _settings(self, target: Target) -> dict[str, Any]:
        """Return what an output depends on, besides the content of its input."""
        return {
            "input": target.input,
            "place": place_of(target),
            "options": self.options.digest,
            "sources": self._sources,
            "version": VERSION,
            "schema": SCHEMA,
            "make": self.make.__name__,
            "where": [f"{one.column}{one.sign}{one.value}" for one in self.where],
            "limit": self.limit,
        }

    @cached_property
    def _sources(self) -> str:
        return self.table.digest


def find_row(run: Run, id_: str) -> dict[str, Any] | None:
    """Return the first row of the inputs that has an id, and what becomes of it; else None.

    Raises:
        BatchFileError: An input cannot be read, or the output cannot be used.
    """
    for target in find_targets(*read_given(run)).each:
        for line, row in read_rows(target.input):
            if isinstance(row, RecordError) or text_of_id(row.get("id")) != id_:
                continue
            made = annotate_row(row, run.options, run.table)
            return {"file": target.input, "line": line, "input": row, "output": made}
    return None
