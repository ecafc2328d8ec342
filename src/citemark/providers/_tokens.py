"""The tokens of a text with the citations that a provider told beside it, in order of place."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from citemark._outline import Outline
from citemark.catalogue import Format
from citemark.model import ANCHORS, Issue, Listing, Marker
from citemark.parser import Scanner

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from citemark.catalogue import FormatSet
    from citemark.model import Token
    from citemark.providers._channel import Channel, Found, Ref
    from citemark.sources import Lookup, Sources

__all__ = ["ROWS", "Piece", "Placed", "pieces_of", "place_all"]

ANNOTATION: Final = "annotation"
"""Format of a marker that only the provider's word makes one."""


def _row(name: str) -> Format:
    # A link that the model wrote is called so too, and names a source by its URL.
    lookup: tuple[Lookup, ...] = ("id", "url") if name == "link" else ("id",)
    return Format(name, "\ufdd0", "(?P<key> a )", "\ufdd0a", tier="explicit", lookup=lookup)


ROWS: Final = (_row(ANNOTATION), *map(_row, sorted(ANCHORS)))
"""Rows of what providers tell: they are in no text, and say how the keys are looked up."""


class Placed(NamedTuple):
    """A text ready to be resolved."""

    tokens: list[Token]
    """Text, markers of the text, and those that the provider told."""
    found: dict[Marker, Found]
    """What the provider said of each of the latter."""
    issues: list[Issue]
    """What was odd about their places."""


class Piece(NamedTuple):
    """Characters of the text that are no plain text; none of them for what is put in."""

    start: int
    end: int
    token: Token


def _place(piece: Piece) -> tuple[int, int]:
    return piece.start, piece.end


def place_all(channel: Channel, formats: FormatSet, sources: Sources) -> Placed:
    """Return the tokens of a channel, each citation at its place.

    Args:
        channel: Text and citations.
        formats: What is read as a marker in the text itself.
        sources: All sources.
    """
    text, placed = channel.text, Placed([], {}, [])
    scanned = Scanner(formats, known=sources).close(text)
    pos = 0
    for piece in pieces_of(channel, scanned, placed):
        if pos < piece.start:
            placed.tokens.append(text[pos : piece.start])
        placed.tokens.append(piece.token)
        pos = piece.end
    if pos < len(text):
        placed.tokens.append(text[pos:])
    return placed


def pieces_of(
    channel: Channel, tokens: Iterable[Token], placed: Placed, outline: Outline | None = None
) -> list[Piece]:
    """Return what of a text is no plain text, in order.

    Args:
        channel: Text and citations.
        tokens: What was found in the text; they may end before it does.
        placed: Told what each marker is that was put in, and what is odd.
        outline: Of the text, if it was read.
    """
    text, found = channel.text, _merged(channel.found, placed.issues)
    scanned = [*_pieces(tokens)]
    marks = _marks([item for item in found if item.anchor == "marker"], scanned, text, placed)
    kept = [piece for piece in scanned if not _overlaps(piece, marks)]
    pieces = sorted([*marks, *kept], key=_place)
    beside = [item for item in found if item.anchor != "marker"]
    if beside:
        pieces += _put_in(beside, pieces, outline or Outline(text), placed)
    # What is put in at a place belongs to the words before it: it comes first.
    return sorted(pieces, key=_place)


def _merged(found: Iterable[Found], issues: list[Issue]) -> list[Found]:
    """Return the citations with those of one place and anchor as one, in order of place."""
    by_place: dict[tuple[int, int, str], list[Found]] = {}
    for item in found:
        by_place.setdefault((item.start, item.end, item.anchor), []).append(item)
    merged = [_joined(items, issues) for items in by_place.values()]
    return sorted(merged, key=lambda item: (item.end, item.start))


def _joined(items: Sequence[Found], issues: list[Issue]) -> Found:
    """Return the citations of one place as one, each source and quote once."""
    first = items[0]
    if len(items) == 1 and len(first.refs) <= 1:
        return first
    unique: dict[object, Ref] = {}
    for item in items:
        known = len(unique) + len(item.refs)
        for ref in item.refs:
            unique.setdefault((ref.source, ref.quote, ref.locations), ref)
        if len(unique) < known:
            message = "the provider sent a citation twice; it is kept once"
            issues.append(Issue("duplicate_citation", message, item.start, item.end))
    return replace(first, refs=[*unique.values()])


def _pieces(tokens: Iterable[Token]) -> Iterator[Piece]:
    pos = 0
    for token in tokens:
        raw = token if isinstance(token, str) else token.raw
        if not isinstance(token, str):
            yield Piece(pos, pos + len(raw), token)
        pos += len(raw)


def _marks(
    found: Iterable[Found], scanned: Sequence[Piece], text: str, placed: Placed
) -> list[Piece]:
    """Return the markers that the provider told, each with the place of the one in the text."""
    starts = [piece.start for piece in scanned]
    marks: list[Piece] = []
    end = 0
    for item in found:
        at = bisect_right(starts, item.start) - 1
        around = scanned[at] if at >= 0 and scanned[at].end >= item.end else None
        written = around.token if around and isinstance(around.token, Marker) else None
        first = max(written.start if written else item.start, end)
        end = max(written.end if written else item.end, first)
        marker = Marker(
            first,
            end,
            text[first:end],
            ANNOTATION,
            tuple(ref.source for ref in item.refs),
            written.words if written and written.start == first else "",
        )
        placed.found[marker] = item
        marks.append(Piece(first, end, marker))
    return marks


def _overlaps(piece: Piece, marks: Sequence[Piece]) -> bool:
    at = bisect_right(marks, piece.start, key=lambda mark: mark.end)
    return at < len(marks) and marks[at].start < piece.end


def _put_in(
    found: Sequence[Found], pieces: Sequence[Piece], outline: Outline, placed: Placed
) -> list[Piece]:
    """Return the citations that no characters of the text stand for, at their places."""
    put_in: list[Piece] = []
    starts = [piece.start for piece in pieces]
    for item in found:
        pos, is_moved, anchor = outline.length, False, item.anchor
        if not outline.has_room:
            anchor = "message"  # in code alone no citation is shown
        if anchor != "message":
            pos, is_moved = outline.after(item.start, item.end)
            at = bisect_right(starts, pos) - 1
            if at >= 0 and pieces[at].start < pos < pieces[at].end:
                around, is_moved = pieces[at], True
                pos = around.start if isinstance(around.token, Listing) else around.end
        if is_moved:
            message = "the citation is shown after what it would stand in"
            placed.issues.append(Issue("moved", message, item.start, item.end))
        keys = tuple(ref.source for ref in item.refs)
        marker = Marker(pos, pos, "", anchor, keys, "", (item.start, item.end))
        placed.found[marker] = item
        put_in.append(Piece(pos, pos, marker))
    return put_in
