"""Rows past one machine: PySpark.  Needs the extra ``spark``, here and on the workers.

Each task makes rows of its own partition and keeps nothing: Spark does lost tasks again, and
its commit protocol lets no row of them be there twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from citemark._extras import extra

with extra("spark"):
    import pyarrow as pa
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructField, StructType

from citemark.batch._arguments import options_of, require_type
from citemark.batch._counts import require_count
from citemark.batch.arrow import annotate_batches, spark_schema
from citemark.batch.options import BatchOptionError, BatchOptions
from citemark.batch.rows import INPUT
from citemark.batch.sources import SourcesTable
from citemark.batch.spark._columns import fold_of, placed, require_types, worker_names
from citemark.batch.spark._joined import JoinedSources, JoinedTable
from citemark.errors import ArgumentTypeError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pyspark.sql.streaming import StreamingQuery

__all__ = ["JoinedSources", "annotate", "annotate_new"]


def annotate(
    frame: DataFrame,
    *,
    sources: SourcesTable | JoinedSources | None = None,
    options: BatchOptions | None = None,
    partitions: int | None = None,
) -> DataFrame:
    """Return what becomes of each row of a frame.

    Args:
        frame: With a column ``answer``; see ``annotate_row`` for the others that are read.  All
            others pass through.  It may be a stream.  Names are compared as Spark compares
            them: by default, ``Answer`` is read too, and ``Error`` becomes ``input_Error``.
        sources: A table, which goes to each worker once; or a frame that is joined.
        options: Of the run.
        partitions: Spread the rows anew over so many, which costs a shuffle: for few large
            files, and for keys of which some have most of the answers.

    Raises:
        ArgumentTypeError: An argument is of another type.
        BatchOptionError: ``partitions`` is below 1.
        RowSchemaError: There is no ``answer``, or two columns have one name; one is of a type
            that cannot be read; or there are ``sources`` besides those that are joined.
    """
    _require_arguments(frame, sources, options, partitions)
    if isinstance(sources, JoinedSources):
        frame = sources.joined(frame)
    names = worker_names(frame.columns, fold_of(frame))
    require_types(frame.schema)
    schema = _schema(frame, names)
    if partitions is not None:
        frame = frame.repartition(partitions)
    made = _maker(frame, sources, options or BatchOptions(), names)
    return placed(frame).mapInArrow(made, schema)


def annotate_new(  # noqa: PLR0913  those of ``annotate``, and where to
    stream: DataFrame,
    path: str,
    checkpoint: str,
    *,
    format: str = "parquet",  # noqa: A002  as Spark calls it
    sources: SourcesTable | JoinedSources | None = None,
    options: BatchOptions | None = None,
    partitions: int | None = None,
) -> StreamingQuery:
    """Begin to annotate what came since the last call, and end when all of it is done.

    Args:
        stream: Of ``spark.readStream``.
        path: Folder of the output, which grows.  Only Spark and citemark know which files of it
            count: see the page on engines.
        checkpoint: Folder in which Spark keeps what it has done.  Other options or another
            version of citemark are another output: give them a folder of their own.
        format: Of the output.
        sources: See ``annotate``, as for those below.
        options: Of the run.
        partitions: Spread the rows of each batch anew over so many.

    Raises:
        ArgumentTypeError: An argument is of another type.
        BatchOptionError: ``partitions`` is below 1.
        RowSchemaError: See ``annotate``.
    """
    for name, value in {"path": path, "checkpoint": checkpoint, "format": format}.items():
        require_type(name, value, str, "a text")
    made = annotate(stream, sources=sources, options=options, partitions=partitions)
    if not stream.isStreaming:
        raise ArgumentTypeError(stream, "stream", "a stream", "take spark.readStream")
    writer = made.writeStream.format(format)
    once = writer.option("checkpointLocation", checkpoint).trigger(availableNow=True)
    return once.start(path)


def _require_arguments(
    frame: object,
    sources: object,
    options: BatchOptions | None,
    partitions: int | None,
) -> None:
    """Refuse what would be passed over, or fail in a worker."""
    require_type("frame", frame, DataFrame, "a frame of Spark")
    if sources is not None and not isinstance(sources, SourcesTable | JoinedSources):
        is_frame = isinstance(sources, DataFrame)
        mend = "JoinedSources(frame, on=, order_by=)" if is_frame else "SourcesTable(records)"
        expected = "a SourcesTable or JoinedSources"
        raise ArgumentTypeError(sources, "sources", expected, f"give {mend}")
    options_of(options)
    require_count("partitions", partitions)
    if partitions == 0:
        raise BatchOptionError("partitions", "expected a whole number from 1")


def _maker(
    frame: DataFrame,
    sources: SourcesTable | JoinedSources | None,
    options: BatchOptions,
    names: list[str],
) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Return what the workers run; a table is in each of them once."""
    if isinstance(sources, SourcesTable):
        shared = frame.sparkSession.sparkContext.broadcast(sources)
        return lambda batches: annotate_batches(_named(batches, names), options, shared.value)
    table = JoinedTable() if isinstance(sources, JoinedSources) else None
    return lambda batches: annotate_batches(_named(batches, names), options, table)


def _named(batches: Iterable[pa.RecordBatch], names: list[str]) -> Iterator[pa.RecordBatch]:
    """Yield batches whose columns have the names that workers know."""
    for batch in batches:
        yield pa.RecordBatch.from_arrays(batch.columns, names=names)


def _schema(frame: DataFrame, names: list[str]) -> StructType:
    """Return the columns that come out: ours, and those that pass through."""
    passed = [
        StructField(name, field.dataType, field.nullable)
        for name, field in zip(names, frame.schema.fields, strict=True)
        if name not in INPUT
    ]
    return StructType([*StructType.fromDDL(spark_schema()).fields, *passed])
