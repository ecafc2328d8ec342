"""What was made of the texts used last is kept, within bounds."""

from __future__ import annotations

from citemark._recent import OVERHEAD, Recent


def test_texts_are_kept_by_their_length():
    """Not by their number; one that is longer than the bound is kept until the next."""
    recent = Recent(str.split, 2_000)
    short = recent.get("The quay is wet.")
    assert recent.get("The quay is wet.") is short
    long = recent.get("word " * 600)
    assert recent.get("word " * 600) is long
    assert recent.get("The quay is wet.") is not short
    for number in range(30):
        recent.get(f"{number} " + "quay. " * 40)
        assert recent.size() <= 2_000
    recent.clear()
    assert recent.size() == 0


def test_short_texts_are_bounded_too():
    """What is made of them takes room, however short they are."""
    recent = Recent(list, 10 * OVERHEAD)
    for number in range(100):
        recent.get(str(number))
    assert recent.size() <= 10 * OVERHEAD
    first = recent.get("99")
    assert recent.get("99") is first
