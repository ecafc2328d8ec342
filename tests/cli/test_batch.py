"""``citemark batch``: what it says, what it leaves, and how it ends."""

from __future__ import annotations

import json
import os
import pty
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest
from batch_kit import jsonl, loaded, row

COMMAND = [sys.executable, "-m", "citemark", "batch"]
ROWS = jsonl(row(number, team="ab"[number % 2]) for number in range(20))
BROKEN = b'{"id": 5, "answer"\n'


@pytest.fixture
def folder(tmp_path):
    """The folder in which the command is run, with an input."""
    (tmp_path / "in.jsonl").write_bytes(ROWS)
    return tmp_path


def test_rows_are_made(citemark, folder):
    """One line on stderr says how many."""
    done = citemark("batch", "in.jsonl", "-o", "out.jsonl", "-t", "html,text", "--check")
    assert (done.code, done.out) == (0, "")
    assert done.err.startswith("20 rows in ")
    made = loaded((folder / "out.jsonl").read_bytes())
    assert [one["id"] for one in made] == [str(number) for number in range(20)]
    assert {*made[0]["rendered"]} == {"html", "text"}
    assert made[0]["checks"]["claims"] > 0


def test_rows_that_fail(citemark, folder):
    """Exit code 3, and where they are; mended they go in again."""
    (folder / "in.jsonl").write_bytes(ROWS + BROKEN)
    done = citemark("batch", "in.jsonl", "-o", "out.jsonl", "--workers", "0")
    assert done.code == 3
    assert done.err.endswith("1 failed\nAs they were, they are in out.jsonl.rejects.jsonl\n")
    rejects = (folder / "out.jsonl.rejects.jsonl").read_text("utf-8")
    mended = rejects.replace('\\"answer\\"', '\\"answer\\": null}')
    (folder / "mended.jsonl").write_text(mended, "utf-8")
    again = citemark("batch", "mended.jsonl", "-o", "more.jsonl", "--workers", "0")
    assert again.code == 0
    assert ", 1 without an answer" in again.err


def test_from_stdin_to_stdout(citemark):
    """Rows only; of those that fail it says how to keep them."""
    done = citemark(
        "batch", "-", "-o", "-", "--workers", "0", "--limit", "2", "-w", "team=b",
        stdin=BROKEN + ROWS,
    )  # fmt: skip
    assert done.code == 3
    assert [one["id"] for one in loaded(done.out.encode())] == [None, "1"]
    assert done.err.endswith("With -o FILE, rows that fail are kept in a rejects file.\n")


def test_dry_run(citemark, folder):
    """What would be done, and nothing is."""
    first = citemark("batch", "in.jsonl", "-o", "out.jsonl", "--dry-run")
    size = f"{len(ROWS):,}"
    assert (first.code, first.out) == (0, f"new: in.jsonl -> out.jsonl, {size} bytes\n")
    assert [path.name for path in folder.iterdir()] == ["in.jsonl"]
    assert citemark("batch", "in.jsonl", "-o", "out.jsonl").code == 0
    again = citemark("batch", "in.jsonl", "-o", "out.jsonl", "--dry-run", "--resume")
    assert again.out == f"skip: in.jsonl -> out.jsonl, {size} bytes\n"
    other = citemark("batch", "in.jsonl", "-o", "out.jsonl", "--dry-run", "--resume", "--check")
    assert other.out.startswith("again (the options are others): in.jsonl -> out.jsonl")


def test_one_row_is_explained(citemark, folder):
    """What it was, where it stands, and what becomes of it."""
    done = citemark("batch", "in.jsonl", "--explain", "7", "--to", "text")
    found = json.loads(done.out)
    assert (done.code, found["line"], found["input"]["id"]) == (0, 8, 7)
    assert found["output"]["rendered"]["text"].startswith("Order 7")
    missing = citemark("batch", "in.jsonl", "--explain", "77")
    assert (missing.code, missing.err) == (2, "Error: --explain: no row has the id '77'\n")
    assert [path.name for path in folder.iterdir()] == ["in.jsonl"]


def test_sources_of_a_file(citemark, folder):
    """Rows name them by their set."""
    (folder / "known.csv").write_text("id,title,set\na,Terms,may\n", "utf-8")
    (folder / "in.csv").write_text("id,answer,sources\n1,Yes [1].,may\n", "utf-8")
    done = citemark(
        "batch", "in.csv", "-o", "out.jsonl", "-s", "known.csv", "-t", "text", "--workers", "0"
    )
    [made] = loaded((folder / "out.jsonl").read_bytes())
    assert (done.code, made["rendered"]) == (0, {"text": "Yes [1].\n\n[1] Terms"})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name a file, a folder or - for stdin"),
        (["in.jsonl"], "Missing option '--output' / '-o'."),
        (["none.jsonl", "-o", "x.jsonl"], "Error: none.jsonl: no such file\n"),
        (["in.jsonl", "-o", "x.txt"], "Error: x.txt: has no ending that is known"),
        (["in.jsonl", "-o", "in.jsonl"], "Error: in.jsonl: is an input; name another output\n"),
        (["in.jsonl", "-o", "x.jsonl", "-t", "nope"], "Error: --to: no renderer 'nope'"),
        (["in.jsonl", "-o", "x.jsonl", "--dialect", "x"], "Error: --dialect: there is no set"),
        (["in.jsonl", "-o", "x.jsonl", "--provider", "x"], "--provider: no provider 'x'"),
        (["in.jsonl", "-o", "x.jsonl", "-w", "x"], "--where: 'x' is none of column=value"),
        (["in.jsonl", "-o", "x.jsonl", "-s", "none.json"], "Error: none.json: no such file"),
        (["in.jsonl", "-o", "x.jsonl", "--into", "x"], "--into is for databases"),
        (["sqlite:///a.db", "in.jsonl"], "a database is the only IN"),
        (["sqlite:///a.db", "-o", "x.jsonl"], "--output is for files"),
        (["sqlite:///a.db", "--column", "x"], "'x' is none of answer=body"),
        (["sqlite:///none.db"], "Error: sqlite:///none.db: "),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("folder")
def test_wrong_usage(citemark, arguments, message):
    """One clear line, exit code 2, and nothing is written."""
    done = citemark("batch", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert not Path("x.jsonl").exists()


@pytest.mark.usefixtures("folder")
def test_a_database(citemark):
    """Its answers are read; what is made of them stands in a table beside them."""
    with closing(sqlite3.connect("a.db")) as database, database:
        database.execute("CREATE TABLE said (n INTEGER PRIMARY KEY, body TEXT, sources TEXT)")
        given = [(1, "Yes [1].", '[{"id": "a"}]'), (2, "No [1].", "[")]
        database.executemany("INSERT INTO said VALUES (?, ?, ?)", given)
    arguments = [
        "sqlite:///a.db",
        "--table",
        "said",
        "--column",
        "id=n",
        "--column",
        "answer=body",
    ]
    done = citemark("batch", *arguments, "--workers", "0")
    assert done.code == 3
    assert done.err.startswith("2 rows in ")
    with closing(sqlite3.connect("a.db")) as database:
        [count] = database.execute("SELECT count(*) FROM said_citations").fetchone()
    assert count == 2
    dry = citemark("batch", *arguments, "--dry-run")
    assert (dry.code, dry.out) == (0, "2 answers, 2 rows made of them\n")


@pytest.mark.slow
def test_ctrl_c_ends_it(folder):
    """With exit code 130 and no process left; what is there can be gone on with."""
    (folder / "in.jsonl").write_bytes(jsonl(map(row, range(60_000))))
    process = subprocess.Popen(
        [*COMMAND, "in.jsonl", "-o", "out.jsonl", "--workers", "2", "--to", "html"],
        cwd=folder,
        stderr=subprocess.PIPE,
        # What runs in the background of a shell ignores Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
    part = folder / ".out.jsonl.part"
    for _ in range(600):
        time.sleep(0.1)
        if part.exists() and part.stat().st_size:
            break
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    pids = children.read_text().split() if children.exists() else []
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (130, b"")
    assert not [pid for pid in pids if Path(f"/proc/{pid}").exists()]


@pytest.mark.slow
def test_a_bar_in_a_terminal(folder):
    """With rows, rate and failures; stdout stays free."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, "in.jsonl", "-o", "out.jsonl", "--workers", "0"],
        cwd=folder,
        stderr=theirs,
        stdout=subprocess.PIPE,
        env=os.environ | {"COLUMNS": "120", "TERM": "xterm"},
    ) as process:
        os.close(theirs)
        said = b""
        with suppress(OSError):  # the other end was closed
            while piece := os.read(ours, 10_000):
                said += piece
        os.close(ours)
        assert (process.wait(timeout=60), process.stdout.read()) == (0, b"")
    assert b"Batch  [" in said
    assert b"20 rows, " in said
    assert b"0 failed" in said
