"""What processes do with a batch of a table: make its rows, and keep those that failed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from citemark.batch._record import readable
from citemark.batch._stored_rows import failed_before
from citemark.batch._strict import plain
from citemark.batch.arrow._build import batches_of
from citemark.batch.arrow._read import cells_of, chosen
from citemark.batch.arrow._schema import output_schema, stored_schema
from citemark.batch.files._jsonl import REJECT
from citemark.batch.rows import INPUT, OUTPUT, annotate_row, failed_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from citemark.batch.arrow._read import Row
    from citemark.batch.options import BatchOptions
    from citemark.batch.run._work import Maker
    from citemark.batch.sources import SourcesTable
    from citemark.batch.where import Where

__all__ = ["ArrowJob", "ArrowResult", "packed", "schemas", "unpacked"]


@dataclass(frozen=True, slots=True)
class ArrowResult:
    """What became of a batch, each as an Arrow IPC stream."""

    rows: list[bytes]
    rejects: list[bytes]
    """Rows that failed, as they were, and why."""

    failed: list[list[bool]]
    """For each of ``rows``, whether each row of it is among the rejects; others that have an
    error failed when they were made."""


@dataclass(frozen=True)
class ArrowJob:
    """The job of a pool: see ``pool.Job``.

    A task is a batch, as an Arrow IPC stream; or ``b""`` for none.
    """

    options: BatchOptions
    table: SourcesTable
    where: tuple[Where, ...] = ()
    make: Maker = annotate_row

    def run(self, task: bytes) -> ArrowResult:
        """Make the rows of a batch."""
        taken = map(self._taken, _given(task))
        return self.join([self._result(given, self._rows(given)) for given in taken])

    def split(self, task: bytes) -> list[bytes]:
        """Return a batch for each row."""
        return [
            packed(given.slice(index, 1))
            for given in unpacked(task)
            for index in range(given.num_rows)
        ]

    def join(self, results: list[ArrowResult]) -> ArrowResult:
        """Return the result of a batch from those of its rows."""
        return ArrowResult(
            [one for result in results for one in result.rows],
            [one for result in results for one in result.rejects],
            [one for result in results for one in result.failed],
        )

    def failed(self, task: bytes, reason: str) -> ArrowResult:
        """Return what becomes of a row that ends each process that reads it."""
        return self.join(
            [self._result(given, self._failures(given, reason)) for given in _given(task)]
        )

    def weight(self, task: bytes) -> int:
        """Return the bytes of a batch."""
        return len(task)

    def _taken(self, given: pa.RecordBatch) -> pa.RecordBatch:
        """Return the rows that meet all conditions, which compare what lines would hold."""
        if not self.where:
            return given
        paths = [f"{one.column}." for one in self.where]
        names = [
            name
            for name in given.schema.names
            if any(path.startswith(f"{name}.") for path in paths)
        ]
        rows = [row for some in cells_of(given, names) for row in some]
        taken = [all(one.takes(row) for one in self.where) for row in map(plain, rows)]
        return chosen(given, pa.array(taken, pa.bool_()))

    def _rows(self, given: pa.RecordBatch) -> Iterator[dict[str, Any]]:
        for rows in self._cells(given):
            for row in rows:
                yield self.make(row, self.options, self.table)

    def _failures(self, given: pa.RecordBatch, reason: str) -> Iterator[dict[str, Any]]:
        for rows in self._cells(given):
            for row in rows:
                yield self._failed(row, reason)

    def _cells(self, given: pa.RecordBatch) -> Iterator[list[Row]]:
        return cells_of(given, INPUT if self.make is annotate_row else OUTPUT)

    def _failed(self, row: dict[str, Any], reason: str) -> dict[str, Any]:
        if self.make is annotate_row:
            return failed_row(row, self.options, reason)
        return dict.fromkeys(OUTPUT) | readable(row) | {"error": reason}

    def _result(self, given: pa.RecordBatch, rows: Iterator[dict[str, Any]]) -> ArrowResult:
        schema, passed = _made_schema(given.schema, self.make)
        columns = [given.column(index) for index in passed]
        made = [*batches_of(rows, columns, schema)]
        errors = pa.concat_arrays([batch.column("error") for batch in made])
        masks = [self._failed_now(batch, given, start) for start, batch in _placed(made)]
        failed = pa.array([one for mask in masks for one in mask], pa.bool_())
        rejects = []
        if pc.any(failed).as_py():
            why = pa.RecordBatch.from_arrays(
                [*given.columns, errors], schema=_reject_schema(given.schema)
            )
            rejects.append(packed(chosen(why, failed)))
        return ArrowResult([packed(batch) for batch in made], rejects, masks)

    def _failed_now(
        self, made: pa.RecordBatch, given: pa.RecordBatch, start: int
    ) -> list[bool]:
        """Return for each row whether it failed, and not when it was made already."""
        failed: list[bool] = made.column("error").is_valid().to_pylist()
        if self.make is annotate_row or not any(failed):
            return failed
        names = ["error", "options_digest"]
        if not {*names} <= {*given.schema.names}:
            return failed
        known = given.slice(start, made.num_rows).select(names)
        pairs = zip(known.to_pylist(), made.select(names).to_pylist(), strict=True)
        return [
            is_failed and not failed_before(before, after)
            for is_failed, (before, after) in zip(failed, pairs, strict=True)
        ]


def schemas(given: pa.Schema, make: Maker) -> tuple[pa.Schema, pa.Schema]:
    """Return the schemas of what becomes of a table: of its rows, and of those that failed.

    Raises:
        RowSchemaError: It has not the columns that are read, or two of one name.
    """
    failed = _reject_schema(given)
    made, _ = _made_schema(pa.schema([one for one in failed if one.name != REJECT]), make)
    return made, failed


def _made_schema(given: pa.Schema, make: Maker) -> tuple[pa.Schema, list[int]]:
    return output_schema(given) if make is annotate_row else stored_schema(given)


def _reject_schema(given: pa.Schema) -> pa.Schema:
    fields = [one for one in given if one.name != REJECT]
    return pa.schema([*fields, pa.field(REJECT, pa.string())])


def _placed(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[int, pa.RecordBatch]]:
    """Yield batches with the number of the first row of each."""
    start = 0
    for batch in batches:
        yield start, batch
        start += batch.num_rows


def _given(task: bytes) -> list[pa.RecordBatch]:
    """Return what a task holds, without why its rows failed before."""
    return [
        given.drop_columns([REJECT]) if REJECT in given.schema.names else given
        for given in unpacked(task)
    ]


def packed(batch: pa.RecordBatch) -> bytes:
    """Return a batch alone: pickles of a slice would hold all that it is a slice of."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as stream:
        stream.write_batch(batch)
    return bytes(sink.getvalue())


def unpacked(data: bytes) -> list[pa.RecordBatch]:
    """Return what was packed."""
    return [*pa.ipc.open_stream(data)] if data else []
