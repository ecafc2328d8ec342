"""What ``citemark batch`` says: of one and of many, of what is missing, of what is closed."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

import pytest
from batch_kit import jsonl, row

from citemark.batch.run import Tally
from citemark.cli._batch_progress import Far, _Lines, said
from citemark.cli._io import BadInputError
from citemark.cli._main import _quiet_end
from citemark.errors import counted

HINT = (
    'no "sources", so {} citations are not resolved; add that column, or name a file of '
    "sources with --sources\n"
)


@pytest.fixture
def folder(tmp_path):
    """A folder with an input of one row."""
    (tmp_path / "in.jsonl").write_bytes(jsonl([row(1)]))
    return tmp_path


def test_one_and_many():
    """A number agrees with what it counts, and with what that does."""
    assert [counted(n, "row") for n in (0, 1, 2_000)] == ["0 rows", "1 row", "2,000 rows"]
    one = Tally(rows=1, errors=1, nulls=1, kept=1, kept_errors=1)
    assert said(one, 1.0, [(1, "is", "are"), (0, "is", "are")]) == (
        "1 row in 1.0 s (1 a second), 1 without an answer, 1 failed, 1 is, "
        "1 was there already, 1 had failed before"
    )
    two = Tally(rows=2, kept=2)
    assert said(two, 1.0, [(2, "is", "are")]) == (
        "2 rows in 1.0 s (2 a second), 2 are, 2 were there already"
    )


def test_one_and_many_on_the_way(monkeypatch, capsys):
    """Lines of progress too."""
    monkeypatch.setattr("citemark.cli._batch_progress.EVERY", 0)
    lines = _Lines()
    lines.show(Far(1, None, 1, 0))
    lines.show(Far(2, None, 2, 0, "answer"))
    assert [line.split(",")[0] for line in capsys.readouterr().err.splitlines()] == [
        "1 row",
        "2 answers",
    ]


def test_one_row_from_begin_to_end(citemark, folder):
    """No message speaks of 1 rows."""
    first = citemark("batch", "in.jsonl", "-o", "out.jsonl", "--workers=0")
    assert first.err.startswith("1 row in ")
    again = citemark("batch", "in.jsonl", "-o", "out.jsonl", "--workers=0", "--resume")
    assert again.err.endswith(", 1 was there already\n")
    (folder / "one.jsonl").write_bytes(b"\n")
    dry = citemark("batch", "one.jsonl", "-o", "x.jsonl", "--dry-run")
    assert dry.out == "new: one.jsonl -> x.jsonl, 1 byte\n"
    assert citemark("batch", "-", "-o", "-", "--dry-run").out == "new: stdin -> stdout\n"


def test_rows_without_sources_are_hinted_at(citemark, folder):
    """Where none has any: with them, or another place for them, nothing is said."""
    bare = [{"id": n, "answer": "Yes [1]."} for n in range(2)]
    (folder / "bare.jsonl").write_bytes(jsonl(bare))
    (folder / "one.jsonl").write_bytes(jsonl([*bare, row(3)]))
    (folder / "null.csv").write_text("id,answer,sources\n1,Yes [1].,\n", "utf-8")
    (folder / "empty.jsonl").write_bytes(jsonl([{"id": 1, "answer": None}]))
    (folder / "named.json").write_text('[{"id": "a"}]', "utf-8")

    def told(*arguments):
        done = citemark("batch", *arguments, "-o", "x.jsonl", "--workers=0", "--overwrite")
        assert done.code == 0
        return done.err.partition("\n")[2]

    assert told("bare.jsonl") == "The first 2 rows have " + HINT.format("their")
    assert told("null.csv") == "The first row has " + HINT.format("its")
    assert told("one.jsonl", "-w", "id=0") == "The first row has " + HINT.format("its")
    others = [
        ["in.jsonl"],
        ["one.jsonl"],
        ["one.jsonl", "-w", "id=3"],
        ["empty.jsonl"],
        ["bare.jsonl", "--sources=named.json"],
        ["bare.jsonl", "--source-list=parse"],
    ]
    assert [told(*other) for other in others] == [""] * len(others)
    piped = citemark("batch", "-", "-o", "x.jsonl", "--overwrite", stdin=jsonl(bare))
    assert piped.err.count("\n") == 1  # it cannot be read again


def test_a_row_that_is_explained_meets_the_conditions_or_not(citemark, folder):  # noqa: ARG001
    """Which is said beside it."""
    for condition, action in (("id=1", "make"), ("id=2", "leave out")):
        found = json.loads(citemark("batch", "in.jsonl", "--explain=1", "-w", condition).out)
        assert [*found] == ["file", "line", "action", "input", "output"]
        assert found["action"] == action


@pytest.mark.parametrize("name", ["chat.db", "Chat.SQLITE", "chat.sqlite3", "chat.jsonl"])
def test_a_database_without_its_scheme(citemark, folder, name):
    """It is told before anything else is asked for: by what it is, or by how it is called."""
    with closing(sqlite3.connect(folder / name)) as database:
        database.execute("CREATE TABLE answers (id, answer)")
    forms = f"give sqlite:///{name}\n"
    is_one = f"Error: {name}: is a SQLite database; "
    for arguments in (["batch", name], ["stats", name], ["batch", "in.jsonl", name]):
        done = citemark(*arguments)
        assert (done.code, done.err) == (2, is_one + forms)
    for arguments in (
        ["rerender", name, "-o", "x.jsonl"],
        ["batch", "in.jsonl", "-o", name],
        ["batch", "in.jsonl", "-o", "x.jsonl", "-s", name],
    ):
        done = citemark(*arguments)
        assert (done.code, done.err.startswith(is_one)) == (2, True)
        assert forms not in done.err
    (folder / name).unlink()
    done = citemark("batch", name)
    is_called = name != "chat.jsonl"
    assert ("is called as databases are; if it is one, " + forms in done.err) == is_called
    assert ("Missing option '--output'" in done.err) != is_called


@pytest.mark.parametrize(
    ("stream", "arguments"),
    [
        ("stdout", ["batch", "in.jsonl", "-o", "-", "--workers=0"]),
        ("stdout", ["batch", "in.jsonl", "-o", "x.jsonl", "--dry-run"]),
        ("stdout", ["batch", "in.jsonl", "--explain=1"]),
        ("stdout", ["stats", "out.jsonl"]),
        ("stdout", ["rerender", "out.jsonl", "-o", "-", "--workers=0"]),
        ("stdout", ["upgrade", "out.jsonl", "-o", "-", "--workers=0"]),
        ("stdout", ["check", "in.jsonl", "--jsonl"]),
        ("stdout", ["render", "in.jsonl", "-s", "in.jsonl"]),
        ("stdin", ["batch", "-", "-o", "x.jsonl", "--workers=0"]),
        ("stdin", ["stats", "-"]),
        ("stdin", ["rerender", "-", "-o", "x.jsonl", "--workers=0"]),
        ("stdin", ["check", "-", "--jsonl"]),
    ],
)
def test_a_stream_that_the_shell_closed(citemark, folder, stream, arguments):
    """One line says which one, and nothing is written."""
    assert citemark("batch", "in.jsonl", "-o", "out.jsonl", "--workers=0").code == 0
    done = citemark(*arguments, closed=stream)
    assert (done.code, done.err) == (2, f"Error: {stream}: is closed\n")
    assert not (folder / "x.jsonl").exists()


def test_a_closed_stderr(citemark, folder):
    """What is done does not depend on who listens."""
    for command in (
        ["batch", "in.jsonl", "-o", "out.jsonl", "--workers=0"],
        ["stats", "out.jsonl"],
        ["check", "out.jsonl", "--jsonl"],
    ):
        assert citemark(*command, closed="stderr").code == 0
    assert (folder / "out.jsonl").exists()


def test_too_little_memory_is_told():
    """In a line, wherever it was missed."""
    said = "memory: there is too little for what is read"
    with pytest.raises(BadInputError, match=said) as told, _quiet_end():
        raise MemoryError
    assert told.value.exit_code == 2
