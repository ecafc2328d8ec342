"""``citemark markers`` and what else needs no sources."""

from __future__ import annotations

import json
from dataclasses import asdict
from importlib.metadata import version

from cli_kit import ANSWER

from citemark import find_markers


def test_markers_lists_a_table(citemark, files):
    """Columns are aligned, and a raw text stays in its line."""
    files(answer__md="One [1, 2].\n\nTwo <<faq>>.\n")
    assert citemark("markers", "answer.md") == (
        0,
        (
            "start  end  format  keys  raw\n"
            "4      10   number  1, 2  [1, 2]\n"
            "17     24   angle   faq   <<faq>>\n"
        ),
        "",
    )


def test_markers_as_json_are_those_of_find_markers(citemark, files):
    """One array of objects, with the fields of ``Marker``."""
    files()
    listed = json.loads(citemark("markers", "answer.md", "--json").out)
    found = [asdict(marker) for marker in find_markers(ANSWER)]
    assert listed == json.loads(json.dumps(found))  # JSON has no tuples


def test_markers_with_sources_finds_candidates(citemark, files):
    """A bare id in brackets is a marker only if a source has it."""
    text = "It is in [policy.pdf]."
    files(answer__md=text, sources__json='[{"id": "policy.pdf"}]')
    command = ("markers", "answer.md", "--json")
    assert json.loads(citemark(*command).out) == []
    listed = json.loads(citemark(*command, "-s", "sources.json").out)
    assert [item["keys"] for item in listed] == [["policy.pdf"]]


def test_no_markers_is_no_finding(citemark):
    """An empty list is an answer like others."""
    assert citemark("markers", stdin=b"Nothing.") == (0, "start  end  format  keys  raw\n", "")
    assert citemark("markers", "--json", stdin=b"") == (0, "[]\n", "")


def test_version(citemark):
    """The version is that of the installed distribution."""
    assert citemark("--version") == (0, f"citemark {version('citemark')}\n", "")


def test_an_interrupt_is_quiet(citemark, monkeypatch):
    """Ctrl-C ends with 130, as shells report it."""

    def interrupted(_name: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("citemark.cli._markers.read_text", interrupted)
    assert citemark("markers", "x") == (130, "", "")
