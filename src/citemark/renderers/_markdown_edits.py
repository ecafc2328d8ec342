"""Where a text needs a back-slash, or code around an address, to become harmless."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

import regex

from citemark.renderers._markdown_text import HIDDEN, code_span, find_addresses, free_ticks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from citemark.renderers._markdown_read import Block, Construct, Reading

__all__ = ["Edit", "Piece", "Policy", "apply_edits", "find_edits", "without_ours_in_code"]

_TAG: Final = regex.compile(r"<(?=[A-Za-z/!?])")
_FOOTNOTE: Final = regex.compile(r"^[ \t]*(\[)\^[^\]\n]{1,999}+\]:", regex.MULTILINE)
_NOT_IN_CODE: Final = regex.compile(r"[`|\\\[\]]")
_OPENING: Final = regex.compile(r"\\.|(!?\[)", regex.DOTALL)
_LOOSE_DEFINITION: Final = regex.compile(
    r"^(?:[ \t>]|[*+-][ \t]|[0-9]{1,9}[.)][ \t])*+(\[)[^\[\]\n]{1,999}+\]:[ \t\r]*+"
    r"\n[ \t>]*+(?=```|~~~)",
    regex.MULTILINE,
)
_INLINE_NOTE: Final = regex.compile(r"\^\[")


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
    search = _Search(whole, pieces, policy)
    found = [search.before(whole.index("[", line)) for line in reading.definitions]
    found += search.loose_definitions(reading)
    for start, end in reading.html:
        found += (search.before(tag.start()) for tag in _TAG.finditer(whole, start, end))
    if not found:
        # A definition makes links of what would be text without it, so it has to go first.
        found = [
            edit
            for block in reading.blocks
            for edit in search.in_block(block, all_brackets=all_brackets)
        ]
    kept: list[Edit] = []
    for edit in sorted(edit for edit in found if edit is not None):
        if not kept or (edit.start >= kept[-1].end and edit[:2] != kept[-1][:2]):
            kept.append(edit)
    return kept


def without_ours_in_code(pieces: Sequence[Piece], reading: Reading) -> list[Piece]:
    """Return the pieces with what the model wrote instead of ours where that is code."""
    spans = list(reading.code)
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
    start = 0
    for piece in pieces:
        end, done = start + len(piece.text), start
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


class _Search:
    """Finds the edits for one reading."""

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

    def loose_definitions(self, reading: Reading) -> Iterator[Edit | None]:
        """Yield the edits against a label whose address some find in the fence below it."""
        code = iter([*reading.code, (len(self._whole), len(self._whole))])
        start, end = next(code)
        for match in _LOOSE_DEFINITION.finditer(self._whole):
            at = match.start(1)
            while end <= at:
                start, end = next(code)
            if at < start:
                yield self.before(at)

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
            if match[1] and not self._is_ours(at):
                yield Edit(at, at + len(match[1]), "".join(f"\\{each}" for each in match[1]))

    def _may_stay(self, construct: Construct) -> bool:
        if construct.kind in {"link", "autolink"}:
            return self._policy.is_allowed(construct.value)
        return construct.kind in {"code", "special"}

    def _against(self, block: Block, construct: Construct) -> Edit | None:
        start, end = block.positions[construct.start], block.positions[construct.end - 1] + 1
        if construct.kind == "image" and not self._is_ours(start + 1):
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
            if at not in taken and not self._is_ours(block.positions[at]):
                yield self.before(block.positions[at])

    def _is_ours(self, at: int) -> bool:
        number = bisect_right(self._starts, at) - 1
        return number >= len(self._pieces) or self._pieces[number].is_ours

    def _addresses(self, block: Block) -> Iterator[Edit | None]:
        view = _View(block)

        def may_stay(start: int, end: int) -> bool:
            # Some look for addresses before they read escapes, some after.
            # What follows is looked at too: it may belong to the address before it is read.
            as_written = all(b - a == 1 for a, b in view.spans[start : end + 1])
            return as_written and self._policy.is_allowed(view.text[start:end])

        for start, end in find_addresses(view.text, may_stay):
            first, last = view.spans[start], view.spans[end - 1]
            at, stop = block.positions[first[0]], block.positions[last[1] - 1] + 1
            if self._is_ours(at):
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
