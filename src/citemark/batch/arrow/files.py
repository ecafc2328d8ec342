"""Parquet and Arrow IPC files of rows.  Needs the extra ``arrow``.

From a table to a table, columns keep their types: ``annotate_file``.  Between tables and lines,
rows go through JSON: ``lines_of`` and ``write_table``.
"""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from citemark._extras import extra

with extra("arrow"):
    import pyarrow as pa

from citemark.batch._strict import encode
from citemark.batch.arrow._build import Rows
from citemark.batch.arrow._io import ARROW_ENDINGS, TableWriter, opened_table
from citemark.batch.arrow._job import ArrowJob, ArrowResult, packed, reject_schema, unpacked
from citemark.batch.arrow._schema import OUTPUT_SCHEMA, output_schema
from citemark.batch.files._csv import OTHERS
from citemark.batch.files._jsonl import REJECT
from citemark.batch.options import BatchOptions
from citemark.batch.pool import each
from citemark.batch.rows import OUTPUT
from citemark.batch.sources import SourcesTable

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Sequence

    from citemark.batch.where import Where

__all__ = ["ARROW_ENDINGS", "TableTally", "annotate_file", "lines_of", "write_table"]

MAX_ROWS: Final = 1024
MAX_BYTES: Final = 16 << 20


@dataclass(slots=True)
class TableTally:
    """How far a file is."""

    rows: int = 0
    errors: int = 0
    nulls: int = 0


def annotate_file(  # noqa: PLR0913  as a run has them
    path: str,
    output: str,
    options: BatchOptions | None = None,
    table: SourcesTable | None = None,
    *,
    workers: int = 0,
    where: Sequence[Where] = (),
    limit: int | None = None,
    report: Callable[[TableTally], None] = lambda tally: None,  # noqa: ARG005  nobody listens
) -> TableTally:
    """Make a table of a table, whole or not at all.

    Rows that fail stand, as they were, in a table beside it: ``may.parquet.rejects.parquet``.

    Args:
        path: A file with one of ``ARROW_ENDINGS``.
        output: Another one; what is there is replaced at the end.
        options: Of the run.
        table: Sources that rows refer to.
        workers: Processes; 0 works in this one.
        where: Conditions that a row has to meet.
        limit: The greatest number of rows.
        report: Called after each batch.

    Raises:
        BatchFileError: A file cannot be read or written.
        RowSchemaError: There is no ``answer``, or two columns have one name.
        ProcessStartError: No worker starts.
    """
    job = ArrowJob(options or BatchOptions(), table or SourcesTable(), tuple(where))
    tally = TableTally()
    rejects = f"{output}.rejects{Path(output).suffix}"
    with opened_table(path) as given:
        failed = reject_schema(given.schema)
        made, _ = output_schema(pa.schema([one for one in failed if one.name != REJECT]))
        with (
            TableWriter(rejects, failed) as bad,
            TableWriter(output, made) as good,
            each(job, workers) as work,
        ):
            for result in work(map(packed, given.batches)):
                _take(result, tally, good, bad, limit)
                report(tally)
                if tally.rows == limit:
                    break
    if not tally.errors:
        Path(rejects).unlink()
    return tally


def _take(
    result: ArrowResult,
    tally: TableTally,
    good: TableWriter,
    bad: TableWriter,
    limit: int | None,
) -> None:
    """Write what became of a batch, and count it."""
    for batch in (one for data in result.rows for one in unpacked(data)):
        taken = batch if limit is None else batch.slice(0, limit - good.rows)
        good.write(taken)
        tally.errors += taken.num_rows - taken.column("error").null_count
    for batch in (one for data in result.rejects for one in unpacked(data)):
        bad.write(batch.slice(0, tally.errors - bad.rows))
    tally.nulls += result.nulls
    tally.rows = good.rows


def lines_of(path: str) -> IO[bytes]:
    """Return the rows of a table as a stream of JSON Lines.

    Raises:
        BatchFileError: While it is read: it cannot be.
    """
    return io.BufferedReader(_Lines(path), 1 << 18)


class _Lines(io.RawIOBase):
    def __init__(self, path: str) -> None:
        self._lines, self._ready = _encoded(path), b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401  as ``io`` has it
        self._ready = self._ready or next(self._lines, b"")
        count = min(len(buffer), len(self._ready))
        buffer[:count], self._ready = self._ready[:count], self._ready[count:]
        return count

    def close(self) -> None:
        self._lines.close()
        super().close()


def _encoded(path: str) -> Generator[bytes, None, None]:
    with opened_table(path) as given:
        for batch in given.batches:
            for row in batch.to_pylist():
                yield encode(row) + b"\n"


def write_table(lines: Iterable[bytes], output: str) -> int:
    """Write annotated rows, which stand as lines of JSON, as a table; return how many.

    Columns that pass through stand in one, as JSON: lines do not say which there are.

    Args:
        lines: As ``JsonLinesWriter`` writes them.
        output: A file with one of ``ARROW_ENDINGS``.

    Raises:
        BatchFileError: It cannot be written.
    """
    schema = OUTPUT_SCHEMA.append(pa.field(OTHERS, pa.string()))
    with TableWriter(output, schema) as table:
        rows, others = Rows(), list[bytes | None]()
        for line in lines:
            row = json.loads(line)
            passed = {name: row[name] for name in row if name not in OUTPUT}
            rows.add({name: row[name] for name in OUTPUT})
            others.append(encode(passed) if passed else None)
            if len(others) >= MAX_ROWS or rows.weight >= MAX_BYTES:
                table.write(rows.batch([pa.array(others, pa.string())], schema))
                rows, others = Rows(), []
        table.write(rows.batch([pa.array(others, pa.string())], schema))
        return table.rows
