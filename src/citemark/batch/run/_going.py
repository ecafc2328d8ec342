"""Files of a run, from batches on their way to outputs that are whole."""

from __future__ import annotations

import time
from collections import deque
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from citemark.batch._faults import BatchFileError
from citemark.batch.files import STDIO
from citemark.batch.rows import annotate_row
from citemark.batch.run._inputs import batches_of, checked
from citemark.batch.run._lock import holding
from citemark.batch.run._manifest import Chunk
from citemark.batch.run._output import finish, tidy
from citemark.batch.run._plan import require_place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from citemark.batch.run._inputs import Place, Task
    from citemark.batch.run._manifest import Manifest
    from citemark.batch.run._output import Counts, Output
    from citemark.batch.run._plan import Step
    from citemark.batch.run._targets import Target
    from citemark.batch.run._work import Maker

__all__ = ["Files", "Tally"]

CHUNK_SECONDS: Final = 10.0
"""After so much work a chunk ends, however few rows it has: checks take their time."""


@dataclass(slots=True)
class Tally:
    """How far a run is."""

    rows: int = 0
    """Rows that were written, by this run."""

    errors: int = 0
    """Of these, rows with an ``error``."""

    nulls: int = 0
    """Of these, rows without an answer."""

    failed_before: int = 0
    """Rows of an output that failed when they were made, and stay as they were; those of
    ``kept`` too."""

    saved: int = 0
    """Of ``rows``, those that stay if the run ends here: the chunks that are whole."""

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


class Files:
    """What reads batches of files, and writes what became of them, in order.

    Args:
        steps: What is done with each.
        manifest: Of the outputs; None if they go to stdout.
        settings: What an output depends on.
        make: What makes rows.
        limit: The greatest number of rows of each input.
        chunk: Batches of a chunk, at most.
    """

    def __init__(  # noqa: PLR0913  as a run has them
        self,
        steps: list[Step],
        manifest: Manifest | None,
        settings: Callable[[Target], dict[str, Any]],
        *,
        make: Maker = annotate_row,
        limit: int | None,
        chunk: int,
    ) -> None:
        """Read and write nothing yet."""
        self.tally = Tally(size=_size(steps), steps=steps)
        self.takes_all = True
        self._steps, self._manifest, self._settings = steps, manifest, settings
        self._make, self._limit, self._batches_of_chunk = make, limit, chunk
        self._places: deque[Place] = deque()
        self._fault: BatchFileError | None = None
        self._step: Step | None = None
        self._output: Output | None = None
        self._held = ExitStack()
        self._so_far = Chunk()
        self._batches = self._taken = 0
        self._kept_at = time.monotonic()
        self._is_at_rest = True

    def __enter__(self) -> None:
        """Nothing: outputs are opened as they are needed."""

    def __exit__(self, kind: object, *_: object) -> None:
        """Let go of the output; what was written is kept, if no half a batch is.

        Raises:
            BatchFileError: An input could not be read; what came before it is written.
        """
        if self._output is not None:
            if self._is_at_rest and self._batches and kind in {None, KeyboardInterrupt}:
                with suppress(BatchFileError, BrokenPipeError):
                    self._end_chunk(self._output)
            self._output.close()
        self._held.close()
        if kind is None and self._fault is not None:
            raise self._fault

    def tasks(self) -> Iterator[Task]:
        """Yield the batches of all files; an input that cannot be read is the end."""
        try:
            for step in self._steps:
                yield from self._batches_of(step)
        except BatchFileError as fault:
            self._fault = fault

    def take(self, result: Any) -> None:  # noqa: ANN401  of the job
        """Write what became of the next batch.

        Raises:
            BatchFileError: It cannot be written.
        """
        self._is_at_rest = False
        self._take(result)
        self._is_at_rest = True

    def _take(self, result: Any) -> None:  # noqa: ANN401  of the job
        place = self._places.popleft()
        if self._step is not place.step:
            self._begin(place)
        if self._output is None:  # enough of this file was there before
            return
        most = None if self._limit is None else self._limit - self._so_far.rows
        counts = self._output.write(result, most)
        self._count(place, counts, is_last=place.chunk.is_last or counts.rows == most)
        self._batches += 1
        if self._ends_chunk():
            self._end_chunk(self._output)
        if self._so_far.is_last:
            self._end(place)

    def _ends_chunk(self) -> bool:
        """Whether enough rows, or rows enough work, are not yet safe."""
        return (
            self._so_far.is_last
            or self._batches >= self._batches_of_chunk
            or time.monotonic() - self._kept_at >= CHUNK_SECONDS
        )

    def _end_chunk(self, output: Output) -> None:
        is_kept = output.keep(self._so_far)
        self._batches, self._kept_at = 0, time.monotonic()
        if is_kept:
            self.tally.saved = self.tally.rows

    def _batches_of(self, step: Step) -> Iterator[Task]:
        if step.action in {"skip", "finish"}:
            self._keep(step)
            return
        for place, task in batches_of(step, self._make, self._left(step)):
            self._places.append(place)
            yield task
            if self._step is step and self._output is None:
                return  # conditions let fewer rows through than a batch has

    def _left(self, step: Step) -> int | None:
        """Return how many rows are to be read, if that can be told."""
        if self._limit is None or not self.takes_all:
            return None
        return self._limit - step.start.rows

    def _keep(self, step: Step) -> None:
        """Leave an output as it is; it may only lack its name."""
        if step.action == "finish" and self._manifest is not None:
            given = checked(step, self._make, self._limit)
            with holding(step.target.lock, step.target.output), given as (size, columns):
                finish(step.target, self._manifest, size, columns)
        elif step.target.is_gathered or step.target.lock.exists():  # a kill may leave both
            with holding(step.target.lock, step.target.output):
                tidy(step.target, step.start)
        if self._manifest is not None and step.sizes is not None:
            self._manifest.seen(step.target.key, step.sizes)
        self.tally.files += 1
        self.tally.skipped += 1
        self._inherit(step.start)

    def _inherit(self, start: Chunk) -> None:
        self.tally.kept += start.rows
        self.tally.kept_errors += start.errors
        self.tally.failed_before += start.failed_before

    def _begin(self, place: Place) -> None:
        step = self._step = place.step
        self._so_far, self._batches, self._kept_at = step.start, 0, time.monotonic()
        self._inherit(step.start if step.action == "resume" else Chunk())
        if self._manifest is not None:
            self._hold(step, self._manifest)
        self._output = place.begin(self._manifest, self._so_far)

    def _hold(self, step: Step, manifest: Manifest) -> None:
        """Begin or go on with an output that nobody else has, now or since it was planned."""
        target = step.target
        self._held.enter_context(holding(target.lock, target.output))
        require_place(step, manifest.known.get(target.key))
        if step.action != "resume":
            self._so_far = Chunk()
            replaces = step.replaces or step.action == "again"
            manifest.begin(target.key, {**self._settings(target), "replaces": replaces})

    def _count(self, place: Place, counts: Counts, *, is_last: bool) -> None:
        so_far, tally = self._so_far, self.tally
        self._so_far = replace(
            place.chunk,
            rows=so_far.rows + counts.rows,
            errors=so_far.errors + counts.errors,
            nulls=so_far.nulls + counts.nulls,
            failed_before=so_far.failed_before + counts.failed_before,
            is_last=is_last,
        )
        tally.rows += counts.rows
        tally.errors += counts.errors
        tally.nulls += counts.nulls
        tally.failed_before += counts.failed_before
        tally.taken = self._taken + place.taken

    def _end(self, place: Place) -> None:
        assert self._output is not None  # noqa: S101  it was written to
        self._output.close()
        self._output = None
        if self._manifest is not None:
            given = place.size, place.columns
            finish(place.step.target, self._manifest, *given, is_fresh=True)
        self._held.close()
        self.tally.files += 1
        self._taken += place.size or place.taken


def _size(steps: list[Step]) -> int | None:
    names = [step.target.input for step in steps if step.action not in {"skip", "finish"}]
    if not all(name != STDIO and Path(name).is_file() for name in names):
        return None
    return sum(Path(name).stat().st_size for name in names)
