"""What a run is given: arguments, folders, and files that are none of rows."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from batch_kit import jsonl, loaded, row
from run_kit import count, fault, in_folder, run

from citemark import CitemarkError
from citemark.batch import BatchOptionError, BatchOptions, annotate_row
from citemark.batch.history import rerender_row, upgrade_row
from citemark.batch.run import find_row
from citemark.batch.where import read_where

ROWS = [row(number) for number in range(300)]
MANIFEST = "out.jsonl.manifest.jsonl"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder with an input, in which the test is."""
    return in_folder(tmp_path, monkeypatch, {"in.jsonl": ROWS})


def mistake(**given):
    with pytest.raises(CitemarkError) as found:
        run(**given)
    return str(found.value)


WRONG = (5, 1.5, b"x", object(), [[]], {5: 5}, True)
ARGUMENTS = (
    *("inputs", "output", "options", "table", "where", "more"),
    *("limit", "workers", "chunk", "make", "begin", "report"),
)


@pytest.mark.parametrize("name", ARGUMENTS)
def test_wrong_types_are_refused(folder, name):
    """By an error of ours that names the argument, before anything is read or written."""
    for value in WRONG:
        if value == 5 and value is not True and name in {"limit", "workers", "chunk"}:
            continue
        said = mistake(**{name: value})
        assert said.startswith(f"{name}: expected "), said
        assert "object at 0x" not in said
    assert sorted(path.name for path in folder.iterdir()) == ["in.jsonl"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"inputs": "in.jsonl"}, "inputs: expected names of files or folders, as ["),
        ({"inputs": Path("in.jsonl")}, "inputs: expected names of files or folders, as ["),
        ({"inputs": []}, "inputs: expected names of files or folders, as ["),
        ({"inputs": [""]}, "'': names no file"),
        ({"output": "a\0b"}, "'a\\x00b': names no file"),
        ({"where": "lang=de"}, "where: expected conditions, as [read_where("),
        ({"where": ["lang=de"]}, "where: expected conditions, as [read_where("),
        ({"table": [{"id": "a"}]}, "table: expected a SourcesTable, not list: SourcesTable("),
        ({"limit": -1}, "limit: expected a whole number from 0"),
        ({"workers": -1}, "workers: expected a whole number from 0"),
        ({"resume": True, "overwrite": True}, "resume: goes on with what is there, and overw"),
    ],
)
def test_what_no_run_can_do_is_refused(given, said):
    """One clear error each."""
    assert mistake(**given).startswith(said)


def test_paths_are_names(folder):
    """Of files and folders, wherever one is given."""
    run([folder / "in.jsonl"], folder / "out.jsonl", more=[folder / "s.jsonl"]).go()
    assert len(loaded((folder / "out.jsonl").read_bytes())) == 300
    given = run(iter([Path("in.jsonl")]), Path("o.jsonl"), where=iter([read_where("id=7")]))
    assert find_row(given, "7")["line"] == 8
    assert "is an input" in fault(run([Path("in.jsonl")], Path("in.jsonl")))[1]


@pytest.mark.parametrize("make", [annotate_row, rerender_row, upgrade_row])
@pytest.mark.parametrize("to", [(), ("html",), ("text",)])
@pytest.mark.parametrize("given", [{"html": {"nope": 1}}, {"html": {"previews": 5}}])
def test_options_of_renderers_that_every_row_would_fail_by(folder, make, to, given):
    """They are refused, whatever rows are made of, and for renderers that only rows ask for."""
    options = BatchOptions(to=to, renderer_options=given)
    with pytest.raises(BatchOptionError, match=r"html: .*(nope|previews)"):
        run(options=options, make=make).go()
    assert sorted(path.name for path in folder.iterdir()) == ["in.jsonl"]


@pytest.mark.parametrize("make", [annotate_row, rerender_row])
def test_options_of_a_renderer_that_there_is_not(make):
    """They would do nothing."""
    options = BatchOptions(to=("html",), renderer_options={"htm": {}})
    with pytest.raises(BatchOptionError, match="renderer_options: no renderer 'htm'; did you"):
        run(options=options, make=make).go()


def planned():
    return [step.target.input for step in run(["d"], "o/").steps()]


def test_a_folder_leaves_out_only_what_belongs_to_an_output(folder):
    """A name that looks so is not enough: rows would be lost without a word."""
    inner = folder / "d"
    inner.mkdir()
    names = ["a.jsonl", "mended.rejects.jsonl", "ship.manifest.jsonl", "b.jsonl.rejects.jsonl"]
    for name in [*names, "c.jsonl.manifest.jsonl", "c.parquet.rejects.jsonl"]:
        (inner / name).write_bytes(jsonl(ROWS[:2]))
    (inner / "mended").mkdir()
    found = planned()
    assert sorted(Path(name).name for name in found) == sorted(
        [*names, "c.jsonl.manifest.jsonl", "c.parquet.rejects.jsonl"]
    )
    assert run(["d"], "o/").go().rows == 12


@pytest.mark.parametrize("kind", ["whole", "unfinished", "moved"])
def test_a_folder_of_outputs_is_read_without_what_stands_beside_them(folder, kind):
    """Whole ones, unfinished ones, and those whose rows were moved away."""
    (folder / "in.jsonl").write_bytes(jsonl([*ROWS, {"id": 5, "answer": 5}]))
    inner = folder / "d"
    inner.mkdir()
    (inner / "x.jsonl").write_bytes(jsonl(ROWS[:2]))

    def report(_):
        if kind == "unfinished":
            raise KeyboardInterrupt

    given = run(["in.jsonl"], "d/out.jsonl", report=report)
    if kind == "unfinished":
        with pytest.raises(KeyboardInterrupt):
            given.go()
    else:
        given.go()
    if kind == "moved":
        (inner / "out.jsonl").rename(folder / "moved.jsonl")
    expected = ["d/out.jsonl", "d/x.jsonl"] if kind == "whole" else ["d/x.jsonl"]
    assert planned() == expected


def test_a_folder_that_holds_only_what_is_left_out(folder):
    """It says so, and that such files can be named."""
    (folder / "d").mkdir()
    run(["in.jsonl"], "d/out.jsonl").go()
    (folder / "d" / "out.jsonl").unlink()
    kind, said = fault(run(["d"], "o/"))
    assert (kind, "but rejects and manifests: name them, as d/out.jsonl.m" in said) == (
        "missing",
        True,
    )


def bad_files(folder):
    tables = {"notes": ["Nothing."]}
    pq.write_table(pa.table(tables), folder / "notes.parquet")
    return {
        "notes.parquet": "notes.parquet",
        "array.jsonl": b'[\n{"answer": "x"}\n]\n',
        "wide.jsonl": "id".encode("utf-16"),
        "array.jsonl.gz": gzip.compress(b"[1]\n"),
        "twice.csv": b"id,id\n1,2\n",
    }


@pytest.mark.parametrize(
    "name", ["notes.parquet", "array.jsonl", "wide.jsonl", "array.jsonl.gz", "twice.csv"]
)
@pytest.mark.parametrize("mode", [{}, {"resume": True}, {"overwrite": True}])
def test_a_file_that_is_none_of_rows_is_told_before_the_run(folder, name, mode):
    """Whichever it is of a folder: those before and after it are not done by halves."""
    inner = folder / "d"
    inner.mkdir()
    for one in ("a.jsonl", "z.jsonl"):
        (inner / one).write_bytes(jsonl(ROWS[:2]))
    found = bad_files(folder)[name]
    data = (folder / found).read_bytes() if isinstance(found, str) else found
    (inner / name).write_bytes(data)
    kind, said = fault(run(["d"], "o/", **mode))
    assert (kind, said.startswith(f"d/{name}: ")) == ("format", True)
    assert said.endswith("; nothing was written: mend it, or leave it out")
    assert not (folder / "o").exists()
    (inner / name).unlink()
    assert run(["d"], "o/", **mode).go().files == 2


def manifest_of(folder):
    return loaded((folder / "o" / "_manifest.jsonl").read_bytes())


def test_a_damaged_manifest_keeps_what_it_says_of_others(folder):
    """Whole lines of outputs that are not made anew stay; doubtful ones do not."""
    (folder / "d").mkdir()
    for name in "abc":
        (folder / "d" / f"{name}.jsonl").write_bytes(jsonl(ROWS[:9]))
    run(["d"], "o").go()
    lines = manifest_of(folder)
    of_b = [n for n, line in enumerate(lines) if line["output"] == "b.jsonl"]
    data = [json.dumps(line).encode() for line in lines]
    data[of_b[0]] = data[of_b[0]][:-5]  # as a bad disk leaves it
    (folder / "o" / "_manifest.jsonl").write_bytes(b"\n".join(data) + b"\n")
    said = fault(run(["d"], "o", resume=True))[1]
    assert f"line {of_b[0] + 1} is damaged; --overwrite begins anew" in said
    run(["d/a.jsonl"], "o/", overwrite=True).go()
    assert {line["output"] for line in manifest_of(folder)} == {"a.jsonl", "c.jsonl"}
    assert run(["d/a.jsonl", "d/c.jsonl"], "o/", resume=True).go().skipped == 2
    assert "is there already" in fault(run(["d/b.jsonl"], "o/", resume=True))[1]
    assert not (folder / "o" / "._manifest.jsonl.part").exists()


def test_what_follows_damage_is_not_taken_for_an_earlier_run(folder):
    """A begin that is lost had other options, perhaps: its chunks go on with nothing."""
    run().go()
    run(overwrite=True, options=BatchOptions(to=("text",))).go()
    path = folder / MANIFEST
    lines = path.read_bytes().splitlines(keepends=True)
    begins = [n for n, line in enumerate(lines) if b'"begin"' in line]
    lines[begins[1]] = b"{}\n"
    path.write_bytes(b"".join(lines))
    (folder / "more.jsonl").write_bytes(jsonl(ROWS[:2]))
    [step] = run(overwrite=True).steps()
    assert step.action == "new"
    assert fault(run(resume=True))[0] == "changed"
    assert run(overwrite=True).go().rows == 300
    assert loaded(path.read_bytes())[0]["event"] == "begin"
    assert run(resume=True).go().skipped == 1


@pytest.mark.parametrize("output", ["-", "o/"])
def test_an_input_that_is_given_twice_is_refused(folder, output):
    """By one name or by links, or with a folder that holds it: its rows would be doubled."""
    (folder / "soft.jsonl").symlink_to("in.jsonl")
    (folder / "hard.jsonl").hardlink_to(folder / "in.jsonl")
    (folder / "d" / "e").mkdir(parents=True)
    (folder / "d" / "e" / "a.jsonl").write_bytes(jsonl(ROWS))
    for other in ("in.jsonl", "./in.jsonl", str(folder / "in.jsonl")):
        assert "is named twice; its" in fault(run(["in.jsonl", other], output))[1]
    assert "is named twice; its" in fault(run(["d", "d/e/a.jsonl"], output))[1]
    for link in ("soft.jsonl", "hard.jsonl"):
        found = fault(run(["in.jsonl", link], output))[1]
        assert found.startswith(f"{link}: is the same file as in.jsonl; its rows")
    assert not (folder / "o").exists()


def test_an_output_of_another_input_is_not_replaced(folder, monkeypatch):
    """Though both have one name in the folder; what was asked for of one input is done."""
    for month, rows in (("jan", ROWS[:20]), ("feb", ROWS[20:25])):
        (folder / month).mkdir()
        (folder / month / "p.jsonl").write_bytes(jsonl(rows))
    run(["jan"], "out").go()
    kind, said = fault(run(["feb"], "out", resume=True))
    assert (kind, "is made of jan/p.jsonl" in said) == ("exists", True)
    assert count("out/p.jsonl") == 20
    (folder / "jan" / "p.jsonl").write_bytes(jsonl(ROWS[:21]))
    assert run(["jan"], "out", resume=True).go().rows == 21
    assert run(["feb"], "out", overwrite=True).go().rows == 5
    for month in ("jan", "feb"):  # told by where it lies, not by how it is spelled
        monkeypatch.chdir(folder / month)
        if month == "jan":
            run(["p.jsonl"], "../o.jsonl").go()
    assert "is made of p.jsonl" in fault(run(["p.jsonl"], "../o.jsonl", resume=True))[1]


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_a_condition_on_a_column_that_there_is_not(folder, name):
    """Of a header it is told; rows of JSON may leave out what is null."""
    (folder / "a.csv").write_text("id,answer,meta\n1,x,\n")
    pq.write_table(pa.table({"answer": ["x"], "meta": [{"lang": "de"}]}), "a.parquet")
    for output in ("o.jsonl", "o.parquet"):
        found = fault(run([name], output, where=[read_where("taem=red")]))
        message = f"{name}: --where names the column 'taem', and it has only "
        assert (found[0], found[1].startswith(message)) == ("format", True)
        assert not list(folder.glob("o.*"))
    left_out = [read_where("dialect=")]  # as a row may leave out what is read of it
    assert run([name], "d.jsonl", where=left_out).go().rows == 1
    assert run([name], "o.jsonl", where=[read_where("meta.lang=de")]).go().errors == 0
    assert run(output="p.jsonl", where=[read_where("taem=red")]).go().rows == 0
