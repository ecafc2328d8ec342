"""Types of columns as files of tables have them, and which columns such files cannot hold."""

from __future__ import annotations

import io
from typing import IO, TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from citemark.batch._faults import BatchFileError
from citemark.batch.arrow._read import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["decoded", "is_parquet", "opened_for", "refuse_values", "written_schema"]


def is_parquet(output: str) -> bool:
    """Whether a table is Parquet, by its ending."""
    return output.lower().endswith(".parquet")


def opened_for(output: str, file: IO[bytes], schema: pa.Schema) -> Any:  # noqa: ANN401  of pyarrow
    """Return what writes a table to a file, by the ending of its name."""
    if is_parquet(output):
        return pq.ParquetWriter(file, schema, compression="zstd")
    if output.lower().endswith(".arrows"):
        return pa.ipc.new_stream(file, schema)
    return pa.ipc.new_file(file, schema)


def written_schema(output: str, given: pa.Schema) -> pa.Schema:
    """Return the schema with which a table is written.

    Args:
        output: Its name.
        given: Of its rows.

    Raises:
        BatchFileError: The file cannot have a column of such a type.
    """
    fields = [one.with_type(_written(one.type, output)) for one in given]
    for field, said in _refused(output, pa.schema(fields)):
        reason = f'column "{field.name}" is of a type that the file cannot have, {field.type}'
        more = "; write .arrow" if is_parquet(output) else ""
        reason += f": cast it, or leave it out{more} ({said})"
        raise BatchFileError(output, "format", reason)
    return pa.schema(fields)


def refuse_values(output: str, table: pa.Table, error: pa.ArrowException) -> BatchFileError:
    """Return why a table cannot be written, though its columns are of types that can be.

    Args:
        output: Its name.
        table: What was to be written.
        error: What was said of it.
    """
    for field, said in _refused(output, table.schema, table):
        what = f'column "{field.name}", {field.type}, has a value that the file cannot have'
        return BatchFileError(output, "format", f"{what}: {said}")
    return BatchFileError(output, "format", f"cannot be written: {_said(error)}")


def decoded(batch: pa.RecordBatch, output: str) -> pa.RecordBatch:
    """Return a batch with plain values for codes that the file, or pyarrow, does not write."""
    for index, field in enumerate(batch.schema):
        if _written(field.type, output) != field.type:
            column = batch.column(index)
            is_runs = pa.types.is_run_end_encoded(field.type)
            values = pc.run_end_decode(column) if is_runs else plain(column)
            batch = batch.set_column(index, field.name, values)
    return batch


def _written(kind: pa.DataType, output: str) -> pa.DataType:
    if pa.types.is_run_end_encoded(kind):  # it is not cast; Parquet has it not
        return kind.value_type
    if not pa.types.is_dictionary(kind):
        return kind
    if pa.types.is_string_view(kind.value_type):  # as ``plain`` has it
        return pa.large_string()
    # In Arrow IPC, dictionaries cannot change; in Parquet, none has nested values.
    is_kept = is_parquet(output) and not pa.types.is_nested(kind.value_type)
    return kind if is_kept else kind.value_type


def _refused(
    output: str, schema: pa.Schema, table: pa.Table | None = None
) -> Iterator[tuple[pa.Field, str]]:
    """Yield the columns that cannot be written, without or with rows, and what was said."""
    for field in schema:
        try:
            with opened_for(output, io.BytesIO(), pa.schema([field])) as writer:
                if table is not None:
                    writer.write_table(table.select([field.name]))
        except pa.ArrowException as error:
            yield field, _said(error)


def _said(error: pa.ArrowException) -> str:
    return str(error).partition("\n")[0]
