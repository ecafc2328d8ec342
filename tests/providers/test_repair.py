"""A span that is told wrongly is found by what is known of it, or has no place."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from citemark.providers._offsets import UNITS, Offsets
from citemark.providers._repair import ISSUES, Span, locate, plausible_unit
from citemark.providers._words import MAX_PLACES, MAX_SEARCHED, NEAR, Words

PIECES = (
    "a",
    "word ",
    ". ",
    "\n",
    "é",
    "e\u0301",
    "橋",
    "九つ",
    "🌉",
    "\ud83d",
    "\ude00",
    "**",
)
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=12).map("".join)
units = st.sampled_from(UNITS)
ints = st.none() | st.integers(-50, 50) | st.integers(-(10**30), 10**30)


@st.composite
def planted(draw):
    """A text with words that stand in it once, and their place."""
    before, after = draw(texts), draw(texts)
    words = draw(st.sampled_from(["Nine arches 🌉.", "九つのアーチ", "x12", "Ω🌉Ω"]))
    text = before + words + after
    assume(text.count(words) == 1)
    return text, len(before), len(before) + len(words)


@given(planted(), units, units, st.booleans(), st.booleans(), st.integers(-8, 8))
@example(("🌉 Nine arches 🌉.", 2, 16), "byte", "utf16", True, False, 2)  # noqa: FBT003  as drawn
def test_words_that_stand_once_are_found_however_they_are_told(  # noqa: PLR0913, PLR0917  each is one distortion
    case, declared, counted, says_inclusive, is_inclusive, shift
):
    """Another unit, another kind of end, a shift of some code points: all at once."""
    text, start, end = case
    offsets = Offsets(text)
    told = [offsets.from_code_points(at + shift, counted) for at in (start, end)]
    span = locate(
        offsets,
        told[0],
        told[1] - is_inclusive,
        unit=declared,
        inclusive=says_inclusive,
        expected=text[start:end],
    )
    assert span is not None
    # White space around the words is no reason to look for them elsewhere.
    assert text[span.start : span.end].strip() == text[start:end]
    if (declared, says_inclusive, shift) == (counted, is_inclusive, 0):
        assert not span.step


@given(planted(), units, units, st.integers(-8, 8), st.booleans())
def test_the_only_place_that_a_span_may_be_is_found(case, declared, counted, shift, is_late):
    """As words are: a link with the address that the provider names."""
    text, start, end = case
    offsets = Offsets(text)
    told = [offsets.from_code_points(at + shift, counted) for at in (start, end - is_late)]
    assume(told[0] != told[1])
    span = locate(offsets, *told, unit=declared, expected=[(start, end)])
    assert span is not None
    assert span[:2] == (start, end)


@given(texts, ints, ints, units, st.booleans(), st.none() | texts | st.just([(0, 1), (4, 9)]))
def test_nothing_that_a_provider_tells_raises(text, start, end, unit, inclusive, expected):  # noqa: PLR0913, PLR0917  all that can be told
    """Whatever the numbers are, a span is a piece of the text, or there is none."""
    if isinstance(expected, list):
        expected = [place for place in expected if place[1] <= len(text)]
    span = locate(Offsets(text), start, end, unit=unit, inclusive=inclusive, expected=expected)
    if span is not None:
        assert 0 <= span.start < span.end <= len(text)
        assert not span.step or ISSUES[span.step]
    if span is not None and expected and isinstance(expected, list):
        assert span[:2] in expected


TEXT = (
    "Brücke: 9 arches, 9 trams 🚋. See ([a](https://a.example)) and ([b](https://b.example))."
)
A, B = (33, 57), (62, 86)


@pytest.mark.parametrize(
    ("start", "end", "options", "expected"),
    [
        # What the provider says is right.
        (8, 16, {"expected": "9 arches"}, Span(8, 16, "")),
        (9, 17, {"unit": "byte", "expected": "9 arches"}, Span(8, 16, "")),
        (8, 15, {"inclusive": True, "expected": "9 arches"}, Span(8, 16, "")),
        (None, 6, {"expected": "Brücke"}, Span(0, 6, "")),
        (8, 17, {"expected": "9 arches,"}, Span(8, 17, "")),
        (6, 17, {"expected": ":  9 arches,\n"}, Span(6, 17, "")),
        (32, 57, {"expected": [(32, 57), A, B]}, Span(32, 57, "")),
        # It counts something else.
        (9, 17, {"expected": "9 arches"}, Span(8, 16, "unit_bytes")),
        (8, 16, {"unit": "byte", "expected": "9 arches"}, Span(8, 16, "unit_code_points")),
        (30, 33, {"expected": "See"}, Span(29, 32, "unit_utf16")),
        (34, 58, {"expected": [A, B]}, Span(33, 57, "unit_utf16")),
        # Its end is of the other kind.
        (8, 16, {"inclusive": True, "expected": "9 arches"}, Span(8, 16, "requoted")),
        (33, 56, {"expected": [A, B]}, Span(33, 57, "inclusive")),
        # It is a little off: of two places as near, the one before.
        (13, 14, {"expected": "9"}, Span(8, 9, "requoted")),
        (60, 84, {"expected": [A, B]}, Span(62, 86, "shifted")),
        # Only one place is possible; or several are, and the nearest is taken.
        (70, 90, {"expected": "9 trams"}, Span(18, 25, "requoted")),
        (40, 41, {"expected": "9"}, Span(18, 19, "nearest")),
        (500, 600, {"expected": " 9 trams "}, Span(17, 26, "requoted")),
        (500, 600, {"expected": "\n9 trams\n"}, Span(18, 25, "requoted")),
        (5, 7, {"expected": [B]}, Span(62, 86, "requoted")),
        (500, 600, {"expected": [A, B]}, Span(62, 86, "nearest")),
        # No place is told: words that stand once are found, others are not.
        (0, 0, {"expected": "9 trams"}, Span(18, 25, "requoted")),
        (0, 0, {"expected": "9"}, None),
        (12, 12, {"expected": "9"}, Span(8, 9, "nearest")),
        (None, None, {"expected": "9 trams"}, Span(18, 25, "requoted")),
        (None, None, {"expected": [A]}, None),
        (0, 0, {"expected": [A]}, None),
        (3, None, {}, None),
        # Nothing of it is in the text.
        (0, 9, {"expected": "ten arches"}, None),
        (0, 9, {"expected": "ten arches" * 30}, None),
        (0, 9, {"expected": []}, None),
        # There is nothing to verify it by.
        (8, 16, {}, Span(8, 16, "")),
        (8, 16, {"expected": ""}, Span(8, 16, "")),
        (8, 15, {"inclusive": True}, Span(8, 16, "")),
        (8, 8, {"inclusive": True}, Span(8, 9, "")),
        (80, 99, {}, Span(80, 87, "clamped")),
        (-5, 6, {}, Span(0, 6, "clamped")),
        (3, 7, {"unit": "byte"}, Span(2, 6, "shifted")),
        (88, 99, {}, None),
        (6, 3, {}, None),
        (5, 5, {}, None),
        (-9, -2, {}, None),
    ],
)
def test_ladder(start, end, options, expected):
    """What is told is tried first, then what providers are known to get wrong."""
    assert locate(Offsets(TEXT), start, end, **options) == expected


def test_each_step_has_an_issue():
    """With the codes that tell a reader of logs what went wrong."""
    assert {step: code for step, (code, _) in ISSUES.items()} == {
        "unit_code_points": "offset_unit",
        "unit_bytes": "offset_unit",
        "unit_utf16": "offset_unit",
        "inclusive": "span_shifted",
        "shifted": "span_shifted",
        "requoted": "span_shifted",
        "nearest": "span_shifted",
        "clamped": "span_out_of_range",
    }


BYTES = "橋は九つ 🌉。 Rebuilt 1977."


@pytest.mark.parametrize(
    ("spans", "unit", "expected"),
    [
        ([(0, 20), (21, 34)], "code point", "byte"),  # they end with sentences, as bytes
        ([(0, 20), (21, 33)], "code point", "code point"),  # one ends within a word
        ([(0, 19), (21, 34)], "code point", "code point"),  # one ends within a character
        ([(0, 8), (9, 22)], "code point", "utf16"),
        ([(0, 7), (8, 21)], "code point", "code point"),
        ([(0, 90)], "byte", "byte"),
        ([(0, 0), (21, 34)], "code point", "byte"),
        ([], "utf16", "utf16"),
    ],
)
def test_the_unit_of_spans_that_nothing_verifies(spans, unit, expected):
    """A gateway that hands on bytes is found out, if all spans then end where words do."""
    assert plausible_unit(Offsets(BYTES), spans, unit=unit) == expected


def test_of_many_places_the_nearest_one_is_found():
    """Also where there are more than are kept."""
    text = "a b " * 1_000
    assert text.count("a") > MAX_PLACES
    assert Words(text).nearest("a", 2_001) == (2_000, False)
    assert Words(text).nearest("a", 10**30) == (3_996, False)
    assert Words(text).nearest("a", -1) == (0, False)


def test_of_many_places_far_away_one_is_found():
    """There is none near the place that is told."""
    text = "a " * 200 + "b" * 3 * NEAR
    assert Words(text).nearest("a", 2 * NEAR) == (2 * MAX_PLACES, False)


def test_searching_has_an_end():
    """Past the limit only what is near to a place is found, and nothing is forgotten."""
    words = Words("x" * 5_000 + "near" + "x" * 5_000 + "far")
    assert words.nearest("far", 0) == (10_004, True)
    for number in range(MAX_SEARCHED // 10_000):
        words.nearest(str(number), 0)
    assert words.nearest("near", 5_010) == (5_000, False)
    assert words.nearest("near", 100) is None
    assert words.nearest("near", None) is None
    assert words.nearest("far", 0) == (10_004, True)


@pytest.mark.parametrize("shift", [0, 1, 2, 3])
def test_an_offset_amid_a_character_is_told(shift):
    """Even if what it selects differs from its words by white space alone."""
    text = "\U0001f6a2words\n\nMore."
    span = locate(Offsets(text), 4 - shift, 9 + shift, unit="byte", expected="words")
    assert text[span.start : span.end].strip() == "words" or shift == 0
    assert bool(span.step) == (shift > 0)
    assert text[span.start : span.end] == "words"
