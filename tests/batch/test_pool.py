"""Processes do tasks in order, and none of their deaths is the end."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress

import pytest
from batch_kit import Numbers

from citemark.batch import SourcesTable
from citemark.batch._process import ProcessStartError
from citemark.batch.pool import Pool, each
from citemark.batch.run import Run
from citemark.errors import SourceError

pytestmark = pytest.mark.slow  # each starts processes

TASKS = [[number, number + 1] for number in range(0, 40, 2)]
DOUBLES = [[str(2 * a), str(2 * b)] for a, b in TASKS]
IGNORES = signal.getsignal(signal.SIGINT) is signal.SIG_IGN


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
        ("leave", "SystemExit: 5"),
        ("break", "KeyboardInterrupt"),
        ("unsent", "TypeError: a result that cannot be sent"),
        pytest.param(
            "interrupt",
            "the worker was ended by signal 2 (SIGINT)",
            marks=pytest.mark.skipif(IGNORES, reason="as jobs of a shell do"),
        ),
    ],
)
def test_what_ends_workers_is_found(end, reason, capfd):
    """Its task is done in parts: one of them failed, all others are as they were."""
    expected = [list(one) for one in DOUBLES]
    expected[3][1] = f"7: {reason}"
    with Pool(Numbers({7: end}), 2) as pool:
        assert list(pool.map(iter(TASKS))) == expected
    assert capfd.readouterr().err == ""


def test_what_dies_once_is_done_again(tmp_path):
    """A worker that was killed from outside costs nothing."""
    with Pool(Numbers({7: f"once {tmp_path / 'died'}"}), 2) as pool:
        assert list(pool.map(iter(TASKS))) == DOUBLES
    assert (tmp_path / "died.0").exists()


def test_part_that_dies_once_is_done_again(tmp_path):
    """A row alone is innocent too of a worker that was killed from outside."""
    with Pool(Numbers({7: f"thrice {tmp_path / 'died'}"}), 2) as pool:
        assert list(pool.map(iter(TASKS))) == DOUBLES
    assert len([*tmp_path.iterdir()]) == 3


def test_what_a_job_prints_is_not_in_the_way():
    """Stdout of a worker is stderr."""
    with Pool(Numbers({7: "print"}), 1) as pool:
        assert list(pool.map(iter(TASKS))) == DOUBLES


def test_workers_that_cannot_start_are_an_error():
    """No process is started again and again."""
    with Pool(Uncopied(), 1) as pool, pytest.raises(ProcessStartError, match="ValueError"):
        list(pool.map(iter(TASKS)))


def test_system_that_starts_no_process(monkeypatch):
    """Its reason is told, and by none of the files of a run."""

    def refuse(*_, **__):
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(subprocess, "Popen", refuse)
    said = "^the worker does not start: Too many open files$"
    with Pool(Numbers(), 1) as pool, pytest.raises(ProcessStartError, match=said):
        list(pool.map(iter(TASKS)))


def test_job_that_cannot_be_sent():
    """It is told before a process starts."""
    with pytest.raises(ProcessStartError, match=r"its job cannot be sent to it: .*lambda"):
        Pool(Numbers({7: lambda: 0}))


def test_run_that_cannot_be_sent(tmp_path):
    """What makes its rows is a function of a module; sources can be copied."""
    (tmp_path / "in.jsonl").write_text('{"answer": "x"}\n', "utf-8")
    given = [str(tmp_path / "in.jsonl")], str(tmp_path / "out.jsonl")
    with pytest.raises(ProcessStartError, match="its job cannot be sent"):
        Run(*given, workers=1, make=lambda *_: {}).go()
    table = SourcesTable([{"id": "a", "lock": threading.Lock()}])
    with pytest.raises(SourceError, match=r"source 1: it cannot be copied: .*lock"):
        Run(*given, workers=1, table=table).go()


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
