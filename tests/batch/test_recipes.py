"""The recipes for engines run as they stand in the docs, where the engine is installed."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from citemark.batch import OUTPUT, BatchOptions
from citemark.batch.arrow import annotate_batches

pytestmark = pytest.mark.slow  # each starts an engine

RECIPES = Path(__file__).parents[2] / "examples" / "recipes"
ENGINES = {"duckdb": "duckdb", "polars": "polars", "dask": "dask", "ray": "ray"}
SOURCES = [{"id": "a", "title": "A"}, {"id": "b", "title": "B"}]
FIGURES = {"some figures": (1.0, 1), "no figures": (None, 0), "no rows": (None, 0)}
"""Mean coverage and number of errors."""

TEXTS = [
    "Five days it takes [1]. The label is in the box, as always.",
    "Ten days it takes [2].",
]


def answers(count=3_000):
    numbers = range(count)
    return pa.table(
        {
            "id": numbers,
            "answer": [TEXTS[number % 2] for number in numbers],
            "sources": [SOURCES] * count,
            "lang": ["en" if number % 4 else "de" for number in numbers],
        }
    )


def run(engine, *arguments):
    script = RECIPES / f"{engine}_answers.py"
    environment = {
        **os.environ,
        "PYSPARK_PYTHON": sys.executable,
        "RAY_USAGE_STATS_ENABLED": "0",
    }
    command = [sys.executable, script, *arguments]
    return subprocess.run(
        command, capture_output=True, encoding="utf-8", env=environment, check=False
    )


def expected(table):
    chosen = table.filter(pc.field("lang") == "en").to_batches()
    made = annotate_batches(chosen, BatchOptions(to=("text",), check=True))
    return pa.Table.from_batches(made).sort_by("id")


@pytest.mark.parametrize("engine", ENGINES)
def test_recipe_makes_the_same_rows(tmp_path, engine):
    """What an engine writes holds the rows, and the columns, that a batch gives."""
    if find_spec(ENGINES[engine]) is None:
        pytest.skip(f"{engine} is not installed")
    pq.write_table(answers(), tmp_path / "answers.parquet", row_group_size=500)
    output = tmp_path / "made.parquet"
    done = run(engine, tmp_path / "answers.parquet", output)
    assert done.returncode == 0, done.stderr
    found = pq.read_table(output).sort_by("id")
    assert found.schema.names == [*OUTPUT, "lang"]
    wanted = expected(answers())
    for name in ("id", "citations", "unresolved", "checks", "content_digest", "error", "lang"):
        assert found[name].to_pylist() == wanted[name].to_pylist()
    [(coverage, errors)] = ast.literal_eval(done.stdout.splitlines()[-1])
    mean = pc.mean(pc.struct_field(wanted["checks"], "coverage")).as_py()
    assert coverage == pytest.approx(mean)
    assert errors == 0


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", FIGURES)
def test_recipe_takes_rows_without_figures(tmp_path, engine, kind):
    """Answers that are null or claim nothing, rows that fail, and none at all."""
    if find_spec(ENGINES[engine]) is None:
        pytest.skip(f"{engine} is not installed")
    rows = [
        {"answer": TEXTS[1], "sources": SOURCES},
        {"answer": None, "sources": SOURCES},
        {"answer": "Why?", "sources": SOURCES},
        {"answer": "Ten [1].", "sources": [SOURCES[0], SOURCES[0]]},
    ]
    chosen = rows[1:3] if kind == "no figures" else rows
    lang = "de" if kind == "no rows" else "en"
    table = pa.Table.from_pylist([{"id": 7, "lang": lang, **row} for row in chosen])
    pq.write_table(table, tmp_path / "answers.parquet")
    done = run(engine, tmp_path / "answers.parquet", tmp_path / "made.parquet")
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()[-1].replace("<NA>", "None")  # as pandas shows it
    assert ast.literal_eval(said) == [FIGURES[kind]]


@pytest.mark.spark
def test_recipe_of_spark(tmp_path):
    """Each run annotates what is new."""
    if find_spec("pyspark") is None:
        pytest.skip("pyspark is not installed")
    (tmp_path / "in").mkdir()
    pq.write_table(answers(200), tmp_path / "in" / "1.parquet")
    done = run("spark", tmp_path / "in", tmp_path / "out", tmp_path / "checkpoint")
    assert done.returncode == 0, done.stderr
    assert "Row(avg(checks.coverage)=0.75, count(error)=0)" in done.stdout
    assert pq.read_table(tmp_path / "out").num_rows == 200


def test_docs_have_each_recipe():
    """No recipe is left out of the page, and none is named that is not there."""
    page = (RECIPES.parents[1] / "docs" / "recipes.md").read_text("utf-8")
    named = {name for name in page.split() if name.startswith("../examples/recipes/")}
    assert named == {f"../examples/recipes/{path.name}" for path in RECIPES.glob("*.py")}
