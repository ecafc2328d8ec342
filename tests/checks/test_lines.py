"""Lines of a paragraph, over the labelled answers: wrapped text goes on, others are apart."""

from __future__ import annotations

import json
import re
import textwrap
from itertools import pairwise
from pathlib import Path

import pytest

from citemark import cite
from citemark.checks import sentences

CORPUS = Path(__file__).parents[1] / "corpora" / "claims.jsonl"
RECORDS = [json.loads(line) for line in CORPUS.read_text("utf-8").splitlines()]
MARKED = re.compile(r"(?m)^\s*([-*+>#|`]|\d+[.)])|\n[^\n]|[`$<]|:\n")
"""What answers have that are more than paragraphs, or have lines already."""

PLAIN = [one for one in RECORDS if not MARKED.search(one["answer"])]
BARE = re.compile(r"[\s.!?。！？।]+\Z")


def letters(text):
    return "".join(character for character in text.casefold() if character.isalnum())


def found_in(text, ids):
    sources = [{"id": key, "title": f"T{key}"} for key in ids]
    return [letters(one.text) for one in sentences(cite(text, sources))]


def wrapped(text, width):
    """Return a text with its paragraphs wrapped; scripts without blanks stay as they are."""
    return "\n\n".join(
        textwrap.fill(part, width, break_long_words=False, break_on_hyphens=False)
        for part in text.split("\n\n")
    )


@pytest.mark.parametrize("width", [60, 72, 100])
def test_wrapped_text_goes_on(width):
    """Of 100 answers at least 98 have the same sentences when they are wrapped."""
    texts = [(one["answer"], one["source_ids"]) for one in PLAIN]
    pairs = [(text, wrapped(text, width), ids) for text, ids in texts]
    broken = [pair for pair in pairs if pair[0] != pair[1]]
    same = sum(found_in(whole, ids) == found_in(text, ids) for whole, text, ids in broken)
    assert len(broken) > 80
    assert same / len(broken) >= 0.98


def test_lines_without_stops_are_apart():
    """Of 100 sentences on lines of their own, without stops, at most 2 melt into the next."""
    count = melted = 0
    for record in RECORDS:
        words = (BARE.sub("", one["text"]) for one in record["sentences"])
        lines = [one for one in words if letters(one) and not one.startswith(("#", "|", "**"))]
        found = found_in("\n".join(lines), "1234")
        both = [letters(first) + letters(second) for first, second in pairwise(lines)]
        count += len(lines)
        melted += sum(any(pair in one for one in found) for pair in both)
    assert count > 800
    assert melted / count <= 0.02
