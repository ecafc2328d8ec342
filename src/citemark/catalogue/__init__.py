"""The catalogue of marker formats: one row for every way in which models write a citation."""

from __future__ import annotations

from citemark.catalogue._check import WORDS, check_row, keyed
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
    "check_row",
    "keyed",
    "place",
]
