"""A filter that takes rows, and runs nothing."""

from __future__ import annotations

import pytest

from citemark.batch import BatchOptionError
from citemark.batch.where import read_where

ROW = {"lang": "de", "n": 7, "meta": {"team": "Über uns", "a.b": 1}, "a.b": "x=y", "no": None}


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
    ],
)
def test_conditions(text, is_taken):
    """Equal, not equal, in it, not in it; by path; an empty value is null."""
    assert read_where(text).takes(ROW) is is_taken


@pytest.mark.parametrize("text", ["", "lang", "=x", "~", "__import__('os')"])
def test_what_is_no_condition_is_refused(text):
    """With the forms there are."""
    with pytest.raises(BatchOptionError, match="column=value"):
        read_where(text)
