"""Parquet and Arrow IPC files, read in batches that are bounded in rows and bytes."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pyarrow as pa
import pyarrow.parquet as pq

from citemark.batch._faults import BatchFileError, reading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from citemark.batch.files._held import HeldFile

__all__ = ["OpenTable"]

MAX_ROWS: Final = 1024
MAX_BYTES: Final = 16 << 20
"""Of a batch that is read; one row may have more."""

PROBE: Final = 16
"""Rows that tell how heavy rows are: repeated texts stand in Parquet once."""

BUFFER: Final = 1 << 18
"""Bytes of a column of Parquet that are read at once."""

FILE: Final = b"ARROW1"
STREAM: Final = b"\xff\xff\xff\xff"
"""How a file, and a stream, of Arrow IPC begin."""

MAGIC: Final = {".parquet": b"PAR1", ".arrow": FILE, ".feather": FILE, ".arrows": FILE}


class OpenTable:
    """A table that is being read.

    Args:
        file: Its ending says what it is.

    Raises:
        BatchFileError: It cannot be read, is cut off, or is none.
    """

    def __init__(self, file: HeldFile) -> None:
        """Read its schema."""
        self.path, self._raw, self._size = file.path, file.raw, file.size or 0
        self.taken = 0
        """Bytes of the file up to the batch that was read last, about."""
        with _telling(self.path):
            self._require_whole()
            self.schema, self._read = self._opened()

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows, in order.

        Raises:
            BatchFileError: They cannot be read.
        """
        with _telling(self.path):
            for batch in self._read():
                for start in range(0, batch.num_rows, MAX_ROWS):
                    yield batch.slice(start, MAX_ROWS)
        self.taken = self._size

    def _require_whole(self) -> None:
        magic = MAGIC.get(Path(self.path.lower()).suffix)
        if magic is None or not self._size:
            return
        is_begun = self._raw.read(len(magic)) == magic
        self._raw.seek(max(0, self._size - len(magic)))
        is_ended = self._raw.read() == magic
        self._raw.seek(0)
        if is_begun and not is_ended:
            raise BatchFileError(self.path, "truncated", "its end is missing; it was cut off")

    def _opened(self) -> tuple[pa.Schema, Callable[[], Iterator[pa.RecordBatch]]]:
        if self.path.lower().endswith(".parquet"):
            file = pq.ParquetFile(self._raw, pre_buffer=False, buffer_size=BUFFER)
            return file.schema_arrow, lambda: self._of_parquet(file)
        if self._is_stream():
            stream = pa.ipc.open_stream(self._raw)
            return stream.schema, lambda: self._of_ipc(stream)
        ipc = pa.ipc.open_file(self._raw)
        batches = map(ipc.get_batch, range(ipc.num_record_batches))
        return ipc.schema, lambda: self._of_ipc(batches)

    def _is_stream(self) -> bool:
        """Whether Arrow IPC is a stream, whatever its ending: neither begins as the other."""
        if not self._size:
            return self.path.lower().endswith(".arrows")
        begun = self._raw.read(len(FILE))
        self._raw.seek(0)
        return begun.startswith(STREAM) or (
            begun != FILE and self.path.lower().endswith(".arrows")
        )

    def _of_ipc(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            self.taken = max(self.taken, self._raw.tell())
            for column in batch.columns:
                _require_sound(column)
            yield batch

    def _of_parquet(self, file: pq.ParquetFile) -> Iterator[pa.RecordBatch]:
        count, weight = 0, 0
        for number in range(file.num_row_groups):
            group = file.metadata.row_group(number)
            weight = max(weight, group.total_byte_size // max(1, group.num_rows))
            if not number:
                weight = max(weight, _probed(file))
            rows = max(1, min(MAX_ROWS, MAX_BYTES // max(1, weight)))
            weight = 0
            for batch in file.iter_batches(batch_size=rows, row_groups=[number]):
                weight = max(weight, batch.nbytes // max(1, batch.num_rows))
                count += batch.num_rows
                self.taken = self._size * count // file.metadata.num_rows
                yield batch


def _require_sound(column: pa.Array) -> None:
    """Refuse a column whose parts lie outside of it: to read them would end the process.

    Arrow IPC has no checksums.  Texts that are no UTF-8 are told row by row.

    Raises:
        ArrowInvalid: It is such.
    """
    try:
        column.validate(full=True)
    except pa.ArrowInvalid as error:
        if "Invalid UTF8" not in str(error):
            raise


def _probed(file: pq.ParquetFile) -> int:
    """Return the bytes of a row, by the first ones."""
    first = next(file.iter_batches(batch_size=PROBE, row_groups=[0]), None)
    return first.nbytes // max(1, first.num_rows) if first else 0


@contextmanager
def _telling(path: str) -> Iterator[None]:
    with reading(path):
        try:
            yield
        except pa.ArrowException as error:
            first = str(error).partition("\n")[0]
            raise BatchFileError(path, "unreadable", f"cannot be read: {first}") from None
