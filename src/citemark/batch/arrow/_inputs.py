"""A table that becomes a table, on its way to the job."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from citemark.batch._faults import BatchFileError
from citemark.batch.arrow._job import packed, schemas
from citemark.batch.arrow._open import OpenTable
from citemark.batch.arrow._output import TableOutput
from citemark.batch.arrow._schema import RowSchemaError
from citemark.batch.arrow._types import written_schema
from citemark.batch.files import held
from citemark.batch.run._inputs import Place
from citemark.batch.run._manifest import Chunk

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

    from citemark.batch.run._inputs import Task
    from citemark.batch.run._manifest import Manifest
    from citemark.batch.run._output import Output
    from citemark.batch.run._plan import Step
    from citemark.batch.run._targets import Target
    from citemark.batch.run._work import Maker

__all__ = ["of_table"]


def of_table(step: Step, make: Maker, left: int | None) -> Iterator[tuple[Place, Task]]:
    """Yield the batches of a table, and nothing as the last one: see ``batches_of``.

    Raises:
        BatchFileError: It cannot be read, holds no rows of answers, or changed.
    """
    name = step.target.input
    with held(name) as file:
        chunk = Chunk(file.size or 0, 0, file.digest)
        table = OpenTable(file)
        made, failed = _schemas(name, table.schema, make)
        for schema in (made, failed):  # before a row is made, and not when the first is written
            written_schema(step.target.output, schema)
        begin = partial(_begin, step.target, made, failed)
        for batch in table.batches():
            taken = batch if left is None else batch.slice(0, left - chunk.line)
            chunk = replace(chunk, line=chunk.line + taken.num_rows)
            yield Place(step, chunk, table.taken, file.size, begin, None), packed(taken)
            if chunk.line == left:
                break
        file.require_same()
        chunk = replace(chunk, is_last=True)
        yield Place(step, chunk, table.taken, file.size, begin, None), b""


def _schemas(name: str, given: pa.Schema, make: Maker) -> tuple[pa.Schema, pa.Schema]:
    try:
        return schemas(given, make)
    except RowSchemaError as error:
        raise BatchFileError(name, "format", str(error)) from None


def _begin(
    target: Target,
    made: pa.Schema,
    failed: pa.Schema,
    manifest: Manifest | None,
    so_far: Chunk,  # noqa: ARG001  a table is begun anew
) -> Output:
    assert manifest is not None  # noqa: S101  stdout is no table
    return TableOutput(target, manifest, made, failed)
