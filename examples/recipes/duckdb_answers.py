"""Answers in Parquet, chosen with SQL, annotated as a stream, and written by DuckDB."""

import sys

import duckdb

from citemark.batch import BatchOptions
from citemark.batch.arrow import annotate_arrow

answers, output = sys.argv[1:]
database = duckdb.connect()
chosen = database.sql(f"SELECT * FROM '{answers}' WHERE lang = 'en'")  # noqa: S608  our own path
annotated = annotate_arrow(chosen, BatchOptions(to=("text",), check=True))
writer = database.cursor()  # the other one is still reading
writer.execute(f"COPY (SELECT * FROM annotated) TO '{output}' (FORMAT parquet)")  # noqa: S608

found = database.sql(f"SELECT avg(checks.coverage), count(error) FROM '{output}'")  # noqa: S608
print(found.fetchall())
