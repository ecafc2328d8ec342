"""What a row of the grammar has found, as a token."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citemark.catalogue import WORDS
from citemark.keys import read_words
from citemark.model import Marker, Remark

if TYPE_CHECKING:
    import re

    import regex

    from citemark.catalogue import Format, Key

__all__ = ["token"]


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
