"""Quotes: found in an answer, and found again in a passage."""

from __future__ import annotations

from citemark._quotes._denied import is_denied
from citemark._quotes._edges import is_cut
from citemark._quotes._extract import Quotation, find_quotations, without_prefixes
from citemark._quotes._find import Found, find_quote
from citemark._quotes._fold import Folded
from citemark._quotes._near import Nearest, Word, nearest
from citemark._quotes._negation import is_negation, negations_in
from citemark._quotes._numerals import is_figure
from citemark._quotes._parts import core_of, count_words, parts_of
from citemark._quotes._passage import Passage, forget_passages, passage_of
from citemark._quotes._signs import other_signs

__all__ = [
    "Folded",
    "Found",
    "Nearest",
    "Passage",
    "Quotation",
    "Word",
    "core_of",
    "count_words",
    "find_quotations",
    "find_quote",
    "forget_passages",
    "is_cut",
    "is_denied",
    "is_figure",
    "is_negation",
    "nearest",
    "negations_in",
    "other_signs",
    "parts_of",
    "passage_of",
    "without_prefixes",
]
