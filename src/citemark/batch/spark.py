"""Rows past one machine: PySpark.  Needs the extra ``spark``, here and on the workers.

Each task makes rows of its own partition and keeps nothing: Spark does lost tasks again, and
its commit protocol lets no row of them be there twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from citemark._extras import extra

with extra("spark"):
    from pyspark.sql import functions as F  # noqa: N812  as everybody has it
    from pyspark.sql.types import StructField, StructType

from citemark.batch.arrow import annotate_batches, spark_schema
from citemark.batch.arrow._schema import require_columns
from citemark.batch.options import BatchOptions
from citemark.batch.rows import passed_names
from citemark.batch.sources import SourcesTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import pyarrow as pa
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.streaming import StreamingQuery

__all__ = ["JoinedSources", "annotate", "annotate_new"]

JOINED: Final = "sources"


@dataclass(frozen=True, slots=True)
class JoinedSources:
    """Records of sources in a frame of their own, for sources that no worker can hold.

    Their order is what labels of prompts count: without one, answers would cite others.
    """

    frame: DataFrame
    """A record on each row: ``id``, ``title``, ``url``, ``text`` and so on."""

    on: str
    """Column of both frames: which answers a record is a source of."""

    order_by: str
    """Column with the place of a record among the sources of an answer."""

    def lists(self) -> DataFrame:
        """Return the list of each key, as JSON."""
        names = [name for name in self.frame.columns if name not in (self.on, self.order_by)]
        record = F.to_json(F.struct(*(_quoted(name) for name in names)))
        placed = F.struct(_quoted(self.order_by).alias("place"), record.alias("record"))
        records = F.sort_array(F.collect_list(placed))["record"]
        text = F.concat(F.lit("["), F.array_join(records, ","), F.lit("]"))
        return self.frame.groupBy(_quoted(self.on)).agg(text.alias(JOINED))


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
            others pass through.  It may be a stream.
        sources: A table, which goes to each worker once; or a frame that is joined.
        options: Of the run.
        partitions: Spread the rows anew over so many, which costs a shuffle: for few large
            files, and for keys of which some have most of the answers.

    Raises:
        RowSchemaError: There is no ``answer``, or two columns have one name.
        ValueError: The frame has a column ``sources`` besides those that are joined.
    """
    if isinstance(sources, JoinedSources):
        if JOINED in frame.columns:
            raise ValueError('the frame has a column "sources" already')
        frame = frame.join(sources.lists(), on=sources.on, how="left")
    if partitions is not None:
        frame = frame.repartition(partitions)
    made = _maker(frame, sources, options or BatchOptions())
    return frame.mapInArrow(made, _schema(frame))


def annotate_new(
    stream: DataFrame,
    path: str,
    checkpoint: str,
    *,
    format: str = "parquet",  # noqa: A002  as Spark calls it
    **given: Any,  # noqa: ANN401  those of ``annotate``
) -> StreamingQuery:
    """Begin to annotate what came since the last call, and end when all of it is done.

    Args:
        stream: Of ``spark.readStream``.
        path: Folder of the output, which grows.
        checkpoint: Folder in which Spark keeps what it has done.  Other options or another
            version of citemark are another output: give them a folder of their own.
        format: Of the output.
        **given: See ``annotate``.

    Raises:
        RowSchemaError: There is no ``answer``, or two columns have one name.
    """
    writer = annotate(stream, **given).writeStream.format(format)
    once = writer.option("checkpointLocation", checkpoint).trigger(availableNow=True)
    return once.start(path)


def _maker(
    frame: DataFrame, sources: SourcesTable | JoinedSources | None, options: BatchOptions
) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Return what the workers run; a table is in each of them once."""
    if not isinstance(sources, SourcesTable):
        return lambda batches: annotate_batches(batches, options)
    shared = frame.sparkSession.sparkContext.broadcast(sources)
    return lambda batches: annotate_batches(batches, options, shared.value)


def _schema(frame: DataFrame) -> StructType:
    """Return the columns that come out: ours, and those that pass through."""
    require_columns(frame.columns)
    passed = [
        StructField(free, frame.schema[name].dataType, frame.schema[name].nullable)
        for free, name in passed_names(frame.columns).items()
    ]
    return StructType([*StructType.fromDDL(spark_schema()).fields, *passed])


def _quoted(name: str) -> Column:
    """Return a column by its name, whatever is in it."""
    return F.col("`" + name.replace("`", "``") + "`")
