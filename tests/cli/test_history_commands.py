"""``citemark rerender`` and ``citemark upgrade``: outputs of earlier runs."""

from __future__ import annotations

import csv
import io
import json

import pytest

from citemark.batch import SCHEMA, BatchOptions, annotate_row, history
from citemark.batch.rows import OUTPUT

SOURCES = [{"id": "a", "title": "A"}]
ROWS = [{"id": "1", "answer": "Yes [1].", "sources": SOURCES, "team": "=x"}, {"id": "2"}]


@pytest.fixture
def citemark_alone(citemark):
    """The command with no processes of its own."""
    return lambda *arguments, **options: citemark(*arguments, "--workers", "0", **options)


@pytest.fixture
def batch(citemark_alone, tmp_path):
    """Make an output; return its name."""
    lines = b"".join(json.dumps(row).encode() + b"\n" for row in ROWS)
    (tmp_path / "in.jsonl").write_bytes(lines)

    def made(name="out.jsonl", to="text"):
        assert citemark_alone("batch", "in.jsonl", "-o", name, "--to", to).code == 0
        return name

    return made


def rows_of(path):
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_output_is_rendered_again(citemark_alone, batch, tmp_path):
    """In another form, without the sources; what passed through still does."""
    found = citemark_alone("rerender", batch(), "-o", "new.jsonl", "--to", "json,html")
    assert (found.code, found.out) == (0, "")
    assert "2 rows" in found.err
    one, two = rows_of(tmp_path / "new.jsonl")
    expected = annotate_row(ROWS[0], BatchOptions(to=("json", "html")))
    assert one["rendered"] == expected["rendered"]
    assert one | {"rendered": 0, "options_digest": 0} == expected | {
        "rendered": 0,
        "options_digest": 0,
    }
    assert two == rows_of(tmp_path / "out.jsonl")[1]


def test_forms_of_each_row_are_those_it_has(citemark_alone, batch, tmp_path):
    """If no others are asked for."""
    assert citemark_alone("rerender", batch(), "-o", "new.jsonl").code == 0
    new, old = (rows_of(tmp_path / name)[0] for name in ("new.jsonl", "out.jsonl"))
    assert new["rendered"] == old["rendered"]


def test_tables_stay_tables(citemark_alone, batch, tmp_path):
    """With the same columns, and the same cells."""
    name = batch("out.csv", "html")
    assert citemark_alone("rerender", name, "-o", "new.csv").code == 0
    tables = [
        [*csv.DictReader(io.StringIO((tmp_path / one).read_text("utf-8"), newline=""))]
        for one in ("new.csv", name)
    ]
    new, old = ([row | {"options_digest": ""} for row in table] for table in tables)
    assert new == old
    assert [*OUTPUT] == [*old[0]][: len(OUTPUT)]
    assert citemark_alone("upgrade", name, "-o", "up.csv").code == 0
    assert (tmp_path / "up.csv").read_bytes() == (tmp_path / name).read_bytes()


def test_upgrade_of_this_version_changes_nothing(citemark_alone, batch, tmp_path):
    """Not a byte."""
    found = citemark_alone("upgrade", batch(), "-o", "new.jsonl")
    assert found.code == 0
    assert (tmp_path / "new.jsonl").read_bytes() == (tmp_path / "out.jsonl").read_bytes()


def test_older_rows_are_upgraded(citemark_alone, batch, tmp_path, monkeypatch):
    """By the steps that there are."""
    monkeypatch.setitem(history.STEPS, 0, lambda row: row | {"team": row.pop("squad")})
    rows = rows_of(tmp_path / batch())
    old = [row | {"schema": 0, "squad": "x"} for row in rows]
    (tmp_path / "old.jsonl").write_bytes(b"".join(json.dumps(r).encode() + b"\n" for r in old))
    assert citemark_alone("upgrade", "old.jsonl", "-o", "new.jsonl").code == 0
    assert rows_of(tmp_path / "new.jsonl") == [row | {"team": "x"} for row in rows]


def test_rows_that_are_newer_are_told(citemark_alone, batch, tmp_path):
    """They stay as they were, with an error, and stand in a rejects file too."""
    rows = [row | {"schema": SCHEMA + 1} for row in rows_of(tmp_path / batch())]
    (tmp_path / "old.jsonl").write_bytes(b"".join(json.dumps(r).encode() + b"\n" for r in rows))
    found = citemark_alone("upgrade", "old.jsonl", "-o", "new.jsonl")
    assert found.code == 3
    new = rows_of(tmp_path / "new.jsonl")
    assert [row | {"error": None} for row in new] == rows
    assert f"its schema is {SCHEMA + 1}; this version knows 1, {SCHEMA}" in new[0]["error"]
    assert len(rows_of(tmp_path / "new.jsonl.rejects.jsonl")) == 2


@pytest.fixture
def failures(citemark, tmp_path):
    """Outputs in which answers failed, and a renderer did; return the name of one."""
    rows = [*ROWS, {"id": "3", "answer": 7, "sources": SOURCES}]
    rows += [{"id": "4", "answer": "No [1].", "sources": "none"}]
    lines = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    (tmp_path / "in.jsonl").write_bytes(lines)

    def made(name):
        done = citemark("batch", "in.jsonl", "-o", name, "--to", "text", "--workers", "0")
        assert done.code == 3
        return name

    return made


@pytest.mark.parametrize("ending", [".jsonl", ".csv", ".parquet"])
@pytest.mark.parametrize("command", [("rerender", "--to=html"), ("upgrade",)])
def test_rows_that_had_failed_stay_as_they_are(
    citemark_alone, failures, tmp_path, ending, command
):
    """They are no failures of this run: it did all that it could."""
    name = failures(f"out{ending}")
    for new in (f"more{ending}", "new.jsonl"):
        found = citemark_alone(*command, name, "-o", new)
        assert (found.code, len(found.err.splitlines())) == (0, 1)
        said = ", 1 without an answer, 2 had failed when they were made, and stay so\n"
        assert found.err.endswith(said)
        assert not [*tmp_path.glob(f"{new}.rejects*")]
    again = citemark_alone(*command, name, "-o", "new.jsonl", "--resume")
    assert again.code == 0
    assert ", 2 had failed when they were made, and stay so, 4 were there" in again.err
    errors = [row["error"] for row in rows_of(tmp_path / "new.jsonl")]
    assert [error is None for error in errors] == [True, True, False, False]


@pytest.mark.parametrize("ending", [".jsonl", ".csv", ".parquet"])
def test_what_fails_anew_is_told(citemark_alone, failures, tmp_path, monkeypatch, ending):
    """A renderer that fails now, beside rows that had failed before."""
    name = failures(f"out{ending}")
    monkeypatch.setattr("citemark.batch._forms.render", _fail)
    monkeypatch.setattr("citemark.batch.run.require_usable", lambda _: None)
    for new in ("one", "two"):  # again and again, and each time it is tried
        found = citemark_alone("rerender", name, "-o", f"{new}{ending}", "--to=html")
        assert found.code == 3
        assert ", 1 failed, 2 had failed when they were made" in found.err
        assert (tmp_path / f"{new}{ending}.rejects.jsonl").exists() or ending == ".parquet"
        name = f"{new}{ending}"


def _fail(*_, **__):
    raise ValueError


def test_outputs_are_not_mixed(citemark_alone, batch):
    """What is there is not written over, nor gone on with in another way."""
    name = batch()
    assert citemark_alone("rerender", name, "-o", name).code == 2
    assert citemark_alone("rerender", name, "-o", "new.jsonl").code == 0
    assert citemark_alone("rerender", name, "-o", "new.jsonl").code == 2
    assert citemark_alone("rerender", name, "-o", "new.jsonl", "--resume").code == 0
    assert citemark_alone("upgrade", name, "-o", "new.jsonl", "--resume").code == 0


def test_processes(citemark, batch, tmp_path):
    """What makes rows is found by them."""
    assert citemark("upgrade", batch(), "-o", "new.jsonl", "--workers", "1").code == 0
    assert (tmp_path / "new.jsonl").read_bytes() == (tmp_path / "out.jsonl").read_bytes()


def test_mistakes(citemark_alone, batch):
    """One line, code 2."""
    name = batch()
    for arguments, said in {
        ("rerender", name): "--output",
        ("rerender", "none.jsonl", "-o", "a.jsonl"): "none.jsonl: no such file",
        ("rerender", name, "-o", "a.jsonl", "--to", "pdf"): "--to: ",
        ("upgrade", "-o", "a.jsonl"): "OUT",
    }.items():
        found = citemark_alone(*arguments)
        assert (found.code, said in found.err) == (2, True), found
