"""Tables that the tests of Parquet and Arrow IPC files share.  Needs pyarrow."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
from batch_kit import row

from citemark.batch.history import upgrade_row

if TYPE_CHECKING:
    from pathlib import Path

ENDINGS = [".parquet", ".arrow", ".arrows"]


def rows_of(count: int) -> list[dict[str, Any]]:
    """Rows, of which the eighth fails."""
    rows = [row(number, team=f"t{number % 3}", options=None) for number in range(count)]
    rows[7]["options"] = '{"unknown": 1}'
    return rows


def table_of(rows: list[dict[str, Any]]) -> pa.Table:
    """A table with columns of types that JSON has not."""
    given = pa.Table.from_pylist(rows)
    kept = pa.array(range(len(rows)), pa.uint16())
    return given.append_column("kept", kept).append_column(
        "seen", kept.cast("int64").cast("timestamp[ms]")
    )


def write(path: Path, given: pa.Table) -> None:
    if path.suffix == ".parquet":
        pq.write_table(given, path, row_group_size=900)
        return
    start = pa.ipc.new_stream if path.suffix == ".arrows" else pa.ipc.new_file
    with path.open("wb") as file, start(file, given.schema) as out:
        out.write_table(given, max_chunksize=700)


def read(path: Path) -> pa.Table:
    if path.suffix == ".parquet":
        return pq.ParquetFile(path).read()
    start = pa.ipc.open_stream if path.suffix == ".arrows" else pa.ipc.open_file
    with path.open("rb") as file:
        return start(file).read_all()


def upgrade_or_die(row: dict[str, Any], *_: object) -> dict[str, Any]:
    """Make a row of an output again; one of them ends who does it."""
    if row["id"] == "3":
        os.kill(os.getpid(), signal.SIGKILL)
    return upgrade_row(row)
