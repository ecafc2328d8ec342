"""Parquet and Arrow IPC files, written in groups of rows that are bounded in rows and bytes."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any, Final, Self

import pyarrow as pa

from citemark.batch._disk import discard
from citemark.batch._faults import writing
from citemark.batch.arrow._types import decoded, opened_for, refuse_values, written_schema

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
        self._schema = written_schema(output, schema)
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
        self._held.append(decoded(batch, self._output))
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
                self._writer = opened_for(self._output, self._file, self._schema)
            if self._held:
                self._write(pa.Table.from_batches(self._held))
        self._held = []

    def _write(self, table: pa.Table) -> None:
        try:
            self._writer.write_table(table.cast(self._schema).combine_chunks())
        except pa.ArrowException as error:
            raise refuse_values(self._output, table, error) from None
