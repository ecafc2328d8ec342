"""The example scripts run, and print what is in ``cases/examples``."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from citemark import Sources, cite

EXAMPLES = Path(__file__).parents[1] / "examples"
EXPECTED = Path(__file__).parent / "cases" / "examples"
SCRIPTS = sorted(path for path in EXAMPLES.glob("*.py") if path.stem != "demo")
ANSWERS = sorted((EXAMPLES / "answers").glob("*.md"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_script_prints_what_is_expected(script):
    """A script run as a user runs it prints the golden text, and nothing on stderr."""
    command = [sys.executable, "-X", "utf8", script]
    run = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    expected = (EXPECTED / f"{script.stem}.txt").read_text("utf-8")
    assert (run.returncode, run.stderr, run.stdout) == (0, "", expected)


def test_every_golden_text_has_its_script():
    """No golden text is left behind when a script is renamed."""
    goldens = {path.stem for path in EXPECTED.glob("*.txt")}
    assert goldens == {path.stem for path in SCRIPTS}


@pytest.mark.parametrize("path", ANSWERS, ids=lambda path: path.stem)
def test_answer_has_its_sources_and_cites_some(path):
    """Beside each example answer lies a list of sources, all of the documented fields."""
    records = json.loads(path.with_suffix(".sources.json").read_text("utf-8"))
    fields = {"id", "title", "url", "text", "page", "kind", "score"}
    assert [set(record) for record in records] == [fields] * len(records)
    text = path.read_text("utf-8")
    answer = cite(text, Sources(records))
    assert answer.text == text
    assert len(answer.sources) >= min(3, len(records))


def test_every_answer_is_described():
    """The README of the examples names each answer."""
    readme = (EXAMPLES / "README.md").read_text("utf-8")
    assert [path.stem for path in ANSWERS if f"| {path.stem} |" not in readme] == []
