"""A table that a run makes of a table: whole, or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow.compute as pc

from citemark.batch.arrow._job import unpacked
from citemark.batch.arrow._write import TableWriter
from citemark.batch.run._output import Counts, with_marks
from citemark.batch.run._part import mark_of

if TYPE_CHECKING:
    import pyarrow as pa

    from citemark.batch.arrow._job import ArrowResult
    from citemark.batch.run._manifest import Chunk, Manifest
    from citemark.batch.run._targets import Target

__all__ = ["TableOutput"]


class TableOutput:
    """A part of a table, and one of its rejects.

    Args:
        target: Which.
        manifest: Where it is said that they are whole.
        made: Schema of the rows.
        failed: Schema of the rejects.

    Raises:
        BatchFileError: They cannot be written.
    """

    def __init__(
        self, target: Target, manifest: Manifest, made: pa.Schema, failed: pa.Schema
    ) -> None:
        """Open the parts."""
        self._target, self._manifest = target, manifest
        self._rows = TableWriter(target.part, target.output, made)
        try:
            self._rejects = TableWriter(target.rejects_part, str(target.rejects), failed)
        except BaseException:
            self._rows.close()
            raise

    def write(self, result: ArrowResult, most: int | None) -> Counts:
        """Write rows, sooner or later.

        Raises:
            BatchFileError: They cannot be written.
        """
        rows = errors = nulls = before = 0
        for data, mask in zip(result.rows, result.failed, strict=True):
            [batch] = unpacked(data)
            taken = batch if most is None else batch.slice(0, most - rows)
            self._rows.write(taken)
            has_error = taken.column("error").is_valid()
            failed = sum(mask[: taken.num_rows])
            rows += taken.num_rows
            errors += failed
            before += (pc.sum(has_error).as_py() or 0) - failed
            nulls += pc.sum(pc.and_not(taken.column("cited").is_null(), has_error)).as_py() or 0
        left = errors
        for batch in (one for data in result.rejects for one in unpacked(data)):
            self._rejects.write(batch.slice(0, left))
            left -= min(left, batch.num_rows)
        return Counts(rows, errors, nulls, before)

    def keep(self, chunk: Chunk) -> bool:
        """Put all on the disk, and say so, when the table is whole.

        Raises:
            BatchFileError: It does not go there.
        """
        if not chunk.is_last:
            return False
        self._rows.finish()
        if self._rejects.rows:
            self._rejects.finish()
        else:
            self._rejects.finish_empty()
        marks = mark_of(self._target.part), mark_of(self._target.rejects_part)
        self._manifest.chunk(self._target.key, with_marks(chunk, *marks))
        return True

    def close(self) -> None:
        """Let go of the parts; those that are not whole are removed."""
        self._rows.close()
        self._rejects.close()
