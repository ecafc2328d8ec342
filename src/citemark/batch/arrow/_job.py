"""What processes do with a batch of a table: annotate it, and keep rows that failed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from citemark.batch.arrow import annotate_batches, failed_batch
from citemark.batch.files._jsonl import REJECT

if TYPE_CHECKING:
    from citemark.batch.options import BatchOptions
    from citemark.batch.sources import SourcesTable
    from citemark.batch.where import Where

__all__ = ["ArrowJob", "ArrowResult", "packed", "reject_schema", "unpacked"]


@dataclass(frozen=True, slots=True)
class ArrowResult:
    """What became of a batch, each as an Arrow IPC stream."""

    rows: list[bytes]
    rejects: list[bytes]
    """Rows that failed, as they were, and why."""

    nulls: int = 0
    """Rows without an answer."""


@dataclass(frozen=True)
class ArrowJob:
    """The job of a pool: see ``pool.Job``.  A task is a batch, as an Arrow IPC stream."""

    options: BatchOptions
    table: SourcesTable
    where: tuple[Where, ...] = ()

    def run(self, task: bytes) -> ArrowResult:
        """Annotate the rows of a batch."""
        [given] = unpacked(task)
        if REJECT in given.schema.names:
            given = given.drop_columns([REJECT])
        if self.where:
            taken = [all(one.takes(row) for one in self.where) for row in given.to_pylist()]
            given = given.filter(pa.array(taken, pa.bool_()))
        return _result(given, [*annotate_batches([given], self.options, self.table)])

    def split(self, task: bytes) -> list[bytes]:
        """Return a batch for each row."""
        [given] = unpacked(task)
        return [packed(given.slice(index, 1)) for index in range(given.num_rows)]

    def join(self, results: list[ArrowResult]) -> ArrowResult:
        """Return the result of a batch from those of its rows."""
        return ArrowResult(
            [one for result in results for one in result.rows],
            [one for result in results for one in result.rejects],
            sum(result.nulls for result in results),
        )

    def failed(self, task: bytes, reason: str) -> ArrowResult:
        """Return what becomes of a row that ends each process that reads it."""
        [given] = unpacked(task)
        if REJECT in given.schema.names:
            given = given.drop_columns([REJECT])
        return _result(given, [failed_batch(given, self.options, reason)])

    def weight(self, task: bytes) -> int:
        """Return the bytes of a batch."""
        return len(task)


def _result(given: pa.RecordBatch, made: list[pa.RecordBatch]) -> ArrowResult:
    errors = pa.concat_arrays([batch.column("error") for batch in made])
    failed = errors.is_valid()
    rejects = []
    if pc.any(failed).as_py():
        why = pa.RecordBatch.from_arrays(
            [*given.columns, errors], schema=reject_schema(given.schema)
        )
        rejects.append(packed(why.filter(failed)))
    nulls = given.column("answer").null_count
    return ArrowResult([packed(batch) for batch in made], rejects, nulls)


def reject_schema(given: pa.Schema) -> pa.Schema:
    """Return the schema of rows that failed."""
    fields = [one for one in given if one.name != REJECT]
    return pa.schema([*fields, pa.field(REJECT, pa.string())])


def packed(batch: pa.RecordBatch) -> bytes:
    """Return a batch alone: pickles of a slice would hold all that it is a slice of."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as stream:
        stream.write_batch(batch)
    return bytes(sink.getvalue())


def unpacked(data: bytes) -> list[pa.RecordBatch]:
    """Return what was packed."""
    return [*pa.ipc.open_stream(data)]
