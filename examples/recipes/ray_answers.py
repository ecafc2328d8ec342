"""Answers in Parquet, blocks of them on the workers of a Ray cluster, and written by Ray."""

import sys
from statistics import fmean

import pyarrow as pa
import ray
from ray.data.expressions import col

from citemark.batch import BatchOptions
from citemark.batch.arrow import annotate_batches, output_schema

OPTIONS = BatchOptions(to=("text",), check=True)


def annotated(table: pa.Table) -> pa.Table:
    """Return what becomes of a block."""
    schema, _ = output_schema(table.schema)
    return pa.Table.from_batches(annotate_batches(table.to_batches(), OPTIONS), schema)


answers, output = sys.argv[1:]
chosen = ray.data.read_parquet(answers).filter(expr=col("lang") == "en")
chosen.map_batches(annotated, batch_format="pyarrow").write_parquet(output)

found = ray.data.read_parquet(output).select_columns(["checks", "error"]).take_all()
coverage = fmean(row["checks"]["coverage"] for row in found)
print([(coverage, sum(row["error"] is not None for row in found))])
