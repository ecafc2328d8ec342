"""Outputs while they are made: parts that grow by whole chunks, and are named at the end."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol

from citemark.batch._faults import BatchFileError, writing
from citemark.batch.files import STDIO
from citemark.batch.files._compressed import compressor
from citemark.batch.run._manifest import sync_folder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citemark.batch.run._manifest import Chunk, Manifest
    from citemark.batch.run._targets import Target

__all__ = ["FileOutput", "Output", "StdOutput", "discard", "finish"]


class Output(Protocol):
    """Where rows go."""

    def write(self, rows: Sequence[bytes], rejects: Sequence[bytes]) -> None:
        """Write rows, and those that failed as they were."""

    def keep(self, chunk: Chunk) -> None:
        """Make sure that all that was written is there whatever comes."""

    def close(self) -> None:
        """Let go of the files."""


class FileOutput:
    """A part of a file, and one of its rejects.

    Args:
        target: Which.
        manifest: Where it is said how far they are.
        start: Up to where they are whole; what is after that is cut off.
        head: What stands before the first row.
    """

    def __init__(self, target: Target, manifest: Manifest, start: Chunk, head: bytes) -> None:
        """Open the parts."""
        self._target, self._manifest = target, manifest
        self._pack = compressor(target.output)
        self._rows = _open(target.part, start.output_bytes)
        try:
            self._rejects = _open(target.rejects_part, start.rejects_bytes)
        except BatchFileError:
            self._rows.close()
            raise
        if head and not start.output_bytes:
            self.write([head], [])

    def write(self, rows: Sequence[bytes], rejects: Sequence[bytes]) -> None:
        """Write rows as a whole member, if they are compressed.

        Raises:
            BatchFileError: They cannot be written.
        """
        if rows:
            with writing(self._target.output):
                self._rows.write(self._pack(b"".join(rows)))
        if rejects:
            with writing(str(self._target.rejects)):
                self._rejects.write(b"".join(rejects))

    def keep(self, chunk: Chunk) -> None:
        """Put all on the disk, and say so.

        Raises:
            BatchFileError: It does not go there.
        """
        output = _sync(self._rows, self._target.output)
        rejects = _sync(self._rejects, str(self._target.rejects))
        whole = replace(chunk, output_bytes=output, rejects_bytes=rejects)
        self._manifest.chunk(self._target.key, whole)

    def close(self) -> None:
        """Let go of the parts; what the disk had no room for is not tried again."""
        for file in (self._rows, self._rejects):
            discard(file)


class StdOutput:
    """Stdout: nothing is kept beside it."""

    def __init__(self, head: bytes) -> None:
        """Write the head."""
        self._stream = sys.stdout.buffer
        self.write([head], [])

    def write(self, rows: Sequence[bytes], rejects: Sequence[bytes]) -> None:  # noqa: ARG002  as an ``Output``
        """Write rows.

        Raises:
            BatchFileError: They cannot be written.
            BrokenPipeError: Nobody reads them any more.
        """
        with writing("stdout"):
            self._stream.write(b"".join(rows))

    def keep(self, chunk: Chunk) -> None:  # noqa: ARG002  as an ``Output``
        """Pass on what was written."""
        with writing("stdout"):
            self._stream.flush()

    def close(self) -> None:
        """Leave it open: it is not ours."""


def finish(target: Target, manifest: Manifest, size: int | None) -> None:
    """Give parts their names, in an order that a kill does not hurt.

    Raises:
        BatchFileError: They cannot be renamed.
    """
    if target.output == STDIO:
        return
    with writing(target.output):
        _name(target.rejects_part, target.rejects, is_kept=_has_bytes(target.rejects_part))
        _name(target.part, Path(target.output), is_kept=True)
    manifest.done(target.key, size)


def _name(part: Path, path: Path, *, is_kept: bool) -> None:
    """Rename a part; one that was renamed before the last kill is not there any more."""
    if part.exists():
        if is_kept:
            part.replace(path)
        else:
            path.unlink(missing_ok=True)
            sync_folder(path.parent)
            part.unlink()
        sync_folder(path.parent)


def _has_bytes(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def _open(path: Path, size: int) -> IO[bytes]:
    """Open a part for writing after so many bytes."""
    with writing(str(path)):
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("r+b" if size else "wb")
        found = os.fstat(file.fileno()).st_size
        if found < size:
            file.close()
            reason = f"has {found} bytes; its manifest says {size}"
            raise BatchFileError(str(path), "truncated", reason)
        file.truncate(size)
        file.seek(size)
        return file


def _sync(file: IO[bytes], path: str) -> int:
    with writing(path):
        file.flush()
        os.fsync(file.fileno())
        return file.tell()


def discard(file: Any) -> None:  # noqa: ANN401  a buffered file
    """Close a file; what the disk had no room for is not tried again."""
    try:
        file.close()
    except OSError:
        file.raw.close()
