"""What processes do with a batch of a file: read its rows, annotate them, write them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from citemark.batch._record import RecordError
from citemark.batch._strict import encode
from citemark.batch.files._jsonl import REJECT
from citemark.batch.rows import annotate_row, failed_row

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from citemark.batch.files._lines import Batch
    from citemark.batch.options import BatchOptions
    from citemark.batch.sources import SourcesTable
    from citemark.batch.where import Where

__all__ = ["Annotated", "Annotation", "FileBatch", "Maker", "Reader", "Writer"]

Maker: TypeAlias = "Callable[[Mapping[str, Any], BatchOptions, SourcesTable], dict[str, Any]]"
"""Makes a row of a row, and never raises.  It is pickled by its name."""


class Reader(Protocol):
    """Reads records of a file as rows."""

    def parse(self, data: bytes) -> dict[str, Any]:
        """Return the row of a record, or raise ``RecordError``."""

    def raw(self, data: bytes) -> dict[str, Any]:
        """Return a record that cannot be read, as a rejects file has it."""


class Writer(Protocol):
    """Writes rows as records of a file."""

    def encode(self, row: Mapping[str, Any]) -> bytes:
        """Return a row as a record."""


@dataclass(frozen=True, slots=True)
class FileBatch:
    """Rows of a file, and how they are read and written."""

    name: str
    """Of the file, for the rejects."""

    batch: Batch
    reader: Reader
    writer: Writer


@dataclass(frozen=True, slots=True)
class Annotated:
    """What became of a batch."""

    rows: list[bytes]
    """Each row that was taken, as a record of the output."""

    rejects: list[tuple[int, bytes]]
    """Index in ``rows``, and line of the rejects file, of each that failed."""

    nulls: int = 0
    """Rows without an answer."""


@dataclass(frozen=True)
class Annotation:
    """The job of a pool: see ``pool.Job``."""

    options: BatchOptions
    table: SourcesTable
    where: tuple[Where, ...] = ()
    make: Maker = annotate_row

    def run(self, task: FileBatch) -> Annotated:
        """Annotate the rows of a batch."""
        rows: list[bytes] = []
        rejects: list[tuple[int, bytes]] = []
        nulls = 0
        for line, data in task.batch.records:
            try:
                row = task.reader.parse(data)
            except RecordError as error:
                self._reject(task, line, data, f"line {line} {error}", (rows, rejects))
                continue
            given = {name: value for name, value in row.items() if name != REJECT}
            if not all(condition.takes(given) for condition in self.where):
                continue
            found = self.make(given, self.options, self.table)
            nulls += found["cited"] is None and found["error"] is None
            if found["error"] is not None:
                rejects.append((len(rows), _reject_of(task, line, found["error"], given)))
            rows.append(task.writer.encode(found))
        return Annotated(rows, rejects, nulls)

    def split(self, task: FileBatch) -> list[FileBatch]:
        """Return a batch for each row."""
        return [
            replace(task, batch=replace(task.batch, records=(record,)))
            for record in task.batch.records
        ]

    def join(self, results: list[Annotated]) -> Annotated:
        """Return the result of a batch from those of its rows."""
        rows: list[bytes] = []
        rejects: list[tuple[int, bytes]] = []
        for result in results:
            rejects += [(len(rows) + index, data) for index, data in result.rejects]
            rows += result.rows
        return Annotated(rows, rejects, sum(result.nulls for result in results))

    def failed(self, task: FileBatch, reason: str) -> Annotated:
        """Return what becomes of a row that ends each process that reads it."""
        [(line, data)] = task.batch.records
        reason = f"line {line}: {reason}"
        try:
            row = task.reader.parse(data)
        except RecordError:
            reject, row = _reject_of(task, line, reason, {}, task.reader.raw(data)), {}
        else:
            reject = _reject_of(task, line, reason, row)
        row.pop(REJECT, None)
        return Annotated(
            [task.writer.encode(failed_row(row, self.options, reason))], [(0, reject)]
        )

    def weight(self, task: FileBatch) -> int:
        """Return the bytes of a batch."""
        return task.batch.weight

    def _reject(
        self,
        task: FileBatch,
        line: int,
        data: bytes,
        reason: str,
        into: tuple[list[bytes], list[tuple[int, bytes]]],
    ) -> None:
        """Add the row of a record that was not read, and the record as it stands."""
        rows, rejects = into
        rejects.append((len(rows), _reject_of(task, line, reason, {}, task.reader.raw(data))))
        rows.append(task.writer.encode(failed_row({}, self.options, reason)))


def _reject_of(
    task: FileBatch,
    line: int,
    reason: str,
    row: Mapping[str, Any],
    raw: Mapping[str, Any] | None = None,
) -> bytes:
    why = {"file": task.name, "line": line, "error": reason, **(raw or {})}
    return encode({**row, REJECT: why}) + b"\n"
