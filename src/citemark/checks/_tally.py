"""What is counted of one answer for the figures over many."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from citemark.checks._needed import Needed
from citemark.checks.claims import sentences
from citemark.checks.quotes import verify_quotes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citemark.answer import Answer
    from citemark.checks.hearing import Hearing
    from citemark.checks.judging import Judge
    from citemark.checks.model import Scope, Sentence
    from citemark.checks.splitting import Splitter

__all__ = ["Asked", "Tally", "tally"]

UNKNOWN = frozenset({"insufficient", "unverifiable"})
"""Verdicts on quotes that say nothing of the answer."""


class Asked(NamedTuple):
    """How answers are looked at."""

    judge: Judge
    hearing: Hearing
    splitter: Splitter | None
    scope: Scope


@dataclass(slots=True)
class Tally:
    """Counts of one answer."""

    sentences: int = 0
    claims: int = 0
    cited: int = 0
    recalled: int = 0
    citations: int = 0
    unresolved: int = 0
    precise: int = 0
    quotes: int = 0
    verified: int = 0
    pairs: int = 0
    unjudged: int = 0
    alce_recall: float | None = None
    alce_precision: float | None = None

    def shares(self) -> dict[str, tuple[int, int]]:
        """Return part and whole of each figure."""
        return {
            "coverage": (self.cited, self.claims),
            "recall": (self.recalled, self.claims),
            "precision": (self.precise, self.citations),
            "unresolved_rate": (self.unresolved, self.citations),
            "quote_rate": (self.verified, self.quotes),
        }


def tally(answer: Answer, asked: Asked) -> Tally:
    """Count one answer."""
    hearing = asked.hearing
    if hearing.cache is None:  # the same pair may be wanted for recall and for precision
        hearing = replace(hearing, cache={})
    found = [one for one in sentences(answer, splitter=asked.splitter) if one.role != "heading"]
    own = Needed(found, _own(found), asked.judge, hearing)
    counts = Tally(sentences=len(found))
    _add_alce(counts, found, own)
    claims = [one for one in found if one.role == "claim"]
    used = own
    if asked.scope == "paragraph":
        used = Needed(claims, _of_paragraph(claims), asked.judge, hearing)
        _add_claims(counts, claims, range(len(claims)), used)
    else:
        places = [at for at, one in enumerate(found) if one.role == "claim"]
        _add_claims(counts, claims, places, own)
    counts.pairs = len(own.asked | used.asked)
    counts.unjudged = len(own.unjudged | used.unjudged)
    _add_quotes(counts, answer)
    return counts


def _own(found: Sequence[Sentence]) -> list[int]:
    """Return whose citations count for each sentence: its own."""
    return [*range(len(found))]


def _of_paragraph(claims: Sequence[Sentence]) -> list[int]:
    """Return the same in a paragraph: without any, those of the next claim that has some."""
    owners, following = _own(claims), -1
    for at in range(len(claims) - 1, -1, -1):
        claim = claims[at]
        if claim.citations:
            following = at
        elif not claim.unresolved and following >= 0 and claims[following].block == claim.block:
            owners[at] = following
    return owners


def _add_claims(
    counts: Tally, claims: Sequence[Sentence], places: Sequence[int], needed: Needed
) -> None:
    for claim, at in zip(claims, places, strict=True):
        counts.claims += 1
        counts.cited += needed.is_cited[at]
        counts.recalled += needed.recalled[at]
        counts.citations += len(claim.citations) + len(claim.unresolved)
        counts.unresolved += len(claim.unresolved)
        counts.precise += len(needed.precise[at])


def _add_alce(counts: Tally, found: Sequence[Sentence], needed: Needed) -> None:
    if not found:
        return
    whole = [at for at, one in enumerate(found) if one.citations and not one.unresolved]
    cited = sum(len(found[at].citations) for at in whole)
    precise = sum(len(needed.precise[at]) for at in whole)
    counts.alce_recall = sum(needed.recalled[at] for at in whole) / len(found)
    counts.alce_precision = precise / cited if cited else 0.0


def _add_quotes(counts: Tally, answer: Answer) -> None:
    verdicts = [check.verdict for check in verify_quotes(answer)]
    known = [verdict for verdict in verdicts if verdict not in UNKNOWN]
    counts.quotes = len(known)
    counts.verified = sum(verdict in {"verified", "fuzzy"} for verdict in known)
