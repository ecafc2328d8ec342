"""Where the words of a quote stand in a passage, but for how either is printed."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from citemark._lazy import lazy_re
from citemark._quotes._chain import chained
from citemark._quotes._edges import is_cut
from citemark._quotes._fold import Folded
from citemark._quotes._negation import ends_denied, negation_in
from citemark._quotes._parts import core_of, parts_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from citemark._quotes._parts import Part
    from citemark._quotes._passage import Passage

__all__ = ["Found", "find_quote", "occurrences"]

MAX_PLACES: Final = 200
"""Places of the same words that are told apart."""

MAX_TRIES: Final = 2_000
"""Places at which words are looked at, those that cut a word among them."""

MAX_HYPHENS: Final = 50
"""Hyphens of a quote that may be those of line ends in the passage."""

NEAR: Final = 40
"""Code points before and after a place that tell whether it is cut."""

CLAUSE: Final = 120
"""Code points before and after a quote in which a word may deny it."""

_RAW_EDGES: Final = " \n\t\"'“”„«».,;:"
_INNER_SINGLE: Final = lazy_re(r"(?<!\w)'|'(?!\w)")
_HYPHEN: Final = lazy_re(r"(?<=[^\W\d_])-(?=[^\W\d_])")
_CLAUSE_START: Final = lazy_re(r".*[.!?;:,()\"。、！？]", re.DOTALL)
_CLAUSE_END: Final = lazy_re(r"[.!?;,()\"。、！？]")
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


def find_quote(quote: Folded, passage: Passage, *, near: int | None = None) -> Found | None:
    """Return where a quote stands; None if its words, or those of a part of it, do not.

    Args:
        quote: With or without quotation marks around it.
        passage: What it should stand in.
        near: Which of several places is meant: the one next to this code point.
    """
    if near is None and (plain := _plainly(quote, passage.text)):
        return _judged(quote.words, passage.text, plain)
    for view in passage.views:
        for words in _forms(quote):
            places = islice(_places(view, words), 1 if near is None else MAX_PLACES)
            found = [view.span(*_widened(view.words, quote.words, place)) for place in places]
            if found:
                return _judged(quote.words, passage.text, _nearest(found, near))
    parts = parts_of(quote.words)
    if len(parts) < 2 and parts[0].words == core_of(quote.words):  # noqa: PLR2004
        return None
    for view in passage.views:
        found_parts = [
            [*islice(_places(view, part.words), MAX_PLACES)] for part in parts if part.words
        ]
        if found_parts and all(found_parts):
            chain, fault = chained(view.words, parts, found_parts)
            fault = fault or _cut_off(view.words, parts, chain)
            return Found(() if fault else tuple(view.span(*place) for place in chain), fault)
    return None


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
    if "'" in words and (double := _INNER_SINGLE.sub('"', words)) != words:
        yield double
    if '"' in words:
        yield words.replace('"', "'")
    if quote.breaks:
        kept = quote.words
        for at in reversed(quote.breaks):
            kept = f"{kept[:at]}-{kept[at:]}"
        yield core_of(kept)


def _plainly(quote: Folded, text: str) -> tuple[int, int] | None:
    """Return where a quote stands letter by letter, and whole; None if in doubt.

    Not all of the passage is folded for this.
    """
    words = quote.text.strip(_RAW_EDGES)
    start = text.find(words) if words else -1
    if start < 0 or not core_of(quote.words) or (words[0].isdigit() and quote.text.find(words)):
        return None
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


def _nearest(places: list[tuple[int, int]], near: int | None) -> tuple[int, int]:
    return places[0] if near is None else min(places, key=lambda place: abs(place[0] - near))


def _judged(quote: str, text: str, place: tuple[int, int]) -> Found:
    """Return a place, or why it does not count: an ellipsis hides what denies the words."""
    start, end = place
    before = _denied_before(_words(text[max(start - CLAUSE, 0) : start]))
    after = _denied_after(_words(text[end : end + CLAUSE])) if text[end - 1].isalnum() else ""
    if before and _OPENING.match(quote):
        return Found((), before)
    if after and _BREAKING.search(quote):
        return Found((), after)
    return Found((place,), "", before or after)


def _words(text: str) -> str:
    return text.lower() if text.isascii() else Folded(text).words


def _cut_off(words: str, parts: Sequence[Part], places: Sequence[tuple[int, int]]) -> str:
    """Return what is left out at the start or the end of a quote and denies it."""
    start, end = places[0][0], places[-1][1]
    before = "" if parts[0].words else _denied_before(words[max(start - CLAUSE, 0) : start])
    if before or parts[-1].words:
        return before
    return _denied_after(words[end : end + CLAUSE])


def _denied_before(words: str) -> str:
    denied = negation_in(_CLAUSE_START.sub("", words.rstrip()))
    return f"The passage has “{denied}” before these words." if denied else ""


def _denied_after(words: str) -> str:
    stop = _CLAUSE_END.search(words)
    denied = ends_denied(words[: stop.start()] if stop else words)
    return f"The passage has “{denied}” after these words." if denied else ""
