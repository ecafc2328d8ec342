"""The rows as a stream asks for them: may the end of its text become such a construct?

Their patterns are compiled by ``regex``, which can match in part, and only when they are asked.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from citemark.catalogue import Format, before_key, up_to_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    import regex

    from citemark.constructs import Skip

__all__ = ["Tail", "Tails"]

MAX_START: Final = 5
"""Code points, the opening character among them, by which rows are ruled out at once."""

MAX_STARTS: Final = 4_096
"""Most starts of constructs that are remembered for one opening character."""


class Tail:
    """A row at one of its opening characters.

    Args:
        row: The row.
        character: The opening character.
        order: Place of the row among those of this character.
    """

    def __init__(self, row: Skip | Format, character: str, order: int) -> None:
        """Keep the row; nothing is compiled yet."""
        self.row = row
        self.order = order
        self.is_marker = isinstance(row, Format) or row.is_list
        """Whether it is a format, or may begin a list of sources."""
        self._character = r"\n" if character == "\n" else re.escape(character)

    @cached_property
    def pattern(self) -> regex.Pattern[str]:
        """The whole construct.  A full match, in part, answers the question."""
        return self._compiled(self.row.pattern)

    @cached_property
    def prefix(self) -> regex.Pattern[str] | None:
        """What comes before the key; None if the row has none, or the key is in a group."""
        return self._part(before_key(self.row.pattern))

    @cached_property
    def head(self) -> regex.Pattern[str] | None:
        """The same with the key."""
        return self._part(up_to_key(self.row.pattern))

    def may_become(self, text: str, start: int) -> bool:
        """Whether the text from a position on may be the whole construct, or begin it."""
        return self.pattern.fullmatch(text, start, partial=True) is not None

    @cached_property
    def looks_back(self) -> bool:
        """Whether the text before may be needed to tell."""
        return "(?<=" in self.row.pattern

    def _part(self, pattern: str | None) -> regex.Pattern[str] | None:
        import regex  # noqa: PLC0415  as in _compiled

        try:
            return None if pattern is None else self._compiled(pattern)
        except regex.error:  # the key is in a group
            return None

    def _compiled(self, body: str) -> regex.Pattern[str]:
        import regex  # noqa: PLC0415  only streams need it, and it takes 30 ms to import

        return regex.compile(f"{self._character} (?: {body} )", regex.VERBOSE)


class Possible(NamedTuple):
    """What a text may be that starts in one way."""

    rows: tuple[Tail, ...]
    """The rows that it may be, or become, in order."""
    growing: tuple[Tail, ...]
    """Those of them that it may become, or that may become more."""


class Tails:
    """The rows of one opening character, in order."""

    def __init__(self, character: str, rows: Sequence[Skip | Format]) -> None:
        """Keep the rows."""
        self.rows = tuple(Tail(row, character, order) for order, row in enumerate(rows))
        self._by_start: dict[str, Possible] = {"": Possible(self.rows, self.rows)}

    def at(self, text: str, start: int) -> Possible:
        """Return what the text from a position on may be; the rest is ruled out.

        By its first few code points alone, so that one look into a dictionary tells.
        """
        return self._of(text[start : start + MAX_START])

    def _of(self, start: str) -> Possible:
        found = self._by_start.get(start)
        if found is None:
            found = _narrowed(self._of(start[:-1]), start)
            if len(self._by_start) < MAX_STARTS:
                self._by_start[start] = found
        return found


def _narrowed(before: Possible, start: str) -> Possible:
    """Return what is possible with one more code point: no more than without it."""
    growing = tuple(row for row in before.growing if row.looks_back or row.may_become(start, 0))
    return Possible(
        tuple(row for row in before.rows if row in growing or row.pattern.match(start)),
        growing,
    )
