"""One job for all files of a run, so that one pool does them: lines and tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from citemark.batch.run._work import Annotated, Annotation

if TYPE_CHECKING:
    from citemark.batch.arrow._job import ArrowJob
    from citemark.batch.options import BatchOptions
    from citemark.batch.pool import Job
    from citemark.batch.run._work import Maker
    from citemark.batch.sources import SourcesTable
    from citemark.batch.where import Where

__all__ = ["AnyFile", "job_of"]


@dataclass(frozen=True)
class AnyFile:
    """The job of a pool, see ``pool.Job``: which of two is known by the task."""

    lines: Annotation
    tables: ArrowJob

    def run(self, task: Any) -> Any:  # noqa: ANN401  of either
        """Make the rows of a batch."""
        return self._job(task).run(task)

    def split(self, task: Any) -> list[Any]:  # noqa: ANN401  of either
        """Return a batch for each row."""
        return [*self._job(task).split(task)]

    def join(self, results: list[Any]) -> Any:  # noqa: ANN401  of either
        """Return the result of a batch from those of its rows."""
        job: Any = self.lines if isinstance(results[0], Annotated) else self.tables
        return job.join(results)

    def failed(self, task: Any, reason: str) -> Any:  # noqa: ANN401  of either
        """Return what becomes of a row that ends each process that reads it."""
        return self._job(task).failed(task, reason)

    def weight(self, task: Any) -> int:  # noqa: ANN401  of either
        """Return the bytes of a batch."""
        return int(self._job(task).weight(task))

    def _job(self, task: Any) -> Any:  # noqa: ANN401  of either
        return self.tables if isinstance(task, bytes) else self.lines


def job_of(
    options: BatchOptions,
    table: SourcesTable,
    where: tuple[Where, ...],
    make: Maker,
    *,
    has_tables: bool,
) -> Job[Any, Any]:
    """Return the job of a run; without tables, nothing of Arrow is imported."""
    lines = Annotation(options, table, where, make)
    if not has_tables:
        return lines
    from citemark.batch.arrow._job import ArrowJob  # noqa: PLC0415  needs an extra

    return AnyFile(lines, ArrowJob(options, table, where, make))
