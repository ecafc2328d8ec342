"""Changes that keep an output harmless for parsers that read blocks in their own way."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from citemark.renderers._markdown_edits import Search
from citemark.renderers._markdown_fences import fence_changes
from citemark.renderers._markdown_outside import Outside
from citemark.renderers._markdown_pieces import Edit, in_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citemark.renderers._markdown_pieces import Piece, Policy
    from citemark.renderers._markdown_read import Reading

__all__ = ["family_edits"]


def family_edits(
    whole: str, reading: Reading, pieces: Sequence[Piece], policy: Policy
) -> list[Edit]:
    """Return further changes of an output that is harmless as it was read.

    Args:
        whole: The pieces, joined, and what follows them, which is ours.
        reading: Result of ``read(whole)``.
        pieces: Parts of the output, some of which are ours.
        policy: What may stay.
    """
    search = Search(whole, pieces, policy)
    body = whole[: sum(len(piece.text) for piece in pieces)]
    outside = Outside(body, reading, search.kept(reading))
    changes = chain(outside.changes(), fence_changes(body, outside.text, reading))
    edits = (
        search.before(change.start) if change.end < 0 else Edit(*change)
        for change in changes
        if change.end < 0 or not search.is_ours(change.start)
    )
    return in_order(edits)
