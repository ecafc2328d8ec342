"""Parts of two runs with two manifests, one of which was killed before its first chunk."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import run_kit
from batch_kit import row
from run_kit import fault, ids, in_folder, killed_after, killed_before

from citemark.batch.run import _going
from citemark.batch.run._manifest import Manifest

ROWS = [row(number) for number in range(1_000)]
OTHER = [row(number + 5_000) for number in range(1_000)]
PART = "d/e/.a.jsonl.part"
LEFT = (
    "exists",
    "d/e/a.jsonl: an unfinished run with another manifest left rows; --overwrite begins anew",
)
MODES = pytest.mark.parametrize("mode", [{}, {"resume": True}], ids=["anew", "resume"])


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder with inputs of the same length, in which the test is."""
    files = {"src/e/a.jsonl": ROWS, "other/a.jsonl": OTHER}
    return in_folder(tmp_path, monkeypatch, files)


def upper(**more):
    """A run whose manifest is in the folder above that of the output."""
    return run_kit.run(["src"], "d", **more)


def inner(**more):
    """One whose manifest is in the folder of it."""
    return run_kit.run(["other"], "d/e/", **more)


def beside(**more):
    """One whose manifest is beside it."""
    return run_kit.run(["other/a.jsonl"], "d/e/a.jsonl", **more)


def begun(monkeypatch, going):
    """A run that has written rows, of which its manifest does not know yet."""
    killed_before(monkeypatch, "chunk", going, Manifest)


@MODES
@pytest.mark.parametrize("first", [upper, inner, beside])
def test_rows_of_which_no_manifest_knows(folder, monkeypatch, first, mode):
    """They are of no use: the run begins anew, as often as it is killed."""
    for _ in range(2):
        begun(monkeypatch, first(**mode))
        assert (folder / PART).stat().st_size > 0
    assert first(**mode).go().rows == 1_000


@MODES
@pytest.mark.parametrize("replaces", [False, True])
@pytest.mark.parametrize(
    "runs", [(upper, inner), (upper, beside), (inner, upper), (beside, upper)]
)
def test_rows_that_another_run_left(folder, monkeypatch, runs, replaces, mode):
    """They stay, and that run goes on with them: the first begins anew if it is told to."""
    first, second = runs
    begun(monkeypatch, first(overwrite=replaces))
    killed_after(2, second(overwrite=True))
    left = (folder / PART).read_bytes()
    assert fault(first(**mode)) == LEFT
    assert (folder / PART).read_bytes() == left
    assert second(resume=True).go().kept == 512
    made = OTHER if first is upper else ROWS
    assert ids(folder / "d/e/a.jsonl") == [str(one["id"]) for one in made]
    assert first(overwrite=True).go().rows == 1_000


@pytest.mark.parametrize("replaces", [False, True])
def test_rows_that_another_run_leaves_after_the_plan(monkeypatch, replaces):
    """Hours may lie between the plan and the output."""
    begun(monkeypatch, upper(overwrite=replaces))

    def begin(_):
        killed_after(2, beside(overwrite=True))

    assert fault(upper(resume=True, begin=begin)) == LEFT
    assert beside(resume=True).go().kept == 512


@MODES
def test_rows_that_another_run_left_where_an_output_is_gone(folder, mode):
    """It would be made again; they are of others, wherever the manifest of these is."""
    upper().go()
    (folder / "d/e/a.jsonl").unlink()
    killed_after(2, beside())
    manifest = folder / "d/e/a.jsonl.manifest.jsonl"
    moved = manifest.rename(folder / "elsewhere")
    assert fault(upper(**mode)) == LEFT
    moved.rename(manifest)
    assert beside(resume=True).go().kept == 512


def test_manifests_that_say_nothing(folder, monkeypatch):
    """Those that are none, or whose part was written over since, keep no run from its own."""
    begun(monkeypatch, beside())
    (folder / "_manifest.jsonl").write_bytes(b"[]\n")
    killed_after(1, upper(overwrite=True))
    begun(monkeypatch, beside(overwrite=True))
    assert beside(resume=True).go().rows == 1_000


def test_a_table_that_another_run_left(folder, monkeypatch):
    """It is whole, and only lacks its name."""
    for name, rows in (("src/e/a.parquet", ROWS), ("other/a.parquet", OTHER)):
        pq.write_table(pa.Table.from_pylist(rows), folder / name)
    (folder / "src/e/a.jsonl").unlink()

    def table(**more):
        return run_kit.run(["other/a.parquet"], "d/e/a.parquet", **more)

    begun(monkeypatch, upper())
    killed_before(monkeypatch, "finish", table(overwrite=True), _going)
    assert "another manifest left rows" in fault(upper(resume=True))[1]
    assert table(resume=True).go().kept == 1_000
