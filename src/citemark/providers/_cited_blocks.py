"""Blocks of text that are cited as a whole: those of Anthropic, and of Amazon's Converse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citemark.model import Location
from citemark.providers._repair import locate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citemark.model import Unit
    from citemark.providers._draft import Draft, Ref
    from citemark.providers._offsets import Offsets

__all__ = ["Blocks", "between", "characters"]


class Blocks:
    """Puts the text of blocks into a draft, and what they cite after it.

    Citations may come before the text of their block, with it, or after its end.
    """

    def __init__(self, draft: Draft) -> None:
        """Begin without any block."""
        self.settled = 0
        """Code points of the blocks that have ended."""
        self._draft = draft
        self._index: int | None = None
        self._start: int | None = None  # of the open block
        self._refs: list[Ref] = []
        self._ended: dict[int, tuple[int, int]] = {}
        self._thought: int | None = None  # index of the block of thinking that came last

    def open(self, index: int | None) -> None:
        """Begin a block, unless it is the open one; the one before it ends.

        Args:
            index: Its number; None if the provider left it out: then it is the open one.
        """
        if self._start is None or index not in {None, self._index}:
            self.close()
            self._index, self._start = index, self._draft.length

    def add(self, text: str, index: int | None) -> None:
        """Add to the text of a block."""
        self.open(index)
        self._draft.add(text)

    def think(self, text: str, index: int | None) -> None:
        """Add to the thinking beside the answer, a blank line between its blocks."""
        thinking = self._draft.aside("thinking")
        if thinking.length and index not in {None, self._thought}:
            thinking.add("\n\n")
        thinking.add(text)
        self._thought = index

    def cite(self, refs: Sequence[Ref], index: int | None) -> None:
        """Take note of what a block cites."""
        is_open = self._start is not None and index in {None, self._index}
        ended = None if is_open or index is None else self._ended.get(index)
        if ended is None:
            self.open(index)
            self._refs.extend(refs)
        else:
            self._place(*ended, refs)

    def close(self) -> None:
        """End the open block, if there is one."""
        if self._start is not None:
            span = self._start, self._draft.length
            self._place(*span, self._refs)
            if self._index is not None:
                self._ended[self._index] = span
        self._start, self._index, self._refs = None, None, []
        self.settled = self._draft.length

    def _place(self, start: int, end: int, refs: Sequence[Ref]) -> None:
        """Cite a block; one without text cites at the place where it stands."""
        if refs:
            self._draft.cite(start, end, refs, anchor="claim" if start < end else "point")


def characters(
    draft: Draft, document: Offsets | None, start: int | None, end: int | None, quote: str
) -> tuple[Location, ...]:
    """Return the place of a quote in its document, in code points, half-open.

    Args:
        draft: Told if the quote stands elsewhere than the provider says.
        document: Text of the document; None if it is not known: nothing is checked then.
        start: First offset.
        end: Offset after the last one.
        quote: The words that must stand there.
    """
    if document is not None and document.text and quote:
        span = locate(document, start, end, expected=quote)
        if span is None or span.step:
            message = "a quote does not stand in its document where it is said to"
            draft.issue("source_offset_unit", f"{draft.provider}: {message}", key=quote[:80])
        start, end = (span.start, span.end) if span else (start, end)
    return between("char", start, end)


def between(unit: Unit, start: int | None, end: int | None) -> tuple[Location, ...]:
    """Return a place in a source, half-open; nothing if its ends are none."""
    if start is None or end is None or not 0 <= start <= end:
        return ()
    return (Location(unit, start, end),)
