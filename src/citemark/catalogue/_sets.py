"""The default set, all rows, and the dialects: what products make models write."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from citemark.catalogue._cohere import C_TAG, CO_ROWS
from citemark.catalogue._links import LINK_ROWS, TOOL_ANY
from citemark.catalogue._loose import LENIENT_ROWS, LOOSE_ROWS
from citemark.catalogue._names import KNOWN_ROWS, NAME_ROWS, REMARK_ROWS, TAGGED_ROWS
from citemark.catalogue._numbers import NAMED_TITLE, NUMBER_ROWS, PLACES, REFERENCE_ZERO
from citemark.catalogue._openai import BARE_TURN, OPENAI_ROWS
from citemark.catalogue._row import FormatSet
from citemark.catalogue._tags import STATEMENT_TAGS, TAG_ROWS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from citemark.catalogue._row import Format

__all__ = ["ALL", "DEFAULT", "DIALECTS", "LENIENT", "LOOSE"]

_LATE: Final = ("id_number", "hash", "named_number")
"""Rows of numbers that a known id or title of the same look comes before."""

DEFAULT: Final = FormatSet(
    (
        *LINK_ROWS,
        *NUMBER_ROWS.without(*_LATE),
        *TAGGED_ROWS,
        *NAME_ROWS,
        *OPENAI_ROWS,
        *KNOWN_ROWS[:2],
        *(row for row in NUMBER_ROWS if row.name in _LATE[:2]),
        *KNOWN_ROWS[2:],
        REFERENCE_ZERO,
        *(row for row in NUMBER_ROWS if row.name in _LATE[2:]),
        NAMED_TITLE,
        *PLACES,
        *STATEMENT_TAGS[:2],
        *CO_ROWS,
        *TAG_ROWS,
        *REMARK_ROWS,
    )
)
"""The formats that are on by default."""

LOOSE: Final = LOOSE_ROWS | BARE_TURN | C_TAG | TOOL_ANY | STATEMENT_TAGS
"""Forms that prose uses too, or whose other meaning is likelier: off by default."""

LENIENT: Final = LENIENT_ROWS
"""Forms that sources with lenient look-up turn on."""

_LINK: Final = next(at for at, row in enumerate(DEFAULT) if row.name == "link")

ALL: Final = FormatSet((*DEFAULT[:_LINK], TOOL_ANY, *DEFAULT[_LINK:])) | LOOSE | LENIENT
"""Every row of the catalogue.  For a look at what a text holds rather than for answers."""

_ROWS: Final[Mapping[str, Format]] = {row.name: row for row in ALL}


def _dialect(*names: str, base: int | None = None) -> FormatSet:
    """Return the rows of these names in the order of the catalogue."""
    rows = FormatSet(row for row in ALL if row.name in {_ROWS[name].name for name in names})
    return rows if base is None else rows.with_base(0)


def _starting(*beginnings: str) -> tuple[str, ...]:
    return tuple(name for name in _ROWS if name.startswith(beginnings))


_PARENTHESISED_ID: Final = replace(
    _ROWS["id_parenthesised"],
    tier="usual",
    lookup=("id", "label"),
    keys="numbers",
    base=0,
    pattern=_ROWS["id_parenthesised"].pattern.replace("(?P<key> ", "(?P<key> (?= [0-9]) "),
)

_LONE_SENTENCES: Final = replace(
    _ROWS["statement_cite"],
    base=0,
    pattern=r"cite> (?P<key> \[ [0-9\[\],; \-]{1,200}+ ) </cite>",
)

DIALECTS: Final[Mapping[str, FormatSet]] = {
    "ANTHROPIC": _dialect("cite_index", "cite_attribute"),
    "AZURE": _dialect("named_number", "known", "bracketed_url", "dagger_name", "dagger"),
    "COHERE": _dialect(*_starting("co_"), "co", "directive"),
    "COPILOT": _dialect("copilot"),
    "DEEPSEEK": _dialect("tagged", "double_tagged", "wide_tagged", "wide_turn", "stripped")
    | replace(REFERENCE_ZERO, base=0),
    "FASTGPT": _dialect("cite_link", "wide_known"),
    "GEMINI": _dialect("tagged", "cite_stray"),
    "GPT_OSS": _dialect("wide", "mixed_link", "cursor", "dagger_name"),
    "GRANITE": _dialect("co_number", "co_stray", "start_of_cite", "c_number"),
    "HUNYUAN": _dialect("ref_link"),
    "LANGCHAIN": _dialect("number", "footnote", "brace_number", "dollar_number", base=0),
    "LLAMAINDEX": _dialect("number", "named_number", "parenthesised_number"),
    "LLAMA_STACK": _dialect("file_tag"),
    "LONGCITE": _dialect(*_starting("statement"), base=0) | _LONE_SENTENCES,
    "MORPHIC": _dialect("tool_link", "prefixed_tool_link", "any_tool_link"),
    "OPENAI": _dialect(
        *_starting("private", "spelled", "dagger"),
        *("stripped", "bare_turn", "wide_turn", "oaicite", "bare_oaicite"),
        *("paren_link", "sup_link"),
    ),
    "PAPERQA": _dialect("parenthesised"),
    "PERPLEXITY": _dialect("number", "sup_link"),
    "QWEN": _dialect("number", "named_number"),
    "RAGFLOW": _dialect("id_number", "hash", "braces", "bare_ref", base=0) | _PARENTHESISED_ID,
    "SNOWFLAKE": _dialect("snowflake", "footnote"),
    "UIPATH": _dialect("uip_cite"),
    "WEKNORA": _dialect("empty_tag"),
    "XAI": _dialect("double_link", "double"),
    "ZHIPU": _dialect("named_number"),
}
"""What each makes models write, by name.  Join them to the default: ``DEFAULT | OPENAI``."""
