"""What processes do with a batch of a file: read its rows, annotate them, write them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from citemark.batch._record import RecordError
from citemark.batch._stored_rows import failed_before
from citemark.batch._strict import encode
from citemark.batch.files._jsonl import REJECT, JsonLinesReader
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

    @property
    def head(self) -> bytes:
        """What stands before the first row."""

    def encode(self, row: Mapping[str, Any]) -> tuple[bytes, Mapping[str, Any]]:
        """Return a row as a record, and as it stands there: with an error if it is too long."""


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

    nulls: list[int] = field(default_factory=list)
    """Index in ``rows`` of each without an answer."""

    failed_before: list[int] = field(default_factory=list)
    """Index in ``rows`` of each that failed when it was made, and stays as it was."""

    def first(self, most: int) -> Annotated:
        """Return what became of the first rows."""
        return Annotated(
            self.rows[:most],
            [reject for reject in self.rejects if reject[0] < most],
            [index for index in self.nulls if index < most],
            [index for index in self.failed_before if index < most],
        )


@dataclass(frozen=True)
class Annotation:
    """The job of a pool: see ``pool.Job``."""

    options: BatchOptions
    table: SourcesTable
    where: tuple[Where, ...] = ()
    make: Maker = annotate_row

    def run(self, task: FileBatch) -> Annotated:
        """Annotate the rows of a batch."""
        made = Annotated([], [])
        for line, data in task.batch.records:
            try:
                row = task.reader.parse(data)
            except RecordError as error:
                self._reject(task, (line, data), f"line {line} {error}", made)
                continue
            given = {name: value for name, value in row.items() if name != REJECT}
            if not all(condition.takes(given) for condition in self.where):
                continue
            written, found = task.writer.encode(self.make(given, self.options, self.table))
            self._note(task, (line, data), given, found, made)
            made.rows.append(written)
        return made

    def split(self, task: FileBatch) -> list[FileBatch]:
        """Return a batch for each row."""
        return [
            replace(task, batch=replace(task.batch, records=(record,)))
            for record in task.batch.records
        ]

    def join(self, results: list[Annotated]) -> Annotated:
        """Return the result of a batch from those of its rows."""
        whole = Annotated([], [])
        for result in results:
            start = len(whole.rows)
            whole.rejects.extend((start + index, data) for index, data in result.rejects)
            whole.nulls.extend(start + index for index in result.nulls)
            whole.failed_before.extend(start + index for index in result.failed_before)
            whole.rows.extend(result.rows)
        return whole

    def failed(self, task: FileBatch, reason: str) -> Annotated:
        """Return what becomes of a row that ends each process that reads it."""
        [record] = task.batch.records
        reason = f"line {record[0]}: {reason}"
        try:
            row = task.reader.parse(record[1])
        except RecordError:
            reject, row = _reject_of(task, record, reason, None), {}
        else:
            reject = _reject_of(task, record, reason, row)
        row.pop(REJECT, None)
        written, _ = task.writer.encode(failed_row(row, self.options, reason))
        return Annotated([written], [(0, reject)])

    def weight(self, task: FileBatch) -> int:
        """Return the bytes of a batch."""
        return task.batch.weight

    def _note(
        self,
        task: FileBatch,
        record: tuple[int, bytes],
        given: Mapping[str, Any],
        found: Mapping[str, Any],
        into: Annotated,
    ) -> None:
        """Note what is to be told of a row that is about to be added."""
        index = len(into.rows)
        if found["error"] is None:
            if found["cited"] is None:
                into.nulls.append(index)
        elif self.make is not annotate_row and failed_before(given, found):
            into.failed_before.append(index)
        else:
            into.rejects.append((index, _reject_of(task, record, found["error"], given)))

    def _reject(
        self, task: FileBatch, record: tuple[int, bytes], reason: str, into: Annotated
    ) -> None:
        """Add the row of a record that was not read, and the record as it stands."""
        into.rejects.append((len(into.rows), _reject_of(task, record, reason, None)))
        written, _ = task.writer.encode(failed_row({}, self.options, reason))
        into.rows.append(written)


def _reject_of(
    task: FileBatch, record: tuple[int, bytes], reason: str, row: Mapping[str, Any] | None
) -> bytes:
    """Return a line of the rejects file: with the row, or its text if JSON has no such row.

    Args:
        task: Where it stands.
        record: Its line and bytes.
        reason: Why it failed.
        row: None if it cannot be read.
    """
    line, data = record
    why = {"file": task.name, "line": line, "error": reason}
    if row is None or not _is_repeated(task.reader, data):
        row, why = {}, why | task.reader.raw(data)
    return encode({**row, REJECT: why}) + b"\n"


def _is_repeated(reader: Reader, data: bytes) -> bool:
    """Whether a row is the same when it is written as JSON; cells and tables are."""
    return not isinstance(reader, JsonLinesReader) or reader.is_repeated(data)
