"""A filter that takes rows, and runs nothing."""

from __future__ import annotations

import pytest

from citemark.batch import BatchOptionError
from citemark.batch._record import RecordError
from citemark.batch.where import missed_columns, read_where

ROW = {
    "text": ' {"lang": "de", "in": "{\\"x\\": 1}", "a.b": 2}',
    "list": '[{"x": 1}]',
    "broken": '{"x": 1',
    "deep": '{"x":' * 100_000,
    "lang": "de",
    "n": 7,
    "meta": {"team": "Über uns", "a.b": 1},
    "a.b": "x=y",
    "no": None,
}


@pytest.mark.parametrize(
    ("text", "is_taken"),
    [
        ("lang=de", True),
        ("lang = de", True),
        ("lang=fr", False),
        ("lang!=fr", True),
        ("n=7", True),
        ("n!=7", False),
        ("meta.team~über", True),
        ("meta.team!~über", False),
        ("a.b=x=y", True),
        ("no=", True),
        ("missing=", True),
        ("missing!=", False),
        ("lang.x=", True),
        ("meta~team", True),
        ("text.lang=de", True),
        ("text.lang=fr", False),
        ("text.in.x=1", True),
        ("text.a.b=2", True),
        ("text~lang", True),
        ("text.none=", True),
        ("list.x=", True),
        ("broken.x=", True),
        ("deep.x=", True),
    ],
)
def test_conditions(text, is_taken):
    """Equal, not equal, in it, not in it; by path, into JSON text too; empty is null."""
    assert read_where(text).takes(ROW) is is_taken


@pytest.mark.parametrize("text", ["", "lang", "=x", "~", "__import__('os')"])
def test_what_is_no_condition_is_refused(text):
    """With the forms there are."""
    with pytest.raises(BatchOptionError, match="column=value"):
        read_where(text)


@pytest.mark.parametrize(
    ("text", "missed"),
    [
        ("lang=fr", {}),
        ("no=x", {}),  # null is there
        ("meta.team=x", {}),
        ("text.in.x=7", {}),
        ("second=", {}),
        ("dialect=x", {}),  # which a row may leave out
        ("alng!=x", {"alng": "lang"}),
        ("meta.taem=x", {"meta.taem": "meta.team"}),
        ("text.lnag~x", {"text.lnag": "text.lang"}),
        ("lang.x=", {"lang.x": ""}),
        ("zzz=", {"zzz": ""}),
        ("z" * 10_000 + "=", {"z" * 10_000: ""}),
    ],
)
def test_columns_that_no_row_has(text, missed):
    """With a like one; what is no row has none."""
    rows = [RecordError("is not JSON"), ROW, {"second": None, "z" * 9_999: 1}]
    assert missed_columns([read_where(text)], rows) == missed


def test_no_more_rows_are_read_than_it_takes():
    """One, as a rule."""
    rows = iter([ROW, ROW])
    assert missed_columns([read_where("lang=x"), read_where("n=7")], rows) == {}
    assert missed_columns([read_where("id=7")], rows) == {}
    assert [*rows] == [ROW]
