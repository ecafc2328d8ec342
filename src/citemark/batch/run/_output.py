"""Outputs while they are made: parts that grow by whole chunks, and are named at the end."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol

from citemark.batch._disk import discard, sync_folder
from citemark.batch._faults import BatchFileError, reading, writing
from citemark.batch.files import STDIO
from citemark.batch.files._compressed import compressor
from citemark.batch.run._manifest import Sizes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citemark.batch.run._manifest import Chunk, Manifest
    from citemark.batch.run._targets import Target
    from citemark.batch.run._work import Annotated

__all__ = ["Counts", "FileOutput", "Output", "StdOutput", "finish"]


@dataclass(frozen=True, slots=True)
class Counts:
    """What was written of a batch."""

    rows: int
    errors: int
    nulls: int
    failed_before: int


class Output(Protocol):
    """Where rows go."""

    def write(self, result: Any, most: int | None) -> Counts:  # noqa: ANN401  of its job
        """Write at most so many rows, and those that failed as they were."""

    def keep(self, chunk: Chunk) -> bool:
        """Make sure that all that was written is there whatever comes, if that can be."""

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
        self._rows = _open(target.lines, start.output_bytes)
        try:
            self._rejects = _open(target.rejects_part, start.rejects_bytes)
        except BatchFileError:
            self._rows.close()
            raise
        if head and not start.output_bytes:
            self._write([head])

    def write(self, result: Annotated, most: int | None) -> Counts:
        """Write rows as a whole member, if they are compressed.

        Raises:
            BatchFileError: They cannot be written.
        """
        result, counts = _limited(result, most)
        if result.rows:
            self._write(result.rows)
        if result.rejects:
            with writing(str(self._target.rejects)):
                self._rejects.write(b"".join(data for _, data in result.rejects))
        return counts

    def _write(self, rows: Sequence[bytes]) -> None:
        with writing(self._target.output):
            self._rows.write(self._pack(b"".join(rows)))

    def keep(self, chunk: Chunk) -> bool:
        """Put all on the disk, and say so.

        Raises:
            BatchFileError: It does not go there.
        """
        output = _sync(self._rows, self._target.output)
        rejects = _sync(self._rejects, str(self._target.rejects))
        whole = replace(chunk, output_bytes=output, rejects_bytes=rejects)
        self._manifest.chunk(self._target.key, whole)
        return True

    def close(self) -> None:
        """Let go of the parts; what the disk had no room for is not tried again."""
        for file in (self._rows, self._rejects):
            discard(file)


class StdOutput:
    """Stdout: nothing is kept beside it."""

    def __init__(self, head: bytes) -> None:
        """Write the head."""
        self._stream = sys.stdout.buffer
        self._write([head])

    def write(self, result: Annotated, most: int | None) -> Counts:
        """Write rows.

        Raises:
            BatchFileError: They cannot be written.
            BrokenPipeError: Nobody reads them any more.
        """
        result, counts = _limited(result, most)
        self._write(result.rows)
        return counts

    def _write(self, rows: Sequence[bytes]) -> None:
        with writing("stdout"):
            self._stream.write(b"".join(rows))

    def keep(self, chunk: Chunk) -> bool:  # noqa: ARG002  as an ``Output``
        """Pass on what was written; no later run knows of it."""
        with writing("stdout"):
            self._stream.flush()
        return False

    def close(self) -> None:
        """Leave it open: it is not ours."""


def _limited(result: Annotated, most: int | None) -> tuple[Annotated, Counts]:
    """Return what is wanted of a result, and count it."""
    if most is not None:
        result = result.first(most)
    before = len(result.failed_before)
    return result, Counts(len(result.rows), len(result.rejects), len(result.nulls), before)


def finish(
    target: Target, manifest: Manifest, size: int | None, columns: Sequence[str] | None
) -> None:
    """Give parts their names, in an order that a kill does not hurt.

    Args:
        target: Input and output.
        manifest: Of the outputs.
        size: Bytes of the input.
        columns: Names of the columns that pass through, if they are known.

    Raises:
        BatchFileError: They cannot be renamed; or a table cannot be made of them.
    """
    if target.output == STDIO:
        return
    if target.is_gathered and target.lines.exists():
        _gather(target, columns)
    output = Path(target.output)
    with writing(target.output):
        _name(target.rejects_part, target.rejects, is_kept=_has_bytes(target.rejects_part))
        _name(target.part, output, is_kept=True)
        target.lines.unlink(missing_ok=True)
        made = output.stat().st_size if output.exists() else 0  # another program may move it
    manifest.done(target.key, Sizes(size, made))


def _gather(target: Target, columns: Sequence[str] | None) -> None:
    """Make a table of the lines; they stay until it has its name."""
    from citemark.batch.arrow._gather import gather  # noqa: PLC0415  needs an extra

    with reading(str(target.lines)), target.lines.open("rb") as lines:
        gather(lines, target.part, target.output, columns)


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
