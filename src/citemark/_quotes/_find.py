"""Where the words of a quote stand in a passage, but for how either is printed."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from citemark._lazy import lazy_re
from citemark._quotes._chain import chained
from citemark._quotes._denied import denials, hidden_denial
from citemark._quotes._edges import is_cut
from citemark._quotes._fold import Folded
from citemark._quotes._gaps import doubt_of
from citemark._quotes._letters import only_letters
from citemark._quotes._parts import core_of, parts_of
from citemark._quotes._signs import is_measure
from citemark._quotes._units import other_units

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citemark._quotes._passage import Passage

__all__ = ["Found", "find_quote", "occurrences"]

MAX_PLACES: Final = 200
"""Places of the same words that are told apart."""

MAX_JUDGED: Final = 20
"""Places of the same words of which one is looked for that nothing beside it denies."""

MAX_TRIES: Final = 2_000
"""Places at which words are looked at, those that cut a word among them."""

MAX_HYPHENS: Final = 50
"""Hyphens of a quote that may be those of line ends in the passage."""

NEAR: Final = 40
"""Code points before and after a place that tell whether it is cut."""

_RAW_EDGES: Final = " \n\t\"'“”„«».,;:"
_INNER_SINGLE: Final = lazy_re(r"(?<!\w)'|'(?!\w)")
_DOUBLE: Final = lazy_re('"')
_HYPHEN: Final = lazy_re(r"(?<=[^\W\d_])-(?=[^\W\d_])")
_OPENING: Final = lazy_re(r"\W*(?:\.{3}|…|\[)")
_BREAKING: Final = lazy_re(r"(?:\.{3}|…)\W*\Z")


class Found(NamedTuple):
    """What came of looking for a quote."""

    spans: tuple[tuple[int, int], ...] = ()
    """Code points of the passage, one range for each part; empty if it does not stand there."""

    fault: str = ""
    """Why it does not, if its parts do."""

    note: str = ""
    """What is odd though it does: a word before or after it denies it."""

    verdict: Literal["verified", "altered", "fuzzy"] = "verified"
    """What it is if there are spans: altered by its units or a name, fuzzy if what is left out
    or put in may have changed what is said; ``note`` says by what."""


def find_quote(quote: Folded, passage: Passage, *, near: int | None = None) -> Found | None:
    """Return where a quote stands; None if its words, or those of a part of it, do not.

    Args:
        quote: With or without quotation marks around it.
        passage: What it should stand in.
        near: Which of several places is meant: the one next to this code point.
    """
    if not _may_stand(quote.words, passage.letters):
        return None
    if near is None and (plain := _plainly(quote, passage.text)):
        judged = _judged(quote, passage.text, plain)
        return judged if _is_clear(judged) else _find(quote, passage, None) or judged
    return _find(quote, passage, near)


def _find(quote: Folded, passage: Passage, near: int | None) -> Found | None:
    """Return the same, of all places and with all that may be printed otherwise."""
    for view in passage.views:
        for words in _forms(quote):
            places = (
                view.span(*_widened(view.words, quote.words, place))
                for place in islice(_places(view, words), MAX_PLACES)
            )
            if found := _best(quote, passage.text, places, near):
                return found
    parts = parts_of(quote.words)
    if len(parts) < 2 and parts[0].words == core_of(quote.words):  # noqa: PLR2004
        return None
    for view in passage.views:
        found_parts = [
            [*islice(_places(view, part.words), MAX_PLACES)] for part in parts if part.words
        ]
        if found_parts and all(found_parts):
            chain, fault = chained(view.words, parts, found_parts)
            fault = fault or hidden_denial(view.words, parts, chain)
            return Found((), fault) if fault else _of_parts(quote, view, chain)
    return None


def _of_parts(quote: Folded, view: Folded, chain: list[tuple[int, int]]) -> Found:
    """Return the places of the parts of a quote, and what is doubtful about them."""
    spans = tuple(view.span(*place) for place in chain)
    if units := other_units(quote.text, " … ".join(view.text[slice(*span)] for span in spans)):
        return Found(spans, "", _unlike_units(units), "altered")
    doubt = doubt_of(quote, view, parts_of(quote.words), chain)
    if doubt is None:
        before, after = denials(view.text, spans[0][0], spans[-1][1])
        return Found(spans, "", before or after)
    return Found(spans, "", doubt.reason, "altered" if doubt.is_altered else "fuzzy")


def _unlike_units(units: tuple[str, str]) -> str:
    return f"Units differ: “{units[0]}” in the quote, “{units[1]}” in the passage."


def _may_stand(quote: str, letters: bytes | None) -> bool:
    """Whether the letters of a folded quote, or of each of its parts, stand in a passage."""
    if letters is None:
        return True
    whole, parts = _letters_of(quote)
    if whole in letters or not parts:
        return whole in letters
    return all(part in letters for part in parts)


@lru_cache(maxsize=8)  # of one quote they are wanted for each passage
def _letters_of(quote: str) -> tuple[bytes, tuple[bytes, ...]]:
    """Return the letters of a folded quote, and those of its parts if they are others."""
    whole = only_letters(quote)
    parts = tuple(only_letters(part.words) for part in parts_of(quote))
    return whole, () if parts == (whole,) else parts


def occurrences(view: Folded, words: str) -> Iterator[tuple[int, int]]:
    """Yield where folded words stand, whole: ranges of ``view.words``."""
    if not words:
        return
    at = view.words.find(words)
    for _ in range(MAX_TRIES):
        if at < 0:
            return
        if not is_cut(view, at, at + len(words)):
            yield at, at + len(words)
        at = view.words.find(words, at + 1)


def _places(view: Folded, words: str) -> Iterator[tuple[int, int]]:
    """Yield the same, a hyphen at the end of a line kept or not."""
    found = False
    for place in occurrences(view, words):
        found = True
        yield place
    if not found and view.breaks:
        yield from _hyphenated(view, words)


def _hyphenated(view: Folded, words: str) -> Iterator[tuple[int, int]]:
    """Yield where words stand whose hyphens are at line ends, and so were taken out."""
    pieces = _HYPHEN.split(words)
    if not 1 < len(pieces) <= MAX_HYPHENS:
        return
    breaks = frozenset(view.breaks)
    pattern = re.compile("(-?)".join(map(re.escape, pieces)))
    for match in islice(pattern.finditer(view.words), MAX_TRIES):
        gone = (match.start(group) for group in range(1, len(pieces)) if not match[group])
        if breaks.issuperset(gone) and not is_cut(view, *match.span()):
            yield match.span()


def _forms(quote: Folded) -> Iterator[str]:
    """Yield the folded words of a quote, and what they are with the other marks within."""
    words = core_of(quote.words)
    yield words
    if "'" in words and (double := _INNER_SINGLE.sub(_swapped, words)) != words:
        yield double
    if '"' in words:
        yield _DOUBLE.sub(_swapped, words)
    if quote.breaks:
        kept = quote.words
        for at in reversed(quote.breaks):
            kept = f"{kept[:at]}-{kept[at:]}"
        yield core_of(kept)


def _swapped(mark: re.Match[str]) -> str:
    """Return the other quotation mark; that of feet or inches stays."""
    if is_measure(mark.string, mark.start()):
        return mark[0]
    return "'" if mark[0] == '"' else '"'


def _plainly(quote: Folded, text: str) -> tuple[int, int] | None:
    """Return where a quote stands letter by letter, and whole; None if in doubt.

    Not all of the passage is folded for this.
    """
    words = quote.text.strip(_RAW_EDGES)
    start = text.find(words) if words else -1
    core = core_of(quote.words) if start >= 0 else ""
    if not core or (words[0].isdigit() and quote.text.find(words)):
        return None
    if core[-1] in "'\"":
        return None  # the marks of feet or inches, which were stripped
    end = start + len(words)
    first = max(start - NEAR, 0)
    around = Folded(text[first : end + NEAR])
    if is_cut(around, around.offset(start - first), around.offset(end - first)):
        return None
    return _widened(text, quote.text, (start, end), words)


def _widened(
    passage: str, quote: str, place: tuple[int, int], words: str = ""
) -> tuple[int, int]:
    """Return a place with the marks and stops around it that the quote has too."""
    start, end = place
    words = words or core_of(quote)
    first = quote.find(words)
    head, tail = quote[:first], quote[first + len(words) :]
    while head and start and _is_same(head[-1], passage[start - 1]):
        head, start = head[:-1], start - 1
    while tail and end < len(passage) and _is_same(tail[0], passage[end]):
        tail, end = tail[1:], end + 1
    while passage[start] in " \n\t":
        start += 1
    while passage[end - 1] in " \n\t":
        end -= 1
    return start, end


def _is_same(one: str, other: str) -> bool:
    return one == other or (one in "\"'" and other in "\"'")


def _best(
    quote: Folded, text: str, places: Iterator[tuple[int, int]], near: int | None
) -> Found | None:
    """Return what is found at the place that is meant, or at the first that fits well.

    None if there is no place.
    """
    if near is not None:
        nearest = min(places, key=lambda place: abs(place[0] - near), default=None)
        return None if nearest is None else _judged(quote, text, nearest)
    best: Found | None = None
    for place in islice(places, MAX_JUDGED):
        judged = _judged(quote, text, place)
        if _is_clear(judged):
            return judged
        if best is None or judged.verdict != best.verdict == "altered":
            best = judged
    return best


def _is_clear(found: Found) -> bool:
    return bool(found.spans) and not found.note


def _judged(quote: Folded, text: str, place: tuple[int, int]) -> Found:
    """Return a place, or why it does not count: an ellipsis hides what denies the words."""
    start, end = place
    if units := other_units(quote.text, text[start:end]):
        return Found((place,), "", _unlike_units(units), "altered")
    before, after = denials(text, start, end)
    if before and _OPENING.match(quote.words):
        return Found((), before)
    if after and _BREAKING.search(quote.words):
        return Found((), after)
    return Found((place,), "", before or after)
