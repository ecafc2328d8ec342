"""What a database cannot do, or must not, is told apart."""

from __future__ import annotations

import os
import sqlite3
import sys
from pathlib import Path

import pytest
from sql_kit import (
    SIDE,
    ask,
    fill,
    refused,
    run,
)

from citemark.batch import SourcesTable
from citemark.batch.rows import failed_row
from citemark.batch.sql import SqlError, SqlNames, SqlRun, SqlSources
from citemark.batch.sql._faults import hidden, shown_url
from citemark.batch.sql._sqlite import Sqlite


@pytest.fixture
def url(tmp_path):
    """A file of 60 answers."""
    return fill(tmp_path / "a.db", 60)


def test_what_is_missing_is_told(url, tmp_path):
    """A file, a table, a column, a library; nothing is made in the meantime."""
    assert refused(run(f"sqlite:///{tmp_path}/no.db")) == ("missing", "no such file")
    assert not (tmp_path / "no.db").exists()
    assert refused(run(url, table="anwers")) == ("missing", "there is no table 'anwers'")
    columns = "'answers' has no column 'uid', only id, answer, sources"
    columns += "; --column id=COLUMN says which it is"
    assert refused(run(url, key="uid")) == ("missing", columns)
    assert refused(run(url, columns={"answer": "body"}))[0] == "missing"
    known = "id, answer, sources, dialect, provider, request, options"
    reason = f"columns: 'anser' is none of {known}"
    assert refused(run(url, columns={"anser": "answer"})) == ("names", reason)
    assert refused(run(url, columns={"id": "n"})) == ("names", "columns: id is named by key")
    assert refused(run(url, table="a..b"))[0] == "names"
    assert refused(run("mysql://x/y"))[0] == "url"
    assert refused(run("sqlite:///:memory:"))[0] == "url"
    assert ask(url, "SELECT count(*) FROM sqlite_schema") == [(1,)]


def test_no_database_and_read_only_and_locked_are_told_apart(url, tmp_path, monkeypatch):
    """Each has a fault of its own."""
    other = tmp_path / "text.db"
    other.write_text("no database, and long enough for a header of a hundred bytes" * 9)
    assert refused(run(f"sqlite:///{other}"))[0] == "format"
    monkeypatch.setattr("citemark.batch.sql._sqlite.PATIENCE", 0)
    holder = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    assert refused(run(url))[0] == "locked"
    holder.close()


@pytest.mark.parametrize(
    ("fault", "setting"),
    [("full", "max_page_count = {pages}"), ("read-only", "query_only = on")],
)
def test_a_disk_that_takes_no_more(url, monkeypatch, fault, setting):
    """What was committed stays, and a later run does the rest."""
    begin = Sqlite.__init__

    def limited(self, url):
        begin(self, url)
        [(pages,)] = self.run("PRAGMA page_count")
        self.run(f"PRAGMA {setting.format(pages=pages + 12)}")

    with monkeypatch.context() as patch:
        patch.setattr(Sqlite, "__init__", limited)
        assert refused(run(url))[0] == fault
    assert run(url).go().rows == 60


@pytest.mark.skipif(sys.platform == "win32", reason="has no such limits")
def test_a_file_that_may_grow_no_further(url):
    """It is told like a full disk, and what to do."""
    import resource

    run(url, limit=0).go()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = Path(url.removeprefix("sqlite:///")).stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 1_000, before[1]))
    try:
        fault, reason = refused(run(url))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    room = "there is no room, or the file may grow no further; --resume does the rest"
    assert (fault, reason) == ("full", f"disk I/O error: {room}")
    assert run(url, resume=True).go().rows == 60


def test_a_file_in_a_folder_that_is_not_written(url, tmp_path, monkeypatch):
    """In WAL mode it cannot even be read there: it is said why."""
    database = Sqlite(url)
    with pytest.raises(sqlite3.OperationalError) as caught:
        sqlite3.connect(tmp_path / "none" / "a.db")
    rights = {os.R_OK: True, os.W_OK: True}
    monkeypatch.setattr(os, "access", lambda _, right: rights[right])
    assert database._told(caught.value).reason == "unable to open database file"  # noqa: SLF001
    rights[os.W_OK] = False
    told = database._told(caught.value)  # noqa: SLF001  as if it had been opened there
    database.close()
    assert told.fault == "unreachable"
    assert f"SQLite makes files of its own in {tmp_path}, even to read" in told.reason
    assert told.reason.endswith("; copy the file elsewhere")


def test_a_table_of_somebody_else_is_not_written(url):
    """A table of that name with other columns is refused; so are the answers themselves."""
    ask(url, f"CREATE TABLE {SIDE} (x)")
    assert refused(run(url))[0] == "names"


@pytest.mark.parametrize(
    ("table", "into", "sources"),
    [
        (SIDE, SIDE, None),
        (SIDE, SIDE.upper(), None),
        (SIDE.title(), f'main."{SIDE}"', None),
        (f'"MAIN".{SIDE}', SIDE, None),
        (f"{SIDE}_work", SIDE, None),
        ("answers", SIDE, SIDE),
        ("answers", SIDE, f"{SIDE}_Work"),
        ("answers", "Answers", None),
    ],
)
def test_what_is_read_is_not_written(url, table, into, sources):
    """Neither answers nor sources, though they have the columns of a table that is written."""
    run(url).go()
    before = ask(url, f"SELECT * FROM {SIDE}"), ask(url, f"SELECT * FROM {SIDE}_work")
    names = {"table": table, "into": into}
    if table != "answers":
        names |= {"key": "answer_id", "columns": {"answer": "cited"}}
        if "work" in table:
            names |= {"key": "number", "columns": {"answer": "run"}}
    tables = SqlSources(sources, order="version") if sources else None
    for what in ("go", "dry_run"):
        fault, reason = refused(run(url, tables=tables, **names), what)
        assert (fault, "which are only read" in reason) == ("names", True)
    assert (ask(url, f"SELECT * FROM {SIDE}"), ask(url, f"SELECT * FROM {SIDE}_work")) == before


def test_what_was_made_can_be_read_like_answers(url):
    """If it is written elsewhere."""
    run(url).go()
    given = {"table": SIDE, "key": "answer_id", "columns": {"answer": "version"}}
    assert run(url, **given).go().rows == 60
    assert run(url, **given, into="Ä").go().rows == 60
    assert run(url, **given | {"table": "Ä"}, into="ä").go().rows == 60


def test_ids_that_are_not_unique_or_not_text_are_refused(tmp_path):
    """No row could be told from another; null is left out, and counted."""
    url = fill(tmp_path / "a.db", schema="id TEXT, answer TEXT, sources TEXT")
    ask(
        url, "INSERT INTO answers VALUES (NULL, 'x', '[]'), (NULL, 'y', '[]'), ('b', 'z', '[]')"
    )
    tally = run(url).go()
    assert (tally.rows, tally.without_id) == (1, 2)
    ask(url, "INSERT INTO answers VALUES ('b', 'x', '[]')")
    assert refused(run(url)) == ("keys", "id is not unique: two answers have 'b'")
    ask(url, "DELETE FROM answers")
    ask(url, "INSERT INTO answers VALUES (CAST(x'ff' AS TEXT), 'x', '[]')")
    assert refused(run(url))[0] == "keys"


def test_nothing_is_made_beside_answers_that_are_refused(tmp_path):
    """The tables come when the ids are known to tell answers apart."""
    url = fill(tmp_path / "a.db", schema="id TEXT, answer TEXT, sources TEXT")
    ask(url, "INSERT INTO answers VALUES ('b', 'z', '[]'), ('b', 'x', '[]')")
    assert refused(run(url)) == ("keys", "id is not unique: two answers have 'b'")
    tables = ask(url, "SELECT name FROM sqlite_master WHERE type = 'table'")
    assert tables == [("answers",)]


def test_answers_that_are_no_text_are_rows_with_an_error(url):
    """A BLOB, and a text of bytes that are no UTF-8."""
    ask(url, "UPDATE answers SET answer = x'5b315d' WHERE id = 1")
    ask(url, "UPDATE answers SET answer = CAST(x'ff5b315d' AS TEXT) WHERE id = 2")
    run(url).go()
    errors = ask(url, f"SELECT error FROM {SIDE} WHERE answer_id IN (1, 2) ORDER BY answer_id")
    assert errors == [
        ("TextTypeError: answer: expected the text as str, not bytes",),
        ("TextTypeError: answer: no UTF-8: the byte at 0 is 0xff",),
    ]


def test_a_row_that_the_database_refuses_is_a_row_with_an_error(url):
    """Others of its page are written."""
    run(url, limit=0).go()
    ask(
        url,
        f"CREATE TRIGGER t BEFORE INSERT ON {SIDE} WHEN new.answer_id = 50 AND new.cited "
        "IS NOT NULL BEGIN SELECT raise(ABORT, 'too odd'); END",
    )
    tally = run(url).go()
    assert (tally.rows, tally.errors) == (60, 3)
    assert ask(url, f"SELECT error FROM {SIDE} WHERE answer_id = 50") == [
        ("the database refuses it: too odd",)
    ]


def test_passwords_are_not_shown():
    """Neither in a URL nor in what a library says of it."""
    url = "postgresql://ann:p%40ss@db.example.org/chat?password=other&x=1"
    assert shown_url(url) == "postgresql://ann@db.example.org/chat"
    assert hidden("p@ss p%40ss other", url) == "*** *** ***"
    shown = repr(SqlRun(url, names=SqlNames()))
    assert "ss" not in shown.partition("options")[0]
    error = SqlError(url, "failed", "no p@ss")
    assert str(error) == "postgresql://ann@db.example.org/chat: no ***"


def test_an_id_that_the_database_refuses_ends_the_run(url):
    """Not even an error could be told of it; what was done stays."""
    run(url, limit=0).go()
    ask(
        url,
        f"CREATE TRIGGER t BEFORE INSERT ON {SIDE} WHEN new.answer_id = 50 "
        "BEGIN SELECT raise(ABORT, 'too long'); END",
    )
    reason = "no row of the answer '50' can be written: the database refuses it: too long"
    assert refused(run(url)) == ("keys", reason)


@pytest.mark.parametrize("event", ["INSERT", "UPDATE"])
def test_ranges_that_the_database_refuses_end_the_run(url, event):
    """It is told of the database, as no row can tell it."""
    run(url, limit=0).go()
    name = f"{SIDE}_work"
    ask(url, f"CREATE TRIGGER t BEFORE {event} ON {name} BEGIN SELECT raise(ABORT, 'no'); END")
    assert refused(run(url)) == ("failed", "the database refuses it: no")


def test_errors_that_are_no_text_are_made_one(url, monkeypatch):
    """A renderer may say what it was given: halves of surrogate pairs, and NUL."""

    def odd(row, options, _):
        return failed_row(row, options, "odd: \ud800\0")

    monkeypatch.setattr("citemark.batch.sql._reader.annotate_row", odd)
    assert run(url).go().errors == 60
    assert ask(url, f"SELECT DISTINCT error FROM {SIDE}") == [("odd: \ufffd\ufffd",)]


@pytest.mark.parametrize("name", ["a\udcff", "a\0", ".a", 'a"b', '"a'])
def test_names_that_cannot_be_are_refused(url, name):
    """Before a statement is made of them."""
    assert refused(run(url, table=name))[0] == "names"


def test_tables_that_are_not_there_are_told(url):
    """With a schema, one that is called otherwise, and one that a view reads."""
    ask(url, "CREATE VIEW said AS SELECT * FROM answers")
    ask(url, "CREATE VIEW lost AS SELECT * FROM gone")
    assert refused(run(url, table="lost")) == ("missing", "no such table: main.gone")
    assert refused(run(url, table='main."a""b.c"')) == (
        "missing",
        'there is no table \'main."a""b.c"\'',
    )
    assert refused(run(url, table="app.answers")) == (
        "missing",
        "there is no table 'app.answers'",
    )
    assert run(url, table="main.said", into="main.other").go().rows == 60


def test_sources_of_a_table_and_of_the_run_are_refused(url):
    """Who names a source would not know which one it gets."""
    ask(url, 'CREATE TABLE chunks (id TEXT, "set" TEXT, n INTEGER)')
    both = run(url, tables=SqlSources("chunks", order="n"), sources=SourcesTable([{"id": "a"}]))
    assert refused(both)[0] == "names"


def test_a_file_that_another_process_locks_in_mid_run(url, monkeypatch):
    """It is told from others; what was done stays, and a later run does the rest."""
    monkeypatch.setattr("citemark.batch.sql._sqlite.PATIENCE", 0)
    monkeypatch.setattr("citemark.batch.sql._plan.RANGE", 20)
    holder = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
    locked = iter(["BEGIN IMMEDIATE"])
    assert refused(run(url, report=lambda _: holder.execute(next(locked))))[0] == "locked"
    holder.close()
    assert run(url, resume=True).go().rows == 40


def test_a_view_that_fails(url):
    """It is told of the database, as no row can tell it."""
    ask(url, "CREATE VIEW v AS SELECT zeroblob(1500000000 + id) AS id, answer FROM answers")
    for what in ("go", "dry_run", "state"):
        fault, reason = refused(run(url, table="v"), what)
        assert (fault, reason) == ("failed", "the database refuses it: string or blob too big")
