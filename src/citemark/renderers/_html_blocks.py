"""Block Markdown, as markdown-it-py has it, but nested less deeply and asked less often.

Most lines begin no block; that is told by their first character, before a rule is called.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from markdown_it import rules_block

from citemark.renderers._html_light_tokens import Block, Paragraph, ParagraphEnd
from citemark.renderers._html_math import formula_block

if TYPE_CHECKING:
    from collections.abc import Callable

    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock

    Rule = Callable[[StateBlock, int, int, bool], bool]

__all__ = ["MAX_NESTING", "use_block_rules"]

MAX_NESTING: Final = 40
"""Levels of blocks: browsers and parsers slow down, or break, on deep trees.

The marks of deeper ones are text.
"""

MAX_INDENT: Final = 3
"""Columns of a line in front of which it would be code (CommonMark 0.31.2, 4.4)."""

FIRST_WINDOW: Final = 16
"""Rows of a table that are looked at first."""

_PARAGRAPH: Final = ["paragraph", "reference", "blockquote"]
_ALL: Final = [*_PARAGRAPH, "list"]
_RULES: Final[tuple[tuple[str, Rule, str, list[str]], ...]] = (
    ("fence", rules_block.fence, "`~", _ALL),
    ("blockquote", rules_block.blockquote, ">", _ALL),
    ("hr", rules_block.hr, "*-_", _ALL),
    ("list", rules_block.list_block, "*+-0123456789", _PARAGRAPH),
    ("heading", rules_block.heading, "#", _PARAGRAPH),
)
"""Rules, the characters they start with, and what they end, as markdown-it-py has it."""

_LEVELS: Final = {"blockquote": 1, "list": 2}
"""Levels that a container adds."""

_STARTS: Final = frozenset("".join(starts for _, _, starts, _ in _RULES) + "|:\\$")
"""What a line that begins no paragraph, or not for sure, starts with."""

_ITEM: Final = re.compile(r"(?:[*+-]|[0-9]{1,9}[.)])[ \t]")
_BLANKS: Final = (
    "\t\n\x0b\x0c\r \xa0\u1680"
    + "".join(map(chr, range(0x2000, 0x200B)))
    + "\u2028\u2029\u202f\u205f\u3000"
)


def use_block_rules(markdown: MarkdownIt) -> None:
    """Have these rules instead of those of the same name."""
    ruler = markdown.block.ruler
    for name, rule, starts, ended in _RULES:
        guarded = _guarded(rule, frozenset(starts), MAX_NESTING - _LEVELS.get(name, 0))
        ruler.at(name, guarded, {"alt": ended})
    ruler.at("table", _table, {"alt": ["paragraph", "reference"]})
    ruler.before("fence", "math", formula_block, {"alt": _ALL})
    ruler.at("lheading", _setext_heading)
    ruler.before("table", "line", _line)


def _guarded(rule: Rule, starts: frozenset[str], deepest: int) -> Rule:
    """Return a rule that is only asked about lines it may begin.

    A container opens none below the deepest level: markdown-it-py itself drops all that is
    nested too deep.
    """

    def guarded(state: StateBlock, first: int, end: int, silent: bool) -> bool:  # noqa: FBT001  called so
        start = state.bMarks[first] + state.tShift[first]
        if state.src[start : start + 1] not in starts or state.level > deepest:
            return False
        return rule(state, first, end, silent)

    return guarded


def _line(state: StateBlock, first: int, end: int, silent: bool) -> bool:  # noqa: ARG001, FBT001  called so
    """Take a paragraph of one line, which most are; what may be anything else is left.

    It ends before an empty line, and before the next item of the list that it stands in.
    """
    start = state.bMarks[first] + state.tShift[first]
    if state.src[start] in _STARTS or state.sCount[first] - state.blkIndent > MAX_INDENT:
        return False
    following = first + 1
    if following < state.lineMax and not state.isEmpty(following):
        indent = state.sCount[following]
        is_outside = 0 <= indent < state.blkIndent and indent - state.listIndent <= MAX_INDENT
        next_start = state.bMarks[following] + state.tShift[following]
        if not (is_outside and _ITEM.match(state.src, next_start)):
            return False
    state.line, level = following, state.level
    text = state.src[start : state.eMarks[first]].strip(_BLANKS)
    state.tokens += (Paragraph(level), Block(text), ParagraphEnd(level))
    return True


def _table(state: StateBlock, first: int, end: int, silent: bool) -> bool:  # noqa: FBT001  called so
    if first + 1 >= end:
        return False
    start = state.bMarks[first + 1] + state.tShift[first + 1]
    if state.src[start : start + 1] not in ("|", "-", ":"):
        return False
    if silent:
        return rules_block.table(state, first, end, silent)
    return _push_table(state, first, end)


def _push_table(state: StateBlock, first: int, end: int) -> bool:
    """Add a table, if there is one, with no more cells than its text makes up for.

    Rows are looked at in windows: most tables end soon, whatever comes after them.
    """
    before, window = len(state.tokens), FIRST_WINDOW
    while True:
        seen = min(end, first + 2 + window)
        last = _last_row(state, first, seen)
        if not rules_block.table(state, first, last, False):  # noqa: FBT003  not only asked
            return False
        if state.line < last or last < seen or seen == end:
            return True
        del state.tokens[before:]
        window *= 8


def _last_row(state: StateBlock, first: int, end: int) -> int:
    """Return the line before which a table ends at the latest.

    Its rows leave out no more cells than it has characters: each is filled in, and a thousand
    columns with short rows below them would make much of little.
    """
    columns, room = _cells(state, first)
    room += _cells(state, first + 1)[1]
    for line in range(first + 2, end):
        cells, length = _cells(state, line)
        room += length - max(0, columns - cells)
        if not length or room < 0:
            return line
    return end


def _cells(state: StateBlock, line: int) -> tuple[int, int]:
    """Return how many cells a row has, about, and how many characters."""
    text = state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]].rstrip()
    return text.count("|") + 1 - text.startswith("|") - text.endswith("|"), len(text)


def _setext_heading(state: StateBlock, first: int, end: int, silent: bool) -> bool:  # noqa: FBT001  called so
    """Leave most paragraphs to the rule that follows: one line has nothing below it."""
    if first + 1 >= end or state.isEmpty(first + 1):
        return False
    return rules_block.lheading(state, first, end, silent)
