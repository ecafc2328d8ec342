"""What a person may paste, and what they are told if it cannot be read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import texts

from citemark import cite
from citemark.demo._examples import example, examples
from citemark.demo._pasted import BadPasteError, Pasted
from citemark.demo._playback import MAX_PIECES, pieces

AMBIGUOUS = (
    "Sources: record 1: its id is the number '2' but not its position, so [2] could mean "
    'either; choose "only ids" if the prompt showed ids, "only numbers 1, 2, 3" if it showed '
    "1, 2, 3"
)
BROKEN = "Sources: line 1: is not JSON: Expecting ',' delimiter at column 4"
POLICY = {"id": "pol", "title": "Refund policy", "url": "https://example.org/r"}


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        ('[{"id": "pol", "title": "Refund policy"}]', [("pol", "Refund policy", None, "")]),
        ('{"id": "pol"}\n{"id": "faq"}', [("pol", "", None, ""), ("faq", "", None, "")]),
        ("id,title\npol,Refund policy\n", [("pol", "Refund policy", None, "")]),
        ("title; ID\r\nRefund policy; pol\r\n", [("pol", "Refund policy", None, "")]),
        ("\ufeff \n[\n[1]", None),
        (
            "Refund policy | https://example.org/r | Five | days\n\n FAQ \n",
            [
                ("1", "Refund policy", "https://example.org/r", "Five | days"),
                ("2", "FAQ", None, ""),
            ],
        ),
        (
            "[1] Refund policy\n2. https://example.org/faq\n2) Ids, ids",
            [
                ("1", "Refund policy", None, ""),
                ("2", "", "https://example.org/faq", ""),
                ("3", "2) Ids, ids", None, ""),
            ],
        ),
        ("", []),
    ],
)  # fmt: skip
def test_sources_are_read(sources, expected):
    """JSON, JSON Lines, CSV, or one source a line with its parts between bars."""
    pasted = Pasted("Five.", sources)
    if expected is None:
        with pytest.raises(BadPasteError) as error:
            pasted.cited()
        assert error.value.field == "sources"
        return
    known = pasted.known()
    assert [(one.id, one.title, one.url, one.text) for one in known] == expected


@pytest.mark.parametrize(
    ("pasted", "field", "reason"),
    [
        (Pasted(" \n"), "answer", "Paste an answer first: the text that a model wrote."),
        (
            Pasted("A", '[{"title": "x"}]'),
            "sources",
            'Sources: record 1: it has no id; give each record an "id" of its own',
        ),
        (
            Pasted("A", '[{"id": "2"}, {"id": "1"}]'),
            "sources",
            AMBIGUOUS,
        ),
        (Pasted("A", "[{}"), "sources", BROKEN),
    ],
)
def test_what_is_wrong_is_said(pasted, field, reason):
    """With the field, and what to do about it."""
    with pytest.raises(BadPasteError) as error:
        pasted.cited()
    assert (error.value.field, str(error.value)) == (field, reason)


def test_label_says_what_a_number_means():
    """Ids that are numbers need it."""
    records = '[{"id": "2", "title": "two"}, {"id": "1", "title": "one"}]'
    for label, title in (("id", "one"), ("number", "two")):
        answer = Pasted("A [1].", records, label=label).cited()
        assert [source.title for source in answer.sources] == [title]


def test_policy_says_what_becomes_of_unknown_keys():
    """One that is not offered is as none."""
    text = "A [doc:x]."
    for policy in ("keep", "drop", "mark"):
        expected = cite(text, [POLICY], unresolved=policy)
        assert Pasted(text, "Refund policy", policy).cited().segments == expected.segments
    assert Pasted(text, "", "raise").cited() == Pasted(text).cited() == cite(text, [])


@given(texts(), texts())
def test_nothing_that_is_pasted_raises(answer, sources):
    """It is an answer, or it is said what is wrong."""
    refused = None
    try:
        cited = Pasted(answer, sources).cited()
    except BadPasteError as error:
        refused = error
    assert refused.field in {"answer", "sources"} if refused else cited.text == answer


@pytest.mark.parametrize("name", examples())
def test_examples_play(name):
    """Each makes the answer that it makes as a stream."""
    pasted = example(name)
    stream = pasted.stream()
    for piece in pieces(pasted.answer):
        stream.feed(piece)
    stream.close()
    assert stream.answer == pasted.cited()
    assert stream.answer.sources
    assert pasted.title


@given(st.text())
def test_pieces_are_the_text(text):
    """Nothing is lost."""
    assert "".join(pieces(text)) == text


def test_long_answer_comes_in_longer_pieces():
    """Nobody waits for an hour."""
    text = "words " * 50_000
    made = pieces(text)
    assert "".join(made) == text
    assert len(made) <= MAX_PIECES
