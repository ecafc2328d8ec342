"""Rows in Arrow: what engines and tables of columns speak.  Needs the extra ``arrow``.

``annotate_batches`` is what engines ask for: batches in, batches out.  ``annotate_arrow`` takes
whatever has ``__arrow_c_stream__``: a pyarrow table, a DuckDB relation, a Polars frame.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from citemark._arguments import require_iterable
from citemark._extras import extra

with extra("arrow"):
    import pyarrow as pa

from citemark.batch._arguments import options_of, table_of
from citemark.batch.arrow._build import Rows, batches_of
from citemark.batch.arrow._read import cells_of
from citemark.batch.arrow._schema import (
    OUTPUT_SCHEMA,
    RowSchemaError,
    output_schema,
    spark_schema,
)
from citemark.batch.rows import annotate_row
from citemark.errors import ArgumentTypeError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from citemark.batch.options import BatchOptions
    from citemark.batch.sources import SourcesTable

__all__ = [
    "OUTPUT_SCHEMA",
    "RowSchemaError",
    "annotate_arrow",
    "annotate_batch",
    "annotate_batches",
    "output_schema",
    "spark_schema",
]


def annotate_batch(
    batch: pa.RecordBatch,
    options: BatchOptions | None = None,
    table: SourcesTable | None = None,
) -> pa.RecordBatch:
    """Return what becomes of a batch: a row for each row, in order.

    Args:
        batch: With a column ``answer``; see ``annotate_row`` for the others that are read.
            Texts may be of any type that Arrow has for them; ``sources`` a list of structs,
            JSON, or names.
        options: Of the run.
        table: Sources that rows refer to.

    Raises:
        ArgumentTypeError: An argument is of another type.
        RowSchemaError: There is no ``answer``, or two columns have one name.
        OverflowError: What comes out has texts of more than 2 GB in a column:
            ``annotate_batches`` would split it.

    >>> rows = [{"id": 7, "answer": "Ten days [1].", "sources": [{"id": "faq"}], "team": "x"}]
    >>> found = annotate_batch(pa.RecordBatch.from_pylist(rows))
    >>> found["citations"].to_pylist(), found["team"].to_pylist()
    ([[{'number': 1, 'id': 'faq', 'count': 1}]], ['x'])
    """
    _require_batch(batch, "batch", "annotate_arrow takes tables and streams")
    schema, passed = output_schema(batch.schema)
    rows = Rows()
    for found in _annotated(batch, options_of(options), table_of(table)):
        rows.add(found)
    return rows.batch([batch.column(index) for index in passed], schema)


def annotate_batches(
    batches: Iterable[pa.RecordBatch],
    options: BatchOptions | None = None,
    table: SourcesTable | None = None,
) -> Iterator[pa.RecordBatch]:
    """Yield what becomes of batches, row for row and in order.

    What comes out is bounded in rows and bytes, whatever comes in: a batch with long answers
    becomes several.

    Args:
        batches: See ``annotate_batch``.
        options: Of the run.
        table: Sources that rows refer to.

    Raises:
        ArgumentTypeError: An argument is of another type.
        RowSchemaError: There is no ``answer``, or two columns have one name.
    """
    expected, mend = "an iterable of RecordBatch", "annotate_arrow takes tables and streams"
    if isinstance(batches, (pa.Table, pa.RecordBatch)):
        raise ArgumentTypeError(batches, "batches", expected, mend)
    given = require_iterable("batches", batches, expected, mend)
    return _annotated_each(given, options_of(options), table_of(table))


def _annotated_each(
    batches: Iterable[pa.RecordBatch], options: BatchOptions, table: SourcesTable
) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        _require_batch(batch, "batches", "each has to be one")
        schema, passed = output_schema(batch.schema)
        rows = _annotated(batch, options, table)
        yield from batches_of(rows, [batch.column(index) for index in passed], schema)


def annotate_arrow(
    stream: Any,  # noqa: ANN401  of any library
    options: BatchOptions | None = None,
    table: SourcesTable | None = None,
) -> pa.RecordBatchReader:
    """Return a reader of what becomes of a stream of batches; rows are made as they are read.

    Args:
        stream: Anything with ``__arrow_c_stream__``.
        options: Of the run.
        table: Sources that rows refer to.

    Raises:
        RowSchemaError: There is no ``answer``, or two columns have one name; or Arrow has no
            such type as one of its columns is of.
        ArgumentTypeError: It is no stream, or another argument is of another type.
    """
    if not hasattr(stream, "__arrow_c_stream__"):
        expected = "a table, or what has __arrow_c_stream__"
        raise ArgumentTypeError(stream, "stream", expected)
    options, table = options_of(options), table_of(table)
    reader = _reader_of(stream)
    schema, _ = output_schema(reader.schema)
    return pa.RecordBatchReader.from_batches(schema, annotate_batches(reader, options, table))


def _reader_of(stream: Any) -> pa.RecordBatchReader:  # noqa: ANN401  of any library
    try:
        return pa.RecordBatchReader.from_stream(stream)
    except pa.ArrowException as error:
        said = str(error).partition("\n")[0]
        reason = f"Arrow cannot read its columns: cast those of other types ({said})"
        raise RowSchemaError(reason) from None


def _require_batch(batch: object, name: str, mend: str) -> None:
    if not isinstance(batch, pa.RecordBatch):
        raise ArgumentTypeError(batch, name, "a RecordBatch", mend)


def _annotated(
    batch: pa.RecordBatch, options: BatchOptions, table: SourcesTable
) -> Iterator[dict[str, Any]]:
    for rows in cells_of(batch):
        for row in rows:
            yield annotate_row(row, options, table)
