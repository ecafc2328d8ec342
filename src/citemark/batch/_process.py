"""A process that does the tasks of a pool, seen from the pool, and what it runs itself.

They speak in pickles over stdin and stdout.  Ctrl-C does not reach it, as it is in a group of
its own; it ends with the process that started it, however that ends, for its stdin ends then.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from typing import IO, Any, Final

from citemark.errors import CitemarkError

__all__ = ["Process", "ProcessDiedError", "ProcessStartError", "main"]

_START: Final = (
    "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); "
    "from citemark.batch._process import main; main()"
)
READY: Final = "ready"


class ProcessDiedError(CitemarkError, RuntimeError):
    """A process ended before it had done its task."""

    def __init__(self, reason: str) -> None:
        """Keep how it ended."""
        super().__init__(reason)
        self.reason = reason


class ProcessStartError(ProcessDiedError):
    """A process does not even start, and others would not either."""


class Process:
    """A fresh interpreter that does tasks, one after the other.

    Args:
        job: A pickled ``Job``.

    Raises:
        ProcessStartError: The system starts no more of them.
    """

    def __init__(self, job: bytes) -> None:
        """Start it; ``-P`` keeps modules of the working folder out of its way."""
        self._is_ready = False
        self._job: bytes | None = job
        try:
            self._process = subprocess.Popen(  # noqa: S603  our own code
                [sys.executable, "-P", "-c", _START],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                process_group=0 if os.name == "posix" else None,
            )
        except OSError as error:  # no more files, processes or memory
            reason = f"the worker does not start: {error.strerror or error}"
            raise ProcessStartError(reason) from error

    @property
    def pid(self) -> int:
        """Id of the process."""
        return self._process.pid

    def begin(self) -> None:
        """Wait until it is ready, the first time.

        Raises:
            ProcessDiedError: It ended before; another one may not.
            ProcessStartError: It cannot do the job.
        """
        if self._is_ready:
            return
        try:
            pickle.dump(sys.path, self._stdin)
            self._stdin.write(self._job or b"")
            self._stdin.flush()
            said = pickle.load(self._stdout)  # noqa: S301  from our own process
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):
            raise ProcessDiedError(f"the worker does not start: it {self._end()}") from None
        if said != READY:
            raise ProcessStartError(f"the worker does not start: {said}")
        self._is_ready, self._job = True, None

    def ask(self, task: object) -> Any:  # noqa: ANN401  whatever the job returns
        """Return the result of a task.

        Raises:
            ProcessDiedError: It ended before.
        """
        try:
            pickle.dump(task, self._stdin, protocol=pickle.HIGHEST_PROTOCOL)
            self._stdin.flush()
            is_done, result = pickle.load(self._stdout)  # noqa: S301  from our own process
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):
            raise ProcessDiedError(f"the worker {self._end()}") from None
        if not is_done:
            raise ProcessDiedError(result)
        return result

    def kill(self) -> None:
        """End it, whatever it does."""
        self._process.kill()
        self._process.wait()
        for stream in (self._stdin, self._stdout):
            try:
                stream.close()
            except (OSError, ValueError):  # what was still to be written
                continue

    def _end(self) -> str:
        try:
            code = self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            return "closed its pipe"
        if code >= 0:
            return f"ended with exit code {code}"
        return f"was ended by signal {-code} ({_name(-code)})"

    @property
    def _stdin(self) -> IO[bytes]:
        assert self._process.stdin is not None  # noqa: S101  it is a pipe
        return self._process.stdin

    @property
    def _stdout(self) -> IO[bytes]:
        assert self._process.stdout is not None  # noqa: S101  it is a pipe
        return self._process.stdout


def _name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "unknown"


def main() -> None:
    """Do tasks from stdin until it ends.

    What a task raises is told, ``SystemExit`` too: it must not end the process, as it would if
    it got out of here.  A real Ctrl-C ends it, so that ``KeyboardInterrupt`` is a task's own.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    given = sys.stdin.buffer
    said = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what renderers print does not get between the results
    try:
        job = pickle.load(given)  # noqa: S301  from the process that started this one
    except BaseException as error:  # noqa: BLE001  it is told
        _say(said, _pickled(_told(error)))
        return
    _say(said, _pickled(READY))
    tasks: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_take, args=(given, tasks), daemon=True).start()
    while True:
        task = tasks.get()
        try:
            result = _pickled((True, job.run(task)))
        except BaseException as error:  # noqa: BLE001  the pool goes on without this task
            result = _pickled((False, _told(error)))
        _say(said, result)
        del task, result


def _told(error: BaseException) -> str:
    said = str(error)
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def _take(given: IO[bytes], tasks: queue.SimpleQueue[Any]) -> None:
    """Queue tasks; end with the process that sends them, even in the middle of one."""
    try:
        while True:
            tasks.put(pickle.load(given))  # noqa: S301  from the process that started this one
    except BaseException:  # noqa: BLE001  whatever ends the pipe
        os._exit(0)


def _pickled(value: object) -> bytes:
    return pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)


def _say(stream: IO[bytes], value: bytes) -> None:
    try:
        stream.write(value)
        stream.flush()
    except OSError:  # nobody is there to read it
        os._exit(0)
