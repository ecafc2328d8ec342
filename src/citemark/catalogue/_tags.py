"""Rows of tags: the ways in which models are trained or told to mark up what they cite."""

from __future__ import annotations

from typing import Final

from citemark.catalogue import _parts as p
from citemark.catalogue._readers import attribute_keys, document_keys, json_keys
from citemark.catalogue._row import Format, FormatSet

__all__ = ["STATEMENT_TAGS", "TAG_ROWS"]

_ATTRIBUTES: Final = r"[^<>\n]{1,1000}+"

_PAIRS: Final = r"(?: [0-9]{1,6}+ - [0-9:]{1,13}+ [,; ]{0,3}+ ){1,50}+"

TAG_ROWS: Final = FormatSet(
    (
        Format(
            "cite_number",
            "<",
            rf"""(?: cite > {p.BLANK} \[?+ (?P<key> {p.NUMBERS} ) \]?+ {p.BLANK} </cite> )""",
            "<cite>1</cite>",
            tier="explicit",
            keys="numbers",
            limit=1_200,
            who="prompts that ask for tags",
            about="Numbers in the HTML element for citations.",
        ),
        Format(
            "cite_colon",
            "<",
            rf"cite {p.BLANK} : [ ]?+ \[?+ (?P<key> {p.NUMBERS} ) \]?+ {p.BLANK} /?+ >",
            "<cite:[1,2]>",
            tier="explicit",
            keys="numbers",
            limit=1_200,
            who="prompts of single projects",
            about="Numbers in the tag itself.",
        ),
        Format(
            "cite_index",
            "<(",
            rf"""(?i: (?: antml: )?+ cite ) [ ]{{1,3}}+ index [ ]?+ = [ ]?+
                 ["'] (?P<key> {_PAIRS} ) ["'] [ ]?+ >
                 {p.words_in("(?:antml:)?cite")} (?i: </ (?: antml: )?+ cite > )""",
            '(cite index="1-1,1-2">bikes are free</cite>',
            tier="explicit",
            keys=document_keys,
            base=0,
            limit=p.MAX_WORDS + 440,
            covers=True,
            who="Claude, where its own citations leak into the text",
            about="Document and sentence for the words in the tag, both counted from 0.",
        ),
        Format(
            "cite_index_number",
            "<(",
            rf"""(?i: (?: antml: )?+ cite ) [ ]{{1,3}}+ index [ ]?+ = [ ]?+
                 ["'] (?P<key> [0-9]{{1,6}}+ (?: [,; ]{{1,3}}+ [0-9]{{1,6}}+ ){{0,20}}+ ) ["']
                 [ ]?+ >
                 {p.words_in("(?:antml:)?cite")} (?i: </ (?: antml: )?+ cite > )""",
            '<cite index="2">fares rose</cite>',
            tier="explicit",
            keys="list",
            base=None,
            limit=p.MAX_WORDS + 440,
            covers=True,
            who="Claude, prompts that ask for tags",
            about="The same without the sentence.",
        ),
        Format(
            "cite_attribute",
            "<",
            rf"""(?i: cite | citation | ref ) [ ]{{1,3}}+
                 (?P<key> {_ATTRIBUTES} (?<! / ) ) >
                 {p.words_in("cite|citation|ref")} (?i: </ (?: cite | citation | ref ) > )""",
            '<cite id="s1,s2">five days</cite>',
            tier="explicit",
            lookup=("id", "label", "url", "title"),
            keys=attribute_keys,
            limit=2 * p.MAX_WORDS + 40,
            covers=True,
            silent=True,
            who="prompts that ask for tags",
            about="Ids in an attribute, for the words in the tag.",
        ),
        Format(
            "cite_index_start",
            "<(",
            rf"""(?i: (?: antml: )?+ cite ) [ ]{{1,3}}+ index [ ]?+ = [ ]?+
                 ["'] (?P<key> {_PAIRS} ) ["'] [ ]?+ >""",
            '<cite index="1-1,1-2">',
            tier="explicit",
            keys=document_keys,
            base=0,
            limit=460,
            who="Claude, around more than a line",
            half="start",
            about="The beginning of such a tag whose end is far away.",
        ),
        Format(
            "cite_start",
            "<",
            rf"(?i: cite | citation | ref ) [ ]{{1,3}}+ (?P<key> {_ATTRIBUTES} (?<! / ) ) >",
            '<cite id="s1">',
            tier="explicit",
            lookup=("id", "label", "url", "title"),
            keys=attribute_keys,
            limit=1_060,
            who="prompts that ask for tags, around more than a line",
            half="start",
            about="A tag with ids whose end is far away, or missing.",
        ),
        Format(
            "cite_end",
            "<",
            r"(?i: / (?: antml: )?+ (?: cite | citation | ref ) ) [ ]?+ >",
            "</cite>",
            tier="explicit",
            silent=True,
            who="prompts that ask for tags",
            half="end",
            about="The end of a tag that stands apart from its beginning.",
        ),
        Format(
            "cite_known",
            "<",
            r"cite > [ ]?+ (?P<key> [^\x00-\x20<>] [^<>\n]{0,199}+ ) </cite>",
            "<cite>pol-12</cite>",
            tier="candidate",
            lookup=("id",),
            keys="list",
            who="prompts that ask for tags",
            about="An id in the HTML element for citations, if a source has it.",
        ),
        Format(
            "empty_tag",
            "<",
            rf"""(?: ref | inref | cite | citation | source | kb | web ) [ ]{{1,3}}+
                 (?P<key> {_ATTRIBUTES} ) (?: (?<= / ) > | > </ (?: ref | inref | cite |
                 citation | source ) > )""",
            '<ref id="c1"/>',
            tier="explicit",
            lookup=("id", "label", "url", "title"),
            keys=attribute_keys,
            limit=1_060,
            who="WeKnora, eneo, prompts that ask for tags",
            about="A tag of its own with the id in an attribute.",
        ),
        Format(
            "uip_cite",
            "<",
            rf"uip:cite [ ]{{1,3}}+ (?P<key> {_ATTRIBUTES} ) (?<= / ) >",
            '<uip:cite title="Memo" url="https://example.org/m" />',
            tier="explicit",
            lookup=("url", "title", "id"),
            keys=attribute_keys,
            limit=1_060,
            who="UiPath",
            about="A tag with the URL or file of the source, and its page.",
        ),
        Format(
            "citation_number",
            "<",
            rf"citation > {p.BLANK} \[?+ (?P<key> {p.NUMBERS} ) \]?+ {p.BLANK} </citation>",
            "<citation>1</citation>",
            tier="explicit",
            keys="numbers",
            limit=1_200,
            who="prompts that ask for tags",
            about="Numbers in a tag of that name.",
        ),
        Format(
            "hidden",
            "<",
            r"""oai-mem-citation> (?: [^<] | < (?! /?+ oai-mem-citation ) ){0,4000}+
                 </oai-mem-citation>""",
            "<oai-mem-citation>notes</oai-mem-citation>",
            tier="explicit",
            limit=4_100,
            silent=True,
            who="Codex",
            about="A note of the program's own, not for readers.",
        ),
        Format(
            "file_tag",
            "<",
            r"\| (?P<key> file- [A-Za-z0-9_\-]{1,120}+ ) \|>",
            "<|file-abc|>",
            tier="explicit",
            lookup=("id",),
            who="Llama Stack",
            about="The id of a file.",
        ),
        Format(
            "start_of_cite",
            "<",
            r"""\| start_of_cite \|> [ ]?+ (?P<key> \{ [^{}\n]{1,400}+ \} )
                (?P<words> [^<\n\[`|]{0,600}+ ) <\| end_of_cite \|>""",
            '<|start_of_cite|>{"document_id": "1"}<|end_of_cite|>',
            tier="explicit",
            keys=json_keys,
            limit=1_060,
            covers=True,
            who="Granite 3.3",
            about="An object with the id of a document, between control tokens.",
        ),
        Format(
            "cite_stray",
            "[",
            r"cite_ (?: start | end ) \]",
            "[cite_start]",
            tier="explicit",
            silent=True,
            who="Gemini",
            about="What is left of a span: its other half is `[cite: 1]`.",
        ),
    )
)
"""On by default.  Whole tags come before their halves."""

STATEMENT_TAGS: Final = FormatSet(
    (
        Format(
            "statement",
            "<",
            rf"""statement > {p.words_in("statement|cite")} <cite>
                 (?P<key> [0-9\[\],; \-]{{0,200}}+ ) </cite>
                 [ \n]{{0,3}}+ </statement>""",
            "<statement>Fees rose.<cite>[0-1][2-2]</cite></statement>",
            tier="explicit",
            keys="numbers",
            base=0,
            limit=p.MAX_WORDS + 260,
            covers=True,
            silent=True,
            who="LongCite",
            about="Sentences of the context, counted from 0, for a statement.",
        ),
        Format(
            "statement_cite",
            "<",
            r"""cite> (?P<key> (?: \[ [0-9]{1,6}+ - [0-9]{1,6}+ \] [,; ]{0,2}+ ){1,20}+ )
                </cite>""",
            "<cite>[0-1][2-2]</cite>",
            tier="explicit",
            keys="numbers",
            base=None,
            who="LongCite, after a statement of many lines",
            about="The same, where the statement is far away.",
        ),
        Format(
            "statement_stray",
            "<",
            r"(?: /?+ statement> | cite></cite> )",
            "<statement>",
            tier="explicit",
            silent=True,
            who="LongCite",
            about="A tag without its other half, or one that names nothing.",
        ),
    )
)
"""LongCite's.  A statement with its tags is on by default, stray tags are not."""
