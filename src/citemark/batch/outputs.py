"""Outputs of runs, read again: their files, and figures over all their rows."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from citemark.batch._counts import require_count
from citemark.batch._faults import BatchFileError, reading
from citemark.batch._record import RecordError
from citemark.batch.files import ENDINGS, STDIO, opened
from citemark.batch.files._lines import batches
from citemark.batch.pool import each
from citemark.batch.run._going import Tally
from citemark.batch.run._targets import files_of
from citemark.batch.stats import Stats

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from citemark.batch.files._lines import Batch
    from citemark.batch.run._work import Reader
    from citemark.model import Source

__all__ = ["output_files", "size_of", "stats_of"]


def output_files(names: Sequence[str]) -> list[str]:
    """Return the files of outputs, each once, however often it is named, and by which links.

    Args:
        names: Files, ``-`` for stdin, or folders.

    Raises:
        BatchFileError: One is missing, or a folder holds none, or an ending is not known.
    """
    found: dict[object, str] = {}
    for path in (path for name in names for path, _ in files_of(name)):
        found.setdefault(_identity(path), path)
    if not found:
        raise BatchFileError(names[0], "missing", f"holds no files of {', '.join(ENDINGS)}")
    return [*found.values()]


def _identity(path: str) -> object:
    """Return what is the same for all names of a file."""
    if path == STDIO:
        return path
    with reading(path):
        found = Path(path).stat()
    return found.st_dev, found.st_ino


def size_of(paths: Sequence[str]) -> int | None:
    """Return the bytes of files; None if one is a pipe."""
    if not all(path != STDIO and Path(path).is_file() for path in paths):
        return None
    return sum(Path(path).stat().st_size for path in paths)


def stats_of(
    names: Sequence[str],
    *,
    given: Iterable[Source] = (),
    workers: int = 0,
    report: Callable[[Tally], None] = lambda tally: None,  # noqa: ARG005  nobody listens
) -> Stats:
    """Return the figures of all rows of outputs.

    Args:
        names: See ``output_files``.
        given: Sources that could be cited.
        workers: Processes; 0 reads in this one.
        report: Called after each batch.

    Raises:
        ArgumentTypeError: ``workers`` is no whole number.
        BatchFileError: A file cannot be read.
        BatchOptionError: ``workers`` is below 0.
        ProcessStartError: No worker starts.
    """
    require_count("workers", workers)
    stats = Stats(given)
    paths = output_files(names)
    tally = Tally(size=size_of(paths))
    taken: deque[int] = deque()
    with each(Counting(), workers) as work:
        for part in work(_parts(paths, taken)):
            stats.merge(part)
            tally.rows, tally.errors, tally.taken = stats.rows, stats.unread, taken.popleft()
            report(tally)
    return stats


@dataclass(frozen=True, slots=True)
class Part:
    """Rows of an output, as they stand in a file."""

    path: str
    batch: Batch
    reader: Reader


class Counting:
    """The job of a pool: see ``pool.Job``."""

    def run(self, task: Part) -> Stats:
        """Return the figures of a part."""
        stats = Stats.of_part()
        for line, data in task.batch.records:
            name = f"{task.path}, line {line}"
            try:
                row = task.reader.parse(data)
            except RecordError as error:
                stats.add_unread(name, str(error))
            else:
                stats.add(row, name=name)
        return stats

    def split(self, task: Part) -> list[Part]:
        """Return a part for each row."""
        return [
            replace(task, batch=replace(task.batch, records=(record,)))
            for record in task.batch.records
        ]

    def join(self, results: list[Stats]) -> Stats:
        """Return the figures of a part from those of its rows."""
        stats = Stats.of_part()
        for result in results:
            stats.merge(result)
        return stats

    def failed(self, task: Part, reason: str) -> Stats:
        """Return the figures of a row that ends each process that reads it."""
        stats = Stats.of_part()
        for line, _ in task.batch.records:
            stats.add_unread(f"{task.path}, line {line}", reason)
        return stats

    def weight(self, task: Part) -> int:
        """Return the bytes of a part."""
        return task.batch.weight


def _parts(paths: Iterable[str], taken: deque[int]) -> Iterator[Part]:
    """Yield the rows of files; say in ``taken`` for each part how far the files are read."""
    before = 0
    for path in paths:
        with opened(path) as file:
            for batch in batches(file.lines, file.reader.records(file.lines)):
                taken.append(before + file.taken)
                yield Part(path, batch, file.reader)
            before += file.taken
