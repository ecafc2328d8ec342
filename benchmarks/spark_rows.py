"""Rows over PySpark beside the process pool: the same files, the same digest.

    python benchmarks/spark_rows.py [ROWS] [WORKERS]

Needs the extra ``spark`` and Java.  Both are warm: processes have started, and have imported
all.  Rates for a core are rows by CPU seconds, of all processes (for Spark also of its JVM), as
other programs on the machine take wall time from either.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession

from citemark.batch import BatchOptions, SourcesTable
from citemark.batch.arrow._job import ArrowJob, packed, unpacked
from citemark.batch.pool import Pool
from citemark.batch.spark import annotate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import DataFrame

FILES = 16
SETS = 50
OPTIONS = BatchOptions(to=("text",))
TICKS = os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Print rate, CPU and digest of both."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    workers = int(sys.argv[2]) if len(sys.argv) > 2 else os.cpu_count() or 1  # noqa: PLR2004
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write(folder / "in", count)
        print(f"{count:,} rows, {workers} workers, {_size(folder / 'in'):,} bytes in")
        for work in (_pool, _spark):
            work(folder, count, workers)
            out = folder / work.__name__
            print(f"    {_size(out):,} bytes out, digest {_digest(out)}", flush=True)


def _write(folder: Path, count: int) -> None:
    """Write short answers over sources that all rows of a set share."""
    folder.mkdir()
    for first in range(FILES):
        numbers = range(first * count // FILES, (first + 1) * count // FILES)
        texts = [f"Order {n} takes five working days [1]. See [2], and [9]." for n in numbers]
        sets = [f"set-{n % SETS}" for n in numbers]
        table = pa.table({"id": numbers, "answer": texts, "sources": sets})
        pq.write_table(table, folder / f"{first:02}.parquet")


def _table() -> SourcesTable:
    return SourcesTable(
        {"id": f"{n}-{place}", "title": f"Policy {n}, part {place}", "set": f"set-{n}"}
        for n in range(SETS)
        for place in (1, 2)
    )


def _pool(folder: Path, count: int, workers: int) -> None:
    out = folder / "_pool"
    out.mkdir()
    with Pool(ArrowJob(OPTIONS, _table()), workers) as pool:
        warm = next(_batches(folder / "in"))
        list(pool.map([packed(warm)] * 4 * workers))
        writer = None
        with _measured("process pool", count, os.getpid()):
            for result in pool.map(map(packed, _batches(folder / "in"))):
                for batch in (one for data in result.rows for one in unpacked(data)):
                    writer = writer or pq.ParquetWriter(out / "0.parquet", batch.schema)
                    writer.write_batch(batch)
            if writer:
                writer.close()


def _batches(folder: Path) -> Iterator[pa.RecordBatch]:
    for path in sorted(folder.glob("*.parquet")):
        yield from pq.ParquetFile(path).iter_batches(batch_size=1024)


def _spark(folder: Path, count: int, workers: int) -> None:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = _session(workers)
    try:
        table = _table()

        def made(files: str) -> DataFrame:
            frame = spark.read.parquet(str(folder / "in" / files))
            return annotate(frame, sources=table, options=OPTIONS)

        made("0[0-3].parquet").write.parquet(str(folder / "warm"))
        with _measured("Spark", count, spark.sparkContext._gateway.proc.pid):  # noqa: SLF001
            made("*.parquet").write.parquet(str(folder / "_spark"))
    finally:
        spark.stop()


def _session(workers: int) -> SparkSession:
    builder = SparkSession.builder.master(f"local[{workers}]")
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "1024",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


@contextmanager
def _measured(what: str, count: int, pid: int) -> Iterator[None]:
    start, used, alone = time.perf_counter(), _cpu(pid), _cpu_alone(pid)
    yield
    wall, cpu = time.perf_counter() - start, _cpu(pid) - used
    share = (_cpu_alone(pid) - alone) / cpu
    print(
        f"{what}: {wall:.1f} s, {count / wall:,.0f} rows/s; {cpu:.1f} CPU s, "
        f"{count / cpu:,.0f} rows/s for a core; {share:.0%} of the CPU in the process that "
        "the workers have their rows from",
        flush=True,
    )


def _cpu(pid: int) -> float:
    """Return the CPU seconds of a process and all under it, those that ended too."""
    pids = [one.name for one in Path("/proc").iterdir() if one.name.isdigit()]
    stats = {one: _stat(one) for one in pids}
    found, waiting = 0, [str(pid)]
    while waiting:
        parent = waiting.pop()
        found += sum(map(int, stats[parent][11:15])) if stats[parent] else 0
        waiting += [one for one, stat in stats.items() if stat and stat[1] == parent]
    return found / TICKS


def _cpu_alone(pid: int) -> float:
    """Return the CPU seconds of a process itself."""
    return sum(map(int, _stat(str(pid))[11:13])) / TICKS


def _stat(pid: str) -> list[str]:
    """Return the fields after the name, from the state on."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    except OSError:
        return []


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.glob("*.parquet"))


def _digest(folder: Path) -> str:
    """Return a digest of all rows, in whatever order they are."""
    total = 0
    for path in folder.glob("*.parquet"):
        for batch in pq.ParquetFile(path).iter_batches():
            for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                total += _number(row)
    return f"{total % 2**128:032x}"


def _number(row: tuple[Any, ...]) -> int:
    return int.from_bytes(hashlib.blake2b(repr(row).encode(), digest_size=16).digest())


if __name__ == "__main__":
    main()
