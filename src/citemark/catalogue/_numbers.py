"""Rows of numbers in brackets of all kinds."""

from __future__ import annotations

import re
from typing import Final

from citemark._lazy import lazy_re
from citemark.catalogue import _parts as p
from citemark.catalogue._readers import page_keys
from citemark.catalogue._row import Format, FormatSet

__all__ = [
    "NAMED_NUMBERS",
    "NAMED_TITLE",
    "NUMBER_ROWS",
    "PLACES",
    "REFERENCE_ZERO",
    "is_named",
]

_GLUED: Final = r"""(?: docs? | refs? | 来源 | 來源 | 文档 | 文件 | 文献 | 资料 | 参考
    | 引用 | 出典 | 資料 | 文書 | 출처 | 문서 )"""
"""What a prompt calls a source right before its number: `doc1`."""

_APART: Final = r"""(?: documents? | sources? | references? | results? | chunks? | passages?
    | snippets? | citations? | cites? | evidence | context | quellen? | dokument(?:e|en)?
    | fuentes? | fontes? | documentos? | referencias? | referências? | références? | fonti
    | fonte | documenti | documento | bronn?en | bron | kaynak | źródł[oa] | nguồn | sumber
    | источники? | документ | المصدر | مصدر | स्रोत )"""
"""What it is called with something in between, in the languages most used: `Source 1`."""

_NAMED: Final = rf"""(?i:
    (?: {_GLUED} [ _\-\#.]{{0,2}}+ | {_APART} (?: [ _\-\#.]{{1,2}}+ | (?= {p.COLON} ) ) )
    (?: {p.COLON} [ ]?+ )?+ (?: \[ {p.RANGE} \] | {p.RANGE} ) )"""
_MORE: Final = rf"""(?:
    (?: [ ]{{0,2}}+ {p.SEPARATOR} [ ]{{0,2}}+ (?: {p.AND} [ ] )?+ | [ ] {p.AND} [ ] )
    (?: {_NAMED} | {p.RANGE} ) ){{0,49}}+"""
NUMBER_ROWS: Final = FormatSet(
    (
        Format(
            "number",
            "[",
            rf"[ ]{{0,3}}+ (?P<key> {p.NUMBERS} ) [ ]{{0,3}}+ \]",
            "[1, 3-5]",
            lookup=("label",),
            keys="numbers",
            limit=1_200,
            like_index=True,
            shortcut=rf"(?P<key> {p.SIMPLE} ) \] (?! [(:] )",
            who="nearly all models",
            about="The common form: a label, a list of labels, a range.",
        ),
        Format(
            "number_page",
            "[",
            rf"""[ ]?+ (?P<key> (?: {_NAMED} | {p.NUMBER} ) [ ]?+ [,;:(]?+ [ ]?+ {p.PAGE}
                 [ ]?+ [0-9]{{1,6}}+
                 (?: [ ]?+ {p.DASH} [ ]?+ [0-9]{{1,6}}+ )?+ [\u9875\u30da]?+ \)?+ ) [ ]?+ \]""",
            "[1, p. 3]",
            lookup=("label",),
            keys=page_keys,
            like_index=True,
            who="models that see page numbers",
            about="A label and a page, which is kept as a location.",
        ),
        Format(
            "wide",
            "\u3010\uff3b",
            rf"""[\u3010\uff3b]?+ [ ]{{0,3}}+ (?P<key> {p.NUMBERS} ) [ ]{{0,3}}+
                 [\u3011\uff3d]{{1,2}}+""",
            "\u30101\u3011",
            tier="explicit",
            lookup=("label",),
            keys="numbers",
            limit=1_200,
            shortcut=rf"(?P<key> {p.SIMPLE} ) [\u3011\uff3d] (?! [\u3011\uff3d] )",
            who="gpt-oss, kotaemon, models that write Chinese or Japanese",
            about="Numbers in full-width brackets.",
        ),
        Format(
            "footnote",
            "[",
            rf"\^ (?P<key> {p.NUMBERS} ) \^?+ \]",
            "[^1]",
            lookup=("label",),
            keys="numbers",
            limit=1_200,
            shortcut=rf"\^ (?P<key> {p.SIMPLE} ) \] (?! [(:] )",
            who="chat-langchain, Snowflake, models that write Markdown footnotes",
            about="A Markdown footnote reference; its definition is no citation.",
        ),
        Format(
            "double_short",
            "[\uff3b",
            rf"""[\[\uff3b] [ ]?+ [Ss] [\u200b\u200c\u200d\u2060\ufeff ]{{0,2}}+ {p.COLON}
                 [\u200b\u200c\u200d\u2060\ufeff ]{{0,2}}+ (?P<key> {p.NUMBERS} ) [ ]?+
                 [\]\uff3d]{{2}}""",
            "[[S:1,3]]",
            tier="explicit",
            lookup=("label",),
            keys="numbers",
            limit=1_200,
            who="kdcube",
            about="Numbers after a short tag.",
        ),
        Format(
            "id_number",
            "[\u3010\uff3b",
            rf"""[ ]?+ (?i: id ) [ ]?+ {p.COLON}?+ [ ]?+ (?P<key> {p.RANGE}
                 (?: [ ]{{0,2}}+ {p.SEPARATOR} [ ]{{0,2}}+ (?: (?i: id ) [ ]?+ {p.COLON}?+
                 [ ]?+ )?+
                     {p.RANGE} ){{0,49}}+ ) [ ]?+ [\]\u3011\uff3d]""",
            "[ID:3]",
            tier="explicit",
            keys="numbers",
            base=None,
            limit=1_200,
            who="RAGFlow",
            about="The number of a chunk, with all that models make of it.",
        ),
        Format(
            "hash",
            "#",
            r"\# (?P<key> [0-9]{1,6}+ ) \$\$",
            "##0$$",
            tier="explicit",
            base=0,
            guard="\\#",
            who="RAGFlow",
            about="The form that stored RAGFlow answers hold.",
        ),
        Format(
            "named_number",
            "[\u3010\uff3b",
            rf"[ ]?+ (?P<key> {_NAMED} {_MORE} ) [ ]?+ [\]\u3011\uff3d]",
            "[Source 1]",
            lookup=("label",),
            keys="numbers",
            limit=1_200,
            like_index=True,
            who="Azure OpenAI (`[doc1]`), Zhipu and Qwen (`[ref_1]`), LlamaIndex",
            about="What the prompt called the source, and its number.",
        ),
    )
)
"""On by default.  ``number`` comes before all that is rarer."""

NAMED_TITLE: Final = Format(
    "named_title",
    "[",
    rf"""[ ]?+ (?P<key> {_NAMED} ) [ ]?+ [:\uff1a\u2013\u2014-] [ ]{{1,2}}+
         [^\[\]\n`0-9] [^\[\]\n`]{{0,150}}+ \]""",
    "[Source 1: Refund policy]",
    lookup=("label",),
    keys="numbers",
    like_index=True,
    who="models that were shown \u201cSource 1: title\u201d",
    about="What the prompt called the source, its number and its title.",
)

REFERENCE_ZERO: Final = Format(
    "reference_zero",
    "[",
    rf"reference {p.COLON} [ ]?+ (?P<key> {p.NUMBERS} ) [ ]?+ \]",
    "[reference:0]",
    tier="explicit",
    keys="numbers",
    base=None,
    limit=1_200,
    who="DeepSeek's chat products",
    about="A search result, counted from 0, beside `[citation:1]`, counted from 1.",
)

PLACES: Final = FormatSet(
    (
        Format(
            "snowflake",
            "\u3010",
            r"\u2020 (?P<key> [0-9]{1,6}+ ) \u2020 \u3011",
            "\u3010\u20201\u2020\u3011",
            tier="explicit",
            base=None,
            who="Snowflake Cortex",
            about="The number of an annotation.",
        ),
        Format(
            "copilot",
            "\u3010",
            r"(?P<key> [0-9]{1,4}+ - [A-Za-z0-9]{1,60}+ ) \u3011",
            "\u30101-abc\u3011",
            tier="explicit",
            lookup=("id",),
            who="Copilot Studio",
            about="The name of an entity of the message.",
        ),
    )
)
"""Names that a service gave, in full-width brackets."""

NAMED_NUMBERS: Final = frozenset({"named_number", "named_title", "parenthesised_number"})
"""Rows that read the number behind a word as a label."""

_IS_NAMED: Final = lazy_re(
    rf"(?i: {_GLUED} | {_APART} ) [ _\-\#.:]{{0,2}} ({p.NUMBER})", re.VERBOSE
)


def is_named(name: str) -> str | None:
    """Return the number of a name such as ``chunk_7``; None if it is not of that kind.

    >>> is_named("chunk_7"), is_named("Budget 2024")
    ('7', None)
    """
    match = _IS_NAMED.fullmatch(name[:60])
    return match[1] if match else None
