"""What older versions wrote is read and rendered for ever."""

from __future__ import annotations

import json

import history_kit
import pytest

from citemark import Answer, cite
from citemark._stored import _steps, upgraded
from citemark.answer import VERSION
from citemark.batch import SCHEMA, BatchOptions, annotate_row, history
from citemark.batch._stored_rows import failed_before
from citemark.batch.history import rerender_row, upgrade_row
from citemark.batch.rows import OUTPUT
from citemark.batch.stats import Stats
from citemark.errors import StoredAnswerError

KEPT = [
    (path, row) for path in history_kit.files().values() for row in history_kit.rows_of(path)
]
CITED = [(path, row) for path, row in KEPT if row["cited"] is not None]
EACH = pytest.mark.parametrize(
    "row", [row for _, row in CITED], ids=[f"{path.stem} {row['id']}" for path, row in CITED]
)
SOURCES = [{"id": "a", "title": "A"}]


def row_of(text="Yes [1].", **options):
    return annotate_row(
        {"id": "x", "answer": text, "sources": SOURCES}, BatchOptions(**options)
    )


@EACH
def test_stored_answers_are_read_as_they_were(row):
    """Nothing of them is lost."""
    assert Answer.from_dict(row["cited"]).to_dict() == upgraded(row["cited"])


@EACH
def test_stored_answers_are_rendered_as_they_were(row):
    """To the byte; if that is meant to change: ``python tests/history_kit.py "why"``."""
    found = rerender_row(row)
    assert found["rendered"] == row["rendered"]
    assert found["error"] is None


def test_rendered_answers_are_renewed_with_a_reason_only():
    """The page of the folder notes the digest of each file."""
    assert history_kit.noted() == {
        path.name: history_kit.digest(path) for path in history_kit.files().values()
    }


def test_there_are_rows_of_each_schema_and_steps_from_each_older_one():
    """A schema or a version that rises without a step is noticed here."""
    assert [*history_kit.files()] == [*range(1, SCHEMA + 1)]
    assert {*history.STEPS} == {*range(1, SCHEMA)}
    assert {*_steps.STEPS} == {*range(1, VERSION)}
    assert {row["cited"]["version"] for _, row in CITED} == {*range(1, VERSION + 1)}
    assert all(row["schema"] == int(path.stem[len("rows-") :]) for path, row in KEPT)


def test_rows_that_are_kept_have_all_that_is_stored():
    """Each optional field of an answer is in one of them."""
    fields = {name for _, row in CITED for name in row["cited"]}
    citations = {
        name
        for _, row in CITED
        for segment in row["cited"]["segments"]
        for citation in segment.get("citations", ())
        for name in citation
    }
    assert {"consulted", "asides"} <= fields
    assert {"quote", "confidence", "repaired", "raw"} <= citations
    assert any(row["cited"]["listed"] for _, row in CITED)


@pytest.mark.parametrize("make", [dict, upgrade_row, rerender_row])
def test_figures_are_those_of_each_schema(make):
    """All rows are read, as they are, upgraded or rendered again; quotes add up alike."""
    figures = []
    for path in history_kit.files().values():
        stats = Stats()
        for row in history_kit.rows_of(path):
            stats.add(make(row))
        known = stats.to_dict()
        assert (known["unread"], known["rows"], known["checked"]) == (0, 23, 21)
        names = ("quotes", "verified", "false_quotes", "quotes_unknown")
        figures.append({name: known["figures"][name] for name in names})
    assert all(found == figures[-1] for found in figures)


def test_quotes_of_schema_1_become_those_of_today():
    """Those that could not be checked are counted apart, and not twice."""
    old = row_of(check=True) | {"schema": 1}
    counts = {"quotes": 5, "verified": 2, "false_quotes": 1}
    old["checks"] = old["checks"] | counts
    del old["checks"]["quotes_unknown"]
    found = upgrade_row(old)["checks"]
    assert (found["quotes"], found["quotes_unknown"]) == (3, 2)
    again = upgrade_row(old | {"checks": found})
    assert again["checks"] == found


@pytest.mark.parametrize("schema", [-1, 0, SCHEMA + 1])
def test_rows_of_no_known_schema_are_not_counted(schema):
    """They are told as not read, whether they have an answer or none."""
    for text in ("Yes [1].", None):
        stats = Stats()
        stats.add(row_of(text) | {"schema": schema}, name="line 1")
        known = stats.to_dict()
        assert (known["rows"], known["unread"]) == (0, 1)
        assert f"its schema is {schema}" in known["unread_rows"][0]["reason"]


def test_rows_of_this_version_stay_as_they_are():
    """Upgraded, they are equal, those with an error and without an answer too."""
    for row in (row for _, row in KEPT if row["schema"] == SCHEMA):
        assert upgrade_row(row) == row
    for text in ("Yes [1].", None, 7):
        row = row_of(text, to=("html",), check=True)
        assert upgrade_row(row) == row


def test_row_is_rendered_without_its_sources():
    """In other forms than before; all that was cited and passed through stays."""
    row = row_of(check=True) | {"team": "x"}
    found = rerender_row(row, BatchOptions(to=("text", "json")))
    assert [*found["rendered"]] == ["text", "json"]
    assert found["rendered"] == row_of(to=("text", "json"))["rendered"]
    changed = {name for name, value in found.items() if value != row[name]}
    assert changed == {"rendered", "options_digest"}


def test_digest_of_options_tells_how_rows_were_rendered():
    """It differs by the options of both runs, and is the same for the same."""
    once, other = row_of(), row_of(unresolved="drop")
    text, html = BatchOptions(to=("text",)), BatchOptions(to=("html",))
    made = [(once, text), (once, html), (other, text), (once, text)]
    digests = [rerender_row(row, options)["options_digest"] for row, options in made]
    assert len({*digests}) == 3
    assert digests[0] == digests[3] != once["options_digest"]


def test_renderer_that_fails_loses_no_other():
    """It is told in the error."""
    options = BatchOptions(to=("text", "html"), renderer_options={"html": {"links": 7}})
    found = rerender_row(row_of(), options)
    assert [*found["rendered"]] == ["text"]
    assert found["error"].startswith("html: ")


FAILED = row_of(to=("json",), check=True) | {
    "checks": None,
    "error": "checks: ValueError: no; sorry; text: KeyError: 'x'",
}


def test_errors_that_still_hold_stay():
    """Those of columns that are made once; forms are tried again, and told if they fail."""
    found = rerender_row(FAILED)
    assert [*found["rendered"]] == ["json", "text"]
    assert found["error"] == "checks: ValueError: no; sorry"
    failing = BatchOptions(renderer_options={"text": {"no": 1}})
    found = rerender_row(FAILED, failing)
    assert [*found["rendered"]] == ["json"]
    assert found["error"].startswith("checks: ValueError: no; sorry; text: UnknownOptionError")
    assert not failed_before(FAILED, found)


def test_errors_of_forms_that_are_not_asked_for_go():
    """The row no longer should have them; and what failed before is no failure of this run."""
    found = rerender_row(FAILED, BatchOptions(to=("html",)))
    assert [*found["rendered"]] == ["html"]
    assert found["error"] == "checks: ValueError: no; sorry"
    assert failed_before(FAILED, found)


def test_errors_of_an_earlier_reading_go():
    """As one that a version wrote that knew no such rows."""
    old = row_of(to=("text",)) | {"error": "RecordError: its schema is 9"}
    assert rerender_row(old)["error"] is None


def test_rows_without_an_answer_stay_as_they_are():
    """With their error, if they have one."""
    for text in (None, 7):
        row = row_of(text)
        assert rerender_row(row, BatchOptions(to=("html",))) == row


def test_rows_of_tables_are_read():
    """Nested columns are JSON text there, and numbers are text."""
    row = row_of(to=("text",), check=True)
    flat = {
        name: json.dumps(value) if isinstance(value, (dict, list)) else value
        for name, value in row.items()
    }
    flat = {
        name: str(value) if isinstance(value, int) else value for name, value in flat.items()
    }
    assert upgrade_row(flat) == row
    assert rerender_row(flat)["rendered"] == row["rendered"]


BROKEN = {
    "no row of an output": {"id": "x", "answer": "Yes [1]."},
    "no schema": row_of() | {"schema": None},
    "true": row_of() | {"schema": True},
    "a later schema": row_of() | {"schema": SCHEMA + 1},
    "schema 0": row_of() | {"schema": 0},
    "no JSON": row_of() | {"cited": "{"},
    "deep JSON": row_of() | {"cited": "[" * 100_000},
    "no answer": row_of() | {"cited": {"version": 1}},
    "a list": row_of() | {"cited": [1]},
    "a later answer": row_of() | {"cited": row_of()["cited"] | {"version": VERSION + 1}},
}


@pytest.mark.parametrize("make", [rerender_row, upgrade_row])
@pytest.mark.parametrize("name", BROKEN)
def test_bad_rows_stay_rows(name, make):
    """They are as they were, with an error."""
    row = BROKEN[name]
    found = make(row)
    assert found["error"]
    assert found | {"error": None} == dict.fromkeys(OUTPUT) | row


@pytest.mark.parametrize("make", [rerender_row, upgrade_row])
@pytest.mark.parametrize("name", ["error", "options_digest", "version"])
@pytest.mark.parametrize("value", [7, [None], "\ud800"], ids=repr)
def test_columns_of_any_kind_raise_nothing(make, name, value):
    """Those that are only passed on: somebody else wrote the file."""
    found = make(row_of() | {name: value})
    assert found["cited"] == row_of()["cited"]


def older(row):
    """Return a row as a version before the first might have written it."""
    cited = dict(row["cited"])
    cited["parts"] = cited.pop("segments")
    row = {name: value for name, value in row.items() if name != "formats"}
    return row | {"schema": 0, "cited": cited | {"version": 0}}


@pytest.fixture
def _older_steps(monkeypatch):
    """Steps from that version."""

    def answer(data):
        data["segments"] = data.pop("parts")
        return data

    monkeypatch.setitem(_steps.STEPS, 0, answer)
    monkeypatch.setitem(history.STEPS, 0, lambda row: row | {"formats": {"number": 1}})


@pytest.mark.usefixtures("_older_steps")
def test_older_rows_become_those_of_today():
    """By a step for the row, and one for the answer in it; nothing is made again."""
    row = row_of(to=("html",), check=True) | {"team": "x"}
    assert upgrade_row(older(row)) == row
    assert rerender_row(older(row))["rendered"] == row["rendered"]


@pytest.mark.usefixtures("_older_steps")
def test_older_answers_are_read():
    """By ``Answer.from_dict``, and what is given is not changed."""
    answer = cite("Yes [1].", SOURCES)
    old = older({"cited": answer.to_dict()})["cited"]
    assert Answer.from_dict(old) == answer
    assert old["version"] == 0


def test_columns_that_are_missing_are_null():
    """As a step leaves them that knows nothing to put there."""
    row = row_of()
    assert upgrade_row({name: row[name] for name in row if name != "checks"}) == row


def test_steps_follow_each_other(monkeypatch):
    """One by one, each from the version that the last one made."""
    seen = []
    for version in (-1, 0):
        monkeypatch.setitem(
            history.STEPS, version, lambda row: seen.append(row["schema"]) or row
        )
    assert upgrade_row(row_of() | {"schema": -1}) == row_of()
    assert seen == [-1, 0]


def test_newer_answers_are_refused():
    """And not taken for those of today."""
    data = cite("Yes [1].", SOURCES).to_dict() | {"version": VERSION + 1}
    with pytest.raises(StoredAnswerError, match="version"):
        Answer.from_dict(data)
