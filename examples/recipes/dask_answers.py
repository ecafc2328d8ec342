"""Answers in Parquet, a partition for each core, and written by Dask."""

import sys

import dask.dataframe as dd
import pandas as pd
import pyarrow as pa

from citemark.batch import BatchOptions
from citemark.batch.arrow import annotate_batches, output_schema

OPTIONS = BatchOptions(to=("text",), check=True)


def annotated(frame: pd.DataFrame) -> pd.DataFrame:
    """Return what becomes of a partition, in columns of Arrow types."""
    given = pa.Table.from_pandas(frame, preserve_index=False)
    schema, _ = output_schema(given.schema)
    made = pa.Table.from_batches(annotate_batches(given.to_batches(), OPTIONS), schema)
    return made.to_pandas(types_mapper=pd.ArrowDtype)


if __name__ == "__main__":
    answers, output = sys.argv[1:]
    frame = dd.read_parquet(answers, dtype_backend="pyarrow")
    chosen = frame[frame["lang"] == "en"]
    made = chosen.map_partitions(annotated, meta=annotated(chosen.head(0)))
    made.to_parquet(output, write_index=False)

    found = pd.read_parquet(output, dtype_backend="pyarrow")
    print([(found["checks"].struct.field("coverage").mean(), int(found["error"].count()))])
