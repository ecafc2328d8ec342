"""Counts in bounded memory: exact while things are few, and never too high."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from citemark.checks.reports._frequent import Frequent

KEYS = st.lists(st.tuples(st.integers(0, 12), st.integers(1, 5)), max_size=80)


def counted(items, kept):
    found = Frequent(kept)
    for key, number in items:
        found.add(key, number)
    return found


def true_counts(items):
    counts = Counter()
    for key, number in items:
        counts[key] += number
    return counts


def require_good(found, counts, kept):
    """No count is too high, or lower than is told; and that is bounded."""
    known = dict(found.most_common(1_000))
    assert len(known) <= 2 * kept
    assert found.total == counts.total()
    assert found.too_low * (kept + 1) <= found.total
    for key, count in counts.items():
        assert count - found.too_low <= known.get(key, 0) <= count


@given(KEYS, st.integers(1, 6))
def test_counts_are_as_good_as_they_say(items, kept):
    """Of any keys in any order."""
    require_good(counted(items, kept), true_counts(items), kept)


@given(KEYS, KEYS, st.integers(1, 6))
def test_merged_counts_are_as_good_as_they_say(items, others, kept):
    """Whoever counted what."""
    found = counted(items, kept)
    found.merge(counted(others, kept))
    require_good(found, true_counts(items) + true_counts(others), kept)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 5))))
def test_few_keys_are_counted_exactly(items):
    """And it says so; the order is that of the counts, then of their coming."""
    found = counted(items, 3)
    counts = true_counts(items)
    assert found.is_exact
    assert found.most_common(10) == counts.most_common()


def test_what_is_frequent_stays():
    """Among many things that come once, whenever they come."""
    found = Frequent(10)
    for number in range(10_000):
        found.add(number)
        if number % 5 == 0:
            found.add("often")
    [(key, count)] = found.most_common(1)
    assert key == "often"
    assert 2_000 - found.too_low <= count <= 2_000
    assert not found.is_exact
