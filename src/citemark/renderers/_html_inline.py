"""Inline Markdown, rule by rule as markdown-it-py has it, but each only where it may begin.

Markers are as if they were not there: what stands around a placeholder decides whether stars
emphasise.  Where a script has no blanks between words, a marker may also end a word.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from markdown_it import rules_inline
from markdown_it.common.utils import isMdAsciiPunct, isWhiteSpace
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline.state_inline import Delimiter, Scanned, StateInline

from citemark.renderers._html_light_tokens import Text
from citemark.renderers._html_marks import LITERALS, OPENING, OUTSIDE, PLACEHOLDER
from citemark.renderers._html_math import formula

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from markdown_it import MarkdownIt
    from markdown_it.token import Token
    from markdown_it.utils import EnvType

    Rule = Callable[[StateInline, bool], bool]

__all__ = ["Inline"]

SILENT: Final = True
SPOKEN: Final = False
"""Whether a rule only tells if it fits, or adds its tokens too."""

_STOP: Final = re.compile(r"[\n\\`*_\[<&$]|!(?=\[)|~(?=~)")
_STOP_OR_END: Final = re.compile(r"[\n\\`*_\[\]<&$]|!(?=\[)|~(?=~)")
"""Where a rule may begin; and where, for who looks for the end of a label, one may end."""

_BLANKS: Final = " \t\xa0\u2009\u202f"
"""White space that a marker may have before it."""

_UNSPACED: Final = re.compile(
    "[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff01-\uff60\U00020000-\U0003ffff]"
)
"""Letters and punctuation of scripts that put no blanks between words, and Hangul, in which
particles follow a word without one."""


def _escape(state: StateInline, silent: bool) -> bool:  # noqa: FBT001  called so
    r"""Take an escape; but ``\【1】`` is a back-slash and a citation."""
    return not state.src.startswith(OPENING, state.pos + 1) and rules_inline.escape(
        state, silent
    )


def _stars(state: StateInline, silent: bool) -> bool:  # noqa: FBT001  called so
    """Take a run of stars or underscores, as ``emphasis.tokenize`` does."""
    if silent:
        return False
    marker = state.src[state.pos]
    opens, closes, length = state.scanDelims(state.pos, marker == "*")
    tokens, delimiters = state.tokens, state.delimiters
    for _ in range(length):
        delimiter = Delimiter(ord(marker), length, len(tokens), -1, opens, closes)
        delimiters.append(delimiter)
        tokens.append(Text(marker))
    state.pos += length
    return True


_RULES: Final[Mapping[str, tuple[Rule, ...]]] = {
    "\n": (rules_inline.newline,),
    "\\": (formula, _escape),
    "$": (formula,),
    "`": (rules_inline.backtick,),
    "~": (rules_inline.strikethrough.tokenize,),
    "*": (_stars,),
    "_": (_stars,),
    "[": (rules_inline.link,),
    "!": (rules_inline.image,),
    "<": (rules_inline.autolink,),
    "&": (rules_inline.entity,),
}


class Inline(ParserInline):
    """Parses the text of a block.  A parse changes nothing of it: threads may share it."""

    def tokenize(self, state: StateInline) -> None:
        """Add the tokens of the text from ``state.pos`` to ``state.posMax``."""
        source, end = state.src, state.posMax
        start = position = state.pos
        while found := _STOP.search(source, position, end):
            position = found.start()
            character = source[position]
            text = source[start:position]
            if character == "\n":
                start = position = _break_line(state, text, position)
                continue
            if text:
                _push(state, text)
            state.pos = position
            if any(rule(state, SPOKEN) for rule in _RULES[character]):
                start = position = state.pos
                if state.pending:  # a run of back-ticks that closes nothing
                    state.pushPending()
            else:
                start, position = position, position + 1
        if start < end:
            _push(state, source[start:end])
        state.pos = end

    def skipToken(self, state: StateInline) -> None:  # noqa: N802  name of the base class
        """Move on by one token, or by the text before the next one."""
        start, cache = state.pos, state.cache
        if start in cache:
            state.pos = cache[start]
            return
        if state.level >= state.md.options["maxNesting"]:
            state.pos = state.posMax  # as the base class has it
        else:
            self._skip(state, start)
        cache[start] = state.pos

    def _skip(self, state: StateInline, start: int) -> None:
        rules = _RULES.get(state.src[start])
        if rules is None and state.src[start] != "]":
            found = _STOP_OR_END.search(state.src, start, state.posMax)
            state.pos = found.start() if found else state.posMax
            return
        state.level += 1
        if not any(rule(state, SILENT) for rule in rules or ()):
            state.pos += 1
        state.level -= 1

    def parse(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> list[Token]:
        """Return the tokens of a text; texts beside each other are not joined."""
        if not _STOP.search(src):
            tokens.append(Text(src))
            return tokens
        state = _State(src, md, env, tokens)
        self.tokenize(state)
        if state.has_runs:
            for rule in self.ruler2.getRules(""):
                rule(state)
        return state.tokens


def _push(state: StateInline, text: str) -> None:
    state.tokens.append(Text(text))


def _break_line(state: StateInline, text: str, position: int) -> int:
    """Add the end of a line, and return where the next one begins."""
    stripped = text.rstrip(" ")
    if stripped:
        _push(state, stripped)
    is_hard = len(text) - len(stripped) > 1
    state.push("hardbreak" if is_hard else "softbreak", "br", 0)
    source, position = state.src, position + 1
    while position < state.posMax and source[position] in " \t":
        position += 1
    return position


class _State(StateInline):
    """The state of one text, in which placeholders do not part what stands around them."""

    has_runs = False
    """Whether there is a run that may emphasise, or strike through."""

    def scanDelims(self, start: int, canSplitWord: bool) -> Scanned:  # noqa: FBT001, N802, N803  as in the base class
        """Return what the run of stars at a place may do, and its length."""
        self.has_runs = True
        source, maximum = self.src, self.posMax
        marker, end = source[start], start + 1
        while end < maximum and source[end] == marker:
            end += 1
        last = source[start - 1] if start else " "
        following = source[end] if end < maximum else " "
        is_marked = (last in OUTSIDE, following == OPENING)
        if not any(is_marked):
            opens = _opens(last, following, splits=canSplitWord)
            closes = _opens(following, last, splits=canSplitWord)
            return Scanned(opens, closes, end - start)
        before, after = _before(source, start), _after(source, end, maximum)
        opens, closes = _beside_marker(before, after, is_marked, splits=canSplitWord)
        return Scanned(opens, closes, end - start)


def _beside_marker(
    before: tuple[str, str],
    after: tuple[str, str],
    is_marked: tuple[bool, bool],
    *,
    splits: bool,
) -> tuple[bool, bool]:
    """Tell whether a run beside a marker may open, and whether it may close.

    As if the marker were not there.  Nor are the blanks between the marker and the words that
    it is for, "**so it is [1]**", unless a word on the other side of the run decides it.
    """
    (last, word), (following, next_word) = before, after
    outer_last, outer_following = (
        " " if marked and _UNSPACED.match(character) else character
        for marked, character in zip(is_marked, (last, following), strict=True)
    )
    opens = _opens(outer_last, following, splits=splits)
    closes = _opens(outer_following, last, splits=splits)
    may_open = not closes or _ends_word(outer_last)
    may_close = not opens or _ends_word(outer_following)
    return (
        opens or (may_open and _opens(outer_last, next_word, splits=splits)),
        closes or (may_close and _opens(outer_following, word, splits=splits)),
    )


def _ends_word(character: str) -> bool:
    return any(_kind(character)) or _UNSPACED.match(character) is not None


def _opens(outer: str, inner: str, *, splits: bool) -> bool:
    """Tell whether a run may open between two characters (CommonMark 0.31.2, 6.2).

    With the characters exchanged: whether it may close.

    Args:
        outer: What stands outside of the emphasis.
        inner: What it begins with.
        splits: Whether it may begin within a word.
    """
    (blank_outside, mark_outside), (blank_inside, mark_inside) = _kind(outer), _kind(inner)
    if blank_inside or (mark_inside and not (blank_outside or mark_outside)):
        return False
    closes = not blank_outside and (not mark_outside or mark_inside)
    return splits or mark_outside or not closes


def _before(source: str, position: int) -> tuple[str, str]:
    """Return what stands before a position without placeholders; and without blanks as well."""
    start = position
    while position and source[position - 1] in OUTSIDE:
        position -= 1
    last = source[position - 1] if position else " "
    is_marked = position < start
    while is_marked and position and source[position - 1] in _BLANKS:
        position -= 1
    return last, source[position - 1] if position else " "


def _after(source: str, position: int, end: int) -> tuple[str, str]:
    """Return what stands behind a position, likewise."""
    start = position
    while found := PLACEHOLDER.match(source, position, end):
        if found[0][-1] in LITERALS:
            return found[0][-1], found[0][-1]
        position = found.end()
    following = source[position] if position < end else " "
    while start < position < end and source[position] in _BLANKS:
        position += 1
    return following, source[position] if position < end else " "


@lru_cache(maxsize=1_024)
def _kind(character: str) -> tuple[bool, bool]:
    """Tell whether a character is white space, and whether it is punctuation or a symbol."""
    is_mark = isMdAsciiPunct(ord(character)) or unicodedata.category(character)[0] in "PS"
    return isWhiteSpace(ord(character)), is_mark
