"""Arguments of a wrong type, or numbers that count nothing: one clear error of the library."""

from __future__ import annotations

import pickle
from pathlib import Path
from types import MappingProxyType

import pytest
from sql_kit import fill, run

from citemark import CitemarkError
from citemark.batch import annotate_row
from citemark.batch._counts import require_count
from citemark.batch.options import BatchOptionError, BatchOptions
from citemark.batch.sql import SqlNames, SqlRun, SqlSources
from citemark.batch.sql.outputs import stats_of_table
from citemark.errors import ArgumentTypeError

URL = "sqlite:///none.db"
WRONG_OPTIONS = "options: expected BatchOptions, not dict"
WRONG = (5, 1.5, b"x", object(), ["answers"], Path("answers"), lambda: 0)


def refused(call, *given, **options):
    with pytest.raises(ArgumentTypeError) as caught:
        call(*given, **options)
    message = str(caught.value)
    assert len(message) < 120
    return message


@pytest.mark.parametrize("value", WRONG, ids=lambda value: type(value).__name__)
def test_names(value):
    """They are texts; ``into`` and ``order`` may be left open."""
    for name in ("table", "key", "into"):
        assert refused(SqlNames, **{name: value}).startswith(f"{name}: expected a name as str")
    for name in ("table", "set", "id", "order"):
        given = {"table": "chunks", name: value}
        assert refused(SqlSources, **given).startswith(f"{name}: expected a name as str")
    assert refused(SqlNames, sources=value).startswith("sources: expected SqlSources(")
    for call in (SqlNames, lambda columns: SqlSources("chunks", columns=columns)):
        assert refused(call, columns=value).startswith("columns: expected columns by what")
        assert refused(call, columns={"answer": value}).startswith(
            "columns['answer']: expected"
        )
    assert refused(SqlNames, columns={5: "body"}).startswith("columns: expected a name")
    for name in ("table", "key"):
        assert refused(SqlNames, **{name: None}).endswith("not NoneType")


@pytest.mark.parametrize("value", WRONG, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("name", ["url", "options", "names", "sources", "where"])
def test_fields_of_a_run(name, value):
    """When it is made, and when one of them was changed."""
    message = refused(SqlRun, **{"url": URL, name: value})
    assert message.startswith(f"{name}: expected")
    changed = SqlRun(URL)
    setattr(changed, name, value)
    for method in (changed.go, changed.dry_run, changed.state, changed.failed_rows):
        assert refused(method) == message


@pytest.mark.parametrize("where", ["lang=de", ["lang=de"], [("lang", "=", "de")]])
def test_conditions(where):
    """They are read before."""
    assert "read_where(" in refused(SqlRun, URL, where=where)


def test_conditions_of_an_iterator(tmp_path):
    """They hold each time."""
    where = iter(())
    given = run(fill(tmp_path / "a.db", 60), where=where)
    assert given.where == ()
    assert given.dry_run().rows == 60


@pytest.mark.parametrize("name", ["limit", "workers"])
@pytest.mark.parametrize("value", [-1, -(2**70), True, 1.0, "2", [3]])
def test_counts(name, value):
    """From 0 on, whole, or left open; not even a file is looked for."""
    with pytest.raises(CitemarkError, match=rf"^{name}: expected a whole number from 0"):
        SqlRun(URL, **{name: value})
    changed = SqlRun(URL)
    setattr(changed, name, value)
    with pytest.raises((ArgumentTypeError, BatchOptionError), match=f"^{name}: "):
        changed.go()


@pytest.mark.parametrize("value", [None, 0, 1, 2**70])
def test_counts_that_there_can_be(value):
    """Their bound is another one's."""
    require_count("limit", value)


@pytest.mark.parametrize("value", [4, 4.0, b"4", None, ["4"]])
def test_explain(tmp_path, value):
    """An id is given as it is shown."""
    given = run(fill(tmp_path / "a.db", 60))
    assert refused(given.explain, value).startswith("id_: expected an id as str")
    assert given.explain("4")["action"] == "make"


@pytest.mark.parametrize("value", WRONG, ids=lambda value: type(value).__name__)
def test_figures(value):
    """The URL is a text, the names are names."""
    assert refused(stats_of_table, value).startswith("url: expected a URL as str")
    assert refused(stats_of_table, URL, value).startswith("names: expected SqlNames(...)")


@pytest.mark.parametrize("wrong", [{"html": {"nope": 1}}, {"htm": {}}])
def test_options_by_which_every_row_would_fail(tmp_path, wrong):
    """No row that is well is replaced by one with an error."""
    url = fill(tmp_path / "a.db", 60)
    run(url).go()
    before = (tmp_path / "a.db").read_bytes()
    given = run(url, options=BatchOptions(to=("html",), renderer_options=wrong))
    for method in (given.go, given.dry_run):
        with pytest.raises(BatchOptionError):
            method()
    assert (tmp_path / "a.db").read_bytes() == before


@pytest.mark.parametrize("name", ["begin", "report"])
def test_functions(name):
    """They can be called."""
    for value in (None, 5, "print"):
        assert refused(SqlRun, URL, **{name: value}).startswith(f"{name}: expected a function")


def test_columns_of_any_mapping(tmp_path):
    """They go to other processes, and stay as they were given."""
    columns = {"answer": "answer"}
    names = SqlNames(columns=MappingProxyType(columns))
    sources = SqlSources("chunks", columns=MappingProxyType({"text": "passage"}))
    columns["answer"] = "other"
    assert pickle.loads(pickle.dumps((names, sources))) == (names, sources)  # noqa: S301  ours
    url = fill(tmp_path / "a.db", 60)
    assert SqlRun(url, names=names, workers=0).go().rows == 60


def test_one_wording_for_one_kind_of_error():
    """Whatever is called."""
    message = refused(SqlRun, URL, options={})
    assert message == refused(annotate_row, {"answer": "x"}, {}) == WRONG_OPTIONS
