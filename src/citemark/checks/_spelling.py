"""Whether a word is another one misspelt, by its letters alone.

A slip is a letter doubled, missed, one too many, without its accent, or swapped with the next.
Another letter in place of one is none: it mostly gives another word, "nitrate" for "nitrite".
"""

from __future__ import annotations

from functools import cache
from typing import Final
from unicodedata import normalize

__all__ = ["are_opposed", "is_misspelt"]

STEM: Final = 3
"""Letters that words share at least which have opposed beginnings or endings."""

_PREFIXES: Final = (
    "hyper hypo|inter intra extra|pre pro post per|ab ad|over under|sub super supra|macro micro"
    "|endo exo ecto|ante anti|mono bi di tri tetra poly|in ex im em|up down|maxi mini"
    "|homo hetero"
)
_SUFFIXES: Final = (
    "er or ee|ers ors ees|ane ene yne|ate ite ide|ates ites ides|ic ous|less ful|one olone"
    "|ase ose|itis osis|ectomy otomy ostomy"
)
"""Beginnings and endings of which one says something else than the other."""

_DENYING: Final = "un in im il ir dis non mis anti"
"""Beginnings that say something else than none does."""

_ALIKE: Final = (
    "addition addiction|additions addictions|angel angle|appraise apprise|averse adverse"
    "|barred bared|beard bread|beast best|beats beast|board broad|bother brother"
    "|bride bridge|brides bridges|callus callous|calm clam|caned canned|casual causal"
    "|cause clause|causes clauses|cavalry calvary|chart cart|clam claim|clams claims"
    "|coma comma|contact contract|contacts contracts|content contents|county country"
    "|covert convert|curse course|curses courses|deletion depletion|desert dessert"
    "|diary dairy|diner dinner|discreet discrete|divers drivers|exit exist|exiting exciting"
    "|exiting existing|exits exists|expiation expiration|facial fascial|father farther"
    "|fiction friction|fictional frictional|filed filled|filing filling|fires fries"
    "|form from|friend fiend|friends fiends|heard herd|holy holly|hoping hopping"
    "|immoral immortal|infected inflected|infection inflection|later latter|loose lose"
    "|married marred|martial marital|mediation medication|mediation meditation|moral mortal"
    "|morning mourning|mucus mucous|parity party|pats parts|perfect prefect"
    "|persecute prosecute|pieces prices|plan plain|planed planned|plant planet"
    "|plants planets|poring pouring|prediction predication|price prince|prices princes"
    "|public pubic|quiet quite|radial radical|raise rise|rating ratting|reality realty"
    "|reign rein|relay really|relied replied|relies replies|rely reply|revel reveal"
    "|robed robbed|sacred scared|salvation salivation|savior savor|scarred scared|sign sing"
    "|silver sliver|simulate stimulate|simulation stimulation|since sine|singed signed"
    "|singer signer|singing signing|solder soldier|solders soldiers|spit split|sport spot"
    "|stared started|staring starring|staring starting|statue statute|super supper"
    "|taping tapping|there three|thorough through|though tough|through though|through trough"
    "|tired tried|tread thread|treat threat|treats threats|trial trail|united untied"
    "|weird wired|where were|word world|words worlds"
)
"""Words of one slip's difference that are both words, in law, medicine and daily use."""


def is_misspelt(one: str, other: str, most: int) -> bool:
    """Whether two folded words are one but for slips, so many at most.

    >>> is_misspelt("chanel", "channel", 1), is_misspelt("mian", "main", 1)
    (True, True)
    >>> is_misspelt("nitrite", "nitrate", 1), is_misspelt("guilt", "guilty", 1)
    (False, False)
    """
    if frozenset((one, other)) in _alike() or are_opposed(one, other):
        return False
    return _has_slips(one, other, most)


def are_opposed(one: str, other: str) -> bool:
    """Whether two folded words differ by a beginning or an ending that says something else.

    >>> are_opposed("hypertension", "hypotension"), are_opposed("employer", "employee")
    (True, True)
    """
    if _is_other_end(one, other, _groups(_SUFFIXES)):
        return True
    backward = one[::-1], other[::-1]
    return _is_other_end(*backward, _groups(_PREFIXES[::-1])) or any(
        len(short) > STEM and long == short + prefix[::-1]
        for prefix in _DENYING.split()
        for short, long in (backward, backward[::-1])
    )


def _is_other_end(one: str, other: str, groups: tuple[tuple[str, ...], ...]) -> bool:
    return any(
        one.endswith(end)
        and len(one) >= len(end) + STEM
        and other == one.removesuffix(end) + new
        for ends in groups
        for end in ends
        for new in ends
        if new != end
    )


@cache
def _groups(table: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(group.split()) for group in table.split("|"))


@cache
def _alike() -> frozenset[frozenset[str]]:
    return frozenset(frozenset(pair.split()) for pair in _ALIKE.split("|"))


def _has_slips(one: str, other: str, most: int) -> bool:
    same = _count_same(one, other)
    one, other = one[same:], other[same:]
    if not (one and other):
        return not (one or other) or (most > 0 and one + other == "s")  # the one of a plural
    if not most:
        return False
    if one[:2] == other[1::-1] and _has_slips(one[2:], other[2:], most - 1):
        return True
    if _plain(one[0]) == _plain(other[0]):
        return _has_slips(one[1:], other[1:], most - 1)
    return _misses(one, other, most) or _misses(other, one, most)


def _misses(short: str, long: str, most: int) -> bool:
    """Whether one letter of a word is missing here in another one, and no more at once."""
    return long[1:2] == short[0] and _has_slips(short, long[1:], most - 1)


def _count_same(one: str, other: str) -> int:
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _plain(letter: str) -> str:
    return normalize("NFD", letter)[:1]
