"""Citations as they stand in a text, and what else a scan of it finds."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final, Literal, TypeAlias, cast, get_args

__all__ = [
    "ANCHORS",
    "Anchor",
    "Listing",
    "Location",
    "Marker",
    "Remark",
    "Token",
    "Unit",
]

Unit: TypeAlias = Literal["page", "line", "sentence", "char", "block", "time"]
"""What a location counts: pages and lines from 1, code points of the source's text, blocks and
milliseconds from 0, sentences from what the provider counts from."""

Anchor: TypeAlias = Literal["marker", "claim", "point", "link", "message"]
"""What a citation is fixed to: characters of the text that it is shown instead of; the words
that it supports, after which it is shown; a place between words; a link that stays; or the
answer as a whole: then it is in the list of sources alone."""

ANCHORS: Final = frozenset(get_args(Anchor)) - {"marker"}
"""Formats of markers that no one wrote: a provider told them beside the text."""


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a source, as the marker or the provider gives it: ``#page=2``, ``L8-L13``."""

    unit: Unit
    """What is counted."""

    start: int
    """First one."""

    end: int
    """One after the last: ``L8-L13`` is 8 to 14."""


@dataclass(frozen=True, slots=True, init=False)
class Marker:
    """A citation as it is written in a text, or put there by a provider's word.

    The latter has no characters of its own: ``raw`` is empty, and ``format`` names its anchor.
    """

    start: int
    """First code point, counted from the start of the whole text."""

    end: int
    """Code point after the last one: ``raw == text[start:end]``."""

    raw: str
    """The characters of the marker."""

    format: str
    """Name of the marker format that matched; ``"claim"``, ``"point"``, ... see ``Anchor``."""

    keys: tuple[str, ...]
    """Cited keys in written order, ranges spelled out, digits as ASCII.

    Empty for a tag that names nothing, of which nothing but its words is shown.
    """

    words: str = ""
    """Words of the answer inside the marker, in Markdown: shown before the citation."""

    span: tuple[int, int] | None = None
    """Code points of the words that the citation supports, half-open, if the marker tells."""

    locations: tuple[tuple[Location, ...], ...] = ()
    """Places in the sources, one tuple a key; empty if the marker names no place at all."""

    def __init__(  # noqa: PLR0913, PLR0917  one for each field
        self,
        start: int,
        end: int,
        raw: str,
        format: str,  # noqa: A002  the name of the field
        keys: tuple[str, ...],
        words: str = "",
        span: tuple[int, int] | None = None,
        locations: tuple[tuple[Location, ...], ...] = (),
    ) -> None:
        """Set the fields by their descriptors: half the time of what a dataclass does.

        Making markers takes a good part of the time of a scan.
        """
        _set_start(self, start)
        _set_end(self, end)
        _set_raw(self, raw)
        _set_format(self, format)
        _set_keys(self, keys)
        _set_words(self, words)
        _set_span(self, span)
        _set_locations(self, locations)

    @property
    def anchor(self) -> Anchor:
        """What the citation is fixed to."""
        return cast("Anchor", self.format) if self.format in ANCHORS else "marker"


(
    _set_start,
    _set_end,
    _set_raw,
    _set_format,
    _set_keys,
    _set_words,
    _set_span,
    _set_locations,
) = (Marker.__dict__[field.name].__set__ for field in fields(Marker))


@dataclass(frozen=True, slots=True)
class Remark:
    """A piece of text that is no marker but looks as if it was meant to be one."""

    start: int
    """First code point."""

    end: int
    """Code point after the last one."""

    raw: str
    """The characters, which stay."""

    code: str
    """Code of the issue: ``"placeholder"``, ``"malformed"``, ``"too_many"``."""


@dataclass(frozen=True, slots=True)
class Listing:
    """A piece of a list of sources that the model wrote itself; pieces follow each other."""

    start: int
    """First code point."""

    end: int
    """Code point after the last one."""

    raw: str
    """The characters.  Nothing in them is a citation."""


Token: TypeAlias = str | Marker | Remark | Listing
"""Text that is not a citation, a marker, or text with something to be said about it."""
