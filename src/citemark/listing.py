"""What a list of sources that a model wrote looks like: how it begins, and its lines.

Patterns in verbose mode, for both engines unless they are compiled here.  None looks at more
than the first ``LINE`` code points of a line, so that a stream need not wait for more.
"""

from __future__ import annotations

import re
from typing import Final

from citemark._headings import first_letters
from citemark._lazy import lazy_re

__all__ = [
    "BEGINNING",
    "BLANK_LINES",
    "DEFINITION",
    "ENTRY",
    "EXTENSION",
    "FILE",
    "HEADING",
    "INLINE",
    "LABEL",
    "LINE",
    "LINK",
    "MARKER_AT_END",
    "MAX_BEGINNING",
    "MAX_INLINE",
    "NAME_LETTER",
    "QUOTES",
    "RULE",
    "STRICT",
    "TAG_BEGINNING",
    "TAG_END",
    "TAG_NAMES",
    "URL_START",
]

LINE: Final = 300
"""Code points of a line that say what it is; a longer one is taken piece by piece."""

MAX_INLINE: Final = 600
"""Longest ``Sources: [1], [2]`` after the colon: it is held back until the text ends."""

MAX_BEGINNING: Final = 640
"""More than what ``BEGINNING`` may match."""

BLANK_LINES: Final = r"(?: [ \t>]{0,20}+ \n )"
QUOTES: Final = r"(?: [ ]{0,3}+ > [ ]?+ ){0,3}+"
RULE: Final = (
    r"(?: -{3,80}+ | \*{3,80}+ | _{3,80}+ | (?: -[ ] ){2,9}+ - | (?: \*[ ] ){2,9}+ \* )"
)
TAG_NAMES: Final = r"(?i: citations | sources | references | bibliography )"
TAG_END: Final = r"(?: [ ] [^<>\n]{0,100}+ )?+ >"
URL_START: Final = r"(?: https?:// | www\. )"
NUMBER: Final = "[0-9]{1,4}+"

DECORATION: Final = r"""
    (?: \#{1,6}+ [ \t]{1,3}+ )?+ [*_]{0,3}+
    (?: (?: [0-9]{1,2}+ [.)] | [\u2190-\u2bff\U0001f000-\U0001faff] \ufe0f?+ ) [ ]{0,2}+ ){0,2}+
    [*_]{0,3}+ [\u3010\u300c]?+"""
"""What may stand before the words of a heading."""

HEADING: Final = lazy_re(
    rf"""{DECORATION}
    (?P<words> [^\n:\uff1a*_\#\[\]()\u3010\u3011\u300c\u300d<>|`.!?"=0-9\\]{{1,60}}+ )""",
    re.VERBOSE,
)
"""The words of a heading, if they are such, with what stands before them."""

_MARKS: Final = r"\#*_0-9\u3010\u300c\u2190-\u2bff\U0001f000-\U0001faff"
BEGINNING: Final = rf"""
    (?<! (?<! \n\n\n ) \n\n )
    (?: (?= [ \t>\n\-{_MARKS}] )
        (?: (?= [ \t>\n] ) {BLANK_LINES}{{0,3}}+ )?+
        (?: (?= [\-*_] ) {RULE} [ \t]{{0,9}}+ \n {BLANK_LINES}{{0,2}}+ )?+
        (?: (?= [ >] ) {QUOTES} [ ]{{0,3}}+ )?+
        (?: (?= [{_MARKS}] ) {DECORATION} )?+ )?+
    (?: {first_letters()}
      | \\?+ \[ \^?+ {NUMBER} \\?+ \]
      | < {TAG_NAMES} {TAG_END} )"""
"""What follows the line end before a list, as far as it takes to look more closely.

It is asked at each line: what is possible next is told by a few characters first.  The blank
lines before a list are of it: at their ends nothing begins that did not begin before them.
"""

TAG_BEGINNING: Final = rf"{TAG_NAMES} {TAG_END} [ \t]{{0,9}}+ [\n*\-\[<h0-9\u3010\u2022]"
"""What follows the ``<`` of a list in tags that begins within a line."""

_EXTENSIONS: Final = (
    "pdf|docx?|xlsx?|pptx?|od[tsp]|rtf|txt|md|markdown|rst|tex|epub|html?|xml|json|jsonl|ya?ml|"
    "csv|tsv|sql|log|eml|msg|ipynb|py|js|ts|java|go|rs|cpp|png|jpe?g|gif|svg|mp[34]|wav|zip"
)
NAME_LETTER: Final = r"[^ \t\n,;|<>\[\]()\"“”]"
EXTENSION: Final = rf"\. (?i: {_EXTENSIONS} )"
FILE: Final = rf"{NAME_LETTER}{{1,80}} {EXTENSION}"
LINK: Final = r"""\[ [^\[\]\n]{1,200}+ \]
    \( [^()\n]{0,400}+ (?: \( [^()\n]{0,100}+ \) [^()\n]{0,100}+ )?+ \)"""

_WORD: Final = (
    r"(?i: doc (?: ument )?+ | source | ref (?: erence )?+ | cit (?: e | ation ) | id )"
)
_TAG: Final = rf"{_WORD} [ _:\#\-]{{0,2}}+"
LABEL: Final = rf"""[*_]{{0,3}}+
    (?: \\?+ \[{{1,2}}+ \^?+ (?: {_TAG} )?+ {NUMBER} \^?+ \\?+ \]{{1,2}}+
      | [\u3010\uff3b]{{1,2}}+ {NUMBER} [\u3011\uff3d]{{1,2}}+ | \( {NUMBER} \)
      | (?i: <co> {NUMBER} </co> ) | [\u00b9\u00b2\u00b3\u2070-\u2079]{{1,3}}+ )
    [*_]{{0,3}}+"""
"""The label of an entry, without what parts it from the text."""

NUMBERED: Final = rf"{NUMBER} (?: [.)] [ \t]{{1,4}}+ | [\u3001\uff0e] [ ]{{0,4}}+ )"
_BULLET: Final = r"[\-*+\u2022\u2023\u25aa\u25e6\u00b7\u2013\u2014\u2192] [ \t]{1,4}+"

ENTRY: Final = rf"""[ ]{{0,3}}+
    (?: (?P<label> {LABEL} )
      | (?: (?P<bullet> {_BULLET} ) | (?P<ordered> {NUMBERED} ) ) [^ \t\n]
      | (?P<named> [*_]{{0,3}}+ {_WORD} [ ] {NUMBER} [*_]{{0,3}}+ [ ]?+ [:.] )
      | (?P<link> \[ [^\[\]\n]{{1,200}}+ \] \( )
      | (?P<url> <?+ {URL_START} )
      | (?P<key> \[ [^\[\]\n]{{1,100}}+ \] [ \t:] ) )"""
"""How a line of a list begins."""

DEFINITION: Final = rf"""[ ]{{0,3}}+ [*_]{{0,2}}+ \\?+ \[
    (?: \^ {NUMBER} \] [*_]{{0,2}}+ : [ \t]{{0,9}}+ [^ \t\n]
      | {NUMBER} \\?+ \] [*_]{{0,2}}+ : [^\n] )"""
"""How the definition of a link or a footnote begins."""

_STRICT_URL: Final = (
    rf"(?: \[ [^\[\]\n]{{1,200}}+ \] \( | [^\[\]\n]{{0,200}}? {URL_START} [^ \t\n] )"
)
STRICT: Final = rf"""{DEFINITION}
    | [ ]{{0,3}}+ [*_]{{0,2}}+ \\?+ \[ {NUMBER} \\?+ \] [*_]{{0,2}}+
      [.)\-]?+ [ \t]{{1,9}}+ {_STRICT_URL}"""
"""How a line begins that is of a list even without a heading over it."""

_MARKER_OR_LINK: Final = rf"""(?:
    {LINK} | \[{{1,2}}+ [^\[\]\n]{{1,120}}+ \]{{1,2}}+ (?: \( [^()\n]{{1,400}}+ \) )?+
    | [\u3010\uff3b] [^\u3010\u3011\uff3b\uff3d\n]{{1,60}}+ [\u3011\uff3d]
    | << [^<>\n]{{1,100}}+ >> | <?+ https?:// [^ \t\n<>,;\[\]]{{1,400}}+ >?+ )"""
_BETWEEN: Final = r"""(?: (?: [,;\u2022\u00b7|&\u3001\uff0c\uff1b]
    | (?: and | und | y | et | en | i | e ) [ ] ) [ \t]{0,5}+ ){0,2}+"""
INLINE: Final = rf"""(?: (?> [ \t]{{0,5}}+
      (?: {_BETWEEN} (?: {_MARKER_OR_LINK} | {FILE} )
        | \n (?: [ \t]{{0,5}}+ \n )?+ [ \t]{{0,5}}+
          (?: [\-*+\u2022] [ ]{{1,3}}+ (?: {_MARKER_OR_LINK} | {FILE} ) | {_MARKER_OR_LINK} ) )
    ) ){{1,50}}+
    [.;,\u3002]?+ [*_)]{{0,3}}+ [ \t\n]{{0,50}}+"""
"""Markers, links and files alone, as they follow ``Sources:`` on a line."""

MARKER_AT_END: Final = r"""(?: \[ [^\[\]\n]{1,60}+ \]
      | [\u3010\uff3b] [^\u3010\u3011\uff3b\uff3d]{1,60}+ [\u3011\uff3d] )
    [.!?\u3002*_ \t]*+ $"""
"""A marker as the last of an entry."""
