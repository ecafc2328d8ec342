"""Rows of a batch beside a bare loop over ``cite`` and ``render``; one process and two.

    python benchmarks/bench_batch.py [EFFORT]
    python benchmarks/bench_batch.py --memory ROWS

The second form prints the greatest resident size, of the command and of its workers, over so
many small rows.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

from batch_job import Busy
from corpus import SENTENCES, slices
from measure import Row, best, main
from stored import bare_loop, rows_of

from citemark.batch import BatchOptions
from citemark.batch.pool import Pool
from citemark.batch.run import Run

ROWS = 120
"""Few: short works are undisturbed more often."""

OPTIONS = BatchOptions(to=("html",), label="number")
SMALL = 40
"""Code points of the answers whose memory is measured, about."""


def rows(effort: float) -> list[Row]:
    """Return CPU seconds beside the bare loop, and how two processes do beside one."""
    count = max(int(ROWS * effort), 4)
    rounds = max(int(12 * effort), 1)
    own = rows_of(count)
    shared = [one | {"sources": own[0]["sources"]} for one in own]
    with tempfile.TemporaryDirectory() as folder:
        names = ("own.jsonl", "shared.jsonl", "empty.jsonl")
        paths = [Path(folder, name) for name in names]
        for path, given in zip(paths, (own, shared, []), strict=True):
            path.write_text("".join(json.dumps(one) + "\n" for one in given), "utf-8")
        works = [*(partial(_files, path) for path in paths), partial(bare_loop, own)]
        works.append(partial(bare_loop, shared))
        ours, with_shared, empty, bare, bare_shared = best(works, rounds, time.process_time)
    what = "JSON Lines to JSON Lines with HTML, answers of 3,000 code points"
    found = [
        Row(
            f"{what}; a row", ours / count * 1e6, "µs", bare / count * 1e6,
            "`cite` and `render`", 1.3,
            details={
                "rows_a_second": count / ours,
                "bare_rows_a_second": count / bare,
                "seconds_for_no_row": empty,
                "ratio_with_shared_sources": with_shared / bare_shared,
            },
        )
    ]  # fmt: skip
    return [*found, _two(max(int(8 * effort), 1))]


def _files(path: Path) -> None:
    output = str(path.with_name("out.jsonl"))
    Run([str(path)], output, OPTIONS, workers=0, overwrite=True).go()


def _two(tasks: int) -> Row:
    """Compare two processes with one, beside two busy loops and one."""
    texts = [slices()[:10]] * (4 * tasks)
    works = [partial(_loops, 1), partial(_loops, 2), partial(_pool, texts, 1)]
    works.append(partial(_pool, texts, 2))
    rounds = [[work() for work in works] for _ in range(3)]  # in turn: load comes and goes
    loop, loops, one, two = map(min, zip(*rounds, strict=True))
    ours, control = two / one, loops / loop / 2
    return Row(
        "two processes: time for what one does alone, which is 1",
        ours, "×", control, "two busy loops", 2 / 1.8,
        details={
            "speed_up": one / two,
            "speed_up_of_loops": 2 * loop / loops,
            "seconds": [loop, loops, one, two],
            "cpus": os.cpu_count(),
            "load": os.getloadavg(),
        },
    )  # fmt: skip


def _pool(texts: list[list[str]], workers: int) -> float:
    with Pool(Busy(), workers) as pool:
        seen: set[int] = set()
        while len(seen) < workers:  # all have started, and imported what they need
            seen.update(pool.map(texts[:workers]))
        return _wall(lambda: list(pool.map(texts)))


def _loops(count: int) -> float:
    start = time.perf_counter()
    code = "n = 0\nfor _ in range(6_000_000): n += 1"
    started = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(count)]  # noqa: S603  our own
    for process in started:
        process.wait()
    return time.perf_counter() - start


def _wall(work: Any) -> float:  # noqa: ANN401  a function
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def memory(count: int) -> dict[str, int]:
    """Return the greatest resident sizes in kB over so many small rows."""
    sentence = SENTENCES[0].format(n=1)[-SMALL:]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "in.jsonl"
        with path.open("w", encoding="utf-8") as file:
            for n in range(count):
                file.write(json.dumps({"id": n, "answer": sentence}) + "\n")
        Run([str(path)], str(path.with_name("out.jsonl")), workers=2).go()
    return {
        "rows": count,
        "command_kB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
        "greatest_worker_kB": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss,
        "threads": threading.active_count(),
    }


if __name__ == "__main__":
    if sys.argv[1:2] == ["--memory"]:
        print(json.dumps(memory(int(sys.argv[2]))))
    else:
        main(rows)
