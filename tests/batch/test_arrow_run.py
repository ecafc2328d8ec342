"""Runs over Parquet and Arrow IPC files: alone, to and from lines, and broken off."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from functools import partial

import batch_kill
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from batch_kit import jsonl, loaded, row
from table_kit import ENDINGS, read, rows_of, table_of, upgrade_or_die, write

from citemark.batch import BatchOptions, SourcesTable, annotate_row
from citemark.batch._faults import BatchFileError
from citemark.batch.arrow import _open, annotate_batch
from citemark.batch.files import _lines
from citemark.batch.files._jsonl import REJECT
from citemark.batch.history import rerender_row, upgrade_row
from citemark.batch.outputs import stats_of
from citemark.batch.rows import OUTPUT
from citemark.batch.run import Run, find_row
from citemark.batch.where import read_where

TEXT = BatchOptions(to=("text",))
ROWS = rows_of(150)
TABLE = table_of(ROWS)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder with inputs, in which the test is; tables are read in small batches."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(_open, "MAX_ROWS", 50)
    monkeypatch.setattr(_lines, "MAX_ROWS", 50)
    write(tmp_path / "in.parquet", TABLE)
    (tmp_path / "in.jsonl").write_bytes(jsonl(ROWS))
    return tmp_path


def run(given="in.parquet", output="out.parquet", options=TEXT, **more):
    inputs = [given] if isinstance(given, str) else given
    return Run(inputs, output, options, workers=more.pop("workers", 0), chunk=1, **more)


def stop(rows, tally):
    """End a run as a kill would, after so many rows."""
    if tally.kept + tally.rows >= rows:
        raise KeyboardInterrupt


def broken(rows, *given, **more):
    with pytest.raises(KeyboardInterrupt):
        run(*given, report=partial(stop, rows), **more).go()


def fault(going):
    """What kind of fault a run ends with, and its message."""
    with pytest.raises(BatchFileError) as found:
        going.go()
    return found.value.fault, str(found.value)


def names(folder):
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith("in."))


@pytest.mark.parametrize("workers", [0, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("ending", ENDINGS)
def test_table_in_table_out(folder, ending, workers):
    """Rows are those of a batch, with types; those that failed stand beside, as they were."""
    write(folder / f"in{ending}", TABLE)
    tally = run(f"in{ending}", f"out{ending}", workers=workers).go()
    expected = annotate_batch(TABLE.combine_chunks().to_batches()[0], TEXT)
    found = read(folder / f"out{ending}")
    assert found.to_pylist() == expected.to_pylist()
    assert found.schema.names == expected.schema.names
    assert found.schema.types[-3:] == expected.schema.types[-3:]
    assert (tally.rows, tally.errors, tally.nulls, tally.files) == (150, 1, 0, 1)
    assert tally.taken == tally.size == (folder / f"in{ending}").stat().st_size
    [reject] = read(folder / f"out{ending}.rejects{ending}").to_pylist()
    assert (reject["id"], reject["kept"], reject["options"]) == (7, 7, '{"unknown": 1}')
    assert "unknown" in reject[REJECT]
    beside = [f"out{ending}{end}" for end in ("", ".manifest.jsonl", f".rejects{ending}")]
    assert names(folder) == beside


def test_rejects_are_fed_back_in(folder):
    """A table of rejects is one of rows; why they failed is no column of theirs."""
    run().go()
    tally = run("out.parquet.rejects.parquet", "again.parquet").go()
    assert (tally.rows, tally.errors) == (1, 1)
    assert REJECT not in read(folder / "again.parquet").schema.names
    assert run("out.parquet.rejects.parquet", "again.csv").go().errors == 1
    assert REJECT not in (folder / "again.csv").read_text("utf-8").splitlines()[0]


def test_no_rejects_remain(folder):
    """Of an earlier run, if now no row fails."""
    run().go()
    write(folder / "in.parquet", TABLE.slice(10))
    assert run(overwrite=True).go().errors == 0
    assert names(folder) == ["out.parquet", "out.parquet.manifest.jsonl"]


@pytest.mark.parametrize("output", ["out.jsonl", "out.csv"])
@pytest.mark.parametrize("ending", ENDINGS)
def test_table_in_lines_out(folder, output, ending):
    """As of the same rows in lines; columns pass through under their names."""
    write(folder / f"in{ending}", TABLE.drop_columns(["kept", "seen"]))
    for given in (f"in{ending}", "in.jsonl"):
        run(given, output, overwrite=True).go()
        if output == "out.jsonl":
            made = loaded((folder / output).read_bytes())
            assert made == json.loads(json.dumps([annotate_row(one, TEXT) for one in ROWS]))
    run(f"in{ending}", output, overwrite=True).go()
    if output == "out.csv":
        head = (folder / "out.csv").read_text("utf-8").splitlines()[0]
        assert head.endswith('"error","team"')
    [reject] = loaded((folder / f"{output}.rejects.jsonl").read_bytes())
    assert (reject["id"], reject[REJECT]["line"]) == (7, 8)


@pytest.mark.parametrize("ending", ENDINGS)
def test_lines_in_table_out(folder, ending):
    """As of the same rows in a table; what passes through stands in one column."""
    tally = run("in.jsonl", f"out{ending}", workers=2).go()
    assert (tally.rows, tally.errors) == (150, 1)
    found = read(folder / f"out{ending}")
    direct = annotate_batch(pa.RecordBatch.from_pylist(ROWS), TEXT)
    same = [name for name in OUTPUT if name != "content_digest"]
    assert found.select(same).to_pylist() == direct.select(same).to_pylist()
    assert found["input_columns"][1].as_py() == '{"team":"t1"}'
    beside = [f"out{ending}{end}" for end in ("", ".manifest.jsonl", ".rejects.jsonl")]
    assert names(folder) == beside


def test_csv_in_table_out(folder):
    """Its columns stay columns."""
    (folder / "in.csv").write_text("id,answer,team\n1,Yes.,x\n2,No.,\n", "utf-8")
    run("in.csv").go()
    assert read(folder / "out.parquet")["team"].to_pylist() == ["x", None]
    assert run("in.csv", resume=True).go().skipped == 1


def test_standard_streams_are_lines(folder, capsysbinary):
    """A table is read; what goes out is JSON Lines."""
    run(output="-", limit=3).go()
    made = loaded(capsysbinary.readouterr().out)
    assert [one["id"] for one in made] == ["0", "1", "2"]
    assert names(folder) == []


def test_conditions_and_limit(folder):
    """The same rows are taken, whether as a table or as lines; conditions see the same."""
    conditions = ["team=t1", "id!=4", "seen!~02T", "sources~refund"]
    where = [read_where(text) for text in conditions]
    tally = run(where=where, limit=40).go()
    run(output="out.jsonl", where=where, limit=40).go()
    assert (tally.rows, tally.errors) == (40, 1)
    found = read(folder / "out.parquet")["kept"].to_pylist()
    assert found == [one["kept"] for one in loaded((folder / "out.jsonl").read_bytes())]
    assert found[:3] == [1, 7, 10]
    assert run(where=where, limit=40, resume=True).go().skipped == 1
    for limit, errors in ((5, 0), (8, 1), (0, 0)):
        tally = run(output=f"{limit}.parquet", limit=limit).go()
        assert (tally.rows, tally.errors) == (limit, errors)
        assert read(folder / f"{limit}.parquet").num_rows == limit
    assert run(output="some.parquet", where=[read_where("kept=9")]).go().rows == 1


@pytest.mark.parametrize("ending", ENDINGS)
def test_empty_table(folder, ending):
    """No rows give no rows, of the same columns."""
    write(folder / f"in{ending}", TABLE.slice(0, 0))
    assert run(f"in{ending}", f"out{ending}").go().rows == 0
    assert read(folder / f"out{ending}").schema.names[-2:] == ["kept", "seen"]
    assert run(f"in{ending}", "out.jsonl").go().rows == 0
    (folder / "none.jsonl").write_bytes(b"")
    assert run("none.jsonl", f"none{ending}").go().rows == 0
    assert read(folder / f"none{ending}").num_rows == 0


def test_dictionaries(folder):
    """Parquet and streams keep them; a file, in which they cannot change, has the values."""
    coded = TABLE["team"].combine_chunks().dictionary_encode()
    given = TABLE.set_column(TABLE.schema.get_field_index("team"), "team", coded)
    for ending, kind in [(".arrow", pa.string()), (".parquet", coded.type)]:
        write(folder / f"in{ending}", given)
        run(f"in{ending}", f"out{ending}").go()
        found = read(folder / f"out{ending}")
        assert found.schema.field("team").type == kind
        assert found["team"].to_pylist() == given["team"].to_pylist()


def test_dictionaries_of_views(folder):
    """As Polars has its categories: they pass through as texts; rows fail, or are left out."""
    views = pa.array(["A [1].", "B"], pa.string_view())
    coded = pa.DictionaryArray.from_arrays(pa.array([0, 1, 1], pa.uint32()), views)
    more = {"options": [None, None, "[1]"], "view": pa.array(["a", "b", "c"], views.type)}
    write(folder / "in.arrow", pa.table({"answer": coded, "team": coded, **more}))
    for output in ("out.arrow", "out.arrows", "out.parquet", "out.jsonl"):
        tally = run("in.arrow", output, where=(read_where("team=B"),)).go()
        assert (tally.rows, tally.errors) == (2, 1)
    for output in ("out.arrow", "out.arrows", "out.parquet"):
        assert read(folder / output)["team"].to_pylist() == ["B", "B"]


def test_nulls_are_counted(folder):
    """Rows without an answer; those of them that were taken."""
    write(folder / "in.parquet", pa.table({"answer": ["Yes.", None, "No.", None]}))
    assert run().go().nulls == 2
    assert run(output="three.parquet", limit=3).go().nulls == 1


def test_a_table_without_answers(folder):
    """It is told; an output is none of answers."""
    write(folder / "in.parquet", pa.table({"id": [1]}))
    message = 'in.parquet: no column is called "answer", only id'
    assert fault(run()) == ("format", message)
    assert fault(run(output="out.jsonl")) == ("format", message)
    assert fault(run(make=upgrade_row))[1].startswith('in.parquet: no column is called "cited"')


@pytest.mark.parametrize("output", ["out.parquet", "out.jsonl"])
def test_cut_off_input(folder, output):
    """It is told before anything is written; with the whole file the run begins."""
    whole = (folder / "in.parquet").read_bytes()
    (folder / "in.parquet").write_bytes(whole[:-2_000])
    for resume in (False, True):
        kind, message = fault(run(output=output, resume=resume))
        assert (kind, message) == (
            "truncated",
            "in.parquet: its end is missing; it was cut off",
        )
    assert names(folder) == []
    (folder / "in.parquet").write_bytes(whole)
    assert run(output=output, resume=True).go().rows == 150


def test_broken_in_the_middle(folder):
    """Nothing of the table remains, and an earlier one stays."""
    data = bytearray((folder / "in.parquet").read_bytes())
    place = len(data) // 3
    data[place : place + 2_000] = os.urandom(2_000)
    (folder / "in.parquet").write_bytes(data)
    (folder / "out.parquet").write_bytes(b"earlier")
    assert fault(run(overwrite=True))[0] == "unreadable"
    assert (folder / "out.parquet").read_bytes() == b"earlier"
    assert names(folder) == ["out.parquet", "out.parquet.manifest.jsonl"]


def test_a_run_of_tables_that_ended_begins_again(folder):
    """What it had of a table is not there; the output is that of an unbroken run."""
    run(output="whole.parquet").go()
    for rows in (1, 100):
        broken(rows, resume=True)
        assert names(folder)[0] == "out.parquet.manifest.jsonl"
    tally = run(resume=True).go()
    assert (tally.rows, tally.kept) == (150, 0)
    for end in ("", ".rejects.parquet"):
        whole = (folder / f"whole.parquet{end}").read_bytes()
        assert (folder / f"out.parquet{end}").read_bytes() == whole


@pytest.mark.parametrize(
    ("given", "output"),
    [("in.jsonl", "out.parquet"), ("in.jsonl", "out.arrow"), ("in.parquet", "out.jsonl")],
)
def test_a_run_of_lines_that_ended_goes_on(folder, given, output):
    """After its last chunk; the output is that of an unbroken run, to the byte."""
    run(given, f"whole.{output}").go()
    for rows in (1, 50, 100):
        broken(rows, given, output, resume=True)
    assert run(given, output, resume=True).go().kept >= 100
    assert (folder / output).read_bytes() == (folder / f"whole.{output}").read_bytes()
    assert run(given, output, resume=True).go().skipped == 1
    assert not [name for name in names(folder) if name.startswith(".")]


STEPS = ["rejects", "rows", "unlink", "done"]


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize(("given", "end"), [("in.parquet", "parquet"), ("in.jsonl", "jsonl")])
def test_a_kill_while_files_get_their_names(folder, monkeypatch, given, end, step):
    """Between any two of the last steps: the next run does what is left of them."""
    run(given, "whole.parquet").go()
    output = "citemark.batch.run._output"
    with monkeypatch.context() as patched:
        _die_at(patched, output, step)
        with pytest.raises(KeyboardInterrupt):
            run(given).go()
    tally = run(given, resume=True).go()
    assert (tally.kept, tally.kept_errors, tally.rows) == (150, 1, 0)
    for beside in ("", f".rejects.{end}"):
        whole = (folder / f"whole.parquet{beside}").read_bytes()
        made = (folder / f"out.parquet{beside}").read_bytes()
        assert made == whole.replace(b"whole", b"out")
    assert run(given, resume=True).go().skipped == 1
    assert not [name for name in names(folder) if name.startswith(".")]


def _die_at(patched, module, step):
    def die(*_given, **_named):
        raise KeyboardInterrupt

    if step == "done":
        patched.setattr("citemark.batch.run._manifest.Manifest.done", die)
    elif step == "unlink":
        patched.setattr("pathlib.Path.unlink", die)
    else:
        from citemark.batch.run import _output

        known, left = _output._name, [STEPS.index(step)]  # noqa: SLF001  the step to die before

        def some(*given, **named):
            if not left[0]:
                raise KeyboardInterrupt
            left[0] -= 1
            known(*given, **named)

        patched.setattr(f"{module}._name", some)


@pytest.mark.parametrize(("given", "output"), [("in.parquet", "out.parquet"),
                                               ("in.jsonl", "out.parquet"),
                                               ("in.parquet", "out.jsonl")])  # fmt: skip
def test_what_is_whole_and_the_same_is_left(folder, given, output):
    """What is not is made again: another input, other options, a damaged output."""
    run(given, output).go()
    steps = partial(run, given, output, resume=True)
    assert steps().go().skipped == 1
    assert fault(run(given, output))[0] == "exists"

    def reasons(**more):
        return [(step.action, step.reason) for step in steps(**more).steps()]

    assert reasons(options=BatchOptions()) == [("again", "the options are others")]
    assert reasons(table=SourcesTable([{"id": "x"}])) == [("again", "the sources changed")]
    with (folder / output).open("ab") as file:
        file.write(b" ")
    assert "was written to since it was made" in fault(steps())[1]
    (folder / output).unlink()
    assert reasons() == [("again", "the output is gone")]
    assert steps().go().rows == 150
    if given == "in.parquet":
        write(folder / given, table_of(rows_of(150)[::-1]))
    else:
        (folder / given).write_bytes(jsonl(ROWS[::-1]))
    assert reasons() == [("again", "the input changed")]
    assert steps().go().rows == 150


def test_an_input_that_changed_is_told(folder):
    """A table from lines that go on; and a table that lacks only its name."""
    broken(100, "in.parquet", "out.jsonl")
    write(folder / "in.parquet", TABLE.slice(1))
    message = "in.parquet: changed since the run began; --overwrite begins anew"
    assert fault(run(output="out.jsonl", resume=True)) == ("changed", message)
    with pytest.MonkeyPatch.context() as patched:
        _die_at(patched, "citemark.batch.run._output", "rejects")
        with pytest.raises(KeyboardInterrupt):
            run().go()
    write(folder / "in.parquet", TABLE)
    [step] = run(resume=True).steps()
    assert (step.action, step.reason) == ("again", "the input changed")
    assert run(resume=True).go().rows == 150


@pytest.mark.parametrize("output", ["out.parquet", "out.jsonl"])
def test_an_input_that_is_written_to_meanwhile(folder, output):
    """Its rows would be of two states."""
    found = fault(run(output=output, report=lambda _: os.utime("in.parquet", (1, 1))))
    assert found == ("changed", "in.parquet: was written to while it was read")
    assert not (folder / output).exists()


def test_full_disk(folder):
    """It is told as that, not as an error of the library."""
    for given in ("in.parquet", "in.jsonl"):
        pid = os.fork()
        if not pid:
            _write_little(given)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert "out.parquet" not in names(folder)
    assert run("in.jsonl", resume=True).go().kept == 150  # its lines fit, the table did not


def _write_little(given):
    import resource

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    size = 20_000 if given == "in.parquet" else 280_000
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    try:
        with pytest.MonkeyPatch.context() as patched:
            if given == "in.jsonl":  # a table is smaller than its lines: let it be greater
                plain = partial(_plain_writer, size)
                patched.setattr("citemark.batch.arrow._write.opened_for", plain)
            run(given).go()
    except BatchFileError as error:
        os._exit(0 if error.fault == "full" else 2)
    os._exit(3)


def _plain_writer(size, output, file, schema):  # noqa: ARG001  as what it is instead of
    file.write(bytes(size + 1))
    file.flush()


def test_a_folder_of_both(folder):
    """Each file keeps its ending; what stands beside outputs is no input; a re-run skips."""
    (folder / "all" / "may").mkdir(parents=True)
    for name in ("in.parquet", "in.jsonl"):
        shutil.copy(folder / name, folder / "all")
    write(folder / "all" / "may" / "b.arrow", TABLE.slice(0, 30))
    (folder / "all" / "in.parquet.rejects.parquet").write_bytes(b"no rows")
    tally = run("all", "made", workers=2).go()
    assert (tally.files, tally.rows, tally.errors) == (3, 330, 3)
    found = sorted(
        str(one.relative_to(folder / "made")) for one in (folder / "made").rglob("*.*")
    )
    assert found == [
        "_manifest.jsonl",
        "_rejects/in.jsonl.jsonl",
        "_rejects/in.parquet",
        "_rejects/may/b.arrow",
        "in.jsonl",
        "in.parquet",
        "may/b.arrow",
    ]
    write(folder / "all" / "may" / "b.arrow", TABLE.slice(0, 20))
    again = run("all", "made", resume=True).go()
    assert (again.skipped, again.rows, again.kept) == (2, 20, 300)
    again = run("made/_rejects", "again").go()
    assert (again.files, again.rows, again.errors) == (3, 3, 3)


@pytest.mark.slow
def test_one_pool_for_all_files(folder, monkeypatch):
    """Processes start once, however many files and kinds there are."""
    from citemark.batch import _process

    started = []
    first = _process.Process.__init__

    def begin(self, job):
        started.append(job)
        first(self, job)

    monkeypatch.setattr(_process.Process, "__init__", begin)
    (folder / "all").mkdir()
    for number in range(4):
        write(folder / "all" / f"{number}.parquet", TABLE.slice(0, 60))
        (folder / "all" / f"{number}.jsonl").write_bytes(jsonl(ROWS[:60]))
    assert run("all", "made", workers=2).go().rows == 480
    assert len(started) == 2


def test_a_table_that_would_be_lost_is_refused(folder):
    """As any input."""
    assert fault(run(output="in.parquet"))[0] == "exists"
    (folder / "all").mkdir()
    (folder / "all" / "a.parquet.gz").write_bytes(b"")
    assert "is compressed inside" in fault(run("all", "made"))[1]


@pytest.mark.slow
def test_a_row_that_ends_its_process(folder):
    """It alone is an error, with the reason; it stands in the rejects as it was."""
    write(folder / "in.parquet", TABLE.slice(0, 6))
    run().go()
    tally = run("out.parquet", "again.parquet", make=upgrade_or_die, workers=1).go()
    assert (tally.rows, tally.errors) == (6, 1)
    errors = read(folder / "again.parquet")["error"].to_pylist()
    assert errors == [None] * 3 + ["the worker was ended by signal 9 (SIGKILL)"] + [None] * 2
    [reject] = read(folder / "again.parquet.rejects.parquet").to_pylist()
    assert (reject["id"], reject["kept"], reject[REJECT]) == ("3", 3, errors[3])


@pytest.mark.parametrize("given", ["in.jsonl", "in.parquet"])
@pytest.mark.parametrize("output", ["again.jsonl", "again.parquet"])
def test_outputs_are_made_again(folder, given, output):
    """From any kind to any other: nothing but what is asked for changes."""
    made = f"out{given.removeprefix('in')}"
    run(given, made).go()
    html = BatchOptions(to=("html",))
    for name, options, make in (
        (output, BatchOptions(), upgrade_row),
        (f"new.{output}", html, rerender_row),
    ):
        tally = run(made, name, options, make=make).go()
        assert (tally.errors, tally.failed_before) == (0, 1)
    rows = [found for name in (made, output, f"new.{output}") for found in [_stored(name)]]
    assert rows[0] == rows[1]
    for old, new in zip(rows[0], rows[2], strict=True):
        if old["cited"] is not None:
            assert new["rendered"].keys() == {"html"}
        changed = {"rendered", "options_digest"}
        assert {k: v for k, v in new.items() if k not in changed} == {
            k: v for k, v in old.items() if k not in changed
        }
    if (given, output) == ("in.parquet", "again.parquet"):
        schemas = [read(folder / name).schema for name in (made, output, f"new.{output}")]
        assert schemas[0] == schemas[1] == schemas[2]


def _stored(name):
    """Rows of an output, without columns that pass through."""
    from citemark.batch._stored_rows import stored_row
    from citemark.batch.files import read_rows

    return [{key: stored_row(row)[key] for key in OUTPUT} for _, row in read_rows(name)]


def test_rows_of_a_newer_version_stay(folder):
    """In a table as they were, with an error; and in the rejects."""
    run().go()
    made = read(folder / "out.parquet")
    newer = made.set_column(
        made.schema.get_field_index("schema"), "schema", pa.array([9] * 150, pa.int32())
    )
    write(folder / "newer.parquet", newer)
    assert run("newer.parquet", "up.parquet", make=upgrade_row).go().errors == 150
    found = read(folder / "up.parquet")
    assert found.drop_columns(["error"]).equals(newer.drop_columns(["error"]))
    assert "its schema is 9" in found["error"][0].as_py()


def test_figures_are_those_of_lines():
    """Over a table, over lines, over both; in processes too."""
    options = BatchOptions(to=("text",), check=True)
    run(options=options).go()
    run("in.jsonl", "out.jsonl", options).go()
    run("in.jsonl", "other.arrow", options).go()
    names = ["out.jsonl", "out.parquet", "other.arrow"]
    figures = [stats_of([name]).to_dict() for name in names]
    assert figures[0] == figures[1] == figures[2]
    assert figures[0]["checked"] == 149
    both = stats_of(names, workers=2).to_dict()
    assert both["citations"] == 3 * figures[0]["citations"]


def test_a_row_is_found_by_its_id():
    """With the number of the row."""
    found = find_row(run(), "7")
    assert (found["line"], found["input"]["kept"], found["output"]["id"]) == (8, 7, "7")
    assert found["input"]["seen"] == "1970-01-01T00:00:00.007"


HIDES = """
import sys
sys.modules["pyarrow"] = None
from citemark.cli import main
main(sys.argv[1:])
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ["batch", "in.parquet", "-o", "x.jsonl"],
        ["batch", "in.jsonl", "-o", "x.parquet"],
        ["batch", "all", "-o", "x/"],
        ["batch", "all", "-o", "x/", "--dry-run"],
        ["batch", "in.parquet", "--explain", "7"],
        ["rerender", "in.parquet", "-o", "x.jsonl"],
        ["stats", "all"],
    ],
)
def test_without_pyarrow(folder, arguments):
    """One line names the file and the extra; nothing is written."""
    (folder / "all").mkdir()
    shutil.copy("in.parquet", "all/b.parquet")
    shutil.copy("in.jsonl", "all/a.jsonl")
    done = subprocess.run(
        [sys.executable, "-c", HIDES, *arguments], capture_output=True, text=True, check=False
    )
    name = {"all": "all/b.parquet"}.get(arguments[1], arguments[1])
    name = "x.parquet" if "x.parquet" in arguments else name
    message = f"Error: {name}: needs pyarrow; run: pip install 'citemark[arrow]'"
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(message)
    assert done.stderr.count("\n") == 1
    assert not [one for one in names(folder) if one.startswith("x")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "output"), [("in.parquet", "out.parquet"), ("in.jsonl", "out.parquet")]
)
def test_kills_lose_and_double_nothing(tmp_path, given, output):
    """SIGKILL at random points: rows and rejects are those of a whole run."""
    batch_kill.write_input(tmp_path, given)
    batch_kill.run_whole(tmp_path, given, f"whole.{output}")
    chance = random.Random(7)  # noqa: S311  no secret
    assert batch_kill.kill_until_done(tmp_path, output, 6, chance, given) > 0
    assert batch_kill.are_equal(tmp_path, given, output, f"whole.{output}")
    assert not [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")]


def test_a_heavy_row_is_not_held_with_others(folder, monkeypatch):
    """What is on its way at once is bounded in bytes, whatever one row has."""
    heavy = [row(0), row(1) | {"answer": "word " * 400_000 + "[1]."}, *map(row, range(2, 300))]
    pq.write_table(pa.Table.from_pylist(heavy), folder / "in.parquet")
    monkeypatch.setattr(_open, "MAX_BYTES", 1 << 18)
    with pq.ParquetFile(folder / "in.parquet") as file:
        assert file.num_row_groups == 1
    assert run(workers=1).go().rows == 300
    found = read(folder / "out.parquet")
    assert found["id"].to_pylist() == [str(n) for n in range(300)]
    assert found["citations"][1].as_py() == [{"number": 1, "id": "s1", "count": 1}]
