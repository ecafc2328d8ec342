"""What is said after a run that does what was asked, and yet not what was meant."""

from __future__ import annotations

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from batch_kit import jsonl, row

from citemark.cli import _batch_hint

MADE = "is an output of `citemark batch`, whose rows have no answers; `citemark rerender` "
RAW = "is no output of `citemark batch`; make one of it first\n"
ROWS = [row(n, meta={"lang": ("de", "fr")[n % 2]}, team="ab"[n % 2]) for n in range(4)]


@pytest.fixture
def folder(tmp_path):
    """A folder with the same rows as lines, as CSV, and as a table."""
    (tmp_path / "in.jsonl").write_bytes(jsonl(ROWS))
    texts = [
        {name: json.dumps(cell) if name in ("meta", "sources") else cell for name, cell in one}
        for one in map(dict.items, ROWS)
    ]
    pq.write_table(pa.Table.from_pylist(texts), tmp_path / "in.parquet")
    quoted = [[str(cell).replace('"', '""') for cell in one.values()] for one in texts]
    lines = [",".join(f'"{cell}"' for cell in cells) for cells in ([*texts[0]], *quoted)]
    (tmp_path / "in.csv").write_text("\n".join(lines), "utf-8")
    return tmp_path


@pytest.fixture
def told(citemark, folder):  # noqa: ARG001
    """Runs the command without workers; returns its exit code, and what follows the figures."""

    def run(*arguments, **given):
        done = citemark(*arguments, "--workers=0", **given)
        return done.code, done.err.partition("\n")[2]

    return run


@pytest.mark.parametrize("name", ["in.jsonl", "in.csv", "in.parquet"])
@pytest.mark.parametrize("output", ["x.jsonl", "x.parquet"])
def test_conditions_look_into_json_text(citemark, folder, name, output):  # noqa: ARG001
    """A field is compared, wherever objects stand."""
    done = citemark("batch", name, "-o", output, "-w", "meta.lang=de", "--workers=0")
    assert (done.code, done.err[:7]) == (0, "2 rows ")


@pytest.mark.parametrize(
    ("condition", "hint"),
    [
        ("meta.lagn=de", "column 'meta.lagn', which --where names; did you mean 'meta.lang'?"),
        ("meta.zzz!=de", "column 'meta.zzz', which --where names"),
    ],
)
@pytest.mark.parametrize("name", ["in.jsonl", "in.csv", "in.parquet"])
def test_a_field_that_no_row_has(told, name, condition, hint):
    """It is told, whether that takes no row or all of them."""
    found = told("batch", name, "-o", "x.jsonl", "-w", condition)
    assert found == (0, f"The rows have no {hint}\n")


def test_a_column_that_no_row_has(told, monkeypatch):
    """JSON may leave it out where it is null, so only the first rows are spoken of."""
    asked = ["batch", "in.jsonl", "-o", "x.jsonl", "--overwrite", "-w", "taem=a"]
    like = "no column 'taem', which --where names; did you mean 'team'?\n"
    assert told(*asked) == (0, f"The rows have {like}")
    assert told(*asked, "--limit=1") == (0, f"The row has {like}")
    assert told(*asked, "--limit=0") == (0, "")
    assert told(*asked, "-w", "b\nd=") == (
        0, f"The rows have {like}The rows have no column 'b\\nd', which --where names\n"
    )  # fmt: skip
    monkeypatch.setattr(_batch_hint, "LOOKED_FOR", 3)
    assert told(*asked) == (0, f"The first 3 rows have {like}")


def test_conditions_that_no_row_meets(told, folder):
    """Of a pipe, which cannot be read again, it is not told why."""
    (folder / "empty.jsonl").write_bytes(b"")
    assert told("batch", "in.jsonl", "-o", "-", "-w", "team=a", "-w", "id~0") == (0, "")
    none = "No row that was read meets --where team=c"
    assert told("batch", "in.jsonl", "-o", "-", "-w", "team=c") == (0, f"{none}\n")
    both = told("batch", "-", "-o", "-", "-w", "team=c", "-w", "id~1", stdin=jsonl(ROWS))
    assert both == (0, f"{none} and id~1\n")
    assert told("batch", "empty.jsonl", "-o", "-", "-w", "team=c") == (0, "")
    assert told("batch", "-", "-o", "-", "-w", "team=c", stdin=b"") == (0, "")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", ["in.jsonl", "in.csv"])
def test_a_column_that_an_explained_row_has_not(citemark, name):
    """It says why the row would be left out."""
    done = citemark("batch", name, "--explain=1", "-w", "taem=a")
    assert json.loads(done.out)["action"] == "leave out"
    assert done.err.startswith("The row has no column 'taem', which --where names; did you")


@pytest.mark.parametrize("name", ["out.jsonl", "out.csv", "out.parquet"])
def test_an_output_where_answers_are_read(citemark, told, folder, name):
    """What reads it is named."""
    assert citemark("batch", "in.jsonl", "-o", name, "--workers=0").code == 0
    code, said = told("batch", name, "-o", "x.jsonl")
    assert (code, said.startswith(f"{name}: {MADE}")) == (0, True)
    if name == "out.jsonl":
        data = (folder / name).read_bytes()
        code, said = told("batch", "-", "-o", "-", stdin=data)
        assert said.startswith(
            "No row has an answer; if stdin is an output of `citemark batch`"
        )
        assert told("batch", "-", "-o", "-", stdin=data + jsonl(ROWS))[1] == ""
    if name == "out.parquet":
        done = citemark("batch", name, "-o", "x.parquet")
        assert (done.code, f"; {MADE}" in done.err) == (2, True)


def test_an_output_among_answers(citemark, told, folder):
    """It is named; one with an answer in each row can be read, and so can answers of null."""
    assert citemark("batch", "in.jsonl", "-o", "out.jsonl", "--workers=0").code == 0
    assert told("batch", "in.jsonl", "out.jsonl", "-o", "x")[1].startswith(f"out.jsonl: {MADE}")
    made = [json.loads(line) for line in (folder / "out.jsonl").read_text("utf-8").splitlines()]
    (folder / "both.jsonl").write_bytes(
        jsonl([*(one | ROWS[0] for one in made), row(2, answer=None)])
    )
    (folder / "null.jsonl").write_bytes(jsonl([row(1), row(2, answer=None)]))
    for name in ("both.jsonl", "null.jsonl"):
        assert told("batch", name, "-o", "-") == (0, "")


@pytest.mark.parametrize("command", ["rerender", "upgrade"])
@pytest.mark.parametrize("name", ["in.jsonl", "in.csv", "in.parquet"])
def test_answers_where_an_output_is_read(citemark, told, command, name):
    """What makes one of them is named."""
    code, said = told(command, name, "-o", "x.jsonl")
    assert (code, said.startswith(f"{name}: {RAW}")) == (3, True)
    if name == "in.jsonl":
        code, said = told(command, "-", "-o", "-", stdin=jsonl(ROWS))
        hint = "All rows failed; is stdin an output of `citemark batch`?\n"
        assert (code, said.startswith(hint)) == (3, True)
    if name == "in.parquet":
        done = citemark(command, name, "-o", "x.parquet")
        assert (done.code, done.err.endswith(f"; {RAW}")) == (2, True)


@pytest.mark.parametrize("command", ["rerender", "upgrade"])
def test_broken_lines_of_an_output(told, folder, command):
    """They may be of one."""
    (folder / "broken.jsonl").write_bytes(b"{\n")
    code, said = told(command, "broken.jsonl", "-o", "x.jsonl")
    assert (code, said) == (
        3, "Rows that failed are kept, as they were, in x.jsonl.rejects.jsonl\n"
    )  # fmt: skip


def test_answers_that_are_counted(citemark, folder):
    """What can be counted is said, if nothing could."""
    hint = "No row is read: `citemark stats` counts those that `citemark batch` wrote\n"
    done = citemark("stats", "in.jsonl")
    assert (done.code, done.err) == (3, hint)
    citemark("batch", "in.jsonl", "-o", "out.jsonl", "--workers=0")
    assert citemark("stats", "in.jsonl", "out.jsonl").err == ""
    (folder / "empty.jsonl").write_bytes(b"")
    assert citemark("stats", "empty.jsonl").err == ""


def test_rejects_of_many_files(citemark, folder):
    """One line for all of them."""
    for n in range(5):
        (folder / f"{n}.jsonl").write_bytes(b"{\n")
    names = [f"{n}.jsonl" for n in range(5)]
    done = citemark("batch", *names, "-o", "many", "--workers=0")
    kept = ", ".join(f"many/_rejects/{n}.jsonl.jsonl" for n in range(3))
    assert done.err.splitlines()[1:] == [
        f"Rows that failed are kept, as they were, in {kept}, and in 2 more files"
    ]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["batch", "", "-o", "x.jsonl"], "Error: '': names no file\n"),
        (["batch", "in.jsonl", "-o", ""], "Error: '': names no file\n"),
        (["batch", "in.jsonl", "-o", "x.jsonl", "-s", ""], "Error: '': names no file\n"),
        (["stats", ""], "Error: '': names no file\n"),
        (["stats", "in.jsonl", "-o", ""], "Error: '': names no file\n"),
        (["rerender", "", "-o", "x.jsonl"], "Error: '': names no file\n"),
        (
            ["batch", "-", "-o", "x.jsonl", "-s", "-"],
            "only one of IN and --sources can be",
        ),
        (["batch", "-", "-", "-o", "x"], "Error: stdin: is named twice;"),
        (["batch", "in.jsonl", "-o", "y" * 300 + ".jsonl"], ".jsonl: cannot be "),
        (["upgrade", "in.jsonl", "-o", "y" * 300 + ".jsonl"], ".jsonl: cannot be "),
        (["batch", "in.jsonl", "--explain", "y" * 3_000], "no row has the id 'yyy"),
    ],
)
def test_names_that_are_none(citemark, arguments, message):
    """One line, and nothing is read or written."""
    done = citemark(*arguments)
    assert (done.code, done.out, message in done.err) == (2, "", True)
    assert len(done.err) < 600
