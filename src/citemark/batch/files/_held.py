"""A file that is held open while it is read, and must not change meanwhile."""

from __future__ import annotations

import hashlib
import os
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from citemark.batch._faults import BatchFileError, reading
from citemark.batch.files._compressed import BLOCK

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["STDIO", "HeldFile", "held"]

STDIO: Final = "-"
"""Stands for stdin and stdout."""


class HeldFile:
    """A file that is being read.

    Args:
        path: Its name, or ``-`` for stdin.
        raw: Its bytes as they are.
    """

    def __init__(self, path: str, raw: IO[bytes]) -> None:
        """Note how it is."""
        self.path, self.raw = path, raw
        self._known = self._state()

    @property
    def size(self) -> int | None:
        """Bytes of the file as it is; None for a pipe."""
        return self._known[0] if self._known else None

    @property
    def digest(self) -> str:
        """Hexadecimal digest of the file as it is; it is read for that."""
        found = hashlib.blake2b(digest_size=16)
        with reading(self.path):
            self.raw.seek(0)
            while data := self.raw.read(1 << 20):
                found.update(data)
            self.raw.seek(0)
        return found.hexdigest()

    def require_same(self) -> None:
        """Refuse a file that was written to since it was opened.

        Raises:
            BatchFileError: It was.
        """
        if self._state() != self._known:
            raise BatchFileError(self.path, "changed", "was written to while it was read")

    def _state(self) -> tuple[int, int] | None:
        if self.path == STDIO:
            return None
        with reading(self.path):
            found = os.fstat(self.raw.fileno())
            known = Path(self.path).stat()
        if (found.st_ino, found.st_dev) != (known.st_ino, known.st_dev):
            return (-1, -1)  # another file has its name
        is_regular = os.path.isfile(self.path)  # noqa: PTH113  as cheap
        return (found.st_size, found.st_mtime_ns) if is_regular else None


@contextmanager
def held(path: str) -> Iterator[HeldFile]:
    """Open a file, and close it.

    Raises:
        BatchFileError: It cannot be read.
    """
    with reading(path):
        raw = Path(path).open("rb", buffering=BLOCK)  # noqa: SIM115  closed below
    with raw:
        yield HeldFile(path, raw)
