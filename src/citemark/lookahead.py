"""What the end of a stream's text may still become: what to hold back, and what to release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citemark.catalogue import Format
from citemark.keys import key_text, may_be_key, read_keys

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citemark.grammar import Grammar
    from citemark.sources import Sources
    from citemark.tails import Tail

__all__ = ["Lookahead"]


class Lookahead:
    """Asks the rows of a grammar about a text that is still growing.

    Args:
        grammar: The rows.
        known: The sources, as far as they are known.
        late: Whether more may come.
    """

    def __init__(self, grammar: Grammar, known: Sources | None, *, late: bool) -> None:
        """Begin with nothing asked."""
        self._grammar = grammar
        self._known = known
        self._late = late
        # A row that could not become the text so far cannot with more of it: begin at the one
        # that could.
        self._start, self._row, self._seen = -1, 0, 0
        self._clear = 0  # what is before holds no marker, however an open construct ends
        self._marker: Tail | None = None  # what may be one there, as it was asked last

    def cut(self, length: int) -> None:
        """Take account of a text that lost its first code points."""
        self._start -= length
        self._seen -= length
        self._clear -= length

    def still_waits(self, text: str, start: int) -> bool:
        """Whether the row that could become more at a position still can."""
        if start != self._start:
            return False
        return self.waits(text, start, self._grammar.tails[text[start]].rows[self._row])

    def is_settled(self, text: str, start: int) -> bool:
        """Whether no row can become more than it is at a position."""
        growing = self._grammar.tails[text[start]].at(text, start).growing
        return not any(tail.may_become(text, start) for tail in growing)

    def open_rows(self, text: str, start: int) -> Iterator[Tail]:
        """Return the rows to ask at a position, in order."""
        first = self._row if start == self._start else 0
        rows = self._grammar.tails[text[start]].at(text, start).rows
        return (tail for tail in rows if tail.order >= first)

    def waits(self, text: str, start: int, tail: Tail) -> bool:
        """Whether the text from a position on may become what a row says, or more of it."""
        ends = getattr(tail.row, "ends", "")
        if start == self._start and ends and not any(end in text[self._seen :] for end in ends):
            if len(text) - start > tail.row.limit:
                return False
        elif not self._may_become(tail, text, start):
            return False
        self._start, self._row, self._seen = start, tail.order, len(text)
        return True

    def first_marker(self, text: str, start: int) -> int:
        """Return the first position from which on text may be a marker: it is held back.

        Text of a construct that is not decided yet is text whatever comes, markers are not.
        """
        at = max(start, self._clear)
        if self._marker and at == self._clear and self._is_marker(self._marker, text, at):
            return at
        for opening in self._grammar.marker_openings.finditer(text, at):
            self._clear = opening.start()
            self._marker = self._marker_at(text, self._clear)
            if self._marker:
                return self._clear
        self._clear, self._marker = len(text), None
        return len(text)

    def _marker_at(self, text: str, start: int) -> Tail | None:
        """Return the first row of which the text from a position on is, or may be, a marker."""
        rows = self._grammar.tails[text[start]].at(text, start).rows
        markers = (tail for tail in rows if tail.is_marker)
        return next((tail for tail in markers if self._is_marker(tail, text, start)), None)

    def _may_become(self, tail: Tail, text: str, start: int) -> bool:
        row = tail.row
        if len(text) - start > row.limit:
            return False
        if not tail.may_become(text, start):
            return False
        if self._known is None or not isinstance(row, Format) or row.tier != "candidate":
            return True
        head = tail.head and tail.head.match(text, start)
        if not head:
            prefix = tail.prefix and tail.prefix.match(text, start)
            return not prefix or may_be_key(row, text[prefix.end() :], self._known)
        if head.end() < len(text):  # the key is over, if not the marker
            return bool(read_keys(row, head["key"], self._known, late=self._late))
        return may_be_key(row, head["key"], self._known)

    def _is_marker(self, tail: Tail, text: str, start: int) -> bool:
        """Whether the text from a position on is a marker, or may become one."""
        if self._may_become(tail, text, start):
            return True
        match = tail.pattern.match(text, start)
        if match is None or not isinstance(tail.row, Format):
            return match is not None and getattr(tail.row, "is_list", False)
        is_found = tail.row.tier != "candidate"
        written = key_text(tail.row, match, "key")
        return is_found or bool(read_keys(tail.row, written, self._known, late=self._late))
