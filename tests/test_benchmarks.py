"""The benchmarks run, and the README shows what they found; no time is judged here."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BENCHMARKS = ROOT / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

from measure import Row, best, best_sums  # noqa: E402  found by the line above
from rivals import find_plain_markers  # noqa: E402  likewise
from run import (  # noqa: E402  likewise
    HEADLINES,
    PAGE,
    README,
    SUBJECTS,
    between_marks,
    headlines,
    newest_result,
    table,
)

TINY = "0.002"


@pytest.mark.slow
@pytest.mark.parametrize("subject", SUBJECTS)
def test_benchmark_runs(subject):
    """A script prints rows as JSON; only the peers, which need not be there, may have none."""
    script = BENCHMARKS / f"bench_{subject}.py"
    run = subprocess.run(
        [sys.executable, str(script), TINY], check=True, capture_output=True, text=True
    )
    rows = [Row(**row) for row in json.loads(run.stdout)]
    assert rows or subject == "peers"
    assert all(row.ours > 0 for row in rows)


def test_all_scripts_are_run():
    """No script is forgotten."""
    scripts = {path.stem for path in BENCHMARKS.glob("bench_*.py")}
    assert scripts == {f"bench_{subject}" for subject in SUBJECTS}


@pytest.mark.parametrize(("path", "written"), [(README, headlines), (PAGE, table)])
def test_tables_are_those_of_the_newest_result(path, written):
    """Nobody edits a table by hand: ``make bench`` writes it."""
    page = path.read_text("utf-8")
    assert page == between_marks(page, written(newest_result()))


def test_headlines_are_rows():
    """A row that is called otherwise now would be left out in silence."""
    assert set(re.findall(r"^\| ([^|]+) \|", headlines(newest_result()), re.MULTILINE)) == {
        "What",
        *HEADLINES,
    }


def test_works_are_called_in_turn():
    """The order turns round each time, so that no work is always the first."""
    calls = []
    least = best([lambda: calls.append("a"), lambda: calls.append("b")], rounds=2)
    assert (calls, len(least)) == (["a", "b", "b", "a"], 2)


def test_each_work_meets_each_sample():
    """The sums are one for each work, over all samples."""
    calls = []
    sums = best_sums([calls.append, lambda n: calls.append(-n)], [1, 2], rounds=1)
    assert (calls, len(sums)) == ([1, -1, 2, -2], 2)


@pytest.mark.parametrize(
    ("judged", "limit", "met"),
    [
        ("ratio", 1.4, False),
        ("ratio", 1.5, True),
        ("ours", 2.9, False),
        ("ours", 3, True),
        ("difference", 0.9, False),
        ("difference", 1, True),
        ("ratio", None, None),
    ],
)
def test_target(judged, limit, met):
    """A target is for the ratio, for our figure or for the difference; missed is missed."""
    assert Row("x", 3.0, "s", 2.0, "y", limit, judged).is_met is met


def test_table_tells_missed_targets():
    """A row that misses its target says so, and figures have three digits."""
    row = {"what": "x", "ours": 1234.5, "unit": "µs", "rival": 1.25, "against": "y", "limit": 1}
    machine = {"python": "CPython 3.11", "cpus": 2, "architecture": "x"}
    result = {"date": "2025-01-01", "machine": machine, "rows": {"z": [row]}}
    line = table(result).splitlines()[-1]
    assert line == "| x | 1,234 µs | 1.25 µs, y | 987.60 | ≤ 1 × rival | **no** |"


def test_plain_parser_knows_the_four_forms():
    """The rival finds what it is said to find, with the same values."""
    text = "[1] [doc:a] [Words](https://example.org/) <<b>> `[2]`"
    found = [(m.format, m.keys, m.words, m.raw) for m in find_plain_markers(text)]
    assert found == [
        ("number", ("1",), "", "[1]"),
        ("doc", ("a",), "", "[doc:a]"),
        ("url", ("https://example.org/",), "Words", "[Words](https://example.org/)"),
        ("angle", ("b",), "", "<<b>>"),
        ("number", ("2",), "", "[2]"),
    ]
