"""Parquet and Arrow IPC files, read and written in bounded batches."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Self

import pyarrow as pa
import pyarrow.parquet as pq

from citemark.batch._faults import BatchFileError, reading, writing
from citemark.batch.run._manifest import sync_folder
from citemark.batch.run._output import discard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType

__all__ = ["ARROW_ENDINGS", "BatchFile", "TableWriter", "opened_table"]

ARROW_ENDINGS: Final = (".parquet", ".arrow", ".feather", ".arrows")
"""Parquet; Arrow IPC files; and an Arrow IPC stream."""

MAX_ROWS: Final = 1024
MAX_BYTES: Final = 16 << 20
"""Of a batch that is read; one row may have more."""

GROUP_ROWS: Final = 1 << 16
GROUP_BYTES: Final = 64 << 20
"""Of a row group that is written."""

MAGIC: Final = {".parquet": b"PAR1", ".arrow": b"ARROW1", ".feather": b"ARROW1"}


@dataclass(frozen=True, slots=True)
class BatchFile:
    """A table that is being read."""

    schema: pa.Schema
    batches: Iterator[pa.RecordBatch]


@contextmanager
def opened_table(path: str) -> Iterator[BatchFile]:
    """Open a Parquet or Arrow IPC file by its ending.

    Raises:
        BatchFileError: It cannot be read, is cut off, or is none.
    """
    with _telling(path), Path(path).open("rb") as raw:
        _require_whole(path, raw)
        if path.lower().endswith(".parquet"):
            yield _parquet(path, raw)
        elif path.lower().endswith(".arrows"):
            stream = pa.ipc.open_stream(raw)
            yield BatchFile(stream.schema, _bounded(path, lambda: iter(stream)))
        else:
            file = pa.ipc.open_file(raw)
            numbers = range(file.num_record_batches)
            yield BatchFile(file.schema, _bounded(path, lambda: map(file.get_batch, numbers)))


def _require_whole(path: str, raw: IO[bytes]) -> None:
    magic = MAGIC.get(Path(path.lower()).suffix)
    size = os.fstat(raw.fileno()).st_size
    if magic is None or size == 0:
        return
    is_begun = raw.read(len(magic)) == magic
    raw.seek(max(0, size - len(magic)))
    is_ended = raw.read() == magic
    raw.seek(0)
    if is_begun and not is_ended:
        raise BatchFileError(path, "truncated", "its end is missing; it was cut off")


def _parquet(path: str, raw: IO[bytes]) -> BatchFile:
    file = pq.ParquetFile(raw, pre_buffer=False)
    groups = [file.metadata.row_group(n) for n in range(file.num_row_groups)]
    heaviest = max((one.total_byte_size // max(1, one.num_rows) for one in groups), default=1)
    rows = max(1, min(MAX_ROWS, MAX_BYTES // max(1, heaviest)))
    return BatchFile(
        file.schema_arrow, _bounded(path, lambda: file.iter_batches(batch_size=rows))
    )


def _bounded(
    path: str, batches: Callable[[], Iterator[pa.RecordBatch]]
) -> Iterator[pa.RecordBatch]:
    """Yield batches of a file, cut by rows; what is wrong with the file is told."""
    with _telling(path):
        for batch in batches():
            for start in range(0, batch.num_rows, MAX_ROWS):
                yield batch.slice(start, MAX_ROWS)


@contextmanager
def _telling(path: str) -> Iterator[None]:
    with reading(path):
        try:
            yield
        except pa.ArrowException as error:
            first = str(error).partition("\n")[0]
            raise BatchFileError(path, "unreadable", f"cannot be read: {first}") from None


@dataclass(slots=True)
class TableWriter:
    """Writes a table to a hidden name, and gives it its own when it is whole."""

    path: str
    """Name of the output, with one of ``ARROW_ENDINGS``."""

    schema: pa.Schema
    rows: int = 0
    """Rows that were written."""

    _held: list[pa.RecordBatch] = field(default_factory=list)
    _file: Any = None
    _writer: Any = None

    @property
    def part(self) -> Path:
        """Where it is while it is made."""
        path = Path(self.path)
        return path.with_name(f".{path.name}.part")

    def __enter__(self) -> Self:
        """Open it.

        Raises:
            BatchFileError: It cannot be written.
        """
        with writing(self.path):
            self.part.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.part.open("wb")
        if not self.path.lower().endswith(".parquet"):  # only that has dictionaries that change
            self.schema = pa.schema([one.with_type(_decoded(one.type)) for one in self.schema])
        return self

    def write(self, batch: pa.RecordBatch) -> None:
        """Write a batch, sooner or later: groups of rows are large.

        Raises:
            BatchFileError: It cannot be written.
        """
        self._held.append(batch)
        self.rows += batch.num_rows
        is_full = sum(one.num_rows for one in self._held) >= GROUP_ROWS
        if is_full or sum(one.nbytes for one in self._held) >= GROUP_BYTES:
            self._flush()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Name it, if nothing went wrong; else there is nothing.

        Raises:
            BatchFileError: It cannot be written.
        """
        try:
            if kind is None:
                self._finish()
        finally:
            discard(self._file)
            self.part.unlink(missing_ok=True)

    def _finish(self) -> None:
        self._flush()
        with writing(self.path):
            self._writer.close()
            self._file.flush()
            os.fsync(self._file.fileno())
            self.part.replace(self.path)
            sync_folder(Path(self.path).parent)

    def _flush(self) -> None:
        with writing(self.path):
            if self._writer is None:
                self._writer = self._started()
            for batch in self._groups():
                self._writer.write_table(batch)
        self._held = []

    def _groups(self) -> list[pa.Table]:
        if not self._held:
            return []
        return [pa.Table.from_batches(self._held).cast(self.schema).combine_chunks()]

    def _started(self) -> Any:  # noqa: ANN401  of pyarrow
        if self.path.lower().endswith(".parquet"):
            return pq.ParquetWriter(self._file, self.schema, compression="zstd")
        if self.path.lower().endswith(".arrows"):
            return pa.ipc.new_stream(self._file, self.schema)
        return pa.ipc.new_file(self._file, self.schema)


def _decoded(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind
