"""A run over files: every row once, whatever happens in between."""

from __future__ import annotations

import errno
import gzip
import itertools
import json
import os
import random
import resource
import shutil
import subprocess
import sys
from functools import partial

import batch_kill
import pytest
import run_kit
import zstandard
from batch_kit import jsonl, loaded, row
from run_kit import fault, in_folder, killed_after

from citemark.batch import BatchOptionError, BatchOptions, SourcesTable, annotate_row
from citemark.batch.run import Run, _going, _output, find_row
from citemark.batch.run._going import Files
from citemark.batch.where import read_where

TEXT = BatchOptions(to=("text",))
ROWS = [row(number, team="abc"[number % 3]) for number in range(1_000)]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with an input, in which the test is."""
    return in_folder(tmp_path, monkeypatch, {"in.jsonl": ROWS})


def run(*names, **more):
    return run_kit.run(*names, **{"options": TEXT, **more})


@pytest.mark.parametrize("workers", [0, 2])
def test_each_row_becomes_what_the_function_says(folder, workers):
    """In order; nothing else is left in the folder but the manifest."""
    tally = run(workers=workers).go()
    made = loaded((folder / "out.jsonl").read_bytes())
    assert made == json.loads(json.dumps([annotate_row(one, TEXT) for one in ROWS]))
    assert (tally.rows, tally.errors, tally.files) == (1_000, 0, 1)
    assert {path.name for path in folder.iterdir()} == {
        "in.jsonl",
        "out.jsonl",
        "out.jsonl.manifest.jsonl",
    }


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz", "out.jsonl.zst", "out.csv"])
def test_a_run_that_ended_goes_on(folder, name):
    """Its output is that of an unbroken one, to the byte."""
    run(output=f"whole.{name}").go()
    for batches in (1, 2, 3):
        with pytest.raises(KeyboardInterrupt):
            run(output=name, resume=True, report=partial(_stop, batches)).go()
    assert run(output=name, resume=True).go().kept >= 256
    assert (folder / name).read_bytes() == (folder / f"whole.{name}").read_bytes()


def _stop(batches, tally):
    if tally.kept + tally.rows >= 256 * batches:
        raise KeyboardInterrupt


def test_compressed_outputs_hold_the_same(folder):
    """All readers take members one after the other."""
    for name in ("out.jsonl", "out.jsonl.gz", "out.jsonl.zst"):
        run(output=name).go()
    plain = (folder / "out.jsonl").read_bytes()
    assert gzip.decompress((folder / "out.jsonl.gz").read_bytes()) == plain
    with zstandard.open(folder / "out.jsonl.zst", "rb", zstandard.ZstdDecompressor()) as file:
        assert file.readall() if hasattr(file, "readall") else file.read()


@pytest.mark.slow
def test_kills_lose_and_double_nothing(tmp_path):
    """Ten kills with SIGKILL at random points: rows and rejects are those of a whole run."""
    batch_kill.write_input(tmp_path)
    batch_kill.run_whole(tmp_path)
    chance = random.Random(7)  # noqa: S311  no secret
    kills = batch_kill.kill_until_done(tmp_path, "out.jsonl", 10, chance)
    assert kills > 0
    for end in ("", ".rejects.jsonl"):
        whole = (tmp_path / f"whole.jsonl{end}").read_bytes()
        assert (tmp_path / f"out.jsonl{end}").read_bytes() == whole
    assert not [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")]


@pytest.mark.parametrize("step", ["rejects", "rows", "done"])
def test_a_kill_while_files_get_their_names(folder, monkeypatch, step):
    """Between any two of the last steps: the next run does what is left of them."""
    (folder / "in.jsonl").write_bytes(jsonl(ROWS) + b"{\n")
    run(output="whole.jsonl").go()

    def die(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        if step == "done":
            patched.setattr("citemark.batch.run._manifest.Manifest.done", die)
        else:
            old = "citemark.batch.run._output._name"
            known = _output._name  # noqa: SLF001  the step to die before
            left = [0 if step == "rejects" else 1]

            def some(*given, **named):
                if not left[0]:
                    raise KeyboardInterrupt
                left[0] -= 1
                known(*given, **named)

            patched.setattr(old, some)
        with pytest.raises(KeyboardInterrupt):
            run().go()
    assert run(resume=True).go().kept == 1_001
    for end in ("", ".rejects.jsonl"):
        whole = (folder / f"whole.jsonl{end}").read_bytes()
        assert (folder / f"out.jsonl{end}").read_bytes() == whole.replace(b"whole", b"out")
    assert run(resume=True).go().skipped == 1


def test_half_a_line_of_the_manifest_is_not_read(folder):
    """As a kill leaves it; what it would have said is done again."""
    killed_after(2, run())
    manifest = folder / "out.jsonl.manifest.jsonl"
    manifest.write_bytes(manifest.read_bytes()[:-20])
    assert run(resume=True).go().kept == 256
    assert len(loaded((folder / "out.jsonl").read_bytes())) == 1_000
    assert loaded(manifest.read_bytes())[-1]["event"] == "done"


def test_what_is_whole_and_the_same_is_left(folder):
    """What is not is made again: a changed input, other options, an output that is gone."""
    run().go()
    assert run(resume=True).go().skipped == 1
    (folder / "in.jsonl").write_bytes(jsonl(ROWS[:5]))
    assert run(resume=True).go().rows == 5
    assert run(resume=True, options=BatchOptions()).go().rows == 5
    (folder / "out.jsonl").unlink()
    assert run(resume=True, options=BatchOptions()).go().rows == 5
    table = SourcesTable([{"id": "x"}])
    assert run(resume=True, options=BatchOptions(), table=table).go().rows == 5


def test_what_is_there_is_not_written_over(folder):
    """Unless that is asked for; hours of an unfinished run neither."""
    run().go()
    assert fault(run())[0] == "exists"
    assert run(overwrite=True).go().rows == 1_000
    (folder / "out.jsonl").unlink()
    killed_after(2, run())
    found = fault(run())
    assert found[0] == "exists"
    assert "an unfinished run left 512 rows" in found[1]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda data: data[:-1000], None),
        (lambda data: data[:1000], ("truncated", "in.jsonl: has 1,000 bytes; ")),
        (lambda data: data[:1], ("truncated", "in.jsonl: has 1 byte; an earlier run had ")),
        (lambda data: b" " + data, ("changed", "in.jsonl: changed since the run began")),
        (lambda data: data + data, None),
    ],
)
def test_an_input_that_changed_is_told(folder, change, expected):
    """Up to where the first run was; what comes after that may be longer, or mended."""
    killed_after(2, run())
    data = (folder / "in.jsonl").read_bytes()
    (folder / "in.jsonl").write_bytes(change(data))
    if expected is None:
        run(resume=True).go()
        assert len((folder / "out.jsonl").read_bytes().splitlines()) == change(data).count(
            b"\n"
        ) + (not change(data).endswith(b"\n"))
    else:
        found = fault(run(resume=True))
        assert (found[0], found[1][: len(expected[1])]) == expected


@pytest.mark.usefixtures("folder")
def test_other_options_do_not_go_on():
    """Half of a file would be of one kind, half of another."""
    killed_after(2, run())
    found = fault(run(resume=True, options=BatchOptions()))
    assert found == (
        "changed",
        "out.jsonl: the options are others since the run began; --overwrite begins anew",
    )


def test_an_input_that_is_written_to_meanwhile(folder):
    """Its rows would be of two states."""

    def report(_):
        with (folder / "in.jsonl").open("ab") as file:
            file.write(b"{}\n")

    assert fault(run(report=report)) == (
        "changed",
        "in.jsonl: was written to while it was read",
    )


def test_a_truncated_input_can_be_mended(folder):
    """What came before stays; the run goes on with the whole file."""
    whole = gzip.compress(jsonl(ROWS))
    (folder / "in.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    assert fault(run(["in.jsonl.gz"]))[0] == "truncated"
    (folder / "in.jsonl.gz").write_bytes(whole)
    assert run(["in.jsonl.gz"], resume=True).go().rows + 0 > 0
    assert len(loaded((folder / "out.jsonl").read_bytes())) == 1_000


@pytest.mark.usefixtures("folder")
def test_two_runs_on_one_output():
    """The second is refused."""
    found = []
    run(report=lambda _: found.append(fault(run(resume=True)))).go()
    assert found[0] == (
        "locked",
        "out.jsonl.manifest.jsonl: another run is writing there; wait for it to end",
    )


def test_a_disk_that_is_full(folder):
    """One clear error; with room the run goes on."""
    script = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (900_000,) * 2);"
        "from citemark.cli import main; main(sys.argv[1:])"
    )
    arguments = ["batch", "in.jsonl", "-o", "out.jsonl", "--to", "text", "--workers", "0"]
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, check=False
    )
    message = b"Error: out.jsonl: cannot be written: File too large"
    # On a slow machine lines before it say how far the run is.
    assert (done.returncode, done.stderr.splitlines()[-1]) == (2, message)
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 900_000
    run(resume=True).go()
    assert len(loaded((folder / "out.jsonl").read_bytes())) == 1_000


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.ENOSPC, "full"),
        (errno.EROFS, "read-only"),
        (errno.EACCES, "read-only"),
        (errno.EIO, "unwritable"),
    ],
)
def test_targets_that_cannot_be_written_are_told_apart(folder, monkeypatch, number, kind):
    """By what the system says."""

    def refuse(*_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("os.fsync", refuse)
    assert fault(run())[0] == kind
    assert not (folder / "out.jsonl").exists()


READ_ONLY = """
from citemark.batch import BatchOptions
from citemark.batch._faults import BatchFileError
from citemark.batch.run import Run
try:
    Run(("in.jsonl",), "out.jsonl", BatchOptions(), workers=0).go()
except BatchFileError as error:
    print(error.fault)
"""


def test_a_folder_that_is_read_only(folder):
    """Nothing is left in it.  To root nothing is read-only, unless it gives up that power."""
    powers = "--bounding-set=-dac_override,-dac_read_search"
    before = sorted(folder.iterdir())
    folder.chmod(0o500)
    try:
        done = subprocess.run(
            [*(["setpriv", powers] if os.getuid() == 0 else []), sys.executable, "-"],
            cwd=folder,
            input=READ_ONLY,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        folder.chmod(0o700)
    assert (done.stdout, done.stderr) == ("read-only\n", "")
    assert sorted(folder.iterdir()) == before


def test_a_folder_becomes_a_folder(folder):
    """Names and formats stay; what is no input is left; a second run leaves all as it is."""
    inner = folder / "in" / "may"
    inner.mkdir(parents=True)
    shutil.copy(folder / "in.jsonl", folder / "in" / "a.jsonl")
    (inner / "b.csv").write_text("id,answer,sources,team\n1,Yes [1].,may,x\n", "utf-8")
    (inner / "notes.txt").write_text("no rows", "utf-8")
    (inner / "_manifest.jsonl").write_text("no rows", "utf-8")
    (inner / "bad.jsonl").write_bytes(b'{"id": 1, "answer": "[1]"}\n{\n')
    table = SourcesTable([{"id": "a", "set": "may"}])
    tally = run(["in"], "out", table=table, workers=2).go()
    found = sorted(
        str(path.relative_to(folder / "out")) for path in (folder / "out").rglob("*.*")
    )
    assert found == [
        "_manifest.jsonl",
        "_rejects/may/bad.jsonl.jsonl",
        "a.jsonl",
        "may/b.csv",
        "may/bad.jsonl",
    ]
    assert (tally.files, tally.rows, tally.errors) == (3, 1_003, 1)
    assert run(["in"], "out", table=table, resume=True).go().skipped == 3
    assert [step.action for step in run(["in"], "out", table=table, resume=True).steps()] == [
        "skip"
    ] * 3


def test_inputs_that_would_be_lost_are_refused(folder):
    """No input is an output, and no two have the same one."""
    (folder / "x").mkdir()
    shutil.copy("in.jsonl", "x/in.jsonl")
    assert fault(run(output="in.jsonl"))[0] == "exists"
    assert "would hold both" in fault(run(["in.jsonl", "x/in.jsonl"], "out/"))[1]
    assert fault(run(["nothing.jsonl"]))[0] == "missing"
    (folder / "empty").mkdir()
    assert fault(run(["empty"], "out/"))[0] == "missing"


@pytest.mark.parametrize("workers", [0, 2])
def test_limit_and_where(folder, workers):
    """So many rows of those that meet all conditions; a broken line is one of them."""
    where = [read_where("team=b"), read_where("id!=4")]
    run(where=where, limit=300, workers=workers).go()
    made = loaded((folder / "out.jsonl").read_bytes())
    assert [one["id"] for one in made] == [
        str(one["id"]) for one in ROWS if one["team"] == "b" and one["id"] != 4
    ][:300]
    assert run(where=where, limit=300, resume=True).go().skipped == 1
    run(output="five.jsonl", limit=5).go()
    assert len(loaded((folder / "five.jsonl").read_bytes())) == 5
    run(output="none.jsonl", limit=0).go()
    assert (folder / "none.jsonl").read_bytes() == b""


@pytest.mark.parametrize("workers", [0, 2])
def test_counts_are_those_of_the_rows_that_were_taken(folder, workers):
    """Not of those that a limit cuts off, in the same batch."""
    rows = [
        row(1),
        row(2, answer=None),
        row(3, answer=7),
        row(4, answer=None),
        row(5, answer=7),
    ]
    (folder / "in.jsonl").write_bytes(jsonl(rows))
    where = [read_where("id!=1")]
    tally = run(where=where, limit=2, workers=workers).go()
    assert (tally.rows, tally.nulls, tally.errors) == (2, 1, 1)
    assert len(loaded((folder / "out.jsonl.rejects.jsonl").read_bytes())) == 1


@pytest.mark.usefixtures("folder")
def test_a_chunk_ends_after_some_time_too(monkeypatch):
    """However few rows it has; a kill costs no more."""
    hours = itertools.count(step=3_600)
    monkeypatch.setattr(_going.time, "monotonic", lambda: next(hours))
    going = Run(["in.jsonl"], "out.jsonl", TEXT, workers=0, report=partial(_stop, 2))
    monkeypatch.setattr(Files, "__exit__", lambda self, *_: self._output.close())  # as a kill
    with pytest.raises(KeyboardInterrupt):
        going.go()
    [step] = run(resume=True).steps()
    assert (step.action, step.start.rows) == ("resume", 512)


@pytest.mark.parametrize("output", ["out.jsonl", "out.jsonl.gz", "out.csv", "out.parquet"])
def test_what_is_written_is_kept_when_a_run_is_interrupted(folder, output):
    """Whole batches, though the chunk was to be greater; the rest makes the same bytes."""
    (folder / "in.jsonl").write_bytes(jsonl(ROWS) + b"{\n")
    run(output=f"whole.{output}").go()
    seen = []

    def report(tally):
        seen.append(tally)
        _stop(2, tally)

    with pytest.raises(KeyboardInterrupt):
        Run(["in.jsonl"], output, TEXT, workers=0, report=report).go()
    assert seen[-1].saved == 512
    assert run(output=output, resume=True).go().kept == 512
    assert (folder / output).read_bytes() == (folder / f"whole.{output}").read_bytes()


def test_half_a_batch_is_not_kept(folder, monkeypatch):
    """An interrupt in the middle of writing leaves what was whole before."""

    def write(self, *_):
        self._rows.write(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(_output.FileOutput, "write", write)
    with pytest.raises(KeyboardInterrupt):
        run().go()
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    assert run(resume=True).go().kept == 0
    assert len(loaded((folder / "out.jsonl").read_bytes())) == 1_000


def test_an_input_that_ends_early_keeps_what_came_before(folder):
    """Of the chunk that it was in, too."""
    whole = gzip.compress(jsonl(ROWS))
    (folder / "in.jsonl.gz").write_bytes(whole[: len(whole) - 20])
    given = Run(["in.jsonl.gz"], "out.jsonl", TEXT, workers=0)
    assert fault(given)[0] == "truncated"
    (folder / "in.jsonl.gz").write_bytes(whole)
    assert run(["in.jsonl.gz"], resume=True).go().kept == 768


def test_rejects_are_fed_back_in(folder):
    """Rows that failed, as they were; mended, they become what they would have been."""
    lines = [jsonl([row(1)]), b'{"id": 2, "answer"\n', b'{"id": 3, "answer": "\xff"}\n']
    lines.append(jsonl([{"id": 4, "answer": 4, "team": "x"}]))
    (folder / "in.jsonl").write_bytes(b"".join(lines))
    run().go()
    rejects = loaded((folder / "out.jsonl.rejects.jsonl").read_bytes())
    assert [one["citemark_reject"]["line"] for one in rejects] == [2, 3, 4]
    run(["out.jsonl.rejects.jsonl"], "again.jsonl").go()
    again = loaded((folder / "again.jsonl.rejects.jsonl").read_bytes())
    assert [one["citemark_reject"].get("raw") for one in again] == [
        one["citemark_reject"].get("raw") for one in rejects
    ]
    rejects[0]["citemark_reject"]["raw"] += ': "Yes."}'
    rejects[1]["citemark_reject"]["raw"] = '{"id": 3, "answer": "No."}'
    rejects[2]["answer"] = "Four."
    (folder / "mended.jsonl").write_bytes(jsonl(rejects))
    assert run(["mended.jsonl"], "mended.out.jsonl").go().errors == 0
    made = loaded((folder / "mended.out.jsonl").read_bytes())
    assert [(one["id"], one["rendered"]["text"]) for one in made] == [
        ("2", "Yes."),
        ("3", "No."),
        ("4", "Four."),
    ]
    assert made[2]["team"] == "x"


def test_rejects_of_csv_are_fed_back_in(folder):
    """With the header that they stood below."""
    (folder / "in.csv").write_bytes(b"id;answer\n1;Yes.\n2;No.;x\n")
    run(["in.csv"]).go()
    [reject] = loaded((folder / "out.jsonl.rejects.jsonl").read_bytes())
    assert reject["citemark_reject"]["raw"] == "2;No.;x"
    reject["citemark_reject"]["raw"] = "2;No."
    (folder / "mended.jsonl").write_bytes(jsonl([reject]))
    run(["mended.jsonl"], "mended.out.jsonl").go()
    [made] = loaded((folder / "mended.out.jsonl").read_bytes())
    assert (made["id"], made["rendered"]) == ("2", {"text": "No."})


def test_options_that_fail_every_row_are_refused(folder):
    """Before a row is read."""
    options = BatchOptions(to=("html",), renderer_options={"html": {"no": 1}})
    with pytest.raises(BatchOptionError):
        run(options=options).go()
    assert not (folder / "out.jsonl.manifest.jsonl").exists()


@pytest.mark.usefixtures("folder")
def test_a_row_is_found_by_its_id():
    """With where it stands."""
    found = find_row(run(), "7")
    assert (found["line"], found["input"]["id"], found["output"]["id"]) == (8, 7, "7")
    assert find_row(run(), "none") is None


def test_one_great_row_is_a_batch_of_its_own(folder):
    """Rows around it are as they were."""
    great = row(1) | {"answer": "word " * 600_000 + "[1]."}
    (folder / "in.jsonl").write_bytes(jsonl([row(0), great, row(2)]))
    assert run(workers=2).go().errors == 0
    made = loaded((folder / "out.jsonl").read_bytes())
    assert [one["id"] for one in made] == ["0", "1", "2"]
    assert made[1]["citations"] == [{"number": 1, "id": "s1", "count": 1}]


def test_files_are_closed_when_nothing_was_done():
    """No output is opened before there is a row for it."""
    with Files([], None, lambda _: {}, limit=None, chunk=1):
        pass
