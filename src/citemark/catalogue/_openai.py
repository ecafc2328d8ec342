"""Rows of what OpenAI's models and services write, whole and as gateways leave it."""

from __future__ import annotations

from typing import Final

from citemark.catalogue._readers import cursor_keys, turn_keys
from citemark.catalogue._row import Format, FormatSet

__all__ = ["BARE_TURN", "OPENAI_ROWS"]

_PAIR: Final = r"[0-9]{1,5}+ : [0-9]{1,5}+"
_LINES: Final = r"L[0-9]{1,6}+ (?: [ ]?+ [\-\u2010-\u2013] [ ]?+ L?+ [0-9]{1,6}+ )?+"
_TURN: Final = r"turn[0-9]{1,4}+ [a-z]{2,12}+ \{?+ [0-9]{1,4}+ \}?+"
_TURNS: Final = rf"{_TURN} (?: {_TURN} | {_LINES} ){{0,49}}+"
_PARTS: Final = r"(?: \ue202 [^\ue200-\ue206\n]{1,300}+ ){1,50}+"
_KIND: Final = "[a-z_]{0,24}+"
_SPELLED: Final = rf"\\ue202 (?: {_TURN} | {_LINES} )"

OPENAI_ROWS: Final = FormatSet(
    (
        Format(
            "dagger_name",
            "\u3010[\uff3b",
            rf"""(?: {_PAIR} | [0-9]{{1,5}}+ ) \u2020 (?P<key> [^\x00-\x20\[\]\u3010\u3011]
                 [^\[\]\n\u3010\u3011]{{0,199}}+ ) [\u3011\]\uff3d]""",
            "\u30107:15\u2020name.doc\u3011",
            tier="candidate",
            lookup=("id", "title"),
            who="Assistants and Azure AI Agents",
            about="The name after the dagger, if a source has it.",
        ),
        Format(
            "dagger",
            "\u3010[\uff3b",
            rf"(?P<key> {_PAIR} ) \u2020 [^\[\]\n\u3010\u3011]{{0,200}}+ [\u3011\]\uff3d]",
            "\u30104:0\u2020source\u3011",
            tier="explicit",
            lookup=("id",),
            limit=230,
            who="Assistants file search, Azure AI Agents",
            about="Message and source: an id that the service's annotations explain.",
        ),
        Format(
            "cursor",
            "\u3010",
            rf"""(?P<key> [0-9]{{1,5}}+ \u2020 (?: {_LINES} (?: [ ]?+ , [ ]?+ {_LINES}
                 ){{0,20}}+
                 | [^\[\]\n\u3010\u3011]{{0,120}}+ ) ) \u3011""",
            "\u30101\u2020L1-L3\u3011",
            tier="explicit",
            keys=cursor_keys,
            base=None,
            who="gpt-oss (pages from 0 or from 1)",
            about="An opened page and lines of it.",
        ),
        Format(
            "wide_turn",
            "\u3010[",
            rf"(?: cite )?+ (?P<key> {_TURN} (?: [ ,;]{{0,2}}+ {_TURN} ){{0,49}}+ ) [\u3011\]]",
            "\u3010turn3fetch0\u3011",
            tier="explicit",
            lookup=("id",),
            keys=turn_keys,
            limit=1_200,
            who="models that imitate OpenAI's",
            about="References of a tool in brackets.",
        ),
        Format(
            "private_words",
            "\ue200",
            r"""(?: entity \ue202 \["[^"\ue200-\ue206\n]{1,60}+","(?P<words>
                 [^"\ue200-\ue206\n]{1,200}+ )
                (?P<key> "[^\ue200-\ue206\n]{0,400}+ ) \ue201 )""",
            '\ue200entity\ue202["company","OpenAI","AI lab"]\ue201',
            tier="explicit",
            lookup=("id",),
            keys=turn_keys,
            limit=800,
            silent=True,
            who="GPT models",
            about="A name that the page of the service shows as a button: the name stays.",
        ),
        Format(
            "private_link",
            "\ue200",
            rf"""(?: url | link_title ) \ue202 (?P<words> [^\ue200-\ue206\n]{{1,300}}+ )
                 (?P<key> {_PARTS} ) \ue201""",
            "\ue200url\ue202Fees\ue202turn0search1\ue201",
            tier="explicit",
            lookup=("id",),
            keys=turn_keys,
            limit=4_100,
            silent=True,
            who="GPT models",
            about="A reference that is a link: its words stay.",
        ),
        Format(
            "private",
            "\ue200",
            rf"{_KIND} (?P<key> {_PARTS} ) \ue201",
            "\ue200cite\ue202turn0search1\ue201",
            tier="explicit",
            lookup=("id",),
            keys=turn_keys,
            limit=4_100,
            silent=True,
            who="GPT models, with private-use characters",
            about="References of a tool, with lines; other such marks show nothing.",
        ),
        Format(
            "private_bare",
            "\ue202",
            rf"(?P<key> {_TURN} (?: \ue202 (?: {_TURN} | {_LINES} ) ){{0,49}}+ ) \ue201?+",
            "\ue202turn0search1",
            tier="explicit",
            lookup=("id",),
            keys=turn_keys,
            limit=1_200,
            who="models that LibreChat prompts",
            about="The same without its frame.",
        ),
        Format(
            "private_span",
            "\ue203",
            rf"""(?P<words> [^\ue200-\ue206\n\[`|]{{1,1000}}+ ) \ue204 [ ]?+
                 (?: \ue200 {_KIND} (?P<key> {_PARTS} ) \ue201 )""",
            "\ue203five days\ue204\ue200cite\ue202turn0search1\ue201",
            tier="explicit",
            lookup=("id",),
            keys=turn_keys,
            limit=4_100,
            covers=True,
            silent=True,
            who="GPT models",
            about="The same after the words that it supports.",
        ),
        Format(
            "private_bare_span",
            "\ue203",
            rf"""(?P<words> [^\ue200-\ue206\n\[`|]{{1,1000}}+ ) \ue204 [ ]?+ \ue202
                 (?P<key> {_TURN} (?: \ue202 (?: {_TURN} | {_LINES} ) ){{0,49}}+ ) \ue201?+""",
            "\ue203five days\ue204\ue202turn0search1",
            tier="explicit",
            lookup=("id",),
            keys=turn_keys,
            limit=2_300,
            covers=True,
            who="models that LibreChat prompts",
            about="The same without its frame.",
        ),
        Format(
            "private_stray",
            "\ue200\ue201\ue202\ue203\ue204\ue206",
            r"",
            "\ue204",
            tier="explicit",
            silent=True,
            who="GPT models",
            about="A private-use character without its others.",
        ),
        Format(
            "spelled",
            "\\",
            rf"ue200 {_KIND} (?P<key> (?: {_SPELLED} ){{1,50}}+ ) \\ue201",
            r"\ue200cite\ue202turn0search1\ue201",
            tier="explicit",
            lookup=("id",),
            keys=turn_keys,
            limit=1_400,
            who="GPT models behind gateways that escape",
            about="Private-use characters spelled out.",
        ),
        Format(
            "spelled_bare",
            "\\",
            rf"ue202 (?P<key> {_TURN} (?: {_SPELLED} ){{0,49}}+ ) (?: \\ue201 )?+",
            r"\ue202turn0search1",
            tier="explicit",
            lookup=("id",),
            keys=turn_keys,
            limit=1_400,
            who="models that LibreChat prompts",
            about="The same without its frame.",
        ),
        Format(
            "spelled_stray",
            "\\",
            r"ue20[0346]",
            r"\ue203",
            tier="explicit",
            silent=True,
            who="GPT models behind gateways that escape",
            about="One such character alone.",
        ),
        Format(
            "stripped",
            "cf",
            rf"(?: ite | ilecite ) (?P<key> {_TURNS} )",
            "citeturn0search1turn0news2",
            tier="explicit",
            lookup=("id",),
            keys=turn_keys,
            limit=1_200,
            guard="i",
            who="GPT models behind gateways that drop private-use characters",
            about="What is left of the references.",
        ),
        Format(
            "oaicite",
            ":",
            r"contentReference\[oaicite: (?P<key> [0-9]{1,6}+ ) \]\{ index= [0-9]{1,6}+ \}",
            ":contentReference[oaicite:2]{index=2}",
            tier="explicit",
            base=0,
            guard="c",
            who="ChatGPT, copied and pasted",
            about="A source of the page, counted from 0.",
        ),
        Format(
            "bare_oaicite",
            "[\u3010",
            r"oaicite: (?P<key> [0-9]{1,6}+ ) [\]\u3011]",
            "[oaicite:2]",
            tier="explicit",
            base=0,
            who="ChatGPT, copied and pasted",
            about="The same, cut short.",
        ),
    )
)
"""On by default."""

BARE_TURN: Final = Format(
    "bare_turn",
    "t",
    rf"""(?<! [A-Za-z0-9_] . ) {_TURN[1:]} (?: {_TURN} | {_LINES} ){{0,49}}+
         (?! [A-Za-z0-9_] )""",
    "turn0search1",
    tier="explicit",
    lookup=("id",),
    keys=turn_keys,
    limit=1_200,
    guard="u",
    who="models that imitate OpenAI's",
    about="A reference without anything around it.",
)
