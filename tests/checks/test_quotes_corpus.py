"""Labelled quotes get the right verdict, and their exact place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from citemark import Source
from citemark.checks.quotes import verify_quote

CORPUS = Path(__file__).parents[1] / "corpora" / "quotes.jsonl"
CASES = [json.loads(line) for line in CORPUS.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_quote(case):
    """The verdict is one of those that are right; a quote that stands there has its place."""
    cited, *others = (Source(str(n), text=text) for n, text in enumerate(case["passages"]))
    check = verify_quote(case["quote"], cited, others=others)
    assert check.verdict in case["verdicts"], check.reason
    if case["spans"] is not None and check.verdict in {"verified", "fuzzy"}:
        assert [list(span) for span in check.spans] == case["spans"]
