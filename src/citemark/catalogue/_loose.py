"""Rows that prose uses too, or that one program alone writes: off unless asked for."""

from __future__ import annotations

from typing import Final

from citemark.catalogue import _parts as p
from citemark.catalogue._readers import numbers_in, superscript_keys, whole_key
from citemark.catalogue._row import Format, FormatSet

__all__ = ["LENIENT_ROWS", "LOOSE_ROWS"]

_RAISED: Final = "[\u2070\xb9\xb2\xb3\u2074-\u2079]"
_LETTER: Final = r"[^\x00-\x40\x5b-\x60\x7b-\x7f]"
# After a word or its full stop: not m², x^2^ and the like.
_AFTER_WORD: Final = (
    rf"(?: (?<= {_LETTER} {_LETTER} {_LETTER} . ) | (?<= [.,;:!?)\]\"'\u2019\u201d\u3002] . ) )"
)
_SEE: Final = r"""(?: see | also | cf[.]? | e[.]g[.] | both | especially | mainly | siehe
     | auch | vgl[.]?
    | voir | aussi | ver | v\u00e9ase | vedi | zie | source | sources | details |
    details[ ]in )"""

LOOSE_ROWS: Final = FormatSet(
    (
        Format(
            "superscript",
            "\u2070\xb9\xb2\xb3\u2074\u2075\u2076\u2077\u2078\u2079",
            rf"{_AFTER_WORD} {_RAISED}{{0,2}}+ (?: [,\u02d2] {_RAISED}{{1,3}}+ ){{0,9}}+",
            "\xb9",
            lookup=("label",),
            keys=superscript_keys,
            who="models told to write raised numbers",
            about="Raised digits after a word or full stop.",
        ),
        Format(
            "caret",
            "^",
            rf"{_AFTER_WORD} \[?+ (?P<key> {p.NUMBERS} ) \]?+ \^",
            "^1^",
            lookup=("label",),
            keys="numbers",
            limit=1_200,
            who="models told to write Pandoc's Markdown",
            about="Raised numbers in Pandoc's Markdown.",
        ),
        Format(
            "sup",
            "<",
            rf"sup> \[?+ (?P<key> {p.NUMBERS} ) \]?+ </sup>",
            "<sup>1</sup>",
            lookup=("label",),
            keys="numbers",
            limit=1_200,
            who="models told to write HTML",
            about="Raised numbers in HTML.",
        ),
        Format(
            "brace_number",
            "{",
            rf"(?P<key> {p.NUMBERS} ) \}}",
            "{1}",
            lookup=("label",),
            keys="numbers",
            limit=1_200,
            like_index=True,
            who="chat-langchain",
            about="Numbers in braces.",
        ),
        Format(
            "dollar_number",
            "[",
            rf"\$?+ \{{ (?P<key> {p.NUMBERS} ) \}} \]",
            "[${1}]",
            lookup=("label",),
            keys="numbers",
            limit=1_200,
            who="chat-langchain",
            about="Numbers in a copy of the prompt's placeholder.",
        ),
        Format(
            "short_number",
            "[",
            rf"[Ss] (?P<key> {p.NUMBER} (?: [ ]?+ , [ ]?+ [Ss] {p.NUMBER} ){{0,49}}+ ) \]",
            "[S1]",
            lookup=("label",),
            keys="numbers",
            like_index=True,
            who="kdcube, prompts with S1, S2, …",
            about="A short name of a source.",
        ),
        Format(
            "parenthesised_number",
            "(",
            rf"""(?<! [A-Za-z0-9_] . ) (?P<key> (?i: sources? | documents? | docs? | refs? |
                 references? | id )
                 [ ]?+ {p.COLON}?+ [ ]?+ {p.RANGE}
                 (?: [ ]{{0,2}}+ {p.SEPARATOR} [ ]{{0,2}}+
                     (?: (?i: sources? | documents? | docs? | refs? | references? | id ) [ ]?+
                     {p.COLON}?+ [ ]?+ )?+
                     {p.RANGE} ){{0,49}}+ ) [ ]?+ \)""",
            "(Source 2)",
            lookup=("label",),
            keys="numbers",
            limit=1_200,
            who="models that were shown \u201cSource 1:\u201d",
            about="What the prompt called the source, in parentheses.",
        ),
        Format(
            "bare_ref",
            "r",
            r"(?<! [A-Za-z0-9_] . ) ef [0-9]{1,4}+ (?! [A-Za-z0-9_] )",
            "ref5",
            tier="candidate",
            lookup=("id",),
            keys=whole_key,
            guard="e",
            who="pipeshub, RAGFlow",
            about="An id without brackets, if a source has it.",
        ),
    )
)
"""By option."""

LENIENT_ROWS: Final = FormatSet(
    (
        Format(
            "and_list",
            "[\u3010",
            rf"""[ ]?+ (?P<key> {p.RANGE} (?: [ ]{{0,2}}+ {p.SEPARATOR} [ ]{{0,2}}+ {p.RANGE}
                 ){{0,20}}+
                 [ ]?+ ,?+ [ ]?+ {p.AND} [ ]?+ {p.RANGE} (?: [ ]?+ ,?+ [ ]?+ {p.AND} [ ]?+
                 {p.RANGE} ){{0,20}}+ )
                 [ ]?+ [\]\u3011]""",
            "[1 and 2]",
            lookup=("label",),
            keys="numbers",
            limit=1_200,
            step="and-list",
            who="small models",
            about="Numbers with a word between them.",
        ),
        Format(
            "half_thought",
            "[",
            rf"""(?: {_SEE} [ ] ){{0,3}}+ (?P<key> {p.NUMBER}
                 (?: [ ]{{0,2}}+ [,;]?+ [ ]{{0,2}}+ (?: {_SEE} [ ] ){{0,3}}+ {p.NUMBER}
                 ){{0,10}}+ )
                 (?: [ ]{{0,2}}+ [,;\u2013\u2014-] [ ]{{0,2}}+ {_SEE} [^\[\]\n`]{{0,80}}+ )?+
                 \]""",
            "[1, see also 3]",
            lookup=("label",),
            keys=numbers_in,
            limit=600,
            step="half-thought",
            who="small models",
            about="Numbers with a remark.",
        ),
    )
)
"""For sources with lenient look-up."""
