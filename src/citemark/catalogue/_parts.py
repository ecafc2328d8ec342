"""Pieces of which the patterns of the rows are made.

Repetition is bounded, and possessive where nothing is to be given back: that keeps matching
linear, and bounds what a stream must hold back.
"""

from __future__ import annotations

from typing import Final

ZEROS: Final = (
    "\u0660\u06f0\u07c0\u0966\u09e6\u0a66\u0ae6\u0b66\u0be6\u0c66\u0ce6\u0d66"
    "\u0e50\u0ed0\u0f20\u1040\u17e0\u1810\uff10"
)
"""The digit nought of every script whose digits are read, besides ASCII (Unicode 15, Nd).

Spelled out, because ``regex`` and ``re`` take other characters for a digit than ``int`` does.
"""

DIGIT: Final = "[0-9" + "".join(f"{zero}-{chr(ord(zero) + 9)}" for zero in ZEROS) + "]"
NUMBER: Final = DIGIT + "{1,6}+"
RANGE: Final = rf"{NUMBER} (?: [ ]?+ [-\u2010-\u2015\u2212\uff0d] [ ]?+ {NUMBER} )?+"
SEPARATOR: Final = "[,;\u060c\u061b\uff0c\u3001\uff1b]"
"""What stands between the members of a list, in the scripts whose digits are read."""

NUMBERS: Final = rf"{RANGE} (?: [ ]{{0,2}}+ {SEPARATOR} [ ]{{0,2}}+ {RANGE} ){{0,49}}+"

SIMPLE: Final = r"[1-9][0-9]{0,2}+ (?: , [ ]?+ [1-9][0-9]{0,2}+ ){0,9}+"
"""The common case of ``NUMBERS``: neither ranges nor years nor nought."""

# Text of a link (CommonMark 0.31.2, 6.3): escapes and code spans as wholes, brackets once.
LINK_WORDS: Final = r"(?: [^\[\]\\`\n]{1,500}+ | \\[^\n] | `[^`\n]{1,500}+` ){0,50}+"
LINK_TEXT: Final = rf"{LINK_WORDS} (?: \[ {LINK_WORDS} \] {LINK_WORDS} ){{0,5}}+"
# Its destination, parentheses nested once, and its title.
URL: Final = r"""(?: [^\x00-\x20\x7f()<>\\]{1,2048}+ | \\[^\x00-\x20]
                     | \( [^\x00-\x20\x7f()<>]{0,2048}+ \) ){1,50}+"""
LINK_TITLE: Final = (
    r"""(?: [ ]{1,9}+ (?: "[^"\n]{0,200}+" | '[^'\n]{0,200}+' | \([^()\n]{0,200}+\) ) )?+"""
)
KEYED_TARGET: Final = rf"\( [ ]?+ <?+ (?P<key> {URL} ) >?+ {LINK_TITLE} [ ]{{0,9}}+ \)"

LINK_LIMIT: Final = 2_900


PAGE: Final = (
    r"""(?i: pp?[.]? | pages? | pgs?[.] | s[.] | seiten? | p\u00e1ginas? |
         \u0441\u0442\u0440[.]? """
    r"| \u7b2c | \u9875 | \u30da\u30fc\u30b8 )"
)
"""What stands before the number of a page."""

DASH: Final = "[-\u2010-\u2015\u2212\uff0d]"
COLON: Final = "[:\uff1a]"

AND: Final = "(?:and|&|und|et|y|e|en|og|och|i|\u0438|\u548c|\u3068)"
"""What stands before the last member of a list, in the languages most used."""

# Words inside a tag: as far as a blank line, a line that begins a block, or a limit.
TAG_LINE_END: Final = r"\n (?! [ \t]{0,40}+ (?: \n | [-*+>#|] | [0-9]{1,9}[.)] | ``` | ~~~ ) )"

BLANK: Final = "[ ]{0,3}+"

_WORD: Final = r"[^<\n\[|`\u3010\uff3b\ue200-\ue206]"

MAX_WORDS: Final = 1_000
"""Most code points of words in a tag that are held back for its end."""


def words_in(tags: str) -> str:
    """Return the pattern of words in a tag: to a blank line, a block, or another such tag.

    Words that may hold a marker or code are not held back as one: they are read as any text,
    and the two halves of the tag stand alone.
    """
    return (
        rf"(?P<words> {_WORD}{{0,{MAX_WORDS}}}+ (?: (?: {TAG_LINE_END} "
        rf"| < (?! /?+ (?i: {tags} ) [ >:] ) ) {_WORD}{{0,150}}+ ){{0,20}}+ )"
    )
