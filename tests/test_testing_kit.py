"""The kit for authors finds the faults it is there to find."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from citemark import CitemarkError, testing
from citemark.errors import FormatError
from citemark.formats import DEFAULT, Format
from citemark.renderers import get_renderer, renderer_names
from citemark.testing import SAMPLE_ANSWERS, CheckFailedError, check_format, check_renderer

PAPER = Format(
    name="paper",
    opening="(",
    pattern=r"pqac- (?P<key> [0-9a-f]{1,16}+ ) \)",
    example="(pqac-a020507f)",
)


class Fake:
    """A renderer that does what it is told."""

    name = "fake"

    def __init__(self, function):
        self.render = function


def test_samples():
    """The samples hold text without citations, missing keys, code, and hostile content."""
    texts = [answer.text for answer in SAMPLE_ANSWERS]

    assert len(SAMPLE_ANSWERS) >= 10
    assert "" in texts
    assert any(answer.unresolved for answer in SAMPLE_ANSWERS)
    assert any("\ud83d" in text for text in texts)
    assert any(testing.PRIVATE in str(a.to_dict()["sources"]) for a in SAMPLE_ANSWERS)


@pytest.mark.parametrize("name", renderer_names())
def test_our_renderers_pass(name):
    """Every renderer of citemark passes."""
    check_renderer(get_renderer(name)())


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (lambda answer: answer.text, "UnicodeEncodeError"),
        (lambda answer: answer.text.encode("ascii", "replace"), "returns bytes"),
        (lambda answer: str(answer.segments[0]), "IndexError"),
        (lambda _: str(random.random()), "twice"),  # noqa: S311  any number will do
        (lambda answer: str(id(answer)), "stored"),
        (lambda answer: ascii(answer.sources), "metadata"),
    ],
)
def test_faulty_renderers_fail(function, reason):
    """A renderer that raises, is not deterministic, or tells too much does not pass."""
    with pytest.raises(CheckFailedError, match=f"(?s)fake: .*{reason}"):
        check_renderer(Fake(function))


def test_a_renderer_has_a_name():
    """A renderer without name does not pass; the error is also an assertion."""
    with pytest.raises(CheckFailedError, match="its name is None") as caught:
        check_renderer(object())
    assert isinstance(caught.value, CitemarkError)
    assert isinstance(caught.value, AssertionError)


def test_a_good_format_passes():
    """A format that does what it says passes."""
    check_format(PAPER, examples=["(pqac-0)"], not_examples=["(pqac-)", "pqac-0", ""])


@pytest.mark.parametrize("name", ["number", "link"])
def test_our_formats_pass(name):
    """So do the formats of citemark, candidates with keys that are known."""
    format_ = next(row for row in DEFAULT if row.name == name)

    check_format(format_, known=["1", "https://example.org/a"])


@pytest.mark.parametrize(
    ("format_", "options", "reason"),
    [
        (PAPER, {"examples": ["(pqac-xyz)"]}, "finds [] in '(pqac-xyz)'"),
        (PAPER, {"examples": ["(pqac-1)(pqac-2)"]}, "finds ['(pqac-1)', '(pqac-2)'] in"),
        (PAPER, {"not_examples": ["so (pqac-1)"]}, "finds '(pqac-1)' in 'so (pqac-1)'"),
    ],
)
def test_faulty_formats_fail(format_, options, reason):
    """A format that finds too little or too much does not pass."""
    with pytest.raises(CheckFailedError, match=re.escape(f"paper: {reason}")):
        check_format(format_, **options)


def test_a_format_that_does_not_compile():
    """What cannot be compiled raises the error that it raises when used."""
    with pytest.raises(FormatError):
        check_format(replace(PAPER, pattern="(?P<key>"))


def test_lost_text_fails(monkeypatch):
    """Text that the scanner loses is noticed."""
    monkeypatch.setattr(testing, "_scanned", lambda *_: ["x"])

    with pytest.raises(CheckFailedError, match="loses text"):
        check_format(PAPER)


def test_chunks_that_matter_fail(monkeypatch):
    """A result that depends on how a stream is cut is noticed."""
    monkeypatch.setattr(testing, "_scanned", lambda _, chunks, __: list(chunks))

    with pytest.raises(CheckFailedError, match="depends on chunks"):
        check_format(PAPER)


def test_growth_is_judged_by_time(monkeypatch):
    """Time that grows faster than the text fails; a slow but linear format does not."""
    monkeypatch.setattr(testing, "_seconds", lambda _, text, __: (len(text) / 10_000) ** 2)
    with pytest.raises(CheckFailedError, match="times as long"):
        check_format(PAPER)

    monkeypatch.setattr(testing, "_seconds", lambda _, text, __: len(text) / 1_000)
    check_format(PAPER)
