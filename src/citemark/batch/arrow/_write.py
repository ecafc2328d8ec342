"""Parquet and Arrow IPC files, written in groups of rows that are bounded in rows and bytes."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any, Final, Self

import pyarrow as pa
import pyarrow.parquet as pq

from citemark.batch._disk import discard
from citemark.batch._faults import writing
from citemark.batch.arrow._read import plain

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

__all__ = ["TableWriter"]

GROUP_ROWS: Final = 1 << 16
GROUP_BYTES: Final = 64 << 20
"""Of a row group that is written."""


class TableWriter:
    """Writes a table: a context manager, which removes what was not finished.

    Args:
        part: Where it is while it is made.
        output: What its name will be, whose ending says what it is.
        schema: Of its rows.

    Raises:
        BatchFileError: It cannot be written.
    """

    def __init__(self, part: Path, output: str, schema: pa.Schema) -> None:
        """Open it."""
        self.rows = 0
        """Rows that were written."""
        self._part, self._output = part, output
        keeps = output.lower().endswith(".parquet")  # dictionaries cannot change in Arrow IPC
        types = [_written(one.type, keeps=keeps) for one in schema]
        self._schema = pa.schema(
            [one.with_type(kind) for one, kind in zip(schema, types, strict=True)]
        )
        self._held: list[pa.RecordBatch] = []
        self._writer: Any = None
        with writing(output):
            part.parent.mkdir(parents=True, exist_ok=True)
            self._file: IO[bytes] = part.open("wb")

    def __enter__(self) -> Self:
        """Return it."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Let go of it."""
        self.close()

    def write(self, batch: pa.RecordBatch) -> None:
        """Write a batch, sooner or later: groups of rows are large.

        Raises:
            BatchFileError: It cannot be written.
        """
        self._held.append(_without_coded_views(batch))
        self.rows += batch.num_rows
        is_full = sum(one.num_rows for one in self._held) >= GROUP_ROWS
        if is_full or sum(one.nbytes for one in self._held) >= GROUP_BYTES:
            self._flush()

    def finish(self) -> int:
        """Put the whole table on the disk; return its bytes.

        Raises:
            BatchFileError: It does not go there.
        """
        self._flush()
        with writing(self._output):
            self._writer.close()
            return self._sync()

    def finish_empty(self) -> int:
        """Leave no table, only an empty part."""
        with writing(self._output):
            return self._sync()

    def close(self) -> None:
        """Let go of the part; one that is not finished is removed."""
        if self._file.closed:
            return
        if self._writer is not None:
            with suppress(OSError, pa.ArrowException):  # it would be closed later, and say so
                self._writer.close()
        discard(self._file)
        self._part.unlink(missing_ok=True)

    def _sync(self) -> int:
        self._file.flush()
        os.fsync(self._file.fileno())
        size = self._file.tell()
        self._file.close()
        return size

    def _flush(self) -> None:
        with writing(self._output):
            if self._writer is None:
                self._writer = self._started()
            if self._held:
                table = pa.Table.from_batches(self._held).cast(self._schema)
                self._writer.write_table(table.combine_chunks())
        self._held = []

    def _started(self) -> Any:  # noqa: ANN401  of pyarrow
        if self._output.lower().endswith(".parquet"):
            return pq.ParquetWriter(self._file, self._schema, compression="zstd")
        if self._output.lower().endswith(".arrows"):
            return pa.ipc.new_stream(self._file, self._schema)
        return pa.ipc.new_file(self._file, self._schema)


def _written(kind: pa.DataType, *, keeps: bool) -> pa.DataType:
    if not pa.types.is_dictionary(kind):
        return kind
    if pa.types.is_string_view(kind.value_type):  # as ``plain`` has it
        return pa.large_string()
    return kind if keeps else kind.value_type


def _without_coded_views(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return a batch with texts for dictionaries of views: pyarrow writes and casts none."""
    for index, field in enumerate(batch.schema):
        kind = field.type
        if pa.types.is_dictionary(kind) and pa.types.is_string_view(kind.value_type):
            batch = batch.set_column(index, field.name, plain(batch.column(index)))
    return batch
