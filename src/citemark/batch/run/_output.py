"""Outputs while they are made: parts that grow by whole chunks, and are named at the end."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from citemark.batch._disk import sync_folder
from citemark.batch._faults import BatchFileError, reading, writing
from citemark.batch.files import STDIO
from citemark.batch.files._compressed import compressor
from citemark.batch.run._part import Part, mark_of, not_kept
from citemark.batch.run._progress import Chunk, Sizes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from citemark.batch.run._manifest import Manifest
    from citemark.batch.run._part import Mark
    from citemark.batch.run._progress import Progress
    from citemark.batch.run._targets import Target
    from citemark.batch.run._work import Annotated

__all__ = ["Counts", "FileOutput", "Output", "StdOutput", "finish", "tidy", "with_marks"]


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
        self._rows = Part(target.lines, target.output, start.output)
        try:
            rejects = str(target.rejects)
            self._rejects = Part(target.rejects_part, rejects, start.rejects)
        except BaseException:
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
            self._rejects.write(b"".join(data for _, data in result.rejects))
        return counts

    def _write(self, rows: Sequence[bytes]) -> None:
        self._rows.write(self._pack(b"".join(rows)))

    def keep(self, chunk: Chunk) -> bool:
        """Put all on the disk, and say so.

        Raises:
            BatchFileError: It does not go there.
        """
        self._manifest.chunk(
            self._target.key, with_marks(chunk, self._rows.keep(), self._rejects.keep())
        )
        return True

    def close(self) -> None:
        """Let go of the parts."""
        self._rows.close()
        self._rejects.close()


class StdOutput:
    """Stdout: nothing is kept beside it."""

    def __init__(self, head: bytes) -> None:
        """Write the head.

        Raises:
            BatchFileError: The shell closed it (``>&-``).
        """
        if sys.stdout is None:
            raise BatchFileError("stdout", "unwritable", "is closed")
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
    target: Target,
    manifest: Manifest,
    size: int | None,
    columns: Sequence[str] | None,
    *,
    is_fresh: bool = False,
) -> None:
    """Give parts their names, in an order that a kill does not hurt.

    Args:
        target: Input and output.
        manifest: Of the outputs.
        size: Bytes of the input.
        columns: Names of the columns that pass through, if they are known.
        is_fresh: Whether this run made all of the parts, or had read what was there: they need
            not be read again.

    Raises:
        BatchFileError: They are not what the manifest says, or cannot be renamed; a table
            cannot be made of them; or what they would be written over was not there before.
    """
    if target.output == STDIO:
        return
    known = manifest.known[target.key]
    chunk, output = known.chunk or Chunk(), Path(target.output)
    waiting = _waiting(target, known, is_fresh=is_fresh)
    if not known.replaces:
        _require_none(waiting)
    if target.is_gathered and output in waiting:
        _gather(target, columns)
        manifest.table(target.key, mark_of(target.part))
    made = known.table or chunk.output
    with writing(target.output):
        if target.rejects in waiting:
            _name(target.rejects_part, target.rejects, is_kept=chunk.rejects.size > 0)
        if output in waiting:
            _name(target.part, output, is_kept=True)
        time = max(0, output.stat().st_mtime_ns) if output.exists() else 0  # it may be moved
    manifest.done(target.key, Sizes(size, made.size, made.digest, time))
    tidy(target, chunk, is_known=output in waiting)


def _waiting(target: Target, known: Progress, *, is_fresh: bool) -> set[Path]:
    """Return the names that parts wait for; others were given just before a run was killed.

    Raises:
        BatchFileError: Neither a part nor what has its name is what the manifest says.
    """
    output, found = Path(target.output), set[Path]()
    chunk = known.chunk or Chunk()
    for part, path, mark in (
        (target.rejects_part, target.rejects, chunk.rejects),
        (target.lines, output, chunk.output),
    ):
        if path == output and known.table is not None and known.table.is_of(output):
            continue  # its lines are still there
        may_lack = path == target.rejects and not mark.size and not os.path.lexists(path)
        if _waits(part, mark, is_fresh=is_fresh):
            found.add(path)
        elif not (may_lack or mark.is_of(path)):
            raise not_kept(part, mark, is_all=True)
    return found


def _waits(part: Path, mark: Mark, *, is_fresh: bool) -> bool:
    """Whether a part waits for its name, and is what the manifest says."""
    if is_fresh:
        return part.exists() and part.stat().st_size == mark.size
    return mark.is_of(part)


def _require_none(paths: Iterable[Path]) -> None:
    for path in paths:
        if os.path.lexists(path):
            reason = "was not there when the run began; move it away, then --resume goes on"
            raise BatchFileError(str(path), "exists", reason)


def tidy(target: Target, chunk: Chunk, *, is_known: bool = False) -> None:
    """Remove the lines that a table was made of, if they are not those of another run.

    Args:
        target: Input and output.
        chunk: The last.
        is_known: Whether they were compared already.

    Raises:
        BatchFileError: They cannot be read or removed.
    """
    if not target.is_gathered or not target.lines.exists():
        return
    if is_known or chunk.output.is_of(target.lines):
        with writing(target.output):
            target.lines.unlink(missing_ok=True)


def _gather(target: Target, columns: Sequence[str] | None) -> None:
    """Make a table of the lines; they stay until it has its name."""
    from citemark.batch.arrow._gather import gather  # noqa: PLC0415  needs an extra

    with reading(str(target.lines)), target.lines.open("rb") as lines:
        gather(lines, target.part, target.output, columns)


def with_marks(chunk: Chunk, output: Mark, rejects: Mark) -> Chunk:
    """Return a chunk up to which outputs are whole."""
    return replace(
        chunk,
        output_bytes=output.size,
        output_digest=output.digest,
        rejects_bytes=rejects.size,
        rejects_digest=rejects.digest,
    )


def _name(part: Path, path: Path, *, is_kept: bool) -> None:
    """Rename a part; where nothing is kept, leave nothing under the name."""
    if is_kept:
        part.replace(path)
    else:
        path.unlink(missing_ok=True)
        sync_folder(path.parent)
        part.unlink()
    sync_folder(path.parent)
