"""An output in pieces, some of which are ours, and changes to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from citemark.renderers._markdown_read import Reading

__all__ = ["Edit", "Piece", "Policy", "apply_edits", "in_order", "without_ours_in_code"]


class Piece(NamedTuple):
    """A part of the output."""

    text: str
    """Markdown."""

    is_ours: bool
    """Whether we wrote it: nothing is changed within."""

    raw: str = ""
    """What the model wrote instead; for a piece of ours."""


class Policy(NamedTuple):
    """What may stay in the text of a model."""

    is_allowed: Callable[[str], bool]
    """Whether a URL may be a link."""

    label: str
    """Start of our footnote labels, which the text must not use; "" without footnotes."""


class Edit(NamedTuple):
    """A change to the output."""

    start: int
    """First code point that is replaced."""

    end: int
    """Code point after the last one; ``start`` if nothing is replaced."""

    text: str
    """What comes in its place."""


def in_order(found: Iterable[Edit | None]) -> list[Edit]:
    """Return edits in order, without those that meet another."""
    kept: list[Edit] = []
    for edit in sorted(edit for edit in found if edit is not None):
        if not kept or (edit.start >= kept[-1].end and edit[:2] != kept[-1][:2]):
            kept.append(edit)
    return kept


def without_ours_in_code(pieces: Sequence[Piece], reading: Reading) -> list[Piece]:
    """Return the pieces with what the model wrote instead of ours where that is code."""
    spans = [(code.start, code.end) for code in reading.code]
    for block in reading.blocks:
        at = block.positions
        code = (found for found in block.constructs if found.kind == "code")
        spans += ((at[found.start], at[found.end - 1] + 1) for found in code)
    spans.sort()
    changed, start, passed = [], 0, 0
    for piece in pieces:
        while passed < len(spans) and spans[passed][1] <= start:
            passed += 1
        is_code = piece.is_ours and passed < len(spans) and spans[passed][0] <= start
        changed.append(Piece(piece.raw, is_ours=False) if is_code else piece)
        start += len(piece.text)
    return changed


def apply_edits(edits: Sequence[Edit], pieces: Sequence[Piece]) -> list[Piece]:
    """Return the pieces after the changes, which touch no piece of ours."""
    waiting = list(reversed(edits))
    changed: list[Piece] = []
    start = done = 0
    for piece in pieces:
        end = start + len(piece.text)
        # An edit may reach over pieces that earlier ones left, but over none of ours.
        done = start if piece.is_ours else max(start, done)
        while waiting and waiting[-1].start < (start + 1 if piece.is_ours else end):
            edit = waiting.pop()
            changed += (
                Piece(piece.text[done - start : edit.start - start], is_ours=False),
                Piece(edit.text, is_ours=False),
            )
            done = edit.end
        changed.append(piece._replace(text=piece.text[done - start :]))
        start = end
    changed += (Piece(edit.text, is_ours=False) for edit in reversed(waiting))
    return [piece for piece in changed if piece.text]
