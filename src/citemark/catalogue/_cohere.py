"""Rows of the tags of Cohere's and Granite's models."""

from __future__ import annotations

from typing import Final

from citemark.catalogue import _parts as p
from citemark.catalogue._readers import call_keys
from citemark.catalogue._row import Format, FormatSet

__all__ = ["CO_ROWS", "C_TAG"]

_CALLS: Final = r"(?: [0-9]{1,4}+ [ ]?+ : [ ]?+ \[ [0-9, ]{0,400}+ \] [, ]{0,3}+ ){0,50}+"
_LIST: Final = r"[0-9]{1,6}+ (?: [ ]?+ [,;] [ ]?+ [0-9]{1,6}+ ){0,49}+"

CO_ROWS: Final = FormatSet(
    (
        Format(
            "co_number",
            "<",
            rf"co > {p.BLANK} (?P<key> {_LIST} ) {p.BLANK} </co>",
            "<co>1</co>",
            tier="explicit",
            keys="list",
            limit=600,
            who="Granite 3.2",
            about="A number that stands for a quote in a list at the end.",
        ),
        Format(
            "co",
            "<",
            rf"co > {p.words_in('co')} </co {p.BLANK} : [ ]?+ (?P<key> [^<>\n]{{0,400}}+ ) >",
            "<co>text</co: 0:[1,2],1:[3]>",
            tier="explicit",
            keys=call_keys,
            base=0,
            limit=p.MAX_WORDS + 420,
            covers=True,
            silent=True,
            who="Cohere Command A and R7B",
            about="Results of tool calls for the words in the tag; documents are call 0.",
        ),
        Format(
            "co_list",
            "<",
            rf"""co {p.BLANK} : [ ]?+ {_LIST} {p.BLANK} > {p.words_in("co")}
                 </co {p.BLANK} : [ ]?+ (?P<key> {_LIST} ) {p.BLANK} >""",
            "<co: 2,1>text</co: 2,1>",
            tier="explicit",
            keys="list",
            base=0,
            limit=p.MAX_WORDS + 820,
            covers=True,
            who="Cohere Command R",
            about="Documents for the words in the tag.",
        ),
        Format(
            "co_end",
            "<",
            rf"/co {p.BLANK} : [ ]?+ (?P<key> {_CALLS} ) {p.BLANK} >",
            "</co: 0:[1]>",
            tier="explicit",
            keys=call_keys,
            base=0,
            limit=600,
            silent=True,
            who="Cohere, around more than a paragraph",
            about="The end of such a tag whose beginning is far away.",
        ),
        Format(
            "co_list_end",
            "<",
            rf"/co {p.BLANK} : [ ]?+ (?P<key> {_LIST} ) {p.BLANK} >",
            "</co: 0,1>",
            tier="explicit",
            keys="list",
            base=0,
            limit=420,
            who="Cohere Command R, around more than a paragraph",
            about="The same with a list of documents.",
        ),
        Format(
            "co_stray",
            "<",
            rf"(?: /?+ co (?: {p.BLANK} : [ ]?+ {_LIST} )?+ {p.BLANK} >)",
            "<co>",
            tier="explicit",
            limit=420,
            silent=True,
            who="Cohere, Granite",
            about="A tag without its other half.",
        ),
    )
)
"""On by default.  Whole tags come before their halves."""

C_TAG: Final = Format(
    "c_number",
    "<",
    rf"c> {p.BLANK} (?P<key> {_LIST} ) {p.BLANK} </c>",
    "<c>1</c>",
    keys="list",
    limit=600,
    who="other checkpoints of Granite",
    about="As `<co>1</co>`.",
)
