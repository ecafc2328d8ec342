"""Answers in a folder of Parquet files: each call annotates the files that are new."""

import sys

from pyspark.sql import SparkSession

from citemark.batch import BatchOptions
from citemark.batch.spark import annotate_new

answers, output, checkpoint = sys.argv[1:]
spark = SparkSession.builder.getOrCreate()
schema = spark.read.parquet(answers).schema
stream = spark.readStream.schema(schema).parquet(answers)
query = annotate_new(stream, output, checkpoint, options=BatchOptions(to=("text",), check=True))
query.awaitTermination()

found = spark.read.parquet(output)
print(found.selectExpr("avg(checks.coverage)", "count(error)").collect())
