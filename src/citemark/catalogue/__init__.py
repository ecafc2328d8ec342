"""The catalogue of marker formats: one row for every way in which models write a citation."""

from __future__ import annotations

from citemark.catalogue._check import WORDS, before_key, check_row, keyed, up_to_key
from citemark.catalogue._numbers import NAMED_NUMBERS, is_named
from citemark.catalogue._parts import (
    AND,
    COLON,
    DASH,
    LINK_LIMIT,
    LINK_TEXT,
    LINK_TITLE,
    LINK_WORDS,
    NUMBER,
    PAGE,
    SEPARATOR,
    URL,
    ZEROS,
)
from citemark.catalogue._readers import place
from citemark.catalogue._row import (
    Base,
    Format,
    FormatSet,
    Key,
    KeyForm,
    KeyReader,
    Tier,
)
from citemark.catalogue._sets import ALL, DEFAULT, DIALECTS, LENIENT, LOOSE

__all__ = [
    "ALL",
    "AND",
    "COLON",
    "DASH",
    "DEFAULT",
    "DIALECTS",
    "LENIENT",
    "LINK_LIMIT",
    "LINK_TEXT",
    "LINK_TITLE",
    "LINK_WORDS",
    "LOOSE",
    "NAMED_NUMBERS",
    "NUMBER",
    "PAGE",
    "SEPARATOR",
    "URL",
    "WORDS",
    "ZEROS",
    "Base",
    "Format",
    "FormatSet",
    "Key",
    "KeyForm",
    "KeyReader",
    "Tier",
    "before_key",
    "check_row",
    "is_named",
    "keyed",
    "place",
    "up_to_key",
]
