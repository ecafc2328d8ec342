"""Files of a run, from batches on their way to outputs that are whole."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citemark.batch._faults import BatchFileError
from citemark.batch.files import STDIO, opened, writer_of
from citemark.batch.files._lines import batches
from citemark.batch.rows import OUTPUT
from citemark.batch.run._manifest import Chunk
from citemark.batch.run._output import FileOutput, StdOutput, finish
from citemark.batch.run._work import FileBatch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from citemark.batch.files import OpenFile
    from citemark.batch.files._lines import Batch
    from citemark.batch.run._manifest import Manifest
    from citemark.batch.run._output import Output
    from citemark.batch.run._plan import Step
    from citemark.batch.run._targets import Target
    from citemark.batch.run._work import Annotated

__all__ = ["Files", "Tally"]


@dataclass(slots=True)
class Tally:
    """How far a run is."""

    rows: int = 0
    """Rows that were written, by this run."""

    errors: int = 0
    """Of these, rows with an ``error``."""

    nulls: int = 0
    """Of these, rows without an answer."""

    kept: int = 0
    """Rows that an earlier run had written."""

    kept_errors: int = 0
    """Of these, rows with an ``error``."""

    files: int = 0
    """Outputs that are whole."""

    skipped: int = 0
    """Of these, outputs that an earlier run had made."""

    taken: int = 0
    """Bytes of the input that were read, as they are in the files."""

    size: int | None = None
    """Bytes of all inputs; None if one is a pipe."""

    steps: Sequence[Step] = ()
    """What was done with each input."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A batch that is on its way, and where its file is after it."""

    step: Step
    batch: Batch
    """Without its records."""

    taken: int
    size: int | None
    head: bytes
    """What stands before the first row of the output."""


class Files:
    """What reads batches of files, and writes what became of them, in order.

    Args:
        steps: What is done with each.
        manifest: Of the outputs; None if they go to stdout.
        settings: What an output depends on.
        limit: The greatest number of rows of each input.
        chunk: Batches of a chunk.
    """

    def __init__(
        self,
        steps: list[Step],
        manifest: Manifest | None,
        settings: Callable[[Target], dict[str, Any]],
        *,
        limit: int | None,
        chunk: int,
    ) -> None:
        """Read and write nothing yet."""
        self.tally = Tally(size=_size(steps), steps=steps)
        self.takes_all = True
        self.takes_outputs = False
        self._steps, self._manifest, self._settings = steps, manifest, settings
        self._limit, self._batches_of_chunk = limit, chunk
        self._places: deque[_Place] = deque()
        self._fault: BatchFileError | None = None
        self._step: Step | None = None
        self._output: Output | None = None
        self._so_far = Chunk()
        self._batches = self._taken = 0

    def __enter__(self) -> None:
        """Nothing: outputs are opened as they are needed."""

    def __exit__(self, kind: object, *_: object) -> None:
        """Let go of the output.

        Raises:
            BatchFileError: An input could not be read; what came before it is written.
        """
        if self._output is not None:
            self._output.close()
        if kind is None and self._fault is not None:
            raise self._fault

    def tasks(self) -> Iterator[FileBatch]:
        """Yield the batches of all files; an input that cannot be read is the end."""
        try:
            for step in self._steps:
                yield from self._batches_of(step)
        except BatchFileError as fault:
            self._fault = fault

    def take(self, result: Annotated) -> None:
        """Write what became of the next batch.

        Raises:
            BatchFileError: It cannot be written.
        """
        place = self._places.popleft()
        if self._step is not place.step:
            self._begin(place)
        if self._output is None:  # enough of this file was there before
            return
        result, is_enough = self._limited(result)
        self._output.write(result.rows, [data for _, data in result.rejects])
        self._count(place, result, is_last=place.batch.is_last or is_enough)
        self._batches += 1
        if self._so_far.is_last or self._batches % self._batches_of_chunk == 0:
            self._output.keep(self._so_far)
        if self._so_far.is_last:
            self._end(place)

    def _batches_of(self, step: Step) -> Iterator[FileBatch]:
        target = step.target
        if step.action in {"skip", "finish"}:
            self._keep(step)
            return
        with opened(target.input) as file:
            _go_on(file, step.start)
            writer = writer_of(target.output, self._passed(file.columns))
            records = file.reader.records(file.lines)
            for batch in batches(file.lines, records, self._left(step)):
                if batch.is_last:
                    file.require_same()
                bare = replace(batch, records=())
                place = _Place(step, bare, file.taken, file.size, writer.head)
                self._places.append(place)
                yield FileBatch(target.input, batch, file.reader, writer)
                if self._step is step and self._output is None:
                    return  # conditions let fewer rows through than a batch has

    def _passed(self, columns: Sequence[str] | None) -> Sequence[str] | None:
        """Return the columns that pass through; those of an output are made again."""
        if columns is None or not self.takes_outputs:
            return columns
        return [name for name in columns if name not in OUTPUT]

    def _left(self, step: Step) -> int | None:
        """Return how many rows are to be read, if that can be told."""
        if self._limit is None or not self.takes_all:
            return None
        return self._limit - step.start.rows

    def _keep(self, step: Step) -> None:
        """Leave an output as it is; it may only lack its name."""
        if step.action == "finish" and self._manifest is not None:
            with opened(step.target.input) as file:
                _go_on(file, step.start)
                finish(step.target, self._manifest, file.size)
        self.tally.files += 1
        self.tally.skipped += 1
        self._inherit(step.start)

    def _inherit(self, start: Chunk) -> None:
        self.tally.kept += start.rows
        self.tally.kept_errors += start.errors

    def _begin(self, place: _Place) -> None:
        step = self._step = place.step
        self._so_far, self._batches = step.start, 0
        self._inherit(step.start if step.action == "resume" else Chunk())
        if self._manifest is None:
            self._output = StdOutput(place.head)
            return
        if step.action != "resume":
            self._so_far = Chunk()
            self._manifest.begin(step.target.key, self._settings(step.target))
        self._output = FileOutput(step.target, self._manifest, self._so_far, place.head)

    def _limited(self, result: Annotated) -> tuple[Annotated, bool]:
        """Return what is wanted of a result, and whether that is the end."""
        if self._limit is None:
            return result, False
        left = self._limit - self._so_far.rows
        if len(result.rows) < left:
            return result, False
        rejects = [reject for reject in result.rejects if reject[0] < left]
        return replace(result, rows=result.rows[:left], rejects=rejects), True

    def _count(self, place: _Place, result: Annotated, *, is_last: bool) -> None:
        so_far, batch, tally = self._so_far, place.batch, self.tally
        rows, errors = len(result.rows), len(result.rejects)
        self._so_far = Chunk(
            offset=batch.offset,
            line=batch.line,
            digest=batch.digest,
            rows=so_far.rows + rows,
            errors=so_far.errors + errors,
            nulls=so_far.nulls + result.nulls,
            is_last=is_last,
        )
        tally.rows += rows
        tally.errors += errors
        tally.nulls += result.nulls
        tally.taken = self._taken + place.taken

    def _end(self, place: _Place) -> None:
        assert self._output is not None  # noqa: S101  it was written to
        self._output.close()
        self._output = None
        if self._manifest is not None:
            finish(place.step.target, self._manifest, place.size)
        self.tally.files += 1
        self._taken += place.size or place.taken


def _go_on(file: OpenFile, start: Chunk) -> None:
    """Go to where a chunk ended, if the input is the same up to there."""
    if start == Chunk():
        return
    file.lines.skip(start.offset, start.line)
    if file.lines.digest != start.digest:
        reason = "changed since the run began; --overwrite begins anew"
        raise BatchFileError(file.path, "changed", reason)


def _size(steps: list[Step]) -> int | None:
    names = [step.target.input for step in steps if step.action not in {"skip", "finish"}]
    if STDIO in names:
        return None
    return sum(Path(name).stat().st_size for name in names)
