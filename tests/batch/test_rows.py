"""A row in, a row out: always."""

from __future__ import annotations

import json
import math
import pickle
from datetime import UTC, datetime
from decimal import Decimal

import pytest
import strategies
from batch_kit import row
from hypothesis import given
from hypothesis import strategies as st

from citemark import Answer, render
from citemark.batch import (
    INPUT,
    OUTPUT,
    BatchOptionError,
    BatchOptions,
    RowSourcesError,
    SourcesTable,
    annotate_row,
    content_digest,
)
from citemark.batch._strict import encode
from citemark.batch.rows import is_null, passed_names
from citemark.errors import SourceError

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters())
    | st.binary()
    | st.datetimes()
    | st.builds(lambda: 10**5000)
    | st.just("\ud800 [1]")
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=5) | st.integers(), inner, max_size=3)
        | st.frozensets(st.integers(), max_size=3)
    ),
    max_leaves=8,
)
NAMES = st.sampled_from([*INPUT, *OUTPUT, "team", "input_error", "input_cited"])
ROWS = st.dictionaries(NAMES | st.text(max_size=4), VALUES, max_size=8)
SENSIBLE = st.fixed_dictionaries(
    {"id": st.integers(), "answer": strategies.texts()},
    optional={"sources": st.just([{"id": "a"}, {"id": "b"}]) | VALUES, "options": VALUES},
)
OPTIONS = BatchOptions(to=("text", "json", "markdown"), check=True)


def refuse(name):
    raise AssertionError(name)


@given(ROWS | SENSIBLE)
def test_any_row_gives_a_row(given_row):
    """Of the columns that are said, in strict JSON, with all that passed through."""
    found = annotate_row(given_row, OPTIONS)
    assert list(found)[: len(OUTPUT)] == list(OUTPUT)
    assert (found["error"] is None) or isinstance(found["error"], str)
    passed = passed_names(given_row)
    assert [*found][len(OUTPUT) :] == [*passed]
    assert all(found[free] is given_row[name] for free, name in passed.items())
    data = encode(found)
    assert b"\n" not in data
    assert json.loads(data.decode(), parse_constant=refuse).keys() >= set(OUTPUT)


@given(SENSIBLE)
def test_a_stored_answer_renders_the_same(given_row):
    """What stands in ``cited``, through JSON, gives the forms that the row has."""
    found = json.loads(encode(annotate_row(given_row, OPTIONS)))
    if found["cited"] is not None and found["rendered"] is not None:
        answer = Answer.from_dict(found["cited"])
        again = {name: str(render(answer, name)) for name in found["rendered"]}
        assert json.loads(encode(again)) == found["rendered"]


@given(ROWS)
def test_the_digest_is_of_what_is_read(given_row):
    """It does not change with the id or with columns that pass through."""
    digest = content_digest(given_row)
    assert digest == content_digest({**given_row, "id": "other", "team": "other"})
    assert digest == content_digest(dict(reversed(given_row.items())))
    if not is_null(given_row.get("answer")):
        assert digest != content_digest({**given_row, "answer": "another one"})


def test_one_renderer_that_fails_takes_nothing_with_it():
    """Its error names it; the answer and the other forms are there."""
    options = BatchOptions(to=("html", "text"), renderer_options={"html": {"no": 1}})
    found = annotate_row(row(1), options)
    assert found["error"].startswith("html: UnknownOptionError: ")
    assert list(found["rendered"]) == ["text"]
    assert found["cited"] is not None


@pytest.mark.parametrize(
    ("value", "data"),
    [
        ({"a": math.nan, 1: [math.inf]}, b'{"a":null,"1":[null]}'),
        ("\ud83d\ude00 \ud800", '"😀 \ufffd"'.encode()),
        (datetime(2026, 11, 30, tzinfo=UTC), b'"2026-11-30T00:00:00+00:00"'),
        ({"b": b"\xff", "s": {3, 1}}, b'{"b":"/w==","s":[1,3]}'),
        ([Decimal("1.5"), (1, 2)], b'["1.5",[1,2]]'),
    ],
)
def test_what_json_has_not_becomes_what_is_nearest(value, data):
    """And the rest stays as it is."""
    assert encode(value) == data


def test_nothing_is_too_deep():
    """A list that holds itself has an end."""
    endless = []
    endless.append(endless)
    assert encode(endless).startswith(b"[[[[")


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"to": ("nope",)}, "to"),
        ({"to": "html"}, "to"),
        ({"dialect": "nope"}, "dialect"),
        ({"dialect": " , "}, "dialect"),
        ({"provider": "nope"}, "provider"),
        ({"unresolved": "raise"}, "unresolved"),
        ({"label": 1}, "label"),
        ({"group_by": "x"}, "group_by"),
    ],
)
def test_options_that_no_row_could_have_are_refused(options, name):
    """When they are given, and not in each row."""
    with pytest.raises(BatchOptionError) as found:
        BatchOptions(**options)
    assert found.value.name == name


def test_digest_of_options_is_that_of_their_values():
    """Equal for equal options, another one for others, the same in each process."""
    one = BatchOptions(to=("html",), renderer_options={"html": {"previews": "hint"}})
    assert one.digest == pickle.loads(pickle.dumps(one)).digest  # noqa: S301  our own
    assert one.digest != BatchOptions(to=("html",)).digest


def test_a_table_passes_to_a_process_in_its_order():
    """Numbers name sources by position: the order of the records is what counts."""
    records = [{"id": "a", "set": "x"}, {"id": "b"}, {"id": "c", "set": "x"}]
    table = SourcesTable(records)
    copy = pickle.loads(pickle.dumps(table))  # noqa: S301  our own
    ids = [source.id for source in copy.for_row(None, BatchOptions())]
    assert (ids, copy.digest, len(copy)) == (["a", "b", "c"], table.digest, 3)


def test_an_id_of_two_sets_names_neither():
    """A wrong source would be worse than an error; by their sets both are found."""
    table = SourcesTable(
        [{"id": "a", "set": "x", "title": "X"}, {"id": "a", "set": "y", "title": "Y"}]
    )
    assert [source.title for source in table.named("y")] == ["Y"]
    with pytest.raises(RowSourcesError, match="several sets have 'a'"):
        table.for_row(["a"], BatchOptions())


def test_an_id_twice_in_a_set_is_refused():
    """As ``Sources`` does."""
    with pytest.raises(SourceError, match="is that of an earlier one"):
        SourcesTable([{"id": "a"}, {"id": "a", "title": "Other"}])


def test_digest_of_a_table_changes_with_it():
    """Rows are made again then."""
    digests = {SourcesTable([{"id": "a", "title": title}]).digest for title in ("A", "B")}
    assert len(digests) == 2
