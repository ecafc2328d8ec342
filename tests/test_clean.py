"""Text that any output may hold."""

from __future__ import annotations

import pytest
from growth_kit import assert_linear
from hypothesis import given
from hypothesis import strategies as st

from citemark.renderers._clean import (
    balance_bidi,
    clean,
    without_hidden_starts,
    without_invisible,
)

CLEANED = {
    "plain\ttext\n": "plain\ttext\n",
    "two\r\nlines\rmore": "two\nlines\nmore",
    "a\x00b": "a�b",
    "a\x1b[31mred": "a�[31mred",
    "a\x0cb\x0bc\x85d\x1ce": "a b c d e",
    "lone \ud83d half": "lone � half",
    "\ufdd0\uffff\U0010ffff": "���",
    "seen\U000e0041\U000e007f": "seen",
    "é 漢 😀 \u200d": "é 漢 😀 \u200d",
    "": "",
}

BALANCED = {
    "none": "none",
    "a \u202eb": "a \u202eb\u202c",
    "a \u202eb\nc": "a \u202eb\u202c\nc",
    "b\u202c c\u2069": "b c",
    "\u2067x\u2069": "\u2067x\u2069",
    "\u2067\u202ax": "\u2067\u202ax\u202c\u2069",
    "\u202a\u2067x\u202c": "\u202a\u2067x\u2069\u202c",
    "\u2067\u202ax\u2069y": "\u2067\u202ax\u2069y",
}

VISIBLE = {
    "soft\u00adhyphen": "softhyphen",
    "zero\u200bwidth\ufeff": "zerowidth",
    "1\u200c": "1",
    "می\u200cخواهم": "می\u200cخواهم",
    "क्\u200dष": "क्\u200dष",
    "👩\u200d💻": "👩\u200d💻",
    "↩\ufe0e": "↩\ufe0e",
    "a\u202eb\u2066c": "abc",
}


def test_balance_bidi_takes_linear_time():
    """A line that opens much and closes nothing of it is read once, not once a character."""

    def balance(size):
        text = "\u202a" * size + "\u2069" * size
        assert balance_bidi(text) == "\u202a" * size + "\u202c" * size

    assert_linear(lambda: balance(10_000), lambda: balance(100_000))


def test_without_hidden_starts():
    """What some libraries skip or take for a line end hides no start of a line."""
    assert without_hidden_starts("\ufeff# a\u2028b\u2029c\n\ufeffd") == "# a b c\nd"


odd_text = st.text(
    st.sampled_from("ab \n\r\t\x00\x0c\x1b\x85\x9f\ud800\udc00\uffff\U000e0061")
    | st.sampled_from("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b")
    | st.characters(),
    max_size=40,
)


@pytest.mark.parametrize(("text", "expected"), CLEANED.items())
def test_clean(text, expected):
    """Controls become blanks or U+FFFD, line ends line feeds; the rest stays as it is."""
    assert clean(text) == expected


@pytest.mark.parametrize(("text", "expected"), BALANCED.items())
def test_balance_bidi(text, expected):
    """What a line opens it closes, innermost first, and it closes nothing else."""
    assert balance_bidi(text) == expected


@pytest.mark.parametrize(("text", "expected"), VISIBLE.items())
def test_without_invisible(text, expected):
    """What is not seen goes, but for joiners that shape letters or join emoji."""
    assert without_invisible(text) == expected


@given(odd_text)
def test_clean_text_can_be_written(text):
    """Clean text is UTF-8, has no controls but tab and line feed, and stays as it is."""
    cleaned = clean(text)
    assert cleaned.encode().decode() == cleaned
    assert not [c for c in cleaned if c not in "\n\t" and (c < " " or "\x7f" <= c <= "\x9f")]
    assert clean(cleaned) == cleaned


@given(odd_text)
def test_balanced_text_stays(text):
    """Balancing adds and removes direction controls alone, and is done once."""
    balanced = balance_bidi(text)
    controls = dict.fromkeys(map(ord, "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"))
    assert balanced.translate(controls) == text.translate(controls)
    assert balance_bidi(balanced) == balanced
