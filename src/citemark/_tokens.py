"""What a row of the grammar has found, as a token."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING

from citemark._chunks import pairs_in, with_whole_characters
from citemark.catalogue import WORDS
from citemark.keys import read_words
from citemark.model import Marker, Remark

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

    import regex

    from citemark.catalogue import Format, Key

__all__ = ["as_given", "token"]


def token(  # noqa: PLR0913, PLR0917  what is known of the place, once
    row: Format,
    match: re.Match[str] | regex.Match[str],
    group: str | None,
    keys: tuple[Key, ...],
    raw: str,
    base: int,
) -> Marker | Remark:
    """Return the marker that a row has found, or what is to be said of it.

    Args:
        row: The row.
        match: Its match, with positions of the text that is kept.
        group: Name of the group of its key among those of all rows; None if it stands alone.
        keys: The keys that were read.
        raw: The characters as they came.
        base: Position of the text that is kept in the whole text.
    """
    start, end = match.span()
    if row.note:
        return Remark(base + start, base + end, raw, row.note)
    name = f"{group}{WORDS}" if group else "words"
    span = None
    if row.covers and match[name]:
        span = (base + match.start(name), base + match.end(name))
    names, locations = zip(*keys, strict=True) if keys else ((), ())
    return Marker(
        base + start,
        base + end,
        raw,
        row.name,
        names,
        read_words(row, match, name),
        span,
        locations if any(locations) else (),
    )


def as_given(markers: list[Marker], text: str) -> list[Marker]:
    """Return the markers with offsets of a text that may have surrogate pairs as two halves."""
    pairs = pairs_in(text) if len(with_whole_characters(text)) < len(text) else ()
    return [_moved(marker, pairs, text) for marker in markers] if pairs else markers


def _moved(marker: Marker, pairs: Sequence[int], text: str) -> Marker:
    def moved(at: int) -> int:
        return at + bisect_right(pairs, at)

    start, end, span = moved(marker.start), moved(marker.end), marker.span
    covered = None if span is None else (moved(span[0]), moved(span[1]))
    return replace(marker, start=start, end=end, raw=text[start:end], span=covered)
