"""What a sentence does: only those that state something need a citation.

Told by its mark at the end, by its place in Markdown, and by phrases that greet, offer, refuse
or lead in (``words/*.toml``).  When in doubt it is a claim: one that is wrongly asked for a
source is read by a person, one that is wrongly let through is not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark._lazy import lazy_re
from citemark.checks._clauses import states_more
from citemark.checks._phrases import after_opener, phrase_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from citemark.checks.model import Role, Unit

__all__ = ["is_name", "role_of"]

MAX_PHRASE: Final = 300
"""Code points of a sentence that may be no claim: a longer one states something."""

MAX_OPENERS: Final = 4
"""Openers that are read before one another: "Sorry, but unfortunately, ..."."""

MAX_NAME: Final = 4
"""Words of a line of a signature."""

_QUESTION_MARKS: Final = frozenset("?？؟՞፧⁇⁈‽\u037e")
_COLONS: Final = frozenset(":：")
_CLOSING: Final = " \"'”’»›)]」』）*_~"
_BOLD: Final = lazy_re(
    r"(?:\*\*|__)(?:[^*_.!?。！？।]|\*(?!\*)|_(?!_)){1,200}(?:\*\*|__)[:：]?\Z"
)
_EDGES: Final = " \t*_~()（）¡¿-–—"  # no quotation marks: what they hold, somebody said
_BLANKS: Final = " .,!;:。！，、।"
_SPOKEN: Final = frozenset({"refusals", "offers", "salutations", "requests", "lead_ins"})
"""Phrases that may go on with a statement."""

_ROLES: Final[Mapping[str, Role]] = {
    "": "claim",
    "refusals": "refusal",
    "offers": "greeting",
    "salutations": "greeting",
    "lead_ins": "lead_in",
    "bare_refusals": "refusal",
    "requests": "greeting",
}


def role_of(words: str, unit: Unit) -> Role:
    """Return what a sentence does.

    >>> [role_of(words, "sentence") for words in ("Is it?", "I don't know.", "It is wet.")]
    ['question', 'refusal', 'claim']
    """
    if unit in {"heading", "row", "caption"}:
        return "heading" if unit == "heading" else "claim"
    bare = words.rstrip(_CLOSING)
    last = bare[-1:]
    if last in _QUESTION_MARKS or (last == ";" and _is_greek(bare[-2:-1])):
        return "question"
    if len(words) > MAX_PHRASE:
        return "claim"
    if words[:2] in {"**", "__"} and _BOLD.fullmatch(words):
        return "heading"
    if last in _COLONS:
        return "lead_in"
    return _role_of_phrase(words.strip(_EDGES).casefold().replace("’", "'"))


def is_name(words: str) -> bool:
    """Whether words may be the line of a signature: few, with capitals, without a figure.

    >>> is_name("Jane Doe"), is_name("Support Team"), is_name("The dam broke")
    (True, True, False)
    """
    parts = words.split()
    return len(parts) <= MAX_NAME and all(part[0].isupper() for part in parts)


def _is_greek(letter: str) -> bool:
    """Whether a semicolon after a letter asks a question."""
    return "\u0370" <= letter <= "\u03ff" or "\u1f00" <= letter <= "\u1fff"


def _role_of_phrase(words: str) -> Role:
    for _ in range(MAX_OPENERS):
        found = phrase_of(words)
        if found in _SPOKEN and states_more(words, found):
            return "claim"
        rest = None if found else after_opener(words)
        if rest is None:
            return _ROLES[found]
        if not rest.strip(_BLANKS):
            return "greeting"
        words = rest
    return "claim"
