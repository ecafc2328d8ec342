"""Offsets in every unit that providers count in become code points, and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citemark._chunks import with_whole_characters
from citemark.providers._offsets import UNITS, Converted, Offsets

PIECES = (
    "a", "word ", ". ", "\n", "\r\n", "é", "e\u0301", "橋", "は九つ", "สวัสดี", "한국", "🌉",
    "👩\u200d🔧", "🇫🇷🇩🇪", "\u2028", "\x00", "\ud83d", "\ude00", "\U0010ffff", "\uffff",
    "**", "[1]",
)  # fmt: skip
texts = (
    st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=12)
    .map("".join)
    .map(with_whole_characters)
)
units = st.sampled_from(UNITS)


def size(text, unit):
    """Units of a text, reckoned by the encoders of Python."""
    if unit == "byte":
        return len(text.encode("utf-8", "surrogatepass"))
    if unit == "utf16":
        return sum(len(one.encode("utf-16-le", "surrogatepass")) // 2 for one in text)
    return len(text)


@given(texts, units)
def test_every_position_survives_the_way_out_and_in(text, unit):
    """What Python's own encoders count is what goes out, and it comes back exactly."""
    offsets = Offsets(text)
    for position in range(len(text) + 1):
        told = offsets.from_code_points(position, unit)
        assert told == size(text[:position], unit)
        assert offsets.to_code_points(told, told, unit) == (position, position, True)


@given(texts, units, st.integers(0, 40), st.integers(0, 40))
def test_an_offset_inside_of_a_code_point_moves_outward(text, unit, start, end):
    """The span is the least one in whole code points that holds all of what was told."""
    total = size(text, unit)
    start, end = min(start, total), min(end, total)
    found = Offsets(text).to_code_points(start, end, unit)
    edges = [size(text[:position], unit) for position in range(len(text) + 1)]
    assert edges[found.start] == max(edge for edge in edges if edge <= start)
    assert edges[found.end] == min(edge for edge in edges if edge >= end)
    assert found.is_exact == (start in edges and end in edges)


@given(texts, units, st.integers(0, 10**30))
def test_what_is_outside_of_the_text_stays_as_far_outside(text, unit, rest):
    """Repair has to see that it is; nothing is cut off here, and nothing raises."""
    offsets, total = Offsets(text), size(text, unit)
    past = len(text) + rest
    assert offsets.to_code_points(-rest, total + rest, unit) == (-rest or 0, past, True)
    assert offsets.from_code_points(past, unit) == total + rest
    assert offsets.from_code_points(-rest, unit) == -rest


@pytest.mark.parametrize(
    ("text", "unit", "told", "expected"),
    [
        ("naïve", "byte", (0, 3), Converted(0, 3, is_exact=False)),
        ("naïve", "byte", (3, 4), Converted(2, 3, is_exact=False)),
        ("naïve", "byte", (4, 6), Converted(3, 5, is_exact=True)),
        ("🌉 n", "utf16", (1, 3), Converted(0, 2, is_exact=False)),
        ("🌉 n", "utf16", (3, 4), Converted(2, 3, is_exact=True)),
        ("\ud83dx", "byte", (3, 4), Converted(1, 2, is_exact=True)),
        ("\ud83dx", "utf16", (1, 2), Converted(1, 2, is_exact=True)),
        ("\ud83d\ude00x", "utf16", (2, 3), Converted(1, 2, is_exact=True)),
        ("\ud83d\ude00x", "byte", (4, 5), Converted(1, 2, is_exact=True)),
        ("\ud83d\ude00x", "code point", (1, 2), Converted(1, 2, is_exact=True)),
        ("", "byte", (0, 5), Converted(0, 5, is_exact=True)),
        ("plain", "byte", (3, 99), Converted(3, 99, is_exact=True)),
    ],
)
def test_spans(text, unit, told, expected):
    """Two, three and four bytes, a surrogate pair, a lone half, and texts of none."""
    assert Offsets(text).to_code_points(*told, unit) == expected
