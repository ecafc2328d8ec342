"""Processes do tasks in order, and none of their deaths is the end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest
from batch_kit import Numbers

from citemark.batch._process import ProcessStartError
from citemark.batch.pool import Pool, each

pytestmark = pytest.mark.slow  # each starts processes

TASKS = [[number, number + 1] for number in range(0, 40, 2)]
DOUBLES = [[str(2 * a), str(2 * b)] for a, b in TASKS]


class Uncopied(Numbers):
    """A job whose copy cannot be made."""

    def __reduce__(self):
        return (int, ("no number",))


def is_alive(pid):
    """Whether a process is there, and no zombie."""
    try:
        with open(f"/proc/{pid}/stat") as stat:  # noqa: PTH123  a file of the kernel
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def gone(pids):
    """Whether all processes are gone, soon."""
    for _ in range(100):
        if not any(map(is_alive, pids)):
            return True
        time.sleep(0.1)
    return False


@pytest.mark.parametrize("workers", [0, 1, 3])
def test_order_is_kept(workers):
    """Results come in the order of the tasks, from any number of processes."""
    slow = Numbers({0: "sleep 0.3", 4: "sleep 0.1"})
    with each(slow, workers) as work:
        assert list(work(iter(TASKS))) == DOUBLES


def test_few_tasks_are_on_their_way():
    """Tasks are taken as results are: what waits is bounded, however many there are."""
    taken = []

    def tasks():
        for task in TASKS:
            taken.append(task)
            yield task

    with Pool(Numbers(), 2) as pool:
        next(results := pool.map(tasks()))
        assert len(taken) <= 7
        assert [*results] == DOUBLES[1:]


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        ("kill", "the worker was ended by signal 9 (SIGKILL)"),
        ("exit", "the worker ended with exit code 7"),
        ("fault", "the worker was ended by signal 11 (SIGSEGV)"),
        ("raise", "ValueError: 7"),
    ],
)
def test_what_ends_workers_is_found(end, reason):
    """Its task is done in parts: one of them failed, all others are as they were."""
    expected = [list(one) for one in DOUBLES]
    expected[3][1] = f"7: {reason}"
    with Pool(Numbers({7: end}), 2) as pool:
        assert list(pool.map(iter(TASKS))) == expected


def test_what_dies_once_is_done_again(tmp_path):
    """A worker that was killed from outside costs nothing."""
    with Pool(Numbers({7: f"once {tmp_path / 'died'}"}), 2) as pool:
        assert list(pool.map(iter(TASKS))) == DOUBLES
    assert (tmp_path / "died").exists()


def test_what_a_job_prints_is_not_in_the_way():
    """Stdout of a worker is stderr."""
    with Pool(Numbers({7: "print"}), 1) as pool:
        assert list(pool.map(iter(TASKS))) == DOUBLES


def test_workers_that_cannot_start_are_an_error():
    """No process is started again and again."""
    with Pool(Uncopied(), 1) as pool, pytest.raises(ProcessStartError, match="ValueError"):
        list(pool.map(iter(TASKS)))


def test_no_process_stays():
    """Whatever they do when the pool is closed."""
    with Pool(Numbers({1: "sleep 60", 5: "sleep 60"}), 2) as pool:
        results = pool.map(iter([[0], [1], [5], [7]]))
        next(results)
        pids = pool.pids()
    assert pids
    assert gone(pids)


SCRIPT = """
import sys
from batch_kit import Numbers
from citemark.batch.pool import Pool
pool = Pool(Numbers({1: "sleep 60"}), 2)
results = pool.map(iter([[0], [1], [2], [3]]))
next(results)
print(*pool.pids(), flush=True)
with pool:
    list(results)
"""


def hear_interrupts():
    """Take Ctrl-C as in a terminal: what runs in the background of a shell ignores it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_workers_end_with_their_pool(number):
    """Also if it is killed; and the script, from stdin, is not run again by them."""
    process = subprocess.Popen(
        [sys.executable, "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        preexec_fn=hear_interrupts,  # noqa: PLW1509  there are no threads here
    )
    with process:
        process.stdin.write(SCRIPT.encode())
        process.stdin.close()
        pids = [int(word) for word in process.stdout.readline().split()]
        assert pids
        process.send_signal(number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=30)
        assert process.returncode == -number
    assert gone(pids)
