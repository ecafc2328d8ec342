"""The rows compiled: one pattern finds markers and what hides them, in one pass.

All alternatives start with a literal character, so the engine skips plain text at the speed of
a character search, and each is tried only at its own opening character.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from citemark._prose import ROWS, guarded
from citemark.catalogue import (
    ALL,
    WORDS,
    Format,
    check_row,
    keyed,
)
from citemark.constructs import AFTER, BEFORE, LINKS, Skip
from citemark.errors import FormatError
from citemark.tails import Tails

if TYPE_CHECKING:
    from collections.abc import Iterable


__all__ = ["WORDS", "Grammar", "Row", "compile_grammar"]

Row: TypeAlias = Skip | Format


class Grammar:
    """Formats, and the constructs that hide them, ready to match.

    Args:
        formats: Marker formats, in order of precedence.

    Raises:
        FormatError: A format does not compile or does not match its example, has other groups
            than ``words`` and ``key``, no opening character, a field with an unknown value, or
            a name that cannot be that of a group or is taken.
    """

    def __init__(self, formats: Iterable[Format]) -> None:
        """Check and order the rows, and compile the pattern that scans."""
        rows = tuple(formats)
        for row in rows:
            if row is not ALL.by_name.get(row.name):  # the tests check ours
                check_row(row)
        for name, count in Counter(row.name for row in rows).items():
            if count > 1:
                raise FormatError(name, "another format has that name")
        links = (row for row in rows if row.over_links)
        others = (row for row in rows if not row.over_links)
        self._rows: tuple[Row, ...] = (*BEFORE, *links, *LINKS, *others, *AFTER)
        self.hold = max(row.limit for row in self._rows)
        """Longest construct in code points: a stream holds back no more."""
        self.rows: dict[str | None, Row | None] = {None: None}
        """What ``lastgroup`` of a match means; None for a construct to skip."""
        self.sure_shortcuts: dict[str | None, Shortcut] = {}
        """Shortcuts by their groups."""
        self.shortcuts: dict[str | None, Shortcut] = {}
        """The same, less those of candidates."""
        self.scan = self._compile(0)
        """Pattern of everything, to be driven by ``finditer``."""
        self._order = {id(row): number for number, row in enumerate(self._rows)}
        self._rest: dict[tuple[int, str], re.Pattern[str]] = {}

    def after(self, row: Row, opening: str) -> re.Pattern[str]:
        """Return the pattern of the rows of an opening character after the given one."""
        at = self._order[id(row)] + 1, opening
        if at not in self._rest:
            self._rest[at] = self._compile(*at)
        return self._rest[at]

    @cached_property
    def openings(self) -> re.Pattern[str]:
        """Pattern of the places where anything may start."""
        return re.compile("|".join(self._openings()))

    @cached_property
    def decisive(self) -> re.Pattern[str]:
        """Pattern of what a stream cannot release without a closer look."""
        return re.compile("|".join([*self._openings(), r"[\r\ud800-\udbff]"]))

    @cached_property
    def marker_openings(self) -> re.Pattern[str]:
        """Pattern of the characters with which a marker may start."""
        markers = (row for row in self._rows if isinstance(row, Format) or row.is_list)
        return _any_of({character for row in markers for character in row.opening})

    def _openings(self) -> list[str]:
        guards: dict[str, list[str]] = {}
        for row in self._rows:
            for character in row.opening:
                guards.setdefault(character, []).append(getattr(row, "guard", ""))
        plain = {character for character, of_rows in guards.items() if not all(of_rows)}
        guarded = (
            rf"{_literal(character)}(?={'|'.join(guards[character])}|\Z)"
            for character in guards.keys() - plain
        )
        return [_any_of(plain).pattern, *sorted(guarded)]

    @cached_property
    def tails(self) -> dict[str, Tails]:
        """For each opening character its rows, to be matched in part."""
        by_opening: dict[str, list[Row]] = {}
        for row in self._rows:
            for character in row.opening:
                by_opening.setdefault(character, []).append(row)
        return {character: Tails(character, rows) for character, rows in by_opening.items()}

    def _note_shortcut(self, row: Format, group: str) -> None:
        words = f"{group}{WORDS}" if "(?P<words>" in row.shortcut else None
        self.rows[group] = row
        self.sure_shortcuts[group] = Shortcut(
            row.name, words, row.keys == "numbers", row.like_index or row.name in ROWS
        )
        if row.tier != "candidate":
            self.shortcuts[group] = self.sure_shortcuts[group]

    def _compile(self, first: int, only: str = "") -> re.Pattern[str]:
        """Return the pattern of the rows from the given one on, grouped by opening.

        Args:
            first: Number of the first row.
            only: The one opening character that counts; all of them if empty.
        """
        bodies: dict[str, list[str]] = {}
        for number, row in enumerate(self._rows if first == 0 else ()):
            if isinstance(row, Format) and not _is_ours(row):
                break  # a row of the user's may mean to be tried before those that follow
            if isinstance(row, Format) and row.shortcut:
                for character in row.opening:
                    group = f"{row.name}_{number}_{ord(character)}_shortcut"
                    short = guarded(row.name, row.shortcut, is_glued=row.like_index)
                    body = keyed(short, group)
                    bodies.setdefault(character, []).append(body)
                    self._note_shortcut(row, group)
        for number, row in enumerate(self._rows[first:], first):
            for character in _openings_of(row, only):
                group = f"{row.name}_{number}_{ord(character)}"
                bodies.setdefault(character, []).append(_body(row, group))
                self.rows[group] = self.rows[f"{group}{WORDS}"] = row
        alternatives = (
            f"{_literal(character)} (?: {' | '.join(rows)} )"
            for character, rows in bodies.items()
        )
        return re.compile(" | ".join(alternatives) or "(?!)", re.VERBOSE)


class Shortcut(NamedTuple):
    """What the scanner needs to make a marker without a closer look."""

    name: str
    words: str | None
    """Group of the words that stay, if there are any."""
    is_list: bool
    """Whether the key may be a list of numbers."""
    may_be_prose: bool
    """Whether the words before it may tell that it is none."""


@lru_cache(maxsize=64)
def compile_grammar(formats: tuple[Format, ...]) -> Grammar:
    """Return the grammar for these formats, compiled once: it is immutable and shared."""
    return Grammar(formats)


@lru_cache(maxsize=512)
def _is_ours(row: Format) -> bool:
    return any(
        row.name == ours.name and (row.opening, row.pattern) == (ours.opening, ours.pattern)
        for ours in ALL
    )


def _body(row: Row, group: str) -> str:
    if isinstance(row, Format) and "(?P<key>" in row.pattern:
        return keyed(row.pattern, group)
    # A group that is open while the pattern is tried makes each repetition in it dearer.
    is_looked_at = isinstance(row, Format) or row.checked
    return f"(?: {row.pattern} ) (?P<{group}>)" if is_looked_at else row.pattern


def _openings_of(row: Row, only: str) -> str:
    """Return the opening characters of a row, or the only one that counts, if it is of them."""
    if not only:
        return row.opening
    return only if only in row.opening else ""


def _literal(character: str) -> str:
    return r"\n" if character == "\n" else re.escape(character)


def _any_of(characters: set[str]) -> re.Pattern[str]:
    if not characters:
        return re.compile("(?!)")
    return re.compile(
        "[" + "".join(_literal(character) for character in sorted(characters)) + "]"
    )
