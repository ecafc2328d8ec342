"""Rows over a real Spark, with a JVM and several Python workers."""

from __future__ import annotations

import json
from collections import Counter

import pytest

pytest.importorskip("pyspark")

import pyarrow as pa
from pyspark.sql import functions as F  # noqa: N812  as everybody has it
from spark_kit import COUNT, SETS, DeadlyTable, answers, collected, digest, frame, records

from citemark.batch import BatchOptions, SourcesTable
from citemark.batch.arrow import OUTPUT_SCHEMA, annotate_batches
from citemark.batch.outputs import stats_of
from citemark.batch.spark import JoinedSources, annotate, annotate_new

pytestmark = [
    pytest.mark.spark,
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning"),
]

OPTIONS = BatchOptions(to=("text", "html"), check=True)


def local(rows, table=None, options=OPTIONS):
    """What becomes of rows in this process."""
    given = pa.RecordBatch.from_pylist(rows)
    return [row for b in annotate_batches([given], options, table) for row in b.to_pylist()]


def test_same_rows_as_here(spark):
    """Rows of a frame become what they become without Spark; other columns pass through."""
    table = SourcesTable(records())
    made = annotate(frame(spark, answers()), sources=table, options=OPTIONS)
    found = collected(made)
    assert made.columns == [*OUTPUT_SCHEMA.names, "team"]
    assert len(found) == COUNT
    assert digest(found) == digest(local(answers(), table))
    assert {row["error"] for row in found} == {None}


def test_lists_of_structs_and_empty_answers(spark):
    """Sources that stand in the row, and answers that are null, as engines have them."""
    sources = [{"id": "a", "title": "A", "page": 3}, {"id": "b", "title": "B", "page": None}]
    rows = [
        {"id": n, "answer": "A [2]." if n % 3 else None, "sources": sources} for n in range(9)
    ]
    found = collected(annotate(frame(spark, rows, 2), options=OPTIONS))
    assert digest(found) == digest(local(rows))
    assert sum(row["cited"] is None for row in found) == 3


def test_killed_worker_loses_and_doubles_nothing(spark, tmp_path):
    """A worker that is killed in the middle of a task costs that task's time only."""
    mark = tmp_path / "killed"
    table = DeadlyTable(records(), str(mark))
    made = annotate(frame(spark, answers(), 2), sources=table, options=OPTIONS)
    made.write.parquet(str(tmp_path / "out"))
    assert mark.exists()
    found = collected(spark.read.parquet(str(tmp_path / "out")))
    assert len(found) == COUNT
    assert digest(found) == digest(local(answers(), SourcesTable(records())))


def joined_rows():
    """Nine of ten answers have one key."""
    rows = [{**row, "set": "may" if row["id"] % 10 else "june"} for row in answers()]
    return [{name: row[name] for name in ("id", "answer", "set")} for row in rows]


def lists():
    """The sources of each set, as JSON, in their order."""
    found = {name: [] for name in SETS}
    for record in records():
        found[record["set"]].append({"id": record["id"], "title": record["title"]})
    return {name: json.dumps(one, separators=(",", ":")) for name, one in found.items()}


def test_joined_sources_keep_their_order_over_skewed_keys(spark):
    """However records are strewn, label 1 is the first one; all cores share the common key."""
    strewn = spark.createDataFrame(pa.Table.from_pylist(records()[::-1])).repartition(3)
    sources = JoinedSources(strewn, on="set", order_by="place")
    given = frame(spark, joined_rows())
    made = annotate(given, sources=sources, options=OPTIONS, partitions=4)
    expected = local([{**row, "sources": lists()[row["set"]]} for row in joined_rows()])
    found = collected(made)
    assert digest(found) == digest(expected)
    assert {c["id"] for row in found for c in row["citations"] if c["number"] == 1} == {
        "may-1",
        "june-1",
    }
    sizes = Counter(row[0] for row in made.select(F.spark_partition_id()).collect())
    assert len(sizes) == 4
    assert max(sizes.values()) < COUNT / 2


def test_answer_without_joined_sources_cites_nothing(spark):
    """A key that no record has leaves its answer without sources, and there."""
    strewn = spark.createDataFrame(pa.Table.from_pylist(records()))
    sources = JoinedSources(strewn, on="set", order_by="place")
    rows = [{"id": "x", "answer": "A [1].", "set": "other"}]
    [found] = collected(annotate(frame(spark, rows, 1), sources=sources))
    assert (found["citations"], found["unresolved"], found["set"]) == ([], ["1"], "other")


def test_each_call_does_what_is_new(spark, tmp_path):
    """With a checkpoint, a second call does nothing, and a third one the new files."""
    given, out, kept = (str(tmp_path / name) for name in ("in", "out", "checkpoint"))
    table = SourcesTable(records())

    def add(rows):
        frame(spark, rows, 2).write.mode("append").parquet(given)

    def run():
        schema = spark.read.parquet(given).schema
        stream = spark.readStream.schema(schema).parquet(given)
        query = annotate_new(stream, out, kept, sources=table, options=OPTIONS)
        query.awaitTermination()
        return collected(spark.read.parquet(out))

    rows = answers()
    add(rows[:600])
    assert len(run()) == 600
    assert len(run()) == 600
    add(rows[600:])
    assert digest(run()) == digest(local(rows, table))


def test_killed_batches_are_left_out_of_figures(spark, tmp_path):
    """Only files that the log of Spark names count, compact logs too."""
    given, out, kept = (str(tmp_path / name) for name in ("in", "out", "checkpoint"))
    spark.conf.set("spark.sql.streaming.fileSink.log.compactInterval", "3")
    for number in range(5):
        rows = [{"id": number, "answer": "A [1]."}]
        frame(spark, rows, 1).write.mode("append").parquet(given)
    schema = spark.read.parquet(given).schema
    stream = spark.readStream.schema(schema).option("maxFilesPerTrigger", "1").parquet(given)
    annotate_new(stream, out, kept, options=OPTIONS).awaitTermination()
    names = {path.name for path in (tmp_path / "out" / "_spark_metadata").iterdir()}
    assert "2.compact" in names
    assert stats_of([out]).rows == 5
    [part, *_] = (tmp_path / "out").glob("part-*.parquet")
    (tmp_path / "out" / "part-00000-left.snappy.parquet").write_bytes(part.read_bytes())
    (tmp_path / "out" / "part-00001-left.snappy.parquet").touch()
    assert stats_of([out]).rows == 5
