"""The part of a passage that matters for a claim or a quote, with its words marked."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

from citemark.checks._stems import stems_in
from citemark.checks.reports._pieces import Layer, pieces, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Excerpt", "Words", "excerpt_of"]

AROUND: Final = 160
"""Code points that are shown before and after the words that matter."""

MAX_EXCERPT: Final = 900
"""Code points of an excerpt."""

MAX_WINDOW: Final = 0.5
"""Share of the passage up to which the words that say most of a claim are marked: where nearly
all is marked, it points at nothing."""

MAX_SHARED: Final = 0.6
"""Share of the letters of an excerpt up to which those of shared words are underlined."""

EDGE: Final = 30
"""Code points in which a word ends at which an excerpt may be cut."""


class Words(NamedTuple):
    """Words of a passage."""

    text: str
    """The words."""

    is_place: bool
    """Whether they are of what was found: the place of a quote, the window of a claim."""

    is_shared: bool
    """Whether the claim has this word too."""


class Excerpt(NamedTuple):
    """A part of a passage."""

    words: tuple[Words, ...]
    """What is shown, in order."""

    is_start: bool
    """Whether the passage starts with it."""

    is_end: bool
    """Whether the passage ends with it."""


def excerpt_of(
    passage: object, spans: Sequence[tuple[int, int]] = (), claim: str = ""
) -> Excerpt | None:
    """Return the part of a passage around some places; its start if there are none.

    Args:
        passage: The whole of it; anything but a text is none.
        spans: Places that are marked, half-open, in code points.
        claim: What it is held against: words of it are marked too.  Then a place is marked only
            if that says something, and so are the words.
    """
    if not isinstance(passage, str) or not passage.strip():
        return None
    within = [span for span in spans if 0 <= span[0] < span[1] <= len(passage)]
    start, end = _bounds(passage, within)
    is_place = not claim or _length(within) <= MAX_WINDOW * len(passage.strip())
    layers = [Layer(*span, "place") for span in within if is_place]
    layers += _shared(passage[start:end], claim, start)
    runs = groupby(pieces(start, end, layers), key=lambda one: one.names)
    words = tuple(
        Words(
            shown("".join(passage[one.start : one.end] for one in run)),
            "place" in names,
            "shared" in names,
        )
        for names, run in runs
    )
    return Excerpt(words, start == 0, end == len(passage))


def _bounds(passage: str, spans: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return where an excerpt starts and ends: at blanks, if there are any nearby."""
    first = min((start for start, _ in spans), default=0)
    last = max((end for _, end in spans), default=0)
    start = max(0, first - AROUND)
    end = min(len(passage), last + AROUND, start + MAX_EXCERPT)
    if not spans:
        end = min(len(passage), 2 * AROUND)
    if start:
        blank = passage.find(" ", start, min(start + EDGE, first))
        start = blank + 1 if blank >= 0 else start
    if end < len(passage):
        blank = passage.rfind(" ", max(end - EDGE, start + 1), end)
        end = blank if blank > 0 else end
    return start, end


def _shared(text: str, claim: str, start: int) -> list[Layer]:
    if not claim:
        return []
    stems = {stem for stem, _, _ in stems_in(claim)}
    shared = [(first, end) for stem, first, end in stems_in(text) if stem in stems]
    if _length(shared) > MAX_SHARED * len("".join(text.split())):
        return []
    return [Layer(start + first, start + end, "shared") for first, end in shared]


def _length(spans: Sequence[tuple[int, int]]) -> int:
    return sum(end - start for start, end in spans)
