"""Whose rows stand in a part, and under a name: those that the manifest speaks of."""

from __future__ import annotations

import os

import pytest
import run_kit
from batch_kit import jsonl, row
from run_kit import fault, ids, in_folder, killed_after, killed_before

from citemark.batch.run import _going, _output
from citemark.batch.run._manifest import Manifest

ROWS = [row(number) for number in range(1_000)]
OTHER = [row(number + 5_000) for number in range(1_000)]
BAD = b'{"id": 7, "answer": 5}\n'


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder with inputs of the same length, in which the test is."""
    return in_folder(tmp_path, monkeypatch, {"src/a.jsonl": ROWS, "other.jsonl": OTHER})


def run(inputs=("src",), output="d", **more):
    return run_kit.run(inputs, output, **more)


def other(**more):
    """Another run on the same output, with another manifest."""
    return run(["other.jsonl"], "d/a.jsonl", **more)


@pytest.mark.parametrize("batches", [1, 3])
def test_a_part_of_another_run_is_not_gone_on_with(folder, batches):
    """Shorter or longer: no output has rows of both."""
    killed_after(2, run())
    killed_after(batches, other(overwrite=True))
    part = folder / "d" / ".a.jsonl.part"
    before = part.read_bytes()
    found = fault(run(resume=True))
    assert "its manifest says" in found[1]
    assert (part.read_bytes(), (folder / "d" / "a.jsonl").exists()) == (before, False)
    assert other(resume=True).go().kept == 256 * batches
    assert ids(folder / "d" / "a.jsonl") == [str(one["id"]) for one in OTHER]


def test_a_part_that_another_run_used_up_is_told(folder):
    """By what happened, and what can be done."""
    killed_after(2, run())
    other(overwrite=True).go()
    for _ in range(2):
        kind, said = fault(run(resume=True))
        assert kind in {"exists", "missing"}
        assert "--overwrite" in said
    (folder / "d" / "a.jsonl").unlink()
    reason = "is gone: it was removed, or another run used it up; --overwrite begins anew"
    assert fault(run(resume=True)) == ("missing", f"d/.a.jsonl.part: {reason}")
    assert run(overwrite=True).go().rows == 1_000


def test_an_output_of_another_run_is_not_taken_for_this_ones(folder, monkeypatch):
    """Neither where it only lacked its name, nor where it was whole."""
    killed_before(monkeypatch, "finish", run(), _going)
    other(overwrite=True).go()
    assert fault(run(resume=True))[0] == "missing"
    run(overwrite=True).go()
    other(overwrite=True).go()
    kind, said = fault(run(resume=True))
    assert (kind, "was written to since it was made" in said) == ("exists", True)
    assert ids(folder / "d" / "a.jsonl") == [str(one["id"]) for one in OTHER]


@pytest.mark.parametrize("action", ["again", "skip"])
def test_an_output_that_was_written_to_is_not_lost(folder, action):
    """As mended rows may have been added to it; of the same length too."""
    run().go()
    output = folder / "d" / "a.jsonl"
    data = output.read_bytes()
    for changed in (data + b"{}\n", data[:-9] + b"X" + data[-8:]):
        output.write_bytes(changed)
        if action == "again":
            (folder / "src" / "a.jsonl").write_bytes(jsonl(ROWS[:5]))
        assert "was written to since it was made" in fault(run(resume=True))[1]
        assert output.read_bytes() == changed


def test_rows_that_another_run_left_are_not_lost(folder):
    """Though the output is to be made again."""
    run().go()
    killed_after(2, other(overwrite=True))
    (folder / "src" / "a.jsonl").write_bytes(jsonl(ROWS[:5]))
    assert "another manifest left rows" in fault(run(resume=True))[1]
    assert other(resume=True).go().kept == 512


def test_rejects_that_were_mended_in_place_are_not_lost(folder):
    """They stay with what is skipped, and keep an output from being made again."""
    source, rejects = folder / "src" / "a.jsonl", folder / "d" / "_rejects" / "a.jsonl.jsonl"
    source.write_bytes(jsonl(ROWS) + BAD)
    run().go()
    rejects.write_bytes(jsonl([row(7)]))
    assert run(resume=True).go().skipped == 1
    source.write_bytes(jsonl(ROWS[:5]) + BAD)
    assert fault(run(resume=True))[1].startswith(f"{rejects.relative_to(folder)}: was written")
    assert rejects.read_bytes() == jsonl([row(7)])
    rejects.unlink()
    assert run(resume=True).go().rows == 6


DAMAGE = {
    "is gone: it was removed": lambda part: part.unlink(),
    "has 1,000 bytes; its manifest says": lambda part: os.truncate(part, 1_000),
    "has 1 byte; its manifest says": lambda part: os.truncate(part, 1),
    "; its manifest says": lambda part: part.write_bytes(part.read_bytes() + b"x"),
    "holds other bytes than": lambda part: part.write_bytes(part.read_bytes()[::-1]),
}


@pytest.mark.parametrize("step", [(_going, "finish"), (_output, "_name")], ids=["1", "2"])
@pytest.mark.parametrize("message", DAMAGE)
@pytest.mark.parametrize("is_older", [False, True])
def test_a_part_that_is_damaged_is_not_published(folder, monkeypatch, step, message, is_older):
    """Nothing gets the name, and what had it stays."""
    output, module, name = folder / "o.jsonl", *step
    if is_older:
        output.write_bytes(b"{}\n")
    given = run(["other.jsonl"], "o.jsonl", overwrite=is_older)
    killed_before(monkeypatch, name, given, module)
    DAMAGE[message](folder / ".o.jsonl.part")
    for _ in range(2):
        assert message in fault(run(["other.jsonl"], "o.jsonl", resume=True))[1]
    assert (output.read_bytes() if output.exists() else None) == (b"{}\n" if is_older else None)


def test_a_part_that_vanishes_while_the_run_goes_on(folder):
    """It is told at once, and not when somebody looks for the output."""

    def report(_):
        (folder / ".o.jsonl.part").unlink(missing_ok=True)

    given = run(["other.jsonl"], "o.jsonl", report=report)
    assert fault(given)[1].startswith(".o.jsonl.part: is gone")


@pytest.mark.parametrize("output", ["o.jsonl", "o.jsonl.gz", "o.csv", "o.parquet"])
def test_a_run_that_was_killed_after_its_last_step_but_one(folder, monkeypatch, output):
    """The output has its name already: that is said, and nothing is made again."""
    (folder / "other.jsonl").write_bytes(jsonl(OTHER) + BAD)
    run(["other.jsonl"], f"whole.{output}").go()
    killed_before(monkeypatch, "done", run(["other.jsonl"], output), Manifest)
    assert run(["other.jsonl"], output, resume=True).go().kept == 1_001
    if output != "o.parquet":
        assert (folder / output).read_bytes() == (folder / f"whole.{output}").read_bytes()
    assert run(["other.jsonl"], output, resume=True).go().skipped == 1
    assert not [path.name for path in folder.iterdir() if path.name.endswith(".part")]


def test_lines_that_a_table_was_made_of_are_removed_later(folder, monkeypatch):
    """If a kill left them; and only if they are of this run."""
    killed_before(monkeypatch, "tidy", run(["other.jsonl"], "o.parquet"), _output)
    lines = folder / ".o.parquet.lines.part"
    left = lines.read_bytes()
    lines.write_bytes(left[::-1])
    assert run(["other.jsonl"], "o.parquet", resume=True).go().skipped == 1
    assert lines.exists()
    lines.write_bytes(left)
    assert run(["other.jsonl"], "o.parquet", resume=True).go().skipped == 1
    assert not lines.exists()


def test_what_gets_the_name_meanwhile_is_not_written_over(folder):
    """By another run before this one has the output; by anybody before it is whole."""
    seen = []

    def begin(_):
        seen.append(other().go().rows)

    found = fault(run(begin=begin))
    assert (seen, found[0], "is there already" in found[1]) == ([1_000], "exists", True)
    assert ids(folder / "d" / "a.jsonl") == [str(one["id"]) for one in OTHER]


def test_what_gets_the_name_while_the_run_goes_on(folder):
    """It stays; the rows are kept, and get the name when it is free."""
    output = folder / "o.jsonl"

    def report(_):
        output.write_bytes(b"{}\n")

    given = run(["other.jsonl"], "o.jsonl", report=report)
    reason = "was not there when the run began; move it away, then --resume goes on"
    assert fault(given) == ("exists", f"o.jsonl: {reason}")
    assert fault(run(["other.jsonl"], "o.jsonl", resume=True))[0] == "exists"
    assert output.read_bytes() == b"{}\n"
    output.unlink()
    assert run(["other.jsonl"], "o.jsonl", resume=True).go().kept == 1_000


@pytest.mark.parametrize("resume", [False, True])
def test_an_output_that_is_made_anew_where_it_was_asked_for(folder, resume):
    """A run that was to overwrite goes on to do so."""
    (folder / "o.jsonl").write_bytes(b"{}\n")
    killed_after(2, run(["other.jsonl"], "o.jsonl", overwrite=True))
    assert (folder / "o.jsonl").read_bytes() == b"{}\n"
    run(["other.jsonl"], "o.jsonl", resume=resume, overwrite=not resume).go()
    assert len(ids(folder / "o.jsonl")) == 1_000


SPELLINGS = [
    "other.jsonl",
    "./other.jsonl",
    "src/../other.jsonl",
    "link.jsonl",
    "{}/other.jsonl",
]


@pytest.mark.parametrize("name", SPELLINGS)
@pytest.mark.parametrize("is_whole", [False, True])
def test_an_input_that_is_spelled_in_another_way(folder, name, is_whole):
    """It is the same file, so the run goes on, or makes it again."""
    (folder / "link.jsonl").symlink_to("other.jsonl")
    name = name.format(folder)
    if is_whole:
        run(["other.jsonl"], "o.jsonl").go()
        assert run([name], "o.jsonl", resume=True).go().skipped == 1
        (folder / "other.jsonl").write_bytes(jsonl(OTHER[:5]))
        assert run([name], "o.jsonl", resume=True).go().rows == 5
    else:
        killed_after(2, run(["other.jsonl"], "o.jsonl"))
        assert run([name], "o.jsonl", resume=True).go().kept == 512


def test_rejects_that_are_there_are_not_lost(folder):
    """They may have been mended in their place."""
    rejects = folder / "o.jsonl.rejects.jsonl"
    rejects.write_bytes(jsonl(ROWS[:1]))
    assert fault(run(["other.jsonl"], "o.jsonl"))[0] == "exists"
    assert rejects.read_bytes() == jsonl(ROWS[:1])
    run(["other.jsonl"], "o.jsonl", overwrite=True).go()
    assert not rejects.exists()
