"""A run of ``citemark batch`` that is killed at random points until it ends.

    python tests/batch_kill.py [KILLS]

prints the digest of the output after so many kills, 50 if not given, and that of an unbroken
run.
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


def begin(folder: Path, output: str, workers: int) -> subprocess.Popen[bytes]:
    """Start a run that goes on where the last one ended."""
    return subprocess.Popen(
        [
            sys.executable,
            "-c",
            START,
            str(folder / "in.jsonl"),
            str(folder / output),
            str(workers),
        ],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stderr=subprocess.PIPE,
    )


def digest(path: Path) -> str:
    return hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()


def write_input(folder: Path) -> None:
    """Rows, some of which fail."""
    rows = [row(n) if n % 100 else {"id": n, "answer": n} for n in range(ROWS)]
    (folder / "in.jsonl").write_bytes(jsonl(rows) + b'{"cut')


def kill_until_done(folder: Path, output: str, kills: int, chance: random.Random) -> int:
    """Kill a run that often, at any time from its start to its end; return the kills."""
    done = 0
    start = time.monotonic()
    process = begin(folder, output, 1)
    for _ in range(kills):
        try:
            process.wait(timeout=chance.uniform(0.05, 1.8))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
            done += 1
        else:
            break
        process = begin(folder, output, chance.choice([0, 1, 2]))
    _, said = process.communicate(timeout=300)
    if process.returncode != 0:
        raise AssertionError(said.decode())
    print(f"{done} kills in {time.monotonic() - start:.0f} s", file=sys.stderr)  # noqa: T201
    return done


def run_whole(folder: Path) -> None:
    """Make the output of an unbroken run."""
    _, said = begin(folder, "whole.jsonl", 0).communicate()
    if said:
        raise AssertionError(said.decode())


def main(kills: int) -> bool:
    """Compare broken and unbroken runs."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_input(folder)
        run_whole(folder)
        chance = random.Random(kills)  # noqa: S311  no secret
        left, equal, runs = kills, 0, 0
        while left > 0:
            left -= max(kill_until_done(folder, f"{runs}.jsonl", left, chance), 1)
            equal += all(
                digest(folder / f"{runs}.jsonl{end}") == digest(folder / f"whole.jsonl{end}")
                for end in ("", ".rejects.jsonl")
            )
            runs += 1
        print(f"{kills} kills, {runs} runs, {equal} of them equal to the unbroken one")  # noqa: T201
        return equal == runs


if __name__ == "__main__":
    sys.exit(not main(int(sys.argv[1]) if len(sys.argv) > 1 else 50))
