"""A row in, a row out: always."""

from __future__ import annotations

import json
import math
import pickle
import re
from datetime import UTC, datetime
from decimal import Decimal

import pytest
import strategies
from batch_kit import row
from hypothesis import example, given
from hypothesis import strategies as st

from citemark import Answer, Sources, render
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
from citemark.batch.history import rerender_row
from citemark.batch.rows import is_null, passed_names
from citemark.batch.sources import KEPT_BYTES
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
@example({"answer": "[1]\ud83d", "sources": [{"id": "a\udc00", "title": "A"}]})
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


def ids_of(made):
    """The ids in the HTML of a row."""
    return {*re.findall(r' id="([^"]+)"', made["rendered"]["html"])}


@pytest.mark.parametrize("options", [{}, {"html": {"id_prefix": "chat"}}])
def test_rows_on_one_page_have_no_id_in_common(options):
    """Though their answers are the same, or their ids; made again they have the same."""
    html = BatchOptions(to=("html",), renderer_options=options)
    given = [row(1), row(2), row(2, answer="No [1]."), row(None)]
    made = [annotate_row(one, html) for one in given]
    ids = [ids_of(one) for one in made]
    assert len(set.union(*ids)) == sum(map(len, ids)) > 0
    start = "chat-" if options else "cite-"
    assert all(one.startswith(start) for found in ids for one in found)
    for one in made:
        assert rerender_row(one, html)["rendered"] == one["rendered"]


def test_all_sources_are_shown_when_it_is_asked_for():
    """Those that are not cited are kept for that."""
    html = BatchOptions(to=("html",), renderer_options={"html": {"notes": "all"}})
    found = annotate_row(row(1, answer="Yes [1]."), html)
    assert "Questions" in found["rendered"]["html"]
    assert "Questions" not in str(annotate_row(row(1, answer="Yes [1]."))["cited"])


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
        ({"to": 5}, "to"),
        ({"to": (5,)}, "to"),
        ({"check": "no"}, "check"),
        ({"dialect": None}, "dialect"),
        ({"provider": 5}, "provider"),
        ({"lenient": 5}, "lenient"),
        ({"lenient": ["nope"]}, "lenient"),
        ({"renderer_options": 5}, "renderer_options"),
        ({"renderer_options": {"html": 5}}, "renderer_options"),
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


def test_rows_with_equal_records_share_their_sources():
    """They are made once, whatever table there is; what differs at all is another list."""
    table = SourcesTable()
    shared = table.for_row([{"id": "a", "page": 1}], BatchOptions())
    assert table.for_row([{"id": "a", "page": 1}], BatchOptions()) is shared
    others = (
        [{"page": 1, "id": "a"}],
        [{"id": "a", "page": True}],
        [{"id": "a", "page": "1"}],
        [{"id": "a", "page": Decimal(1)}],
    )
    for records in others:
        assert table.for_row(records, BatchOptions()) is not shared
    assert table.for_row([{"id": "a", "page": 1}], BatchOptions(lenient=True)) is not shared


def test_rows_without_a_table_of_records_keep_theirs(monkeypatch):
    """An empty table is one: it is not made anew with each row."""
    made = []
    monkeypatch.setattr(
        "citemark.batch.sources.Sources", lambda *given, **_: made.append(given) or Sources()
    )
    table = SourcesTable()
    for number in range(3):
        annotate_row(row(number) | {"sources": [{"id": "a"}]}, BatchOptions(), table)
    assert len(made) == 1


def test_what_is_kept_of_rows_is_bounded():
    """In bytes, whatever passages they have; and what is too large is not kept at all."""
    table = SourcesTable()
    for number in range(12):
        table.for_row(
            [{"id": str(number), "text": "x" * (KEPT_BYTES // 5)}], BatchOptions(label="id")
        )
    large = [{"id": "a", "text": "x" * KEPT_BYTES}]
    assert table.for_row(large, BatchOptions()) is not table.for_row(large, BatchOptions())
    assert 0 < table._ready.size <= KEPT_BYTES  # noqa: SLF001  nothing else tells


@pytest.mark.parametrize("sources", ["", " \n", b"", b"a"])
def test_sources_that_may_mean_anything_are_refused(sources):
    """They are not all of the table, nor numbers of it."""
    table = SourcesTable([{"id": "97"}])
    with pytest.raises(RowSourcesError):
        table.for_row(sources, BatchOptions(label="id"))


def test_a_row_can_name_lenient_steps():
    """As a list, which JSON has, over records of its own and over those of the table."""
    given = {"id": 1, "answer": "Ten days [doc:FAQ].", "options": {"lenient": ["case"]}}
    for sources in ([{"id": "faq"}], ["faq"]):
        found = annotate_row({**given, "sources": sources}, None, SourcesTable([{"id": "faq"}]))
        assert (found["error"], found["citations"][0]["id"]) == (None, "faq")
