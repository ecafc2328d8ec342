"""Rows in Arrow: what engines and tables of columns speak.  Needs the extra ``arrow``.

``annotate_batches`` is what engines ask for: batches in, batches out.  ``annotate_arrow`` takes
whatever has ``__arrow_c_stream__``: a pyarrow table, a DuckDB relation, a Polars frame.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from citemark._extras import extra

with extra("arrow"):
    import pyarrow as pa

from citemark.batch.arrow._build import Rows, batches_of
from citemark.batch.arrow._read import cells_of, made_of
from citemark.batch.arrow._schema import (
    OUTPUT_SCHEMA,
    RowSchemaError,
    output_schema,
    spark_schema,
)
from citemark.batch.options import BatchOptions
from citemark.batch.rows import annotate_row, failed_row
from citemark.batch.sources import SourcesTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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
        RowSchemaError: There is no ``answer``, or two columns have one name.
        OverflowError: What comes out has texts of more than 2 GB in a column:
            ``annotate_batches`` would split it.

    >>> rows = [{"id": 7, "answer": "Ten days [1].", "sources": [{"id": "faq"}], "team": "x"}]
    >>> found = annotate_batch(pa.RecordBatch.from_pylist(rows))
    >>> found["citations"].to_pylist(), found["team"].to_pylist()
    ([[{'number': 1, 'id': 'faq', 'count': 1}]], ['x'])
    """
    schema, passed = output_schema(batch.schema)
    rows = Rows()
    for found in _annotated(batch, options or BatchOptions(), table or SourcesTable()):
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
        RowSchemaError: There is no ``answer``, or two columns have one name.
    """
    table = table or SourcesTable()
    for batch in batches:
        schema, passed = output_schema(batch.schema)
        rows = _annotated(batch, options or BatchOptions(), table)
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
        RowSchemaError: There is no ``answer``, or two columns have one name.
        TypeError: It is no stream.
    """
    reader = pa.RecordBatchReader.from_stream(stream)
    schema, _ = output_schema(reader.schema)
    return pa.RecordBatchReader.from_batches(schema, annotate_batches(reader, options, table))


def _annotated(
    batch: pa.RecordBatch, options: BatchOptions, table: SourcesTable
) -> Iterator[dict[str, Any]]:
    def make(row: dict[str, Any]) -> dict[str, Any]:
        return annotate_row(row, options, table)

    def fail(row: dict[str, Any], reason: str) -> dict[str, Any]:
        return failed_row(row, options, reason)

    for rows in cells_of(batch):
        for cells in rows:
            yield made_of(cells, make, fail)
