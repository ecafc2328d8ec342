"""Every known way of writing a marker is read, and the page of probes shows each of them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))

from probe_matrix import PAGE, code, row_start
from probe_systems import marked, read_probes

PROBES = read_probes()


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.id)
def test_probe(probe):
    """Exactly the markers of a probe name sources, and exactly those sources."""
    assert marked(probe) == [(raw, ids) for raw, ids in probe.cites]


def test_there_are_enough_probes():
    """At least sixty, a good part of which cite nothing, and no id or text is there twice."""
    assert len(PROBES) >= 60
    assert sum(not probe.cites for probe in PROBES) >= 14
    assert len({probe.id for probe in PROBES}) == len(PROBES)
    assert len({probe.text for probe in PROBES}) == len(PROBES)


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.id)
def test_probe_can_be_answered(probe):
    """What a probe expects is written in its text and among its sources."""
    sources = {source["id"] for source in probe.sources}
    for raw, ids in probe.cites:
        assert raw in probe.text
        assert ids
        assert set(ids) <= sources


def test_page_has_a_row_for_each_probe():
    """In order, with what citemark finds now: else run ``benchmarks/probe_matrix.py``."""
    lines = PAGE.read_text("utf-8").partition("\n## ")[2].splitlines()
    rows = [line for line in lines if line.startswith("| ") and "`" in line]
    starts = [row_start(probe) for probe in PROBES]
    assert [row[: len(start)] for row, start in zip(rows, starts, strict=True)] == starts


def test_code_shows_all_of_a_text():
    """Pipes do not end the cell, backticks not the span, and nothing is invisible."""
    assert code("a|b") == r"`a\|b`"
    assert code("`x` y") == "`` `x` y ``"
    assert code("\ue200cite") == "`‹U+E200›cite`"
    assert code("a\n\n    b\n") == "`a ⏎  ⏎ ␣␣␣␣b`"
