"""``citemark check --jsonl`` over what ``citemark batch`` wrote, and over other files."""

from __future__ import annotations

import json

import pytest
from batch_kit import jsonl, row

SOURCE = {"id": "a", "title": "Fees", "text": "The fee is five dollars."}
ROWS = [
    {"id": "1", "answer": "The fee is nine dollars [1].", "sources": [SOURCE]},
    {"id": "2", "answer": "The fee is five dollars [1].", "sources": [SOURCE]},
    {"id": "3", "answer": 7, "sources": [SOURCE]},
]


@pytest.fixture
def findings(citemark):
    """What is found in each row of a file, and the exit code."""

    def found(name):
        done = citemark("check", name, "--jsonl", "--format=json", "--fail-on=warning")
        lines = [json.loads(line) for line in done.out.splitlines()]
        return done.code, [
            (line["id"], line.get("report"), line.get("error")) for line in lines[:-1]
        ]

    return found


def test_findings_are_those_of_the_rows_that_were_given(citemark, findings, tmp_path):
    """Stored answers hold the passages that they cite; a row that failed says why."""
    (tmp_path / "in.jsonl").write_bytes(jsonl(ROWS[:2]))
    (tmp_path / "failed.jsonl").write_bytes(jsonl(ROWS))
    for name in ("in", "failed"):
        citemark("batch", f"{name}.jsonl", "-o", f"{name}.out.jsonl", "--workers=0")
    assert findings("in.out.jsonl") == findings("in.jsonl")
    code, rows = findings("failed.out.jsonl")
    assert (code, rows[:2]) == (2, findings("in.jsonl")[1])
    assert rows[2][2] == (
        "has no answer: it failed with TextTypeError: answer: expected the text as str, not int"
    )


def test_a_page_of_findings_over_stored_answers(citemark, tmp_path):
    """With the worst in full."""
    (tmp_path / "in.jsonl").write_bytes(jsonl(ROWS[:2]))
    citemark("batch", "in.jsonl", "-o", "out.jsonl", "--workers=0")
    done = citemark("check", "out.jsonl", "--jsonl", "-f", "html", "-o", "page.html")
    assert done.code in {0, 1}
    assert "nine dollars" in (tmp_path / "page.html").read_text("utf-8")


def test_rows_of_a_newer_version(citemark, tmp_path):
    """They are told in their place."""
    (tmp_path / "in.jsonl").write_bytes(jsonl([{"cited": {}, "schema": 99}]))
    done = citemark("check", "in.jsonl", "--jsonl")
    assert (done.code, "its schema is 99" in done.out) == (2, True)


MAKES = "citemark batch {} -o rows.jsonl makes rows that can be checked"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a.csv", f"is no JSON Lines; {MAKES}"),
        ("a.parquet", f"is no JSON Lines; {MAKES}"),
        ("a.jsonl.gz", f"is compressed; {MAKES}"),
        ("a.json", "is a JSON array; write each of its objects on a line, as jq -c '.[]' does"),
    ],
)
def test_other_files_are_refused_as_a_whole(citemark, tmp_path, name, said):
    """In one line, not one for each of theirs."""
    (tmp_path / name).write_text(json.dumps([row(1), row(2)], indent=1), "utf-8")
    done = citemark("check", name, "--jsonl")
    assert (done.code, done.err) == (2, f"Error: {name}: {said.format(name)}\n")
