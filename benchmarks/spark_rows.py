"""Rows over PySpark beside the process pool: the same files, the same digest.

    python benchmarks/spark_rows.py [ROWS] [WORKERS]

Needs the extra ``spark`` and Java.  Both are warm: processes have started, and have imported
all.  They take folders of files in turn, some seconds each: on a shared machine, figures taken
minutes apart differ by a third.  Rates for a core are rows by CPU seconds, of all processes
(for Spark also of its JVM), as other programs on the machine take wall time from either.
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
    from collections.abc import Callable, Iterator

    Engine = tuple[Callable[[Path, Path], None], int]

TURNS = 8
FILES = 4
"""Of a turn: enough for Spark to give some to each worker."""

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
        used = _in_turn(folder, workers)
        for what, (wall, cpu, alone) in used.items():
            out = folder / what
            print(
                f"{what}: {wall:.1f} s, {count / wall:,.0f} rows/s; {cpu:.1f} CPU s, "
                f"{count / cpu:,.0f} rows/s for a core; {alone / cpu:.0%} of the CPU in the "
                "process that the workers have their rows from\n"
                f"    {_size(out):,} bytes out, digest {_digest(out)}"
            )
        pool, spark = used["pool"], used["spark"]
        rates = f"{pool[1] / spark[1]:.2f} for a core, {pool[0] / spark[0]:.2f} on the clock"
        print(f"rate of Spark / rate of the pool: {rates}")


def _in_turn(folder: Path, workers: int) -> dict[str, list[float]]:
    """Return for each the seconds, the CPU seconds, and those of the process that leads."""
    used = {"pool": [0.0] * 3, "spark": [0.0] * 3}
    with _pool(workers) as pool, _spark(workers) as spark:
        works = {"pool": pool, "spark": spark}
        folders = sorted((folder / "in").iterdir())
        for what, (work, _) in works.items():
            for one in folders[: TURNS // 4]:
                work(one, folder / "warm" / what / one.name)
        for turn, one in enumerate(folders):
            for what in sorted(works, reverse=bool(turn % 2)):
                work, pid = works[what]
                before = _clocks(pid)
                work(one, folder / what / one.name)
                spent = zip(used[what], before, _clocks(pid), strict=True)
                used[what] = [so_far + end - start for so_far, start, end in spent]
    return used


def _write(folder: Path, count: int) -> None:
    """Write short answers over sources that all rows of a set share."""
    for first in range(TURNS * FILES):
        numbers = range(first * count // TURNS // FILES, (first + 1) * count // TURNS // FILES)
        texts = [f"Order {n} takes five working days [1]. See [2], and [9]." for n in numbers]
        sets = [f"set-{n % SETS}" for n in numbers]
        table = pa.table({"id": numbers, "answer": texts, "sources": sets})
        file = folder / f"{first // FILES}" / f"{first % FILES}.parquet"
        file.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(table, file)


def _table() -> SourcesTable:
    return SourcesTable(
        {"id": f"{n}-{place}", "title": f"Policy {n}, part {place}", "set": f"set-{n}"}
        for n in range(SETS)
        for place in (1, 2)
    )


@contextmanager
def _pool(workers: int) -> Iterator[Engine]:
    """Yield what makes rows of a file, and the process that leads."""
    with Pool(ArrowJob(OPTIONS, _table()), workers) as pool:

        def work(given: Path, out: Path) -> None:
            out.mkdir(parents=True)
            writer = None
            for result in pool.map(map(packed, _batches(given))):
                for batch in (one for data in result.rows for one in unpacked(data)):
                    writer = writer or pq.ParquetWriter(out / "0.parquet", batch.schema)
                    writer.write_batch(batch)
            if writer:
                writer.close()

        yield work, os.getpid()


def _batches(folder: Path) -> Iterator[pa.RecordBatch]:
    for path in sorted(folder.iterdir()):
        yield from pq.ParquetFile(path).iter_batches(batch_size=1024)


@contextmanager
def _spark(workers: int) -> Iterator[Engine]:
    """Yield what makes rows of a file, and the JVM."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = _session(workers)
    table = _table()

    def work(given: Path, out: Path) -> None:
        frame = spark.read.parquet(str(given))
        annotate(frame, sources=table, options=OPTIONS).write.parquet(str(out))

    try:
        yield work, spark.sparkContext._gateway.proc.pid  # noqa: SLF001
    finally:
        spark.stop()


def _session(workers: int) -> SparkSession:
    builder = SparkSession.builder.master(f"local[{workers}]")
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "1024",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


def _clocks(pid: int) -> tuple[float, float, float]:
    return time.perf_counter(), _cpu(pid), _cpu_alone(pid)


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
    return sum(path.stat().st_size for path in folder.rglob("*.parquet"))


def _digest(folder: Path) -> str:
    """Return a digest of all rows, in whatever order they are."""
    total = 0
    for path in folder.rglob("*.parquet"):
        for batch in pq.ParquetFile(path).iter_batches():
            for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                total += _number(row)
    return f"{total % 2**128:032x}"


def _number(row: tuple[Any, ...]) -> int:
    return int.from_bytes(hashlib.blake2b(repr(row).encode(), digest_size=16).digest())


if __name__ == "__main__":
    main()
