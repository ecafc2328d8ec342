"""Folders that a stream of Spark wrote: a file that their log does not name is no part."""

from __future__ import annotations

import json
import os
import shutil
from urllib.parse import quote

import pytest

from citemark.batch import annotate_row
from citemark.batch._faults import BatchFileError
from citemark.batch.outputs import output_files, stats_of
from citemark.batch.run import Run
from citemark.cli import main

LINE = json.dumps(annotate_row({"id": 1, "answer": "A [1].", "sources": [{"id": "a"}]})) + "\n"


def entry(folder, inner, action="add"):
    """A line of a log, as Spark 4.3 writes it."""
    path = quote(f"{folder}/{inner}", safe="/=+:é")
    return {
        "path": f"file://{path}",
        "size": len(LINE),
        "isDir": False,
        "modificationTime": 1796071121435,
        "blockReplication": 1,
        "blockSize": 33554432,
        "action": action,
    }


def write_log(folder, name, *entries, version="v1"):
    log = folder / "_spark_metadata"
    log.mkdir(parents=True, exist_ok=True)
    (log / f".{name}.crc").write_bytes(b"crc\0")
    (log / name).write_text("\n".join([version, *map(json.dumps, entries)]), "utf-8")


def write_parts(folder, *inner):
    for name in inner:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(LINE, "utf-8")


@pytest.fixture
def out(tmp_path):
    """Two batches of two parts and one, and two parts that a killed batch left."""
    folder = tmp_path / "out 50% é"
    write_parts(folder, "part-0-a.json", "part-1-b.json", "part-0-c.json", "part-0-left.json")
    (folder / "part-1-left.json").touch()
    write_log(folder, "0", entry(folder, "part-0-a.json"), entry(folder, "part-1-b.json"))
    write_log(folder, "1", entry(folder, "part-0-c.json"))
    return folder


WHOLE = ["part-0-a.json", "part-0-c.json", "part-1-b.json"]


def names(*given):
    return [os.path.basename(path) for path in output_files([*map(str, given)])]  # noqa: PTH119


def test_only_files_of_the_log_count(out, tmp_path):
    """In figures and in a run, from the command too: neither whole parts nor empty ones."""
    assert names(out) == WHOLE
    assert stats_of([str(out)]).rows == 3
    assert Run([str(out)], f"{tmp_path}/again/", workers=0).go().rows == 3
    with pytest.raises(SystemExit) as end:
        main(["stats", str(out)])
    assert end.value.code == 0


def test_moved_folders_and_folders_around(out, tmp_path):
    """What is within the folder counts, whatever its name is now."""
    shutil.move(out, tmp_path / "all" / "moved")
    write_parts(tmp_path / "all", "other.jsonl")
    assert names(tmp_path / "all") == [*WHOLE, "other.jsonl"]


def test_log_around_an_input(tmp_path):
    """A folder of a partition is part of an output, and so is a file."""
    write_parts(tmp_path, "team=a b/part-0-a.json", "team=a b/part-0-left.json")
    write_log(tmp_path, "0", entry(tmp_path, "team=a b/part-0-a.json"))
    assert names(tmp_path / "team=a b") == ["part-0-a.json"]
    assert names(tmp_path / "team=a b" / "part-0-a.json") == ["part-0-a.json"]
    with pytest.raises(BatchFileError, match="no part of the output"):
        names(*(tmp_path / "team=a b").glob("*.json"))


def test_compact_logs(out):
    """One file of a log holds all batches before it; what was deleted does not count."""
    whole = [entry(out, name) for name in WHOLE]
    write_log(out, "2.compact", *whole, entry(out, "part-0-gone.json", "delete"))
    for name in ("0", "1"):
        (out / "_spark_metadata" / name).unlink()
    write_parts(out, "part-0-d.json")
    write_log(out, "3", entry(out, "part-0-d.json"), entry(out, "part-0-c.json", "delete"))
    assert names(out) == ["part-0-a.json", "part-0-d.json", "part-1-b.json"]


def test_no_batch_is_done(tmp_path):
    """Nothing counts before the first batch is whole."""
    write_parts(tmp_path, "part-0-left.json")
    (tmp_path / "_spark_metadata").mkdir()
    with pytest.raises(BatchFileError, match="holds no files"):
        names(tmp_path)


def test_files_that_are_gone(out):
    """Rows that are missing are an error, even if all others are there."""
    (out / "part-0-c.json").unlink()
    with pytest.raises(BatchFileError, match=r"part-0-c\.json, which _spark_metadata names"):
        names(out)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("1", None, "no such file"),
        ("2", "v2\n", "does not start with v1"),
        ("2", "", "does not start with v1"),
        ("2", "v1\n[]", "line 2 is no entry"),
        ("2", 'v1\n\n{"path": 7, "action": "add"}', "line 2 is no entry"),
        ("2", "v1\n{", "line 2 is no entry"),
    ],
)
def test_logs_that_cannot_be_read(out, name, text, said):
    """A log that is broken, or of another version, tells nothing."""
    log = out / "_spark_metadata"
    write_log(out, "2")
    if text is None:
        (log / name).unlink()
    else:
        (log / name).write_text(text, "utf-8")
    with pytest.raises(BatchFileError, match=said):
        names(out)


@pytest.mark.parametrize(("log", "kind"), [("_delta_log", "Delta Lake"), (".hoodie", "Hudi")])
def test_tables_with_other_logs(tmp_path, log, kind):
    """Which rows of their files count is not known: they are refused."""
    (tmp_path / log).mkdir()
    write_parts(tmp_path, "part-0.json")
    with pytest.raises(BatchFileError, match=kind):
        names(tmp_path)
