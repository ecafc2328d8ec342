"""Work in several processes: order kept, few tasks on their way, and no death is the end.

The pools of the standard library break as a whole when a process dies
(``concurrent.futures``) or wait for ever (``multiprocessing.Pool``), and both import the
caller's ``__main__`` again.  Here each process is a fresh interpreter, held by a thread of its
own: what dies is replaced, and its task done again.
"""

from __future__ import annotations

import os
import pickle
import queue
import threading
from collections import deque
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar

from citemark.batch._process import Process, ProcessDiedError, ProcessStartError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType

__all__ = ["Job", "Pool", "cpu_count", "each"]

Task = TypeVar("Task")
Result = TypeVar("Result")

AHEAD: Final = 3
"""Tasks for each process that are on their way at once: done, being done, or waiting."""

MAX_WEIGHT: Final = 64 << 20
"""Of the tasks on their way, in bytes; one may weigh more if it is alone."""

MAX_DEATHS: Final = 2
"""Processes that may end over a task before it is done in parts; and over a part before it is
told to have failed: a row is innocent of a process that was killed from outside."""

MAX_STARTS: Final = 3
"""Processes in a row that may end while they start."""


class Job(Protocol[Task, Result]):
    """What is done.  It is pickled, and goes to each process once."""

    def run(self, task: Task) -> Result:
        """Do a task."""

    def split(self, task: Task) -> list[Task]:
        """Return the smallest parts of a task."""

    def join(self, results: list[Result]) -> Result:
        """Return the result of a task from those of its parts, in order."""

    def failed(self, task: Task, reason: str) -> Result:
        """Return the result of a part that ends each process that does it."""

    def weight(self, task: Task) -> int:
        """Return the bytes of a task, about."""


class _Promise(Generic[Task, Result]):
    """A task on its way, and its result when it is there."""

    def __init__(self, task: Task, weight: int) -> None:
        self.task, self.weight = task, weight
        self.done = threading.Event()
        self.result: Result
        self.error: BaseException | None = None


class Pool(Generic[Task, Result]):
    """Processes that do tasks.

    Args:
        job: What they do.  Its class is imported by them: it is not in ``__main__``.
        workers: How many processes; one for each CPU by default.

    Raises:
        ProcessStartError: The job cannot be sent to a process; or, from ``map``, a process does
            not even start.
    """

    def __init__(self, job: Job[Task, Result], workers: int | None = None) -> None:
        """Start nothing yet: processes start with their first tasks."""
        self._job = job
        self._pickled = _pickled(job)
        self._tasks: queue.SimpleQueue[_Promise[Task, Result] | None] = queue.SimpleQueue()
        self._workers = [_Worker(self) for _ in range(workers or cpu_count())]
        self._is_closed = False

    def __enter__(self) -> Pool[Task, Result]:
        """Return the pool."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End all processes, whatever they do."""
        self.close()

    def map(self, tasks: Iterable[Task]) -> Iterator[Result]:
        """Yield the result of each task, in the order of the tasks.

        Tasks are taken only as results are: few are in memory at once.
        """
        waiting: deque[_Promise[Task, Result]] = deque()
        weight = 0
        for task in tasks:
            promise: _Promise[Task, Result] = _Promise(task, self._job.weight(task))
            while waiting and (
                len(waiting) >= AHEAD * len(self._workers)
                or weight + promise.weight > MAX_WEIGHT
            ):
                weight -= waiting[0].weight
                yield _result(waiting.popleft())
            waiting.append(promise)
            weight += promise.weight
            self._put(promise)
        while waiting:
            yield _result(waiting.popleft())

    def close(self) -> None:
        """End all processes, whatever they do."""
        self._is_closed = True
        for _ in self._workers:  # any thread may take any of these
            self._tasks.put(None)
        for worker in self._workers:
            worker.kill()
        for worker in self._workers:
            worker.join()

    def pids(self) -> list[int]:
        """Return the ids of the processes that live."""
        return [pid for worker in self._workers if (pid := worker.pid) is not None]

    def _put(self, promise: _Promise[Task, Result]) -> None:
        self._tasks.put(promise)
        for worker in self._workers:  # as many as there are tasks for
            if worker.start():
                return


class _Worker:
    """A thread that holds a process, and gets it another one when it dies."""

    def __init__(self, pool: Pool[Any, Any]) -> None:
        self._pool = pool
        self._process: Process | None = None
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    @property
    def pid(self) -> int | None:
        process = self._process
        return process.pid if process else None

    def start(self) -> bool:
        """Begin, if it has not yet; return whether it had not."""
        if self._thread is not None:
            return False
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        return True

    def kill(self) -> None:
        """End the process, whatever it does."""
        with self._lock:
            if self._process is not None:
                self._process.kill()

    def join(self) -> None:
        """Wait for the thread: it ends when it finds nothing to do."""
        if self._thread is not None:
            self._thread.join()

    def _serve(self) -> None:
        while (promise := self._pool._tasks.get()) is not None:  # noqa: SLF001  of this module
            try:
                promise.result = self._do(promise.task)
            except BaseException as error:  # noqa: BLE001  who waits for it gets it
                promise.error = error
            promise.task = None
            promise.done.set()

    def _do(self, task: Any) -> Any:  # noqa: ANN401  any task
        """Do a task; in parts, if processes die of it."""
        job = self._pool._job  # noqa: SLF001  of this module
        try:
            return self._ask_again(task)
        except ProcessStartError:
            raise
        except ProcessDiedError as death:
            reason = str(death)
        parts = job.split(task)
        if len(parts) <= 1:
            return job.failed(task, reason)
        return job.join([self._do_part(part) for part in parts])

    def _do_part(self, part: Any) -> Any:  # noqa: ANN401  any task
        try:
            return self._ask_again(part)
        except ProcessStartError:
            raise
        except ProcessDiedError as death:
            return self._pool._job.failed(part, str(death))  # noqa: SLF001  of this module

    def _ask_again(self, task: Any) -> Any:  # noqa: ANN401  any task
        """Ask for a task, and again if a process dies over it, which may be no fault of it.

        Raises:
            ProcessDiedError: Of the last one.
        """
        for _ in range(MAX_DEATHS - 1):
            try:
                return self._ask(task)
            except ProcessStartError:
                raise
            except ProcessDiedError:
                self._give_up()
        try:
            return self._ask(task)
        except ProcessDiedError:
            self._give_up()
            raise

    def _ask(self, task: Any) -> Any:  # noqa: ANN401  any task
        return self._ready().ask(task)

    def _ready(self) -> Process:
        """Return a process that has started."""
        for _ in range(MAX_STARTS):
            process = self._started()
            try:
                process.begin()
            except ProcessStartError:
                raise
            except ProcessDiedError as death:
                reason = str(death)
                self._give_up()
            else:
                return process
        raise ProcessStartError(reason)

    def _started(self) -> Process:
        with self._lock:
            if self._pool._is_closed:  # noqa: SLF001  of this module
                raise ProcessStartError("the pool is closed")
            if self._process is None:
                self._process = Process(self._pool._pickled)  # noqa: SLF001  of this module
            return self._process

    def _give_up(self) -> None:
        """Forget a process that died."""
        with self._lock:
            if self._process is not None:
                self._process.kill()
            self._process = None


def _pickled(job: object) -> bytes:
    try:
        return pickle.dumps(job, protocol=pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        reason = f"its job cannot be sent to it: {error}"
        raise ProcessStartError(f"the worker does not start: {reason}") from error


def _result(promise: _Promise[Task, Result]) -> Result:
    promise.done.wait()
    if promise.error is not None:
        raise promise.error
    return promise.result


@contextmanager
def each(job: Job[Task, Result], workers: int) -> Iterator[Any]:
    """Give what maps tasks to results: in processes, or for 0 workers in this one."""
    if workers == 0:
        yield lambda tasks: map(job.run, tasks)
        return
    with Pool(job, workers) as pool:
        yield pool.map


def cpu_count() -> int:
    """Return how many CPUs this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
