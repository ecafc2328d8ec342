"""Answers in Parquet, blocks of them on the workers of a Ray cluster, and written by Ray."""

import sys
from statistics import fmean
from typing import Any

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


def read_back(folder: str) -> list[dict[str, Any]]:
    """Return what was written; Ray writes no file if no row was chosen."""
    try:
        written = ray.data.read_parquet(folder)
    except FileNotFoundError:
        return []
    return written.select_columns(["checks", "error"]).take_all()


answers, output = sys.argv[1:]
chosen = ray.data.read_parquet(answers).filter(expr=col("lang") == "en")
chosen.map_batches(annotated, batch_format="pyarrow").write_parquet(output)

found = read_back(output)
checked = [row["checks"] for row in found if row["checks"] is not None]  # none without answer
shares = [checks["coverage"] for checks in checked if checks["coverage"] is not None]
print([(fmean(shares) if shares else None, sum(row["error"] is not None for row in found))])
