"""Columns and arguments of a frame: found as Spark finds them, or refused at the call."""

from __future__ import annotations

import json
from math import nan

import pytest

pytest.importorskip("pyspark")

from spark_kit import answers, collected, frame, records

from citemark import CitemarkError
from citemark.batch.arrow import OUTPUT_SCHEMA, RowSchemaError
from citemark.batch.options import BatchOptionError
from citemark.batch.spark import JoinedSources, annotate, annotate_new
from citemark.errors import ArgumentTypeError

pytestmark = [
    pytest.mark.spark,
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning"),
]

NAMES = {"a.b": "a.b", "c`d": "c`d", "x": "x", "X": "input_X", "Error": "input_Error"}
"""Columns that pass through, and what they are called then."""


def test_names_that_spark_reads_in_its_own_way(spark, tmp_path):
    """Dots and backticks are part of a name; case is not, so that the output can be written."""
    given = frame(spark, [dict.fromkeys(NAMES, 7) | {"Answer": "A [1].", "SOURCES": "[]"}], 1)
    made = annotate(given)
    assert made.columns == [*OUTPUT_SCHEMA.names, *NAMES.values()]
    made.write.parquet(str(tmp_path / "out"))
    [found] = collected(spark.read.parquet(str(tmp_path / "out")))
    assert (found["unresolved"], found["error"]) == (["1"], None)
    assert [found[name] for name in NAMES.values()] == [7] * len(NAMES)
    spark.conf.set("spark.sql.caseSensitive", "true")
    try:
        exact = annotate(given.withColumnRenamed("Answer", "answer"))
    finally:
        spark.conf.set("spark.sql.caseSensitive", "false")
    assert exact.columns[-2:] == ["Error", "SOURCES"]


def test_joined_columns_are_found_as_spark_finds_them(spark):
    """Their names too may have dots, or be of another case; neither is in the sources then."""
    records = [{"a.b": "k", "Place": 2.5, "ID": "y"}, {"a.b": "k", "Place": 1.5, "ID": "x"}]
    sources = JoinedSources(frame(spark, records, 1), on="A.b", order_by="PLACE")
    given = frame(spark, [{"a.b": "k", "answer": "A [1] [2]."}], 1)
    made = annotate(given, sources=sources)
    assert made.columns == [*OUTPUT_SCHEMA.names, "a.b"]
    [found] = collected(made)
    assert [citation["id"] for citation in found["citations"]] == ["x", "y"]
    assert [one["metadata"] for one in json.loads(found["cited"])["sources"]] == [{}, {}]


def test_places_that_give_no_order_are_told(spark):
    """Labels count it: what has no place, or that of another, would be cited at random."""
    places = {"fine": (2.0, 1.0), "tie": (1.0, 1.0), "null": (None, 1.0), "nan": (nan, 1.0)}
    records = [
        (key, at, f"{key}{n}") for key, both in places.items() for n, at in enumerate(both)
    ]
    given = spark.createDataFrame(records, "key string, place double, id string")
    rows = [{"id": key, "answer": "A [1].", "key": key} for key in places]
    sources = JoinedSources(given, on="key", order_by="place")
    found = collected(annotate(frame(spark, rows, 1), sources=sources))
    no_place = 'RowSourcesError: sources: a record of the key has no place in "place"'
    assert {row["id"]: row["error"] for row in found} == {
        "fine": None,
        "tie": 'RowSourcesError: sources: two records of the key have one place in "place"',
        "null": no_place,
        "nan": no_place,
    }


def test_frames_that_cannot_be_read(spark):
    """What is wrong is said before a job starts."""
    with pytest.raises(RowSchemaError, match="answer"):
        annotate(frame(spark, [{"id": 1}], 1))
    with pytest.raises(RowSchemaError, match='2 columns are called "answer"'):
        annotate(spark.sql("SELECT 'x' AS answer, 'x' AS ANSWER"))
    for kind in ("INTERVAL '1' MONTH", "array(make_interval(1, 2, 3))"):
        with pytest.raises(RowSchemaError, match=r'column "since" is of type .*interval'):
            annotate(spark.sql(f"SELECT 'x' AS answer, {kind} AS since"))
    sources = JoinedSources(frame(spark, records(), 1), on="set", order_by="place")
    rows = frame(spark, [{"answer": "x", "Sources": "may", "set": "may"}], 1)
    with pytest.raises(RowSchemaError, match='"sources" already'):
        annotate(rows, sources=sources)
    with pytest.raises(RowSchemaError, match="string in the sources, and bigint in the ans"):
        annotate(frame(spark, [{"answer": "x", "set": 7}], 1), sources=sources)
    with pytest.raises(RowSchemaError, match='on: no column is called "set", only answer'):
        annotate(frame(spark, [{"answer": "x"}], 1), sources=sources)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"on": "sett"}, 'on: no column is called "sett"'),
        ({"order_by": "at"}, 'order_by: no column is called "at"'),
        ({"order_by": "set"}, "order_by: all records of a key"),
        ({"order_by": "title"}, 'order_by: column "title" is of type string'),
        ({"order_by": "number"}, 'records: no column is called "id"'),
        ({"on": 7}, "on: expected the name of a column, not int"),
        ({"frame": records()}, "frame: expected a frame of Spark, not list"),
    ],
)
def test_joined_sources_that_give_no_lists(spark, given, said):
    """They are refused where they are made."""
    known = frame(spark, records(), 1)
    if given == {"order_by": "number"}:
        known, given = known.selectExpr("set", "place AS ID"), {"order_by": "id"}
    with pytest.raises(CitemarkError, match=said):
        JoinedSources(**{"frame": known, "on": "set", "order_by": "place"} | given)


def test_arguments_of_a_wrong_type(spark, tmp_path):
    """None is passed over."""
    given = frame(spark, [{"answer": "x"}], 1)
    for sources, said in ((given, r"JoinedSources\(frame"), (records(), r"SourcesTable\(rec")):
        with pytest.raises(ArgumentTypeError, match=rf"^sources: .* not \w+: give {said}"):
            annotate(given, sources=sources)
    for name, value in {"options": {"to": "html"}, "partitions": "4"}.items():
        with pytest.raises(ArgumentTypeError, match=f"^{name}: "):
            annotate(given, **{name: value})
    with pytest.raises(BatchOptionError, match=r"^partitions: expected a whole number from 1"):
        annotate(given, partitions=0)
    with pytest.raises(ArgumentTypeError, match=r"^frame: "):
        annotate(answers())
    with pytest.raises(ArgumentTypeError, match=r"^stream: expected a stream"):
        annotate_new(given, "out", "kept")
    with pytest.raises(ArgumentTypeError, match=r"^checkpoint: expected a text"):
        annotate_new(given, "out", tmp_path)
