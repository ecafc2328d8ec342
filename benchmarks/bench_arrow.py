"""Rows in Arrow beside a bare loop over ``cite`` and ``render``; and from Parquet to Parquet.

    python benchmarks/bench_arrow.py [EFFORT]

Both make the same HTML of the same answers; the loop keeps nothing else.
"""

from __future__ import annotations

import tempfile
import time
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from measure import Row, best, main
from stored import bare_loop, rows_of

from citemark.batch import BatchOptions
from citemark.batch.arrow import annotate_batches
from citemark.batch.run import Run

ROWS = 120
"""Few: short works are undisturbed more often."""

OPTIONS = BatchOptions(to=("html",), label="number")


def rows(effort: float) -> list[Row]:
    """Return CPU time a row, as batches and as files."""
    count = max(int(ROWS * effort), 4)
    given = rows_of(count)
    table = pa.Table.from_pylist(given)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "in.parquet"
        pq.write_table(table, path)
        works = [partial(_batches, table), partial(_files, path), partial(bare_loop, given)]
        batches, files, bare = best(works, max(int(12 * effort), 1), time.process_time)
        sizes = {file.name: file.stat().st_size / count for file in Path(folder).iterdir()}
    what = "with HTML, answers of 3,000 code points; a row"
    return [
        Row(f"Arrow batches {what}", batches / count * 1e6, "µs", bare / count * 1e6,
            "`cite` and `render`", 1.3),
        Row(f"Parquet to Parquet {what}", files / count * 1e6, "µs", bare / count * 1e6,
            "`cite` and `render`", 1.3, details={"bytes_a_row": sizes}),
    ]  # fmt: skip


def _batches(table: pa.Table) -> None:
    for _ in annotate_batches(table.to_batches(), OPTIONS):
        pass


def _files(path: Path) -> None:
    output = str(path.with_name("out.parquet"))
    Run([str(path)], output, OPTIONS, workers=0, overwrite=True).go()


if __name__ == "__main__":
    main(rows)
