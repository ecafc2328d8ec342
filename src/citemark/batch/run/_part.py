"""A file that grows by whole chunks, and what a file is known by: its bytes.

A name says nothing of whose rows are there: runs with two manifests may have one output.  Nor
do inode and times, once a folder was copied to another machine.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, Final

from citemark.batch._disk import discard
from citemark.batch._faults import BatchFileError, reading, writing
from citemark.errors import counted

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Mark", "Part", "mark_of", "not_kept"]

BLOCK: Final = 1 << 20
"""Bytes that are read at once."""

DIGEST_BYTES: Final = 16

ANEW: Final = "--overwrite begins anew"


@dataclass(frozen=True, slots=True)
class Mark:
    """What a file is known by; a copy of it has the same."""

    size: int = 0
    """Bytes."""

    digest: str = ""
    """Hexadecimal, of all of them."""

    def is_of(self, path: Path) -> bool:
        """Whether a file is there, and the one that was marked.

        Raises:
            BatchFileError: It cannot be read.
        """
        return path.is_file() and path.stat().st_size == self.size and mark_of(path) == self

    def begins(self, path: Path) -> bool:
        """Whether a file begins with what was marked, be it all of it; not with nothing.

        Raises:
            BatchFileError: It cannot be read.
        """
        return self.size > 0 and mark_of(path, self.size) == self


def mark_of(path: Path, most: int | None = None) -> Mark:
    """Return the mark of a file, which is read for that.

    Args:
        path: The file.
        most: Bytes of it that are looked at, if not all.

    Raises:
        BatchFileError: It cannot be read.
    """
    found, size = hashlib.blake2b(digest_size=DIGEST_BYTES), 0
    with reading(str(path)), path.open("rb") as file:
        while data := file.read(BLOCK if most is None else min(BLOCK, most - size)):
            found.update(data)
            size += len(data)
    return Mark(size, found.hexdigest())


class Part:
    """A file that is written after what is known to be whole; what is after that is cut off.

    Args:
        path: The file.
        name: What messages call it while it is written.
        start: Up to where it is whole.

    Raises:
        BatchFileError: It cannot be opened; or it is not what was marked.
    """

    def __init__(self, path: Path, name: str, start: Mark) -> None:
        """Open it, and read what is there."""
        self._name, self._digest = name, hashlib.blake2b(digest_size=DIGEST_BYTES)
        if start.size and not path.exists():
            raise not_kept(path, start)
        with writing(str(path)):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: IO[bytes] = path.open("r+b" if start.size else "wb")
        try:
            self._skip(path, start)
        except BaseException:
            self._file.close()
            raise

    def _skip(self, path: Path, start: Mark) -> None:
        left = start.size
        with reading(str(path)):
            while left and (data := self._file.read(min(left, BLOCK))):
                self._digest.update(data)
                left -= len(data)
        if start.size and (left or self._digest.hexdigest() != start.digest):
            raise not_kept(path, start)
        with writing(str(path)):
            self._file.truncate(start.size)
            self._file.seek(start.size)

    def write(self, data: Any) -> None:  # noqa: ANN401  bytes
        """Write bytes, sooner or later.

        Raises:
            BatchFileError: They cannot be written.
        """
        with writing(self._name):
            self._file.write(data)
        self._digest.update(data)

    def keep(self) -> Mark:
        """Put all on the disk, and return its mark.

        Raises:
            BatchFileError: It does not go there.
        """
        with writing(self._name):
            self._file.flush()
            os.fsync(self._file.fileno())
            return Mark(self._file.tell(), self._digest.hexdigest())

    def close(self) -> None:
        """Let go of it; what the disk had no room for is not tried again."""
        discard(self._file)


def not_kept(path: Path, mark: Mark, *, is_all: bool = False) -> BatchFileError:
    """Return why nothing can be made of a part: it is not what its manifest says.

    Args:
        path: The part.
        mark: What it was.
        is_all: Whether nothing more was to come.
    """
    if not path.exists():
        reason = "is gone: it was removed, or another run used it up"
        return BatchFileError(str(path), "missing", f"{reason}; {ANEW}")
    size = path.stat().st_size
    if size < mark.size or (is_all and size > mark.size):
        reason = f"has {counted(size, 'byte')}; its manifest says {mark.size:,}; {ANEW}"
        return BatchFileError(str(path), "truncated" if size < mark.size else "changed", reason)
    reason = "holds other bytes than its manifest says, as if another run wrote there"
    return BatchFileError(str(path), "changed", f"{reason}; {ANEW}")
