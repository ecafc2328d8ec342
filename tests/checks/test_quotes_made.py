"""Quotes made by machine in twelve languages: what may be printed otherwise passes, no more."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
import quote_kit as kit
from hypothesis import given
from hypothesis import strategies as st

from citemark._quotes import Folded, Passage, core_of, find_quote
from citemark.checks.quotes import verify_quote

SEED, ROUNDS = 7, 6

RATES = kit.rates(SEED, ROUNDS)


@pytest.mark.parametrize("change", sorted(RATES))
def test_rate(change):
    """Every form of print passes with its place, nearly every slip, no change of meaning."""
    right, total = RATES[change]
    least = 0.98 if change.startswith("slip") else 1
    assert right / total >= least


@given(st.sampled_from(sorted(kit.PASSAGES)), st.randoms(use_true_random=False), st.data())
def test_slice_stands_where_it_stands(lang, chance, data):
    """Any run of words, printed in several ways at once, is verified with its exact place."""
    passage = kit.PASSAGES[lang]
    start, end = kit.core(passage, *kit.slices(lang, passage, chance))
    names = data.draw(st.lists(st.sampled_from(["capitals", "NFD", "straight", "no-break"])))
    quote = passage[start:end]
    for name in names:
        quote = kit.PRINTED[name](quote)
    check = verify_quote(quote, passage)
    assert check.verdict == "verified"
    assert [kit.core(passage, *span) for span in check.spans] == [(start, end)]


@given(st.sampled_from(sorted(kit.PASSAGES)), st.randoms(use_true_random=False), st.data())
def test_change_of_meaning_never_passes(lang, chance, data):
    """A digit, negation or the order of words changed is never verified, nor a slip."""
    passage = kit.PASSAGES[lang]
    start, end = kit.slices(lang, passage, chance)
    change = data.draw(st.sampled_from(sorted(kit.SAID)))
    quote = kit.SAID[change](passage[start:end], chance, lang)
    if kit.same_words(quote, passage[start:end]) or kit.holds(passage, quote):
        return
    assert verify_quote(quote, passage).verdict not in {"verified", "fuzzy"}


PIECES = (
    *("twelve", "12", "500", "men", "came", "hundred", "and", "un", "able", "%", "€", "二"),
    *(" ", "\u00a0", "-", "\n", "-\n", ",", ".", ":", "'", "(", "±", "\u00ad", "\n> ", "[3]"),
)  # fmt: skip
EDGES = st.lists(st.sampled_from(PIECES), min_size=3, max_size=12).map("".join)


@given(EDGES, st.data())
def test_letter_by_letter_is_no_other_rule(passage, data):
    """What is found as it is written is whole by the same rule as what is printed otherwise."""
    start = data.draw(st.integers(0, len(passage) - 1))
    quote = Folded(passage[start : data.draw(st.integers(start + 1, len(passage)))])
    words = core_of(quote.words)
    if not (words[:1].isalnum() and words[-1:].isalnum()):
        return
    kept = Passage(passage)
    plain, folded = find_quote(quote, kept), find_quote(quote, kept, near=start)
    assert bool(plain and plain.spans) == bool(folded and folded.spans)


ODD = st.text(
    st.sampled_from(
        "aB9é\u0301\u200b\u00ad-—–\n\r\t \u00a0*_`\"'“”«».…[]()ﬁßİ①²½"
        "港口ｱﾞ\ud800क़ไ\0\x01\x02,:;!?%£"
    )
)


@given(ODD)
def test_folded_words_have_a_place(text):
    """Each folded character is from a range of the text, and the ranges do not go back."""
    for folded in (Folded(text), Folded(text, without_markers=True)):
        spans = [folded.span(at, at + 1) for at in range(len(folded.words))]
        assert all(0 <= start < end <= len(text) for start, end in spans)
        assert all(a <= b for a, b in pairwise(spans))


@given(ODD)
def test_folding_again_and_again_ends(text):
    """What is left out lets others meet, as emphasis and a colon, and these may change."""
    words, before = Folded(text).words, ""
    for _ in range(len(text) + 2):
        words, before = Folded(words).words, words
    assert words == before


@given(ODD, ODD)
def test_nothing_raises(quote, passage):
    """Whatever is quoted, of whatever passage, gets a verdict, and a place in the passage."""
    check = verify_quote(quote, passage + quote)
    assert all(0 <= start < end <= len(passage + quote) for start, end in check.spans)


@given(st.text(st.sampled_from("ab .…[]-*\"'\n"), max_size=30))
def test_verified_words_are_there(quote):
    """All letters of a verified quote without brackets stand in its place, in order."""
    passage = "ab ba aab - abba “ab”. a*b* bb aa-\nbb a … ab, ba [ab] bab."
    check = verify_quote(f"ab ba aab {quote}", passage)
    if check.verdict == "verified" and "[" not in quote:
        found = "".join(passage[start:end] for start, end in check.spans)
        assert re.sub(r"[^ab]", "", f"ab ba aab {quote}") == re.sub(r"[^ab]", "", found)
