"""A run over files whose inputs grow, whose outputs meet, or whose manifest is damaged."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import threading
from types import SimpleNamespace

import pytest
from batch_kit import jsonl, loaded, row
from run_kit import count, fault, in_folder, killed_before, run

from citemark.batch.outputs import output_files, stats_of
from citemark.batch.run import _going, _output

ROWS = [row(number) for number in range(300)]
MORE = [row(number) for number in range(310)]
MANIFEST = "out.jsonl.manifest.jsonl"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder with an input, in which the test is."""
    return in_folder(tmp_path, monkeypatch, {"in.jsonl": ROWS})


@pytest.fixture
def pipe(folder, monkeypatch):
    """Gives rows to stdin, or to a FIFO; returns the name of the input."""

    def stdin(rows):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(jsonl(rows))))
        return "-"

    def fifo(rows):
        path = folder / "fifo.jsonl"
        path.exists() or os.mkfifo(path)
        threading.Thread(target=_feed, args=(path, jsonl(rows)), daemon=True).start()
        return "fifo.jsonl"

    return {"stdin": stdin, "fifo": fifo}


def _feed(path, data):
    try:
        with path.open("wb") as file:
            file.write(data)
    except BrokenPipeError:
        pass  # who read it had seen enough


@pytest.mark.parametrize("kind", ["stdin", "fifo"])
@pytest.mark.parametrize("rows", [MORE, ROWS[:200], MORE[10:]])
def test_a_pipe_that_holds_other_rows_is_told(folder, pipe, kind, rows):
    """Longer, shorter, or others: what was read to tell is gone, so nothing is made of it."""
    run([pipe[kind](ROWS)]).go()
    assert run([pipe[kind](ROWS)], resume=True).go().skipped == 1
    found = fault(run([pipe[kind](rows)], resume=True))
    assert (found[0], "changed since the run began" in found[1]) == ("changed", True)
    assert count(folder / "out.jsonl") == 300
    assert run([pipe[kind](rows)], overwrite=True).go().rows == len(rows)


def test_a_limit_wants_no_more_of_a_pipe(pipe):
    """Rows after the limit are none of the output; before it they are."""
    run([pipe["stdin"](ROWS)], limit=300).go()
    assert run([pipe["stdin"](MORE)], limit=300, resume=True).go().skipped == 1
    run([pipe["stdin"](ROWS)], "most.jsonl", limit=305).go()
    assert (
        fault(run([pipe["stdin"](MORE)], "most.jsonl", limit=305, resume=True))[0] == "changed"
    )


@pytest.mark.parametrize("output", ["out.jsonl", "out.csv", "out.parquet"])
def test_an_input_that_grew_before_the_output_had_its_name(folder, monkeypatch, output):
    """The run ends after the last chunk; rows that come then are not passed over."""
    killed_before(monkeypatch, "finish", run(output=output), _going)
    with (folder / "in.jsonl").open("ab") as file:
        file.write(jsonl(MORE[300:]))
    [step] = run(output=output, resume=True).steps()
    assert (step.action, step.reason) == ("again", "the input changed")
    assert run(output=output, resume=True).go().rows == 310
    assert run(output=output, resume=True).go().skipped == 1


def test_an_input_that_grows_while_the_output_gets_its_name(folder, monkeypatch):
    """Its size is that of what was read, so the next run sees the difference."""
    known = _output._gather  # noqa: SLF001  the step in which time passes

    def gather(*given):
        known(*given)
        with (folder / "in.jsonl").open("ab") as file:
            file.write(jsonl(MORE[300:]))

    with monkeypatch.context() as patched:
        patched.setattr(_output, "_gather", gather)
        run(output="out.parquet").go()
    assert run(output="out.parquet", resume=True).go().rows == 310


def test_two_runs_with_two_manifests_on_one_output(folder):
    """The second is refused while the first goes on, and when it left something."""
    (folder / "b").mkdir()
    (folder / "b" / "b.jsonl").write_bytes(jsonl(ROWS))
    found = []

    def report(_):
        if not found:
            found.append(fault(run(["b/b.jsonl"], "o/b.jsonl", overwrite=True)))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(["b"], "o", report=report).go()
    assert found == [
        ("locked", "o/b.jsonl: another run is writing there; wait for it to end"),
    ]
    assert "another manifest left rows" in fault(run(["b/b.jsonl"], "o/b.jsonl"))[1]
    assert run(["b"], "o", resume=True).go().kept == 256
    assert count(folder / "o" / "b.jsonl") == 300
    assert {path.name for path in (folder / "o").iterdir()} == {
        "b.jsonl",
        "b.jsonl.manifest.jsonl",
        "_manifest.jsonl",
        "_rejects",
    }


@pytest.mark.parametrize(
    ("inputs", "output", "more", "message"),
    [
        (["in.jsonl"], "src.jsonl", ["src.jsonl"], "src.jsonl: is read for its sources; "),
        (["src.jsonl.rejects.jsonl"], "src.jsonl", [], "is an input and stands beside OUT; "),
        (["src.jsonl.manifest.jsonl"], "src.jsonl", [], "is an input and stands beside OUT; "),
        (["in.jsonl"], "src.jsonl", [".src.jsonl.part"], "is read for its sources and"),
        (["src.jsonl"], "src.jsonl", [], "src.jsonl: is an input; name another"),
        (["in.jsonl"], "src.jsonl", ["src.jsonl.rejects.jsonl"], "is read for its sources and"),
        (["in.jsonl"], "src.jsonl", ["link.jsonl"], "src.jsonl: is read for its sources; "),
    ],
)
def test_what_is_read_is_not_written_over(folder, inputs, output, more, message):
    """Neither by the output nor by what stands beside it, even where that is asked for."""
    names = {*inputs, *more, "src.jsonl"} - {"link.jsonl"}
    for name in names:
        (folder / name).write_bytes(jsonl(ROWS[:2]))
    (folder / "link.jsonl").symlink_to("src.jsonl")
    found = fault(run(inputs, output, more=more, overwrite=True))
    assert (found[0], message in found[1]) == ("exists", True), found
    assert all((folder / name).read_bytes() == jsonl(ROWS[:2]) for name in names)


def test_the_command_knows_its_file_of_sources(folder):
    """It stays as it was."""
    (folder / "src.jsonl").write_bytes(jsonl([{"id": "a"}]))
    arguments = [
        "batch",
        "in.jsonl",
        "-o",
        "src.jsonl",
        "--sources",
        "src.jsonl",
        "--overwrite",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "citemark", *arguments], capture_output=True, check=False
    )
    message = b"Error: src.jsonl: is read for its sources; name another output\n"
    assert (done.returncode, done.stderr) == (2, message)
    assert (folder / "src.jsonl").read_bytes() == jsonl([{"id": "a"}])


DAMAGE = [
    {"offset": "a"},
    {"offset": -5},
    {"offset": 10**30},
    {"offset": True},
    {"rows": -5},
    {"rows": 0, "errors": 1},
    {"rows": 2.5},
    {"digest": None},
    {"is_last": 1},
    {"more": 1},
    {"settings": 5},
    {"input_size": "a"},
    {"output_size": None},
    {"output": 7},
    {"event": "no"},
    {"event": []},
]


@pytest.mark.parametrize("damage", DAMAGE, ids=json.dumps)
def test_a_manifest_that_is_damaged_is_told(folder, damage):
    """Its lines are JSON, but none that a run writes: one clear error, and a way out."""
    run().go()
    lines = loaded((folder / MANIFEST).read_bytes())
    [name] = {*damage} - {"errors"} if len(damage) > 1 else damage
    index = next((n for n, line in enumerate(lines) if name in line), 1)
    lines[index] |= damage
    (folder / MANIFEST).write_bytes(jsonl(lines))
    reason = f"line {index + 1} is damaged; --overwrite begins anew, without such lines"
    assert fault(run(resume=True)) == ("changed", f"{MANIFEST}: {reason}")
    assert [step.action for step in run(overwrite=True).steps()] == ["new"]
    assert run(overwrite=True).go().rows == 300
    assert run(resume=True).go().skipped == 1


@pytest.mark.parametrize("line", [b"5", b"[]", b"null", b"[" * 100_000, b'{"event": "begin"}'])
@pytest.mark.parametrize("mode", [{"resume": True}, {"overwrite": True}])
def test_a_line_that_is_none_of_a_manifest(folder, line, mode):
    """Whatever JSON it is; a file that never was a manifest is not written over either."""
    (folder / MANIFEST).write_bytes(line + b"\n")
    reason = "line 1 is none of a manifest; move the file away to begin anew"
    assert fault(run(**mode)) == ("format", f"{MANIFEST}: {reason}")
    assert (folder / MANIFEST).read_bytes() == line + b"\n"


def test_a_manifest_that_cannot_grow(folder):
    """One clear error, that names it."""
    (folder / MANIFEST).write_bytes(b"")
    script = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (200,) * 2);"
        "from citemark.cli import main; main(sys.argv[1:])"
    )
    arguments = ["batch", "in.jsonl", "-o", "out.jsonl", "--workers", "0"]
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, check=False
    )
    message = f"Error: {MANIFEST}: cannot be written: File too large"
    # On a slow machine lines before it say how far the run is.
    assert (done.returncode, done.stderr.decode().splitlines()[-1]) == (2, message)
    assert run(resume=True).go().rows == 300


def test_an_output_folder_in_its_input_is_none(folder):
    """It is left out, so that the next run goes on; a folder cannot be its own output."""
    (folder / "d").mkdir()
    (folder / "d" / "a.jsonl").write_bytes(jsonl(ROWS[:3]))
    assert run(["d"], "d/out").go().files == 1
    assert run(["d"], "d/out", resume=True).go().skipped == 1
    (folder / "d" / "b.jsonl").write_bytes(jsonl(ROWS[:3]))
    assert run(["d"], "d/out", resume=True).go().files == 2
    assert "is an input" in fault(run(["d"], "d"))[1]


def test_an_output_that_is_a_link(folder):
    """It is not replaced unless that is asked for; what it points to stays as it is."""
    (folder / "real.jsonl").write_bytes(b"")
    link = folder / "out.jsonl"
    for name, message in (
        ("none.jsonl", "is a link to what is not there"),
        ("real.jsonl", "is "),
    ):
        link.unlink(missing_ok=True)
        link.symlink_to(name)
        found = fault(run())
        assert (found[0], message in found[1]) == ("exists", True)
        assert link.is_symlink()
    run(overwrite=True).go()
    assert (count(link), link.is_symlink()) == (300, False)
    assert (folder / "real.jsonl").read_bytes() == b""


def test_figures_count_a_file_once(folder):
    """However often, and by whatever name, it is given."""
    (folder / "b.jsonl").write_bytes(jsonl(ROWS[:5]))
    (folder / "link.jsonl").symlink_to("b.jsonl")
    names = ["in.jsonl", "b.jsonl", "in.jsonl", "./b.jsonl", str(folder), "link.jsonl"]
    assert output_files(names) == ["in.jsonl", "b.jsonl"]
    assert stats_of(names).rows == stats_of(["in.jsonl", "b.jsonl"]).rows
