"""``citemark batch`` and ``stats`` over the tables of a database."""

from __future__ import annotations

import io
import json
import sqlite3
from contextlib import closing

import pytest

TABLE = (
    "sqlite:///a.db",
    "--table=said",
    "--column=id=n",
    "--column=answer=body",
    "--sources-table=chunks",
    "--sources-column=set=search",
    "--sources-column=id=chunk",
    "--sources-column=order=rank",
    "--sources-column=title=heading",
    "--sources-column=text=passage",
)
FILL = """
    CREATE TABLE said (n INTEGER PRIMARY KEY, body TEXT, sources TEXT, team TEXT);
    INSERT INTO said VALUES (1, 'Yes [1], and [2].', 's-1', 'red'),
        (2, 'No [1].', '["c-2"]', 'blue'), (3, NULL, NULL, 'red'),
        (4, 'Who? [1]', 's-9', 'red');
    CREATE TABLE chunks (chunk TEXT, search TEXT, rank INT, heading TEXT, passage TEXT);
    INSERT INTO chunks VALUES ('c-9', 's-1', 1, 'Prices', 'Nine.'),
        ('c-2', 's-1', 2, 'Zones', 'Two.');
"""
SHOWN = (
    """SELECT answer_id, error FROM "said_citations" WHERE version = '0.1.0' """
    "AND error IS NOT NULL"
)


@pytest.fixture
def ask(tmp_path):
    """Answers and their sources, and what asks for what became of them."""
    with closing(sqlite3.connect(tmp_path / "a.db")) as database:
        database.executescript(FILL)
        yield lambda statement: database.execute(statement).fetchall()


@pytest.fixture
def batch(citemark, ask):  # noqa: ARG001  it makes the file
    """The command over the table, in this process."""
    return lambda *more: citemark("batch", *TABLE, "--workers=0", *more)


def test_answers_and_sources_of_tables(batch, ask):
    """What is made stands beside them; the end says which failed, and what to do."""
    done = batch("--to=text")
    assert (done.code, done.out) == (3, "")
    first, *rest = done.err.splitlines()
    assert first.startswith("4 rows in ")
    assert first.endswith(", 1 without an answer, 1 failed")
    assert rest == [
        f"Rows that failed are shown by: {SHOWN};",
        "--retry-errors makes them again.",
    ]
    assert ask(SHOWN) == [(4, "RowSourcesError: sources: the table has none named 's-9'")]
    rendered = ask("SELECT rendered FROM said_citations WHERE answer_id = 1")[0][0]
    assert json.loads(rendered)["text"] == "Yes [1], and [2].\n\n[1] Prices\n[2] Zones"


def test_what_failed_is_made_again(batch):
    """When it is asked for; what is left out is told."""
    assert batch().code == 3
    again = batch()
    assert (again.code, again.err.split(" in ")[0]) == (3, "0 rows")
    assert again.err.splitlines()[0].endswith(", 4 were there already, 1 had failed before")
    retried = batch("--retry-errors")
    assert (retried.code, retried.err.split(" in ")[0]) == (3, "1 row")
    part = batch("--where=team=blue")
    assert (part.code, "3 left out by --where, 1 was there already" in part.err) == (0, True)


def test_dry_run(batch, ask):
    """What is there, what would be made and why, what would stay; nothing is written."""
    assert batch("--dry-run").out.splitlines() == [
        "4 answers, 0 rows made so far",
        "would be made: 4 rows (4 new)",
        'tables that would be made: "said_citations" and "said_citations_work"',
    ]
    assert ask("SELECT count(*) FROM sqlite_schema WHERE name LIKE '%citations'") == [(0,)]
    batch()
    assert batch("--dry-run").out.splitlines() == [
        "4 answers, 4 rows made so far",
        "would be made: nothing",
        "would stay: 4 rows, 1 with an error",
    ]
    assert batch("--dry-run", "--retry-errors", "--where=team=red").out.splitlines() == [
        "4 answers, 4 rows made so far",
        "would be made: 1 row (1 failed before)",
        "would stay: 2 rows",
        "left out by --where: 1 answer",
    ]


def test_dry_run_after_a_run_that_was_broken_off(batch, ask, monkeypatch):
    """It tells the ranges that are left, and what becomes of them."""

    def stop(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("citemark.batch.sql._pages.Pages.write", stop)
        stopped = batch()
    said = "interrupted; 0 rows are kept, --resume goes on\n"
    assert (stopped.code, stopped.err) == (130, said)
    left = "unfinished: 1 range of an earlier run; this one"
    assert f"{left} looks at all anew; --resume goes on\n" in batch("--dry-run").out
    assert f"{left} goes on there\n" in batch("--dry-run", "--resume").out
    assert ask("SELECT count(*) FROM said_citations") == [(0,)]
    assert batch("--resume").err.startswith("resume: about 4 answers are left\n")


def test_sources_that_are_not_found_are_shown_by_their_names(batch):
    """As the row has them: in full if they are found, as it was written if one is not."""
    found = json.loads(batch("--explain=4").out)
    assert (found["input"]["sources"], found["output"]["error"]) == (
        "s-9",
        "RowSourcesError: sources: the table has none named 's-9'",
    )
    found = json.loads(batch("--explain=2").out)
    assert [one["id"] for one in found["input"]["sources"]] == ["c-2"]


def test_one_answer_is_explained(batch, ask):
    """As it is read, with its sources, and what becomes of it; nothing is written."""
    found = json.loads(batch("--explain=1", "--to=text").out)
    assert (found["table"], found["action"], found["why"]) == ("said", "make", "new")
    assert [one["title"] for one in found["input"]["sources"]] == ["Prices", "Zones"]
    assert found["output"]["rendered"]["text"].startswith("Yes [1], and [2].")
    assert ask("SELECT count(*) FROM sqlite_schema WHERE name LIKE '%citations'") == [(0,)]
    missing = batch("--explain=9")
    assert (missing.code, missing.err) == (2, "Error: --explain: no answer has the id '9'\n")


def test_a_table_without_a_column_for_sources(citemark, ask):
    """What gives them is said, if nothing does."""
    ask("ALTER TABLE said RENAME COLUMN sources TO found")
    named = ("batch", *TABLE[:4], "--workers=0")
    hint = "The table 'said' has no column 'sources', so its citations are not resolved; "
    assert hint in citemark(*named).err
    for more in (["--column=sources=found"], ["--source-list=parse"], ["--limit=0"]):
        assert hint not in citemark(*named, "--into=other", *more).err


@pytest.mark.usefixtures("ask")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["in.jsonl", "-o", "x", "--retry-errors"], "--retry-errors is for databases"),
        (["in.jsonl", "-o", "x", "--sources-table=x"], "--sources-table is for databases"),
        (["sqlite:///a.db", "--sources-column=set=x"], "column needs --sources-table"),
        ([*TABLE, "--sources=x.json"], "--sources and --sources-table do not go together"),
        ([*TABLE, "--sources-column=x"], "'x' is none of order=rank"),
        ([*TABLE, "--sources-column=nope=x"], "columns of sources: 'nope' is none of content,"),
        ([*TABLE, "--sources-column=url=x"], "'chunks' has no column 'x', only chunk, search"),
        ([*TABLE, "--overwrite"], "--overwrite is for files"),
        (["sqlite:///a.db"], "sqlite:///a.db: there is no table 'answers'"),
    ],
)  # fmt: skip
def test_wrong_usage(citemark, arguments, message):
    """One clear line, exit code 2."""
    done = citemark("batch", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


class Terminal(io.StringIO):
    """What a bar is drawn on."""

    def isatty(self):
        return True


def test_a_bar_in_a_terminal(batch, monkeypatch):
    """With the share, the answers, the rate and the errors: as for files."""
    terminal = Terminal()
    with monkeypatch.context() as patch:
        patch.setattr("sys.stderr", terminal)
        assert batch().code == 3
    assert "100%" in terminal.getvalue()
    assert "4 answers, " in terminal.getvalue()
    assert "/s, 1 failed" in terminal.getvalue()


def test_lines_elsewhere(batch, monkeypatch):
    """With the same figures."""
    monkeypatch.setattr("citemark.cli._batch_progress.EVERY", 0)
    first = batch().err.splitlines()[0]
    assert first.startswith("100%, 4 answers, ")
    assert first.endswith(" a second, 1 failed")


def test_figures_of_a_table(citemark, batch, ask):
    """Those of the rows that were written, as table, data or page."""
    batch()
    ask("ALTER TABLE said_citations RENAME TO made")
    named = citemark("stats", "sqlite:///a.db", "--into=made", "--format=json")
    assert (named.code, named.err) == (0, "")
    found = json.loads(named.out)
    assert (found["rows"], found["errors"], found["citations"]) == (4, 1, 3)
    assert citemark("stats", "sqlite:///a.db", "--into=made").out.startswith("rows ")
    missing = citemark("stats", "sqlite:///a.db", "--table=said")
    message = "Error: sqlite:///a.db: there is no table 'said_citations'\n"
    assert (missing.code, missing.err) == (2, message)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["sqlite:///a.db", "x.jsonl"], "a database is the only OUT"),
        (["x.jsonl", "--table=said"], "--table is for databases"),
    ],
)
def test_wrong_usage_of_stats(citemark, arguments, message):
    """One clear line, exit code 2."""
    done = citemark("stats", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
