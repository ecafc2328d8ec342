"""Answers in Parquet, annotated in batches, and written by Polars without holding them all."""

import sys

import polars as pl

from citemark.batch import BatchOptions
from citemark.batch.arrow import annotate_arrow

OPTIONS = BatchOptions(to=("text",), check=True)


def annotated(frame: pl.DataFrame) -> pl.DataFrame:
    """Return what becomes of some of the rows."""
    return pl.DataFrame(annotate_arrow(frame, OPTIONS))


answers, output = sys.argv[1:]
chosen = pl.scan_parquet(answers).filter(pl.col("lang") == "en")
empty = pl.DataFrame(schema=chosen.collect_schema())
made = chosen.map_batches(annotated, streamable=True, schema=annotated(empty).schema)
made.sink_parquet(output)

found = pl.scan_parquet(output)
coverage = pl.col("checks").struct.field("coverage").mean()
print(found.select(coverage, pl.col("error").count()).collect().rows())
