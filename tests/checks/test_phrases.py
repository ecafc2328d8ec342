"""Phrases are looked up by how a sentence starts, and compiled when one may have them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from citemark.checks._phrase import Phrase

ENGLISH = {"blanks": True}
CHINESE = {"blanks": False}

COUNT = """
import re
from citemark import cite
from citemark.checks import coverage

compiled = []
compile = re.compile
re.compile = lambda pattern, *flags: compiled.append(pattern) or compile(pattern, *flags)
coverage(cite("The board met in March [1]. It voted to dredge.\\n\\nNobody asked why.", []))
print(sum("[\\\\s,、，]*+" in pattern for pattern in compiled))
"""


@pytest.mark.parametrize(
    ("phrase", "language", "starts"),
    [
        ("(please) [consult|see] a doctor", ENGLISH, {"please", "consult", "see"}),
        ("i'm sorry", ENGLISH, {"i"}),
        ("apologi* for", ENGLISH, {"apologi*"}),
        ("in <sources>", ENGLISH, {"in"}),
        ("<sources> say", ENGLISH, {"\ue000"}),
        ("抱歉", CHINESE, {"抱歉*"}),
        ("… 没有", CHINESE, {"*"}),
    ],
)
def test_starts(phrase, language, starts):
    """The heads by which a phrase is found; with ``*`` where letters may follow at once."""
    found = Phrase(phrase, language).starts()
    assert {head + "*" * is_open for head, is_open in found} == starts


@pytest.mark.parametrize(
    ("words", "may_match", "matches"),
    [
        ("i do not know", True, True),
        ("i do not know the sources", True, True),
        ("we cannot say", False, False),
        ("i know what you do not", True, False),
    ],
)
def test_needs(words, may_match, matches):
    """No sentence without the words that a phrase needs is held against its pattern."""
    phrase = Phrase("[i|we] [do not|don't] … [know|find]", ENGLISH)
    assert (phrase.may_match(words), phrase.match(words) is not None) == (may_match, matches)


def test_no_phrase_is_compiled_at_first():
    """An answer that holds no phrase compiles none: all of them took more than a second."""
    command = [sys.executable, "-X", "utf8", "-c", COUNT]
    assert subprocess.run(command, capture_output=True, check=True).stdout.split() == [b"0"]
