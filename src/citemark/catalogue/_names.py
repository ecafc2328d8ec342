"""Rows of ids, titles and file names, and of what models write in their place."""

from __future__ import annotations

from typing import Final

from citemark.catalogue import _parts as p
from citemark.catalogue._readers import json_keys
from citemark.catalogue._row import Format, FormatSet

__all__ = ["KNOWN_ROWS", "NAME_ROWS", "REMARK_ROWS", "TAGGED_ROWS"]

_TAG: Final = rf"(?i: doc | cite | citation | cit | ow-source ) [ ]?+ {p.COLON} [ ]?+"
_LETTER: Final = r"[^\x00-\x40\x5b-\x5e\x60\x7b-\x7f]"
# No ordinary words and no bare numbers: a letter and a digit or sign, whichever is first.
_NAME: Final = rf"""(?: {_LETTER} [^0-9._:\#/\-()\[\]\n`]{{0,100}}+ [0-9._:\#/\-]
                    | [0-9] [0-9._:;,\#/\-]{{0,60}}+ {_LETTER} ) [^()\[\]\n`]{{0,120}}+"""
_PLACE: Final = r"(?: \( [^()\[\]\n]{1,60}+ \) )?+"

_TAGGED_PLACEHOLDER: Final = (
    r"(?i: ids? | n | \# | number | name | (?: doc | source | chunk )_?id )"
)

TAGGED_ROWS: Final = FormatSet(
    (
        Format(
            "tagged_placeholder",
            "[\u3010",
            rf"{_TAG} (?P<key> {_TAGGED_PLACEHOLDER} ) [\]\u3011]",
            "[doc:id]",
            note="placeholder",
            who="models that copy the prompt's example",
            about="A word in place of an id, unless a source has that id.",
        ),
        Format(
            "tagged",
            "[",
            rf"{_TAG} (?P<key> [^\[\]\n`]{{1,2000}}+ ) \]",
            "[doc:pol-12, doc:faq]",
            tier="explicit",
            lookup=("id", "label", "title"),
            keys="list",
            limit=2_016,
            shortcut=rf"""(?: doc | cite | citation ) :
                          (?! {_TAGGED_PLACEHOLDER} \] | [0-9]{{1,6}}-[0-9] )
                          (?P<key> [A-Za-z0-9_./-]{{1,200}}+ ) \] (?! [(:] )""",
            who="Gemini (`[cite: 1, 2]`), Lepton, SurfSense, prompts for ids",
            about="Ids after a tag (doc, cite, citation).",
        ),
        Format(
            "double_tagged",
            "[",
            rf"\[ {_TAG} (?P<key> [^\[\]\n`]{{1,2000}}+ ) \]{{1,2}}+",
            "[[citation:1]]",
            tier="explicit",
            lookup=("id", "label", "title"),
            keys="list",
            limit=2_020,
            who="Lepton, DeepSeek",
            about="The same in double brackets, of which models forget the last.",
        ),
        Format(
            "wide_tagged",
            "\u3010\uff3b",
            rf"{_TAG} (?P<key> [^\[\]\n`\u3010\u3011\uff3b\uff3d]{{1,2000}}+ ) [\u3011\uff3d]",
            "\u3010citation:1\u3011",
            tier="explicit",
            lookup=("id", "label", "title"),
            keys="list",
            limit=2_016,
            who="SurfSense",
            about="The same in full-width brackets.",
        ),
        Format(
            "braces",
            "{",
            rf"""\{{ [ ]?+ (?i: cite | citation | source | doc | ref | quote ) [ ]?+ {p.COLON}
                 [ ]?+
                 (?P<key> [^\x00-\x20{{}}:|`] [^{{}}:|\n`]{{0,199}}+ )
                 (?: : [^{{}}\n`]{{0,60}}+ )?+ \}}\}}""",
            "{{cite:1}}",
            keys="list",
            guard="\\{",
            who="prompts of single projects, RAGFlow (`{{source:2}}`)",
            about="A tag in double braces.",
        ),
    )
)
"""Keys that follow a tag."""

NAME_ROWS: Final = FormatSet(
    (
        Format(
            "named_footnote",
            "[",
            r"\^ (?P<key> [^\x00-\x20\[\]^`]{1,200}+ ) \^?+ \]",
            "[^pol-12]",
            tier="candidate",
            lookup=("id", "label"),
            who="models that write Markdown footnotes",
            about="A footnote reference by name, if a source has that id.",
        ),
        Format(
            "title",
            "[",
            r"""\[ (?P<key> (?: [^\x00-\x20\[\]|`] | [ ]{1,3}+ [^\x00-\x2f:-@\[-`{-\x7f] )
                        [^\[\]\n|`]{0,199}+ )
                (?: \| [^\[\]\n`]{0,200}+ )?+ \]\]""",
            "[[Refund policy]]",
            tier="explicit",
            lookup=("title", "id", "label"),
            limit=410,
            shortcut=r"""\[ (?P<key> [A-Za-z] [A-Za-z0-9 ,.'&-]{0,150}+ ) (?<! [ ] ) \]\]
                         (?! \( )""",
            who="assistants of note-taking programs",
            about="The title of a source, as a wiki link.",
        ),
        Format(
            "angle",
            "<",
            r"""(?<!<<) (?<![0-9]<) < (?P<key> [^\x00-\x20<>] [^<>\n]{0,1999}+ ) (?<! [?] ) >>
                 (?!>)""",
            "<<pol-12>>",
            tier="explicit",
            keys="list",
            limit=2_004,
            shortcut=r"""(?<![0-9]<) < (?<!<<<) (?! [0-9]{1,6}-[0-9] )
                         (?P<key> [A-Za-z0-9_./-]{1,200}+ ) >> (?!>)""",
            who="prompts that ask for ids",
            about="An id in double angle brackets; a question in them is none.",
        ),
        Format(
            "wide_json",
            "\u3010\uff3b[",
            r"(?P<key> \{ [^{}\[\]\n\u3010\u3011]{1,400}+ \} ) [\u3011\uff3d\]]",
            '\u3010{"id":3,"page":1}\u3011',
            tier="explicit",
            keys=json_keys,
            limit=420,
            who="small models that were shown JSON",
            about="An object with an id, and maybe a page.",
        ),
    )
)
"""Names in brackets of their own kind."""

KNOWN_ROWS: Final = FormatSet(
    (
        Format(
            "known",
            "[",
            rf"[ ]{{0,3}}+ (?P<key> [^\x00-\x20\[\]`] [^\[\]\n`]{{0,199}}+ {_PLACE} ) \]",
            "[policy.pdf]",
            tier="candidate",
            lookup=("id", "title"),
            keys="list",
            limit=270,
            like_index=True,
            who="Azure's search demo, R2R, models that are shown file names or ids",
            about="Any id or title in brackets, if a source has it.",
        ),
        Format(
            "wide_known",
            "\u3010\uff3b",
            r"""[ ]?+ (?P<key> [^\x00-\x20\[\]`\u3010\u3011]
                 [^\[\]\n`\u3010\u3011\uff3d]{0,199}+ ) [\u3011\uff3d]""",
            "\u3010policy.pdf\u3011",
            tier="candidate",
            lookup=("id", "title"),
            keys="list",
            who="FastGPT, gpt-oss",
            about="The same in full-width brackets.",
        ),
        Format(
            "tagged_known",
            "[",
            rf"""(?i: ref | reference | source | src | file | chunk | passage | document | id
                 | quelle | fuente
                 | fonte ) s?+ [ ]?+ {p.COLON} [ ]?+ (?P<key> [^\x00-\x20\[\]`]
                 [^\[\]\n`]{{0,1000}}+ ) \]""",
            "[Source: Refund policy]",
            tier="candidate",
            lookup=("id", "title"),
            keys="list",
            limit=1_020,
            who="models that are shown \u201cSource: \u2026\u201d",
            about="An id or title after a tag that prose uses too, if a source has it.",
        ),
        Format(
            "parenthesised",
            "(",
            rf"(?<! [A-Za-z0-9_] . ) (?P<key> {_NAME} ) \)",
            "(pqac-a020507f)",
            tier="candidate",
            lookup=("id",),
            keys="list",
            who="paper-qa, models that cite by file name",
            about="Ids in parentheses, if sources have them and they are no ordinary words.",
        ),
        Format(
            "id_parenthesised",
            "(\uff08",
            rf"""(?<! [A-Za-z0-9_] . ) [ ]?+ (?i: id ) [ ]?+ {p.COLON}?+ [ ]?+
                 (?P<key> [^\x00-\x20()\uff08\uff09,;] [^()\n\uff08\uff09]{{0,199}}+ )
                 [)\uff09]""",
            "(ID: 3)",
            tier="candidate",
            lookup=("id",),
            keys="list",
            who="RAGFlow",
            about="An id after the word ID in parentheses, if a source has it.",
        ),
    )
)
"""Keys that make a marker only if they name a source."""

_PLACEHOLDER: Final = r"""(?i: sources? | source [ ](?: name | title | number | id ) |
     citations? | cite | n | \# | \?
    | number | ref | reference | id | doc[_ ]?id | source[_ ]?id | chunk[_ ]?id | url | link
    | doc(?:ument)? [ ]?+ [n\#] | citation [ ] needed | citations? [ ]? here | insert [ ]
    citation
    | quelle | fuente | fonte | \u6765\u6e90 | \u51fa\u5178 | \u5f15\u7528 )"""

REMARK_ROWS: Final = FormatSet(
    (
        Format(
            "placeholder",
            "[\u3010",
            rf"(?P<key> {_PLACEHOLDER} ) [\]\u3011]",
            "[source]",
            note="placeholder",
            who="models that copy the prompt's example",
            about="A word in place of a key.",
        ),
        Format(
            "malformed",
            "[\u3010",
            rf"""(?P<key> (?i: doc | cite | citation | id | ref | source ) [ ]?+ {p.COLON}
                 [ ]{{0,3}}+ [\]\u3011]
                 | \[?+ (?: (?i: doc | cite | citation ) [ ]?+ {p.COLON} [ ]?+
                 [^\x00-\x20\[\]\n`]{{0,60}}+
                          | {p.NUMBERS} ) [ ]{{0,3}}+ (?: \Z | (?= \n ) ) )""",
            "[doc:]",
            note="malformed",
            limit=1_300,
            who="small models, answers that were cut off",
            about="A marker without its key, or without its end.",
        ),
    )
)
"""No markers: what they stand for is reported, and stays as it is written."""
