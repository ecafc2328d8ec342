"""Files that one run has at a time: another one is refused."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING

from citemark.batch._disk import discard
from citemark.batch._faults import BatchFileError, writing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["hold", "holding", "is_named", "locked"]


def hold(file: IO[bytes], path: str) -> None:
    """Hold a file until it is closed, or the process ends in whatever way.

    Raises:
        BatchFileError: Another run has it.
    """
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415  only there

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415  only there

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise locked(path) from None


@contextmanager
def holding(lock: Path, output: str) -> Iterator[None]:
    """Hold an output, whatever manifest it is in: a context manager.

    Args:
        lock: An empty file beside it, which is there as long as the output is held.
        output: What messages call it.

    Raises:
        BatchFileError: Another run has it, or the file cannot be made.
    """
    with writing(str(lock)):
        lock.parent.mkdir(parents=True, exist_ok=True)
        file = lock.open("ab")
    try:
        hold(file, output)
        if not is_named(file, lock):  # who had it has removed it since it was opened
            raise locked(output)
        try:
            yield
        finally:
            with suppress(OSError):  # some systems keep a file that is open
                lock.unlink()
    finally:
        discard(file)


def is_named(file: IO[bytes], path: Path) -> bool:
    """Whether a file that is open still has its name, and no other file has it."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def locked(path: str) -> BatchFileError:
    """Return why a run is refused: another one has its output."""
    return BatchFileError(path, "locked", "another run is writing there; wait for it to end")
