"""Markdown of a model made harmless, by the fewest changes that a parser finds necessary.

What a permissive parser reads as an image, HTML, a definition, or a link that may not be one is
escaped where it starts; then all is read again, with tables and without, until nothing is left
to escape.  What parsers of other families might read so is escaped after that, see
``_markdown_families``.  A text without anything of that kind keeps every character.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from citemark.renderers._markdown_edits import find_edits
from citemark.renderers._markdown_families import family_edits
from citemark.renderers._markdown_pieces import apply_edits, without_ours_in_code
from citemark.renderers._markdown_read import read
from citemark.renderers._markdown_text import escape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citemark.renderers._markdown_pieces import Piece, Policy
    from citemark.renderers._markdown_read import Reading

__all__ = ["make_safe"]

MAX_ROUNDS: Final = 20
"""Readings before all punctuation is escaped."""

PATIENT_ROUNDS: Final = 10
"""Readings before a block loses all its brackets.  Nested constructs appear one by one."""


def make_safe(pieces: Sequence[Piece], tails: Sequence[str], policy: Policy) -> str:
    """Return the pieces, joined and made harmless, with a tail that stands outside of them.

    Args:
        pieces: Body of the output.
        tails: Forms of what follows, best first: the first is taken that starts the last
            top-level block.  Each is Markdown that starts in the first column.
        policy: What may stay.
    """
    given = pieces
    forms = [_Form("", tail) for tail in tails]
    for number in range(MAX_ROUNDS):
        body = "".join(piece.text for piece in pieces)
        fence = ""
        for form in forms:
            whole, at = form.added_to(body)
            readings = _readings(whole)
            reading = readings[0]
            if reading is None:
                return _escaped(given, tails[0])
            changed = _changed(
                whole, readings, pieces, policy, all_brackets=number >= PATIENT_ROUNDS
            )
            if changed is not None:
                pieces = changed
                break
            if reading.last == at or not form.tail:
                return whole
            fence = fence or reading.fence
        else:
            if not fence:
                break
            forms = [_Form(fence, tail) for tail in tails]
    return _escaped(given, tails[0])


def _readings(whole: str) -> list[Reading | None]:
    """Return what Markdown with tables makes of an output, and without, if that differs."""
    reading = read(whole)
    if reading is None or not reading.has_tables:
        return [reading]
    return [reading, read(whole, tables=False)]


def _changed(
    whole: str,
    readings: Sequence[Reading | None],
    pieces: Sequence[Piece],
    policy: Policy,
    *,
    all_brackets: bool,
) -> list[Piece] | None:
    """Return the pieces after the first changes that are necessary, or None."""
    known = [reading for reading in readings if reading is not None]
    for reading in known:
        if (restored := without_ours_in_code(pieces, reading)) != pieces:
            return restored
        edits = find_edits(whole, reading, pieces, policy, all_brackets=all_brackets)
        if edits:
            return apply_edits(edits, pieces)
    for reading in known:
        edits = family_edits(whole, reading, pieces, policy)
        if edits:
            return apply_edits(edits, pieces)
    return None


class _Form(NamedTuple):
    """A way to put a tail after a body."""

    close: str
    """Line that closes a fence; "" if none is open."""

    tail: str

    def added_to(self, body: str) -> tuple[str, int]:
        """Return body and tail with an empty line between, and where the tail starts."""
        if not self.tail or not body:
            return body + self.tail, len(body)
        feeds = len(body) - len(body.rstrip("\n"))
        between = f"\n{self.close}\n\n" if self.close else "\n" * max(0, 2 - feeds)
        return body + between + self.tail, len(body + between)


def _escaped(pieces: Sequence[Piece], tail: str) -> str:
    """Return the pieces as plain text: for what is nested too deep to be understood."""
    body = "".join(
        piece.text if piece.is_ours else _as_text(piece.text, at_start=number == 0)
        for number, piece in enumerate(pieces)
    )
    return _Form("", tail).added_to(body)[0]


def _as_text(text: str, *, at_start: bool) -> str:
    # Indentation could make code of a line.
    first, *others = text.split("\n")
    lines = [first.lstrip() if at_start else first, *(line.lstrip() for line in others)]
    return "\n".join(map(escape, lines))
