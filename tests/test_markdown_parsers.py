"""Markdown output is harmless in marked and remark too, whose ideas of a block are their own.

They come from npm: ``make build/markdown-parsers`` installs them.  Where everything is checked
(``CI`` is set) they have to be there.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from markdown_rules import SOURCES, hostile_answers, refused

from citemark import cite, render

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "markdown-parsers"


@pytest.fixture(scope="module")
def find():
    """Return what marked and remark find in each of some texts."""
    if not (FOLDER / "node_modules").exists():
        missing = "the parsers are missing: install npm, then make build/markdown-parsers"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(missing)

    def run(texts):
        lines = "".join(json.dumps(text) + "\n" for text in texts)
        done = subprocess.run(
            ["node", FOLDER / "look.mjs"],
            input=lines,
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
        return [[tuple(one) for one in json.loads(line)] for line in done.stdout.splitlines()]

    return run


def test_nothing_dangerous_is_left(find):
    """Of answers put together from payloads, what hides them, and what begins a block."""
    answers = [
        *hostile_answers(2_000, seed=1),
        # remark goes on with an address over "<".
        ("é<a href='[\u3000a[^1]: \"https://good.example/minutes<b", {"style": "footnotes"}),
    ]
    outputs = [
        render(cite(text, SOURCES, unresolved="mark"), "markdown", **options)
        for text, options in answers
    ]

    for (text, options), output, found in zip(answers, outputs, find(outputs), strict=True):
        left = refused(found, SOURCES, options.get("links", "sources"))
        assert left == set(), (text, options, output)


def test_dangers_are_found(find):
    """Each parser tells of each kind; of footnotes those that have them."""
    [found] = find(["a <b>x</b> [x](http://y) ![z](q) [u] [^n]\n\n[^n]: a note\n\n[u]: /v"])
    parsers = {"remark", "remark with GFM", "remark with formulas", "marked", "marked, no GFM"}
    kinds = {"html", "link", "image", "definition"}
    with_footnotes = {"remark with GFM", "remark with formulas"}

    told = {(parser, kind) for parser, kind, _ in refused(found, SOURCES, "sources")}

    assert told >= {(parser, kind) for parser in parsers for kind in kinds}
    assert {parser for parser, kind in told if kind == "footnote"} == with_footnotes
