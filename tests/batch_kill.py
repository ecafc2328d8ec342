"""A run of ``citemark batch`` that is killed at random points until it ends.

    python tests/batch_kill.py [KILLS] [FROM] [TO]

says how many runs, killed so often in all (50 if not given), made the output of an unbroken
one.  FROM and TO are endings, .jsonl or .parquet; .jsonl if not given.
"""

from __future__ import annotations

import hashlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from batch_kit import jsonl, row

ROWS = 6_000
START = """
import sys
from citemark.batch import BatchOptions
from citemark.batch.run import Run
Run(
    [sys.argv[1]], sys.argv[2], BatchOptions(to=("text",)),
    workers=int(sys.argv[3]), resume=True, chunk=2,
).go()
"""


def begin(
    folder: Path, output: str, workers: int, given: str = "in.jsonl"
) -> subprocess.Popen[bytes]:
    """Start a run that goes on where the last one ended."""
    return subprocess.Popen(
        [
            sys.executable,
            "-c",
            START,
            str(folder / given),
            str(folder / output),
            str(workers),
        ],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stderr=subprocess.PIPE,
    )


def digest(path: Path) -> str:
    return hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()


def write_input(folder: Path, name: str = "in.jsonl") -> None:
    """Rows, some of which fail."""
    if name.endswith(".jsonl"):
        rows = [row(n) if n % 100 else {"id": n, "answer": n} for n in range(ROWS)]
        (folder / name).write_bytes(jsonl(rows) + b'{"cut')
        return
    import pyarrow as pa
    from table_kit import write

    bad = {"options": '{"unknown": 1}'}
    rows = [row(n, **({"options": None} if n % 100 else bad)) for n in range(ROWS)]
    write(folder / name, pa.Table.from_pylist(rows))


def kill_until_done(
    folder: Path, output: str, kills: int, chance: random.Random, given: str = "in.jsonl"
) -> int:
    """Kill a run that often, at any time from its start to its end; return the kills."""
    done = 0
    start = time.monotonic()
    process = begin(folder, output, 1, given)
    for _ in range(kills):
        try:
            process.wait(timeout=chance.uniform(0.05, 1.8))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
            done += 1
        else:
            break
        process = begin(folder, output, chance.choice([0, 1, 2]), given)
    _, said = process.communicate(timeout=300)
    if process.returncode != 0:
        raise AssertionError(said.decode())
    print(f"{done} kills in {time.monotonic() - start:.0f} s", file=sys.stderr)  # noqa: T201
    return done


def run_whole(folder: Path, given: str = "in.jsonl", output: str = "whole.jsonl") -> None:
    """Make the output of an unbroken run."""
    _, said = begin(folder, output, 0, given).communicate()
    if said:
        raise AssertionError(said.decode())


def are_equal(folder: Path, given: str, output: str, whole: str) -> bool:
    """Whether rows and rejects are the same."""
    both = Path(given).suffix == Path(output).suffix == ".parquet"
    return all(
        digest(folder / f"{output}{end}") == digest(folder / f"{whole}{end}")
        for end in ("", ".rejects.parquet" if both else ".rejects.jsonl")
    )


def main(kills: int, given: str = ".jsonl", output: str = ".jsonl") -> bool:
    """Compare broken and unbroken runs."""
    given, whole = f"in{given}", f"whole{output}"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_input(folder, given)
        run_whole(folder, given, whole)
        chance = random.Random(kills)  # noqa: S311  no secret
        left, equal, runs = kills, 0, 0
        while left > 0:
            made = f"{runs}{output}"
            left -= max(kill_until_done(folder, made, left, chance, given), 1)
            equal += are_equal(folder, given, made, whole)
            runs += 1
        print(f"{kills} kills, {runs} runs, {equal} of them equal to the unbroken one")  # noqa: T201
        return equal == runs


if __name__ == "__main__":
    sys.exit(not main(int(sys.argv[1]) if len(sys.argv) > 1 else 50, *sys.argv[2:]))
