"""Labels of a list that the answer itself holds: ``[1] Open the lid.`` at the start of a line.

The first is 1 (or 0) and begins a block; those that follow count on.  What goes on like a
sentence, as in ``[1] says that``, cites.
"""

from __future__ import annotations

from typing import Final

from citemark._lazy import lazy_re
from citemark._prose._words import REPORTS

__all__ = ["Labels"]

_PREFIX: Final = lazy_re(r"\n[ ]{0,3}(?:(?:[-*+>]|#{1,6}|\.\.)[ ]{1,4}){0,2}[\"“„«]?\Z")
_PREFIX_LENGTH: Final = 24
_LINE: Final = 100
"""Code points of the line before that are looked at."""

_WORD: Final = 6
"""Code points of a word that tell how a sentence goes on: the longest of ``REPORTS``."""

_OUTPUT: Final = lazy_re(r"\n[ ]{0,3}(?:##[ ])?\Z")
_FIGURES: Final = lazy_re(r"[ ]{1,9}[-+]?[0-9][-+0-9.,eE ]{0,99}")
_FIRST: Final = lazy_re(r"[ ]{0,9}[-+]?")
_OUTPUT_LENGTH: Final = 120

_MARKS: Final = frozenset("*\"'“„«¿¡「『")
_UNSPACED: Final = lazy_re("[\u3040-\u30ff\u3400-\u9fff]")
"""Scripts in which no blank follows a label."""


class Labels:
    """Counts the labels of a list."""

    __slots__ = ("_is_printed", "_last")

    def __init__(self) -> None:
        """Begin without a list."""
        self._last = -9
        self._is_printed = False  # a line of numbers was found, and more may follow

    def take(self, text: str, start: int, end: int, after: str, *, final: bool) -> bool | None:
        """Whether a bracket is a label; None if more text will tell.

        Args:
            text: The text, with a line end before its first line.
            start: Where the bracket starts.
            end: Where it ends.
            after: What follows, as far as it is looked at.
            final: Whether no more will follow.
        """
        line = _PREFIX.search(text, max(0, start - _PREFIX_LENGTH), start)
        written = text[start:end].strip("[]【】［］ ")
        if line is None or not written.isdecimal():
            return False
        if self._is_printed or int(written) == 1:
            found = _is_output(text, line.start(), start, end, final=final)
            if found is not False:
                self._is_printed = found is True or self._is_printed
                return found
        number, before = int(written), text[max(0, line.start() - _LINE) : line.start()]
        if number != self._last + 1 and not (number in {0, 1} and _begins_block(before)):
            return False
        found = _begins_item(after, final=final, is_console=_is_console(before))
        if found:
            self._last = number
        return found


def _is_output(text: str, line: int, start: int, end: int, *, final: bool) -> bool | None:
    """Whether only numbers follow on the line, as R prints them: ``[1] 3 4 5``."""
    if not _OUTPUT.match(text[line:start]):
        return False
    rest = text[end : end + _OUTPUT_LENGTH]
    found = _FIGURES.match(rest)
    if found is None:
        return None if not final and _FIRST.fullmatch(rest) else False
    if found.end() == len(rest) < _OUTPUT_LENGTH:
        return final or None
    return rest[found.end() : found.end() + 1] == "\n"


def _begins_block(before: str) -> bool:
    """Whether a line begins a block, or a list, by what is before it."""
    before = before.rstrip(" \t>")
    last = before.rpartition("\n")[2]
    return (
        before[-1:] in {"", "\n", ":", "?", "：", "？"}
        or last.startswith(("#", "$ "))
        or (last.startswith("**") and last.endswith("**"))
        or _is_console(before)
    )


def _is_console(before: str) -> bool:
    return before.rpartition("\n")[2].startswith(("$ ", "> "))


def _begins_item(after: str, *, final: bool, is_console: bool) -> bool | None:
    """Whether what follows a bracket is the start of an item rather than of a clause."""
    item = after.lstrip(" ")
    if not item:
        return None if not final and len(after) <= _WORD else False
    first, is_apart = item[0], item != after
    if first.isascii() or first in _MARKS or first.islower() or first.isupper():
        starts = first.isupper() or first in _MARKS or (is_console and first.isdigit())
        return is_apart and starts
    if not first.isalpha() or not (is_apart or _UNSPACED.match(first)):
        return False
    return None if not final and len(item) < _WORD else not item.startswith(REPORTS)
