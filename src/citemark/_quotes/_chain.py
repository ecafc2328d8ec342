"""The parts of a quote in the order of the passage, near each other, nothing denied between."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark._lazy import lazy_re
from citemark._quotes._negation import negation_in, weakening_in
from citemark._quotes._numerals import is_figure
from citemark._quotes._parts import count_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citemark._quotes._parts import Part

    Place = tuple[int, int]

__all__ = ["chained"]

MAX_GAP: Final = 300
"""Code points that an ellipsis may leave out: about two sentences.  Over longer ways words of
one subject are joined to those of another, and nobody who reads the quote would guess."""

MAX_INSERT: Final = 80
"""Code points that words in square brackets may stand for: a name, a pronoun, a few words."""

MIN_PART: Final = 1.5
"""Words of a part, on average; what is cut smaller can be put together from any text."""

_STOP: Final = lazy_re(r"[.!?](?= )|[。！？]")
_SIGN: Final = lazy_re(r"[^\W_]+|[%‰°$€£¥₹₽]")


def chained(
    words: str, parts: Sequence[Part], found: Sequence[Sequence[Place]]
) -> tuple[list[Place], str]:
    """Return the places of the parts, and why there are none.

    Args:
        words: The passage, folded.
        parts: Those of the quote; an empty one at either end is what an ellipsis leaves there.
        found: For each part with words the places where it stands, in order.
    """
    spoken = [part for part in parts if part.words]
    if sum(count_words(part.words) for part in spoken) < MIN_PART * len(spoken):
        return [], "The pieces between the ellipses are too short."
    for part in parts:
        if part.insert and (denied := negation_in(part.insert.casefold())):
            return [], f"The words put in hold “{denied}”."
    if places := _chain(words, spoken, found, MAX_GAP, is_strict=True):
        return places, ""
    if places := _chain(words, spoken, found, MAX_GAP, is_strict=False):
        return [], _reason(words, spoken, places)
    if _chain(words, spoken, found, len(words), is_strict=False):
        return [], f"The parts stand more than {MAX_GAP} characters apart."
    return [], "The parts stand in another order."


def _chain(
    words: str,
    parts: Sequence[Part],
    found: Sequence[Sequence[Place]],
    limit: int,
    *,
    is_strict: bool,
) -> list[Place]:
    """Return one place a part, each near the one before; empty if there is no such way."""
    ways: list[list[Place]] = [[place] for place in found[0]]
    for part, places in zip(parts[1:], found[1:], strict=True):
        bound = min(limit, MAX_INSERT) if part.gap == "insert" else limit
        longer: list[list[Place]] = []
        last = -1
        for place in places:
            while last + 1 < len(ways) and ways[last + 1][-1][1] <= place[0]:
                last += 1
            if last < 0 or place[0] - ways[last][-1][1] > bound:
                continue
            gap = words[ways[last][-1][1] : place[0]]
            if not (is_strict and _hides(gap, part.insert)):
                longer.append([*ways[last], place])
        ways = longer
    return ways[0] if ways else []


def _reason(words: str, parts: Sequence[Part], places: Sequence[Place]) -> str:
    """Return what is left out that should not be."""
    gaps = zip(places, places[1:], parts[1:], strict=False)
    faults = (_hides(words[one[1] : other[0]], part.insert) for one, other, part in gaps)
    return f"The words left out hold “{next(filter(None, faults), '')}”."


def _hides(gap: str, insert: str) -> str:
    """Return a word left out that changes what is said around it; "" if there is none.

    A whole sentence between may deny what it likes.
    """
    stops = [*_STOP.finditer(gap)]
    near = [gap[: stops[0].start()], gap[stops[-1].end() :]] if stops else [gap]
    if insert and (figure := _figure_in(gap)) and _figure_in(insert.casefold()):
        return figure
    return next(filter(None, map(negation_in, near)), "") or weakening_in(near[-1])


def _figure_in(words: str) -> str:
    """Return the first figure or currency of folded words; "" if there is none."""
    return next((sign for sign in _SIGN.findall(words) if is_figure(sign)), "")
