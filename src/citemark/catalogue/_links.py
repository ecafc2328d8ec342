"""Rows that look like Markdown links, or hold one."""

from __future__ import annotations

from typing import Final

from citemark.catalogue import _parts as p
from citemark.catalogue._readers import attribute_keys, prefixed_tool_keys, tool_keys
from citemark.catalogue._row import Format, FormatSet

__all__ = ["LINK_ROWS", "TOOL_ANY"]

_CALL: Final = rf"""[ ]?+ (?P<key> {p.NUMBER} [ ]?+ \] \( [ ]?+ \#
                    [^\x00-\x20()<>\[\]]{{1,200}}+ [ ]?+ ) \)"""
_SUP: Final = rf"<sup> \[?+ {p.NUMBERS} \]?+ </sup>"

LINK_ROWS: Final = FormatSet(
    (
        Format(
            "double_link",
            "[",
            rf"\[ [ ]?+ (?: {p.NUMBERS} ) [ ]?+ \]\] (?! \( [ ]?+ [#] ) {p.KEYED_TARGET}",
            "[[1]](https://example.org/a)",
            tier="explicit",
            lookup=("url",),
            limit=p.LINK_LIMIT,
            over_links=True,
            who="Grok, Onyx",
            about="A number that is a link: the URL names the source.",
        ),
        Format(
            "double",
            "[",
            rf"""\[ [ ]{{0,3}}+ (?P<key> {p.NUMBERS} ) [ ]{{0,3}}+ \]\]
                (?: \( [ ]?+ (?: \# [^\x00-\x20()<>]{{0,200}}+ )?+ \) )?+""",
            "[[1]]",
            tier="explicit",
            lookup=("label",),
            keys="numbers",
            limit=1_500,
            over_links=True,
            shortcut=rf"\[ (?P<key> {p.SIMPLE} ) \]\] (?! \( )",
            who="Onyx, Grok, Lepton",
            about="Numbers in double brackets.",
        ),
        Format(
            "cite_link",
            "[",
            r"(?P<key> [^\x00-\x20\[\]()`]{1,200}+ ) \]\( [ ]?+ (?: CITE | cite ) [ ]?+ \)",
            "[67e5a1](CITE)",
            tier="candidate",
            over_links=True,
            who="FastGPT",
            about="An id that is a link to the word CITE.",
        ),
        Format(
            "ref_link",
            "[",
            rf"[ ]?+ (?P<key> {p.NUMBERS} ) [ ]?+ \]\( [ ]?+ @ref [ ]?+ \)",
            "[1, 2](@ref)",
            tier="explicit",
            lookup=("label",),
            keys="numbers",
            limit=1_200,
            over_links=True,
            who="Hunyuan",
            about="Numbers that are a link to @ref.",
        ),
        Format(
            "tool_link",
            "[",
            _CALL,
            "[1](#call-7)",
            tier="candidate",
            lookup=("id",),
            keys=tool_keys,
            limit=230,
            over_links=True,
            who="morphic",
            about="A result of a tool call: the source has the id `call-7/1`.",
        ),
        Format(
            "prefixed_tool_link",
            "[",
            _CALL,
            "[1](#toolu_7)",
            tier="candidate",
            lookup=("id",),
            keys=prefixed_tool_keys,
            limit=230,
            over_links=True,
            who="morphic, by models that put `toolu_`, `call_` or `search-` before the name",
            about="The same, less the prefix.",
        ),
        Format(
            "doc_link",
            "[",
            rf"{p.NUMBER} \]\( [ ]?+ doc: (?P<key> [^\x00-\x20()<>]{{1,200}}+ ) [ ]?+ \)",
            "[1](doc:chunk_5)",
            tier="explicit",
            limit=420,
            over_links=True,
            who="prompts of single projects",
            about="A link to an id.",
        ),
        Format(
            "sup_link",
            "[",
            rf"{_SUP} \] {p.KEYED_TARGET}",
            "[<sup>1</sup>](https://example.org/a)",
            tier="candidate",
            lookup=("url",),
            limit=p.LINK_LIMIT,
            over_links=True,
            who="OpenAI and Perplexity, as Cherry Studio shows them",
            about="A raised number that is a link.",
        ),
        Format(
            "tagged_link",
            "[",
            rf"""(?i: cite | citation ) {p.COLON} [ ]?+ (?P<words> [^\[\]\n`]{{1,200}}+ ) \]
                 {p.KEYED_TARGET}""",
            "[citation:Refund policy](https://example.org/a)",
            tier="candidate",
            lookup=("url",),
            limit=p.LINK_LIMIT,
            over_links=True,
            who="deer-flow",
            about="A link with a tag in its words.",
        ),
        Format(
            "link",
            "[",
            rf"(?P<words> {p.LINK_TEXT} ) \] {p.KEYED_TARGET}",
            "[Refund policy](https://example.org/a)",
            tier="candidate",
            lookup=("url",),
            limit=p.LINK_LIMIT,
            over_links=True,
            shortcut=r"""(?! <sup> | (?i: cite | citation ) : )
                         (?P<words> [^\[\]\\`\n0-9] [^\[\]\\`\n]{0,200}+ ) \]\(
                         (?P<key> https?://[^\x00-\x20\x7f()<>\\]{1,500}+ ) \)""",
            who="most models, OpenRouter",
            about="A Markdown link, if its URL is that of a source; its words stay.",
        ),
        Format(
            "mixed_link",
            "[\u3010",
            rf"(?P<words> [^\[\]\u3010\u3011\n`]{{1,200}}+ ) [\]\u3011] {p.KEYED_TARGET}",
            "\u3010Refund policy\u3011(https://example.org/a)",
            tier="candidate",
            lookup=("url",),
            limit=p.LINK_LIMIT,
            over_links=True,
            who="gpt-oss",
            about="A link with one or two full-width brackets.",
        ),
        Format(
            "brace_link",
            "[",
            r"""(?P<words> [^\[\]\n`]{1,200}+ ) \]\{ [ ]?+ (?P<key>
                 https?://[^\x00-\x20{}<>]{1,2000}+ ) [ ]?+ \}""",
            "[Refund policy]{https://example.org/a}",
            tier="candidate",
            lookup=("url",),
            limit=2_300,
            who="prompts of single projects",
            about="A link in braces.",
        ),
        Format(
            "paren_link",
            "(",
            rf"[ ]?+ \[ [^\[\]\n`]{{1,300}}+ \] {p.KEYED_TARGET} [ ]?+ \)",
            "([example.org](https://example.org/a))",
            tier="candidate",
            lookup=("url",),
            limit=p.LINK_LIMIT,
            over_links=True,
            who="OpenAI's search models, gpt-researcher",
            about="A link in parentheses of its own, shown as a number without its words.",
        ),
        Format(
            "bracketed_url",
            "[\u3010",
            r"""[ ]?+ <?+ (?P<key> https?://[^\x00-\x20<>\[\]\u3010\u3011]{1,2048}+ ) >?+
                 [ ]?+ [\]\u3011]""",
            "[https://example.org/a]",
            tier="candidate",
            lookup=("url",),
            limit=2_100,
            who="Azure's search demo, models that cite URLs",
            about="The URL of a source in brackets.",
        ),
        Format(
            "directive",
            ":",
            r"""cit (?: e | ation )?+ \[ (?P<words> [^\[\]\n`]{1,1000}+ ) \]
                \{ [ ]?+ (?P<key> [^{}\n]{1,400}+ ) \}""",
            ":cit[a 12% drop]{ref=9f3a}",
            tier="explicit",
            keys=attribute_keys,
            limit=1_420,
            covers=True,
            guard="c",
            who="Cohere's toolkit, remark directives",
            about="A Markdown directive around the words that are supported.",
        ),
    )
)
"""On by default, in this order; those that look like a link before ordinary links."""

TOOL_ANY: Final = Format(
    "any_tool_link",
    "[",
    _CALL,
    "[1](#call-7)",
    tier="explicit",
    lookup=("id",),
    keys=tool_keys,
    limit=230,
    over_links=True,
    who="morphic",
    about="A number that is a link within the page, whatever it names.",
)
