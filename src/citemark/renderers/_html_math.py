r"""Formulas in an answer: shown as they are written, for a page that sets them or for no one.

Markdown would read their escapes, stars and underscores: ``\(a\,b\)`` would become ``(a,b)``.
What the scanner skips as a formula is one here.  With the option ``math`` so is whatever stands
between the delimiters of KaTeX and MathJax, and it gets a class that they can be pointed to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import regex

from citemark.constructs import BEFORE
from citemark.renderers._html_marks import OPENING

if TYPE_CHECKING:
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline

__all__ = ["formula", "formula_block"]

MAX_FORMULA: Final = 2_000
"""Code points of a formula within a line or paragraph."""

MAX_LINES: Final = 60
"""Lines of a formula that is a block of its own."""

_SKIPPED: Final = regex.compile(
    "|".join(
        rf"(?:{regex.escape(row.opening)}{row.pattern})" for row in BEFORE if row.name == "math"
    ),
    regex.VERBOSE,
)

_NO_BLANK_LINE: Final = r"\n (?! [ \t]* \n )"
_DELIMITED: Final = regex.compile(
    rf"""\\\( (?: [^\\\n] | \\[^()] | {_NO_BLANK_LINE} ){{1,{MAX_FORMULA}}}+ \\\)
       | \\\[ (?: [^\\\n] | \\[^\[\]] | {_NO_BLANK_LINE} ){{1,{MAX_FORMULA}}}+ \\\]
       | \$\$ (?: [^\\$\n] | \\. | {_NO_BLANK_LINE} ){{1,{MAX_FORMULA}}}+ \$\$""",
    regex.VERBOSE,
)

_CLOSING: Final = {"\\[": "\\]", "$$": "$$"}
_NAME: Final = regex.compile(r"[\p{L}\p{N}]")


def formula(state: StateInline, silent: bool) -> bool:  # noqa: FBT001  called so
    """Take a formula within a text; one that a citation stands in is none."""
    found = _match(state.src, state.pos, state.posMax, is_wide=_is_wide(state))
    if found is None:
        return False
    if not silent:
        state.push("math", "", 0).content = found
    state.pos += len(found)
    return True


def formula_block(state: StateBlock, first: int, end: int, silent: bool) -> bool:  # noqa: FBT001  called so
    """Take lines that are one formula: ``+ c`` in it is no list."""
    start = state.bMarks[first] + state.tShift[first]
    closing = _CLOSING.get(state.src[start : start + 2])
    if closing is None or state.is_code_block(first):
        return False
    last = _last_line(state, first, end, closing)
    if last is None:
        return False
    text = state.getLines(first, last + 1, state.blkIndent, False).strip(" \t")  # noqa: FBT003
    if _match(text, 0, len(text), is_wide=_is_wide(state)) != text:
        return False
    if not silent:
        token = state.push("math_block", "", 0)
        token.content, token.map = text, [first, last + 1]
        state.line = last + 1
    return True


def _last_line(state: StateBlock, first: int, end: int, closing: str) -> int | None:
    """Return the line that a closing delimiter ends, if it comes before an empty one."""
    for line in range(first, min(end, first + MAX_LINES)):
        start, stop = state.bMarks[line] + state.tShift[line], state.eMarks[line]
        if start >= stop or state.sCount[line] < state.blkIndent:
            return None
        text = state.src[start + 2 * (line == first) : stop]
        if closing in text:
            return line if text.rstrip(" \t").endswith(closing) else None
    return None


def _match(text: str, start: int, end: int, *, is_wide: bool) -> str | None:
    found = _SKIPPED.match(text, start, end)
    if found is None and is_wide:
        found = _DELIMITED.match(text, start, end)
    if found is None or OPENING in found[0] or not _NAME.search(found[0]):
        return None
    return found[0]


def _is_wide(state: StateBlock | StateInline) -> bool:
    return bool(state.env["page"].options.math)
