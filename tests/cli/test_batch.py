"""``citemark batch``: what it says, what it leaves, and how it ends."""

from __future__ import annotations

import gzip
import itertools
import json
import os
import pty
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest
import zstandard
from batch_kit import jsonl, loaded, row

from citemark.batch.run._going import Files

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
    assert done.err.endswith(
        "1 failed\nRows that failed are kept, as they were, in out.jsonl.rejects.jsonl\n"
    )
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
        (["in.jsonl", "-o", "x.jsonl", "--formats", "x"], "--formats: no set of formats 'x'"),
        (["in.jsonl", "-o", "x.jsonl", "--notes=all", "-t", "text"], "--notes needs --to html"),
        (["in.jsonl", "-o", "x.jsonl", "--id-prefix=7", "-t", "html"], "Error: --to: html: "),
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


ARRAY = "is a JSON array; write each of its objects on a line, as jq -c '.[]' does\n"


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstandard.ZstdCompressor().compress])
@pytest.mark.parametrize("indent", [None, 2])
def test_an_array_is_refused_as_a_whole(citemark, folder, pack, indent):
    """In a line that says what to do, not a reject for each of its lines."""
    ending = {bytes: "", gzip.compress: ".gz"}.get(pack, ".zst")
    name = f"array.json{ending}"
    data = b"\n" + json.dumps([row(1), row(2)], indent=indent).encode()
    (folder / name).write_bytes(pack(data))
    for command in (("batch", name, "-o", "x.jsonl", "--workers=0"), ("stats", name)):
        done = citemark(*command)
        assert (done.code, done.err) == (2, f"Error: {name}: {ARRAY}")
    assert not [*folder.glob("*x.jsonl*rejects*")]
    piped = citemark("batch", "-", "-o", "-", "--workers=0", stdin=data)
    assert (piped.code, piped.out, piped.err) == (2, "", f"Error: stdin: {ARRAY}")


def test_a_database_that_is_given_as_a_file(citemark, folder):
    """Whatever its ending: the message names the form that is read."""
    for name in ("chat.db", "chat.json"):
        with closing(sqlite3.connect(folder / name)) as database:
            database.execute("CREATE TABLE answers (id, body)")
        for command in (("batch", name, "-o", "x.jsonl"), ("stats", name)):
            done = citemark(*command)
            said = f"Error: {name}: is a SQLite database; give sqlite:///{name}\n"
            assert (done.code, done.err) == (2, said)
    done = citemark("batch", "sqlite:///chat.db")
    said = (
        "'answers' has no column 'answer', only id, body; --column answer=body says which it is"
    )
    assert (done.code, said in done.err) == (2, True)


def test_html_as_it_is_asked_for(citemark, folder):
    """By the options that ``render`` has; of ``rerender`` too."""
    html = (
        "--previews=hint",
        "--id-prefix=chat",
        "--language=de",
        "--notes=all",
        "--links=safe",
    )
    given = ("-t", "html", "--workers=0")
    answer = "See [here](https://example.org/) [1]."
    (folder / "in.jsonl").write_bytes(jsonl([row(1, answer=answer)]))
    assert citemark("batch", "in.jsonl", "-o", "out.jsonl", *given, *html).code == 0
    assert citemark("rerender", "out.jsonl", "-o", "new.jsonl", *given, *html).code == 0
    for name in ("out.jsonl", "new.jsonl"):
        [made] = loaded((folder / name).read_bytes())
        shown = made["rendered"]["html"]
        asked = ("popover=", 'id="chat-', "Quellen", "Questions", 'href="https://example.org/"')
        assert [part for part in asked if part not in shown] == []


@pytest.fixture
def interrupted(monkeypatch):
    """Lets the next run be interrupted after so many batches."""
    taken = Files.take

    def after(batches):
        count = itertools.count(1)

        def take(self, result):
            taken(self, result)
            if next(count) == batches:
                monkeypatch.setattr(Files, "take", taken)
                raise KeyboardInterrupt

        monkeypatch.setattr(Files, "take", take)

    return after


def test_an_interrupt_and_what_is_kept(citemark, folder, interrupted):
    """In a line each: what is kept, where it goes on, and what was done by which run."""
    rows = [row(n, **({"answer": n} if n % 100 == 7 else {})) for n in range(1_000)]
    (folder / "in.jsonl").write_bytes(jsonl([*rows, row(1_000, answer=None)]))
    given = ("batch", "in.jsonl", "-o", "out.jsonl", "--workers=0")
    interrupted(2)
    first = citemark(*given)
    said = "interrupted; 512 rows are kept, --resume goes on\n"
    assert (first.code, first.err) == (130, said)
    done = citemark(*given, "--resume")
    where, counts, _ = done.err.splitlines()
    assert where == "resume after 512 rows: in.jsonl -> out.jsonl"
    assert re.sub(r" in .* second\)", "", counts) == (
        "489 rows, 1 without an answer, 4 failed, 512 were there already, 6 had failed before"
    )
    assert done.code == 3
    again = citemark(*given, "--resume").err.splitlines()[0]
    assert again.endswith(", 1,001 were there already, 10 had failed before")


@pytest.mark.usefixtures("folder")
def test_an_interrupt_that_leaves_nothing(citemark, interrupted):
    """What went to stdout is not known to a later run."""
    interrupted(1)
    done = citemark("batch", "in.jsonl", "-o", "-", "--workers=0")
    assert done.code == 130
    assert done.err == "interrupted; nothing is kept; with -o FILE a run can go on\n"


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
    assert process.returncode == 130
    # On a slow machine lines before it say how far the run is.
    last = said.splitlines()[-1]
    assert re.fullmatch(rb"interrupted; [1-9][\d,]* rows are kept, --resume goes on", last)
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
