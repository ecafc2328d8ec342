"""Which kind of run writes into a SQLite file at the moment.

SQLite has no locks with names.  So all runs of a kind share the lock of a small database of
their own beside the file, for as long as they live; the kind stands in its header.
"""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["leave", "shared"]


@contextmanager
def shared(path: Path, kind: int) -> Iterator[bool]:
    """Share the lock of a file: a context manager.  No two may begin at once.

    Where no such file can be made, nothing is locked: who loses its plan learns of it then.

    Args:
        path: Of the file; it stays.
        kind: From -2³¹, below 2³¹.

    Yields:
        Whether it is shared; else a run of another kind has it.
    """
    with ExitStack() as stack:
        found = kind
        with suppress(sqlite3.Error):
            lock = stack.enter_context(closing(_opened(path)))
            found = _held(lock, kind)
        yield found == kind


def leave(path: Path) -> None:
    """Remove the file, unless others have it.  Nobody may begin meanwhile."""
    if not path.exists():
        return
    with suppress(sqlite3.Error, OSError):
        with closing(_opened(path)) as lock:
            lock.execute("BEGIN EXCLUSIVE")
        path.unlink()


def _opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=0, isolation_level=None)


def _held(lock: sqlite3.Connection, kind: int) -> int:
    """Share the lock, and return of which kind those are that do."""
    with suppress(sqlite3.OperationalError):  # it is busy: there are others
        lock.execute("PRAGMA synchronous = OFF")
        lock.execute("BEGIN EXCLUSIVE")
        lock.execute(f"PRAGMA user_version = {kind}")
        lock.execute("COMMIT")
    lock.execute("BEGIN")
    lock.execute("SELECT count(*) FROM sqlite_master").fetchall()
    [(found,)] = lock.execute("PRAGMA user_version").fetchall()
    return int(found)
