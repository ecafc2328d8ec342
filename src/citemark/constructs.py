"""Constructs of Markdown in which nothing is a marker, or not what it looks like: one row each.

They are tried at the same places as the marker formats, in the same pass.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from citemark.catalogue import LINK_LIMIT, LINK_TEXT, LINK_TITLE, LINK_WORDS, NUMBER, URL
from citemark.listing import BEGINNING, MAX_BEGINNING, TAG_BEGINNING

__all__ = ["AFTER", "BEFORE", "LINKS", "MAX_SPAN", "Skip"]

MAX_SPAN: Final = 1_000
"""Longest code span or formula, in code points (CommonMark has no limit)."""


class Skip(NamedTuple):
    """A construct in which nothing is a marker.

    Of those that are ``checked`` the pattern alone does not bound the length, or is not enough.
    """

    name: str
    opening: str
    pattern: str
    limit: int = MAX_SPAN + 10
    checked: bool = False
    guard: str = ""
    """Expression for what comes next, if only some characters make a start of it."""
    ends: str = ""
    """Characters without which more text decides nothing, if there are such."""
    is_list: bool = False
    """Whether it may begin a list of sources: its text is then a token of its own."""


_TARGET: Final = rf"\( [ ]?+ (?: <[^<>\n]{{0,2048}}+> | {URL} )?+ {LINK_TITLE} [ ]{{0,9}}+ \)"
_LINE_END: Final = r"\n (?! [ \t]{0,40}+ \n )"  # one that is not before a blank line
_AMOUNT: Final = r"[0-9] [0-9.,]{0,20}+ [ ]?+ (?: [A-Za-z]{2} | [^A-Za-z\\^_{}=<>+*/()] )"
# A formula holds one of \ ^ _ { } =, or is an interval: "$5 and $6" is none.
_PLAIN: Final = r"[^$\\\n^_{}=]{1,500}+"
_INTERVAL: Final = r"[ ]?+ [(\[] [^$()\[\]\\\n]{1,60}+ [)\]] [ ]?+"
_LETTER: Final = r"[^\x00-\x40\x5b-\x60\x7b-\x7f]"
_BRACKET: Final = r"[\[\u3010\uff3b]"
_ELEMENT: Final = "(?i: cite | citation | ref )"
_TAGS: Final = "(?i: code | kbd | samp | tt )"

BEFORE: Final = (
    Skip(
        "math",
        "\\",
        rf"""(?: \( (?: (?: {_PLAIN} )?+ (?: [\^_{{}}=] | \\(?![()]) )
                       (?: [^\\\n]{{1,500}}+ | \\(?![()]) ){{0,200}}+ | {_INTERVAL} ) \\\)
              | \[ (?: {_PLAIN} | {_LINE_END} ){{0,50}}+ (?: [\^_{{}}=] | \\(?![\[\]]) )
                   (?: [^\\\n]{{1,500}}+ | \\(?![\[\]]) | {_LINE_END} ){{0,200}}+ \\\] )""",
        checked=True,
    ),
    Skip("escape", "\\", r"[!-/:-@\[-`{-~]", 2),
    Skip(
        "math",
        "$",
        rf"""(?: \$ (?: {_PLAIN} | {_LINE_END} ){{0,50}}+ (?: [\^_{{}}=] | \\[^\n] )
                  (?: [^$\\\n]{{1,500}}+ | \\[^\n] | {_LINE_END} ){{0,200}}+ \$\$
              | (?! [ \t$] | {_AMOUNT} )
                (?: (?: {_PLAIN} )?+ (?: [\^_{{}}=] | \\[^\n] )
                    (?: [^$\\\n]{{1,300}}+ | \\[^\n] ){{0,50}}+ | {_INTERVAL} )
                (?<! [ \t] ) \$ (?! [0-9] ) )""",
        checked=True,
    ),
    Skip("span", "`", rf"[^`\n]{{1,{MAX_SPAN}}}+ ` (?! ` )", ends="`\n"),
    Skip("run", "`", r"`{0,1000}+", checked=True),
    Skip("run", "~", r"~{2,1000}+", checked=True, guard="~"),
    Skip("image", "!", rf"\[ {LINK_TEXT} \] {_TARGET}", LINK_LIMIT, checked=True, guard=r"\["),
    Skip("list", "\n", BEGINNING, MAX_BEGINNING, checked=True, is_list=True),
    Skip("list", "<", TAG_BEGINNING, MAX_BEGINNING, checked=True, is_list=True),
    Skip(
        "line",
        "\n",
        r"[ \t>*+\-0-9.)]{0,60}? (?: [ ]{4} | \t )",
        66,
        checked=True,
        guard=r"[ \t>*+\-0-9]",
    ),
    Skip(
        "tags",
        "<",
        rf"""{_TAGS} (?: [ ][^<>\n]{{0,100}}+ )?+ >
             (?: [^<] | < (?! /?+ {_TAGS} ) ){{0,{MAX_SPAN}}}+ </ {_TAGS} >""",
        MAX_SPAN + 200,
        ends="<>",
    ),
    Skip(
        "pre",
        "<",
        r"""(?i: pre ) (?: [ ][^<>\n]{0,100}+ )?+ >
            (?: [^<] | < (?! /?+ (?i: pre ) ) ){0,4000}+ </ (?i: pre ) >""",
        4_200,
        ends="<>",
    ),
    Skip(
        "comment",
        "<",
        rf"!-- (?: [^\-] | - (?! -> ) ){{0,{MAX_SPAN}}}+ -->",
        ends=">",
    ),
    Skip(
        "autolink",
        "<",
        r"(?! cite: ) [A-Za-z] [A-Za-z0-9+.\-]{1,31}+ : [^\x00-\x20<>]{0,2048}+ >",
        2_100,
    ),
    Skip("definition", "[", r"[^\[\]\n]{1,200}+ \]:", 204, checked=True),
    Skip("task", "[", r"[ xX] \] (?! [^ \t\n] )", 3, checked=True),
    Skip(
        "brackets",  # of a run of them only the last two can open anything
        "[\u3010\uff3b",
        rf"(?: {_BRACKET} (?= {_BRACKET}{{2}} ) ){{0,1000}}+ (?= {_BRACKET}{{2}} )",
    ),
    Skip(
        "matrix",
        "[",
        rf"""\[ [ ]?+ {NUMBER} [ ]?+ , [^\[\]\n]{{1,100}}+ \]
             (?: [ ]?+ , [ ]?+ \[ [^\[\]\n]{{1,100}}+ \] ){{1,20}}+""",
        2_300,
    ),
)
"""Tried before any marker."""

LINKS: Final = (
    Skip("plain_link", "[", rf"{LINK_WORDS} \] {_TARGET}", LINK_LIMIT, checked=True),
    Skip("nested_link", "[", rf"{LINK_TEXT} \] {_TARGET}", LINK_LIMIT, checked=True),
)
"""Ordinary links (CommonMark 0.31.2, 6.3): tried after the markers that look like one."""

AFTER: Final = (
    # A full reference link (6.3): the label is that of a definition, not a citation.
    Skip(
        "reference",
        "[",
        rf"(?! sic\] ) {_LETTER} {LINK_WORDS} \]\[ [^\[\]:^\n]{{1,200}}+ \]",
        500,
        checked=True,
    ),
    Skip("element", "<", rf"{_ELEMENT} > [^<\n\[]{{0,300}}+ </ {_ELEMENT} >", 330),
)
"""Tried when nothing else matched."""
