"""What was pasted is kept for a while, and not without limit."""

from __future__ import annotations

from citemark.demo._pasted import Pasted
from citemark.demo._store import Store


def test_answers_are_found_by_names_of_their_own():
    """The same answer twice has two names, long enough that nobody guesses one."""
    store = Store()
    first, second = (store.put(Pasted("A")) for _ in range(2))
    assert first != second
    assert len(first) >= 22  # 128 bits
    assert store.get(first) == store.get(second) == Pasted("A")
    assert store.get("other") is None


def test_oldest_goes_when_the_store_is_full():
    """The newest are kept."""
    store = Store(max_answers=2)
    names = [store.put(Pasted(text)) for text in "ABC"]
    assert [store.get(name) for name in names] == [None, Pasted("B"), Pasted("C")]


def test_answers_are_forgotten_after_a_time():
    """Whether others come or not."""
    now = [0.0]
    store = Store(max_seconds=10, clock=lambda: now[0])
    first = store.put(Pasted("A"))
    now[0] = 5
    second = store.put(Pasted("B"))
    now[0] = 9.9
    assert store.get(first) == Pasted("A")
    now[0] = 10
    assert (store.get(first), store.get(second)) == (None, Pasted("B"))
