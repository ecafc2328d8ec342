"""Where a text needs a back-slash, or code around an address, to become harmless."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Final

import regex

from citemark.renderers._markdown_pieces import Edit, in_order
from citemark.renderers._markdown_text import (
    HIDDEN,
    code_span,
    end_of_run,
    find_addresses,
    free_ticks,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from citemark.renderers._markdown_pieces import Piece, Policy
    from citemark.renderers._markdown_read import Block, Construct, Reading

__all__ = ["Search", "find_edits"]

_TAG: Final = regex.compile(r"<(?=[A-Za-z/!?])")
_FOOTNOTE: Final = regex.compile(r"^[ \t]*(\[)\^[^\]\n]{1,999}+\]:", regex.MULTILINE)
_NOT_IN_CODE: Final = regex.compile(r"[`|\\\[\]]")
_OPENING: Final = regex.compile(r"\\.|(!?\[)", regex.DOTALL)
_INLINE_NOTE: Final = regex.compile(r"\^\[")


def find_edits(
    whole: str,
    reading: Reading,
    pieces: Sequence[Piece],
    policy: Policy,
    *,
    all_brackets: bool = False,
) -> list[Edit]:
    """Return the changes that a reading asks for, in order and without overlap.

    Args:
        whole: The pieces, joined, and what follows them, which is ours.
        reading: Result of ``read(whole)``.
        pieces: Parts of the output, some of which are ours.
        policy: What may stay.
        all_brackets: Whether a block that holds something that may not stay loses all of its
            brackets at once, instead of the one that starts it.
    """
    search = Search(whole, pieces, policy)
    found = [search.before(whole.index("[", line)) for line in reading.definitions]
    for start, end in reading.html:
        found += (search.before(tag.start()) for tag in _TAG.finditer(whole, start, end))
    if not found:
        # A definition makes links of what would be text without it, so it has to go first.
        found = [
            edit
            for block in reading.blocks
            for edit in search.in_block(block, all_brackets=all_brackets)
        ]
    return in_order(found)


class Search:
    """Finds the edits for one output."""

    def __init__(self, whole: str, pieces: Sequence[Piece], policy: Policy) -> None:
        self._whole = whole
        self._policy = policy
        self._pieces = pieces
        self._starts = [0, *accumulate(len(piece.text) for piece in pieces)]
        self._ticks = free_ticks(whole[: self._starts[-1]])

    def before(self, at: int) -> Edit | None:
        """Return the edit that takes its meaning from a character; none in what follows.

        A bracket of ours has to keep its meaning: what comes after it loses its own.
        """
        number = bisect_right(self._starts, at) - 1
        if number >= len(self._pieces):
            return None
        if self._pieces[number].is_ours:
            at = self._starts[number + 1]
        return Edit(at, at, "\\")

    def in_block(self, block: Block, *, all_brackets: bool) -> Iterator[Edit | None]:
        """Yield the edits within a paragraph, a heading or a table cell."""
        if not block.is_known:
            yield from self._brackets(block)
            return
        if all_brackets and not all(map(self._may_stay, block.constructs)):
            brackets = list(self._brackets(block))
            yield from brackets
            if brackets:
                return
        for construct in block.constructs:
            if not self._may_stay(construct):
                yield self._against(block, construct)
                if construct.kind == "image":
                    # One image may hold others, which would appear one by one.
                    yield from self._brackets(block, construct.start + 2, construct.end)
        yield from self._notes(block)
        yield from self._addresses(block)

    def _brackets(self, block: Block, start: int = 0, end: int | None = None) -> Iterator[Edit]:
        for match in _OPENING.finditer(block.text, start, end):
            at = block.positions[match.start(1)] if match[1] else -1
            if match[1] and not self.is_ours(at):
                yield Edit(at, at + len(match[1]), "".join(f"\\{each}" for each in match[1]))

    def _may_stay(self, construct: Construct) -> bool:
        if construct.kind in {"link", "autolink"}:
            return self._policy.is_allowed(construct.value)
        return construct.kind in {"code", "special"}

    def _against(self, block: Block, construct: Construct) -> Edit | None:
        start, end = block.positions[construct.start], block.positions[construct.end - 1] + 1
        if construct.kind == "image" and not self.is_ours(start + 1):
            return Edit(start, start + 2, r"\!\[")
        address = self._whole[start + 1 : end - 1]
        if construct.kind == "autolink" and not _NOT_IN_CODE.search(address):
            return self._code(start, end, address)
        return self.before(start)

    def _code(self, start: int, end: int, text: str) -> Edit:
        # Runs of back-ticks must not grow together.
        before = " " if self._whole[max(0, start - 1) : start] == "`" else ""
        after = " " if self._whole[end : end + 1] == "`" else ""
        return Edit(start, end, before + code_span(text, self._ticks) + after)

    def _notes(self, block: Block) -> Iterator[Edit | None]:
        # A definition is found before code spans are, so that it may be within one.
        for match in _FOOTNOTE.finditer(block.text):
            yield self.before(block.positions[match.start(1)])
        taken = {at for each in block.constructs for at in range(each.start, each.end)}
        for match in _INLINE_NOTE.finditer(block.text):
            if match.start() not in taken:
                yield self.before(block.positions[match.start()])
        for at in _all(f"[^{self._policy.label}", block.text if self._policy.label else ""):
            if at not in taken and not self.is_ours(block.positions[at]):
                yield self.before(block.positions[at])

    def kept(self, reading: Reading) -> list[tuple[int, int]]:
        """Return the half-open span of each link that may stay, in order."""
        return [
            (block.positions[found.start], block.positions[found.end - 1] + 1)
            for block in reading.blocks
            for found in block.constructs
            if found.kind in {"link", "autolink"} and self._may_stay(found)
        ]

    def is_ours(self, at: int) -> bool:
        """Tell whether a character is in a piece of ours, or in what follows."""
        number = bisect_right(self._starts, at) - 1
        return number >= len(self._pieces) or self._pieces[number].is_ours

    def _addresses(self, block: Block) -> Iterator[Edit | None]:
        view = _View(block)

        def may_stay(start: int, end: int) -> bool:
            # Some look for addresses before they read escapes, some after.
            # All that some take for a part of the address is looked at, and what follows:
            # an escape in it would lose its meaning.
            stop = end_of_run(view.text, start) + 1
            as_written = all(b - a == 1 for a, b in view.spans[start:stop])
            return as_written and self._policy.is_allowed(view.text[start:end])

        for start, end in find_addresses(view.text, may_stay):
            first, last = view.spans[start], view.spans[end - 1]
            at, stop = block.positions[first[0]], block.positions[last[1] - 1] + 1
            if self.is_ours(at):
                continue
            if end - start > 1:
                yield self._code(at, stop, view.text[start:end])
            elif first[1] - first[0] == 1:
                yield self.before(at)


def _all(part: str, text: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


class _View:
    """Text of a block as readers see it outside of code and links.

    A link that may not stay is looked into once it is none any more.
    """

    def __init__(self, block: Block) -> None:
        characters: list[str] = []
        self.spans: list[tuple[int, int]] = []
        """Half-open span in the block of each character."""
        at = 0
        for construct in [*block.constructs, None]:
            start = construct.start if construct else len(block.text)
            if start < at:
                continue
            characters += block.text[at:start]
            self.spans += ((n, n + 1) for n in range(at, start))
            if construct:
                shown = construct.value if construct.kind == "special" else HIDDEN
                characters += shown
                self.spans += [(start, construct.end)] * len(shown)
                at = construct.end
        self.text = "".join(characters)
