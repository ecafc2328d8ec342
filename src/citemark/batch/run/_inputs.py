"""Inputs of a run: their batches, and whether they are what they were.

Lines are batches of lines; a table that becomes a table is batches of Arrow.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from citemark.batch._faults import BatchFileError
from citemark.batch.files import HeldFile, held, opened, writer_of
from citemark.batch.files._lines import batches
from citemark.batch.rows import OUTPUT, annotate_row, passed_names
from citemark.batch.run._manifest import Chunk
from citemark.batch.run._output import FileOutput, Output, StdOutput
from citemark.batch.run._work import FileBatch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from citemark.batch.files import OpenFile
    from citemark.batch.run._manifest import Manifest
    from citemark.batch.run._plan import Step
    from citemark.batch.run._progress import Sizes
    from citemark.batch.run._targets import Target
    from citemark.batch.run._work import Maker, Writer

__all__ = ["Place", "Task", "batches_of", "change", "checked"]

Task: TypeAlias = FileBatch | bytes
"""What the job is given: lines; or a batch of a table, as an Arrow IPC stream."""


@dataclass(frozen=True, slots=True)
class Place:
    """A batch that is on its way, and where its file is after it."""

    step: Step
    chunk: Chunk
    """Of the input; rows are counted when they are there."""

    taken: int
    size: int | None
    begin: Callable[[Manifest | None, Chunk], Output]
    """Opens the output, if it is the first batch."""

    columns: Sequence[str] | None
    """Names of the columns that pass through, if they are known."""


def batches_of(step: Step, make: Maker, left: int | None) -> Iterator[tuple[Place, Task]]:
    """Yield what there is to do for an input.

    Args:
        step: What is done with it.
        make: What makes rows.
        left: The greatest number of rows.

    Raises:
        BatchFileError: It cannot be read, or changed.
    """
    if not step.target.is_table:
        yield from _of_lines(step, make, left)
        return
    from citemark.batch.arrow._inputs import of_table  # noqa: PLC0415  needs an extra

    yield from of_table(step, make, left)


def _of_lines(step: Step, make: Maker, left: int | None) -> Iterator[tuple[Place, Task]]:
    target = step.target
    with opened(target.input) as file:
        _go_on(file, step.start)
        columns = _passed(file, make)
        writer = _writer(target, columns, make)
        begin = partial(_begin_lines, target, writer.head)
        for batch in batches(file.lines, file.reader.records(file.lines), left):
            if batch.is_last:
                file.require_same()
            chunk = Chunk(batch.offset, batch.line, batch.digest, is_last=batch.is_last)
            place = Place(step, chunk, file.taken, file.size, begin, columns)
            yield place, FileBatch(target.input, batch, file.reader, writer)


def _writer(target: Target, columns: Sequence[str] | None, make: Maker) -> Writer:
    """Return what writes rows; those of an older output may not be what a table holds."""
    if not target.is_gathered or make is annotate_row:
        return writer_of(target.output, columns)
    from citemark.batch.arrow._gather import GatheredWriter  # noqa: PLC0415  needs an extra

    return GatheredWriter()


def _begin_lines(
    target: Target, head: bytes, manifest: Manifest | None, so_far: Chunk
) -> Output:
    if manifest is None:
        return StdOutput(head)
    return FileOutput(target, manifest, so_far, head)


def _passed(file: OpenFile, make: Maker) -> Sequence[str] | None:
    """Return the columns that pass through, if they are known; an output has those it had."""
    if file.columns is None:
        return None
    if make is annotate_row:
        return [*passed_names(file.columns)]
    return [name for name in file.columns if name not in OUTPUT]


@contextmanager
def checked(
    step: Step, make: Maker, limit: int | None
) -> Iterator[tuple[int | None, Sequence[str] | None]]:
    """Give size and columns of an input that is still what it was, and ends where it did.

    Raises:
        BatchFileError: It is not, or cannot be read.
    """
    if step.target.is_table:
        with held(step.target.input) as whole:
            _require(whole, whole.digest, step.start)
            yield whole.size, None
        return
    with opened(step.target.input) as file:
        _go_on(file, step.start)
        if not _has_ended(file, step.start, limit):
            raise _changed(file)
        yield file.size, _passed(file, make)


def change(target: Target, chunk: Chunk, limit: int | None, sizes: Sizes | None = None) -> str:
    """Say whether an input is another than the one that an output is made from.

    Args:
        target: Input and output.
        chunk: Up to where it was read.
        limit: The greatest number of rows that were wanted.
        sizes: Of the files then, if they are known.

    Raises:
        BatchFileError: It is a pipe, and another one: what was read of it to tell is gone.
    """
    if target.is_table:
        with held(target.input) as whole:
            is_same = _has_size(whole, sizes) and whole.digest == chunk.digest
    else:
        with opened(target.input) as file:
            is_same = _has_size(file, sizes) and _is_same(file, chunk, limit)
            if not is_same and file.size is None:
                raise _changed(file)
    return "" if is_same else "the input changed"


def _has_size(file: HeldFile, sizes: Sizes | None) -> bool:
    return sizes is None or file.size == sizes.input_size


def _is_same(file: OpenFile, chunk: Chunk, limit: int | None) -> bool:
    try:
        file.lines.skip(chunk.offset, chunk.line)
        return file.lines.digest == chunk.digest and _has_ended(file, chunk, limit)
    except BatchFileError as error:
        if error.fault != "truncated":
            raise
        return False


def _has_ended(file: OpenFile, chunk: Chunk, limit: int | None) -> bool:
    """Whether nothing that is wanted comes after a chunk, up to which the file was read."""
    return (limit is not None and chunk.rows >= limit) or not file.lines.read()


def _go_on(file: OpenFile, start: Chunk) -> None:
    """Go to where a chunk ended, if the input is the same up to there."""
    if start != Chunk():
        file.lines.skip(start.offset, start.line)
        _require(file, file.lines.digest, start)


def _require(file: HeldFile, digest: str, start: Chunk) -> None:
    if digest != start.digest:
        raise _changed(file)


def _changed(file: HeldFile) -> BatchFileError:
    reason = "changed since the run began; --overwrite begins anew"
    return BatchFileError(file.path, "changed", reason)
