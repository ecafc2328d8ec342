"""Outputs that were copied or touched: they are known by their bytes."""

from __future__ import annotations

import os
import shutil

import pytest
from batch_kit import loaded, row
from run_kit import fault, ids, in_folder, killed_after, run

from citemark.batch.run import _part

ROWS = [row(number) for number in range(1_000)]
FOLDER = ["src"], "d"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder with inputs, in which the test is."""
    return in_folder(tmp_path, monkeypatch, {"src/a.jsonl": ROWS, "other.jsonl": ROWS})


@pytest.mark.parametrize("is_whole", [False, True])
@pytest.mark.parametrize("keeps_times", [False, True])
def test_a_folder_that_was_copied(folder, monkeypatch, tmp_path_factory, is_whole, keeps_times):
    """To another machine, as far as files tell: with other inodes, and other times."""
    if is_whole:
        run(*FOLDER).go()
    else:
        killed_after(2, run(*FOLDER))
    there = tmp_path_factory.mktemp("there") / "copy"
    copy = shutil.copy2 if keeps_times else shutil.copyfile
    shutil.copytree(folder, there, copy_function=copy)
    monkeypatch.chdir(there)
    shutil.rmtree(folder / "d")
    tally = run(*FOLDER, resume=True).go()
    assert (tally.kept, tally.skipped) == ((1_000, 1) if is_whole else (512, 0))
    assert ids(there / "d" / "a.jsonl") == [str(one["id"]) for one in ROWS]


@pytest.mark.parametrize("output", ["o.jsonl", "o.csv.gz", "o.parquet"])
def test_an_output_that_was_copied_is_read_once(folder, monkeypatch, output):
    """Its new time is in the manifest then, wherever a kill cuts off the line."""
    manifest = folder / f"{output}.manifest.jsonl"
    run(["other.jsonl"], output).go()
    before = manifest.read_bytes()
    os.utime(folder / output, ns=(1, 1))
    again = run(["other.jsonl"], output, resume=True)
    assert ([step.action for step in again.steps()], manifest.read_bytes()) == (
        ["skip"],
        before,
    )
    assert again.go().skipped == 1
    after = manifest.read_bytes()
    [line] = loaded(after.removeprefix(before))
    assert (line["event"], line["output_time"]) == ("done", 1)
    for cut in (0, 1, len(after) - len(before) - 1):
        manifest.write_bytes(after[: len(after) - cut])
        assert again.go().skipped == 1
        assert manifest.read_bytes() == after
    monkeypatch.delattr(_part, "mark_of")
    assert (again.go().skipped, manifest.read_bytes()) == (1, after)


def test_an_output_that_is_written_to_while_it_is_read(folder, monkeypatch):
    """What is remembered is how it was before: the next run finds what was written."""
    run(*FOLDER).go()
    output = folder / "d" / "a.jsonl"
    os.utime(output, ns=(1, 1))
    known, changed = _part.mark_of, output.read_bytes()[::-1]

    def mark_of(path):
        mark = known(path)
        output.write_bytes(changed)
        return mark

    with monkeypatch.context() as patched:
        patched.setattr(_part, "mark_of", mark_of)
        assert run(*FOLDER, resume=True).go().skipped == 1
    assert "was written to since it was made" in fault(run(*FOLDER, resume=True))[1]
