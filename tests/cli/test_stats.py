"""``citemark stats``: figures over an output."""

from __future__ import annotations

import json

import pytest

from citemark.batch import BatchOptions, annotate_row

SOURCES = [
    {"id": "quay", "title": "Quay report", "text": "It cost £421."},
    {"id": "tides", "title": "Tide tables", "text": "Tides rise."},
]
TEXTS = ["It cost £421 [1].", "Tides rise [9].", None]


@pytest.fixture
def output(tmp_path):
    """An output of three rows, and the sources."""
    options = BatchOptions(check=True)
    rows = [
        annotate_row({"id": n, "answer": text, "sources": SOURCES}, options)
        for n, text in enumerate(TEXTS)
    ]
    data = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    (tmp_path / "out.jsonl").write_bytes(data)
    (tmp_path / "sources.json").write_text(json.dumps(SOURCES), "utf-8")
    return data


@pytest.mark.usefixtures("output")
def test_table(citemark):
    """Totals, plots and lists."""
    found = citemark("stats", "out.jsonl", "--sources", "sources.json")
    assert (found.code, found.err) == (0, "")
    lines = found.out.splitlines()
    assert lines[:3] == [
        "rows                   3  0 errors, 1 without answer",
        "answers                2  1 cites nothing",
        "citations              1",
    ]
    assert "never cited (1): Tide tables (tides)" in lines


@pytest.mark.usefixtures("output")
def test_width(citemark):
    """No line is longer."""
    found = citemark("stats", "out.jsonl", "--width", "44")
    assert max(map(len, found.out.splitlines())) <= 44


@pytest.mark.usefixtures("output")
def test_json(citemark):
    """One object; without --sources nothing is said of those never cited."""
    known = json.loads(citemark("stats", "out.jsonl", "-f", "json").out)
    assert (known["rows"], known["citations"], known["never_cited_count"]) == (3, 1, 0)
    known = json.loads(citemark("stats", "out.jsonl", "-f", "json", "-s", "sources.json").out)
    assert [one["id"] for one in known["never_cited"]] == ["tides"]


@pytest.mark.usefixtures("output")
def test_a_file_with_two_names_is_counted_once(citemark, tmp_path):
    """Whatever kind of link the second one is."""
    (tmp_path / "sources.json").unlink()
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "hard.jsonl").hardlink_to("out.jsonl")
    (tmp_path / "links" / "soft.jsonl").symlink_to(tmp_path / "out.jsonl")
    for names in (["links"], ["out.jsonl", "links/hard.jsonl"], ["links", "out.jsonl", "."]):
        known = json.loads(citemark("stats", *names, "-f", "json").out)
        assert known["rows"] == 3


@pytest.mark.usefixtures("output")
def test_html(citemark, tmp_path):
    """A page, with its title."""
    found = citemark(
        "stats", "out.jsonl", "-f", "html", "-o", "a.html", "--title", "May & June"
    )
    assert (found.code, found.out, found.err) == (0, "", "")
    page = (tmp_path / "a.html").read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "<h1>May &amp; June</h1>" in page


def test_stdin_and_processes(citemark, output):
    """And several outputs at once."""
    one = json.loads(citemark("stats", "-", "-f", "json", stdin=output).out)
    assert one == json.loads(citemark("stats", "out.jsonl", "-f", "json").out)
    two = json.loads(
        citemark("stats", "-", "out.jsonl", "-f", "json", "--workers", "1", stdin=output).out
    )
    assert two["rows"] == 2 * one["rows"]


def test_rows_that_cannot_be_read(citemark, output, tmp_path):
    """Are told, and the code is 3."""
    (tmp_path / "out.jsonl").write_bytes(output + b"{\n")
    found = citemark("stats", "out.jsonl")
    assert found.code == 3
    assert "out.jsonl, line 4: is not JSON" in found.out


@pytest.mark.usefixtures("output")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["stats"], "OUT"),
        (["stats", "none.jsonl"], "none.jsonl: no such file"),
        (["stats", "out.txt"], "out.txt: "),
        (["stats", "."], ""),
        (["stats", "out.jsonl", "-s", "none.json"], "none.json: no such file"),
        (["stats", "out.jsonl", "--title", "A"], "--title is for --format html"),
        (
            ["stats", "out.jsonl", "-f", "json", "--width", "50"],
            "--width is for --format table",
        ),
        (["stats", "-", "-s", "-"], "only one of"),
        (["stats", "out.jsonl", "-o", "out.jsonl"], "would write over"),
        (["stats", "out.jsonl", "-o", "none/a.html"], "cannot be written"),
        (["stats", "out.jsonl", "-o", "hard.jsonl"], "would write over"),
        (["stats", "out.jsonl", "--workers", "-1"], "--workers"),
    ],
)
def test_mistakes(citemark, tmp_path, arguments, said):
    """One line, code 2."""
    (tmp_path / "out.txt").write_bytes(b"")
    (tmp_path / "hard.jsonl").hardlink_to("out.jsonl")
    if arguments == ["stats", "."]:
        (tmp_path / "empty").mkdir()
        arguments, said = ["stats", "empty"], "holds no files"
    found = citemark(*arguments)
    assert found.code == 2
    assert said in found.err
