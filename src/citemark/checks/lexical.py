"""A judge that compares words: quick, and never more than a hint.

It counts how many of the claim's content words and figures stand in the best three sentences of
the passage, and looks at figures, units, dates, negation and names.  Shared words are a good
sign on answers as models write them, and none where a figure or a name was swapped: so it says
"supported" only if nearly all words are there and no guard speaks, and it is no verification.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from citemark._lazy import lazy_re
from citemark.checks._dates import month_of
from citemark.checks._figures import figures_in
from citemark.checks._negation import is_negated
from citemark.checks._passages import passage_of
from citemark.checks._stems import stems_in
from citemark.checks._tongues import tongue_of
from citemark.checks.judging import Judgement

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from citemark.checks._figures import Figure
    from citemark.checks._passages import Passage, Window
    from citemark.checks.judging import Pair

__all__ = ["LexicalJudge"]

LOW: Final = 0.3
"""Share of the words below which 94 of 100 claims were unsupported (AttributionBench OOD)."""

HIGH: Final = 0.9
"""Share from which 90 of 100 were supported there."""

CONTRADICTED: Final = 0.25
"""What is left of the score if a figure is another one."""

DOUBTED: Final = 0.75
"""What is left of it if negation or a name differs."""

MAX_TOLD: Final = 5
"""Reasons that are given."""

_NAME: Final = lazy_re(r"(?<=[^\W_]\s)[A-ZÀ-ÖØ-ÞЀ-Я][^\W\d_]{2,40}")


class _Claim(NamedTuple):
    """What is looked for in a passage."""

    text: str
    figures: list[Figure]
    features: tuple[tuple[str, ...], ...]
    """For each of its words and figures, the forms in which it may stand in a passage."""

    is_negated: bool
    names: tuple[tuple[str, tuple[str, ...]], ...]
    """Its names, with their content words."""


class LexicalJudge:
    """Compares words.  Its score is the share of them that is found, less if a guard speaks.

    >>> from citemark.checks import Pair
    >>> found = LexicalJudge().judge([Pair("It cost £412.", "It cost £421.")])
    >>> found[0].verdict, found[0].reasons
    ('unsupported', ('the figure 421 is not in the passage',))
    """

    name: Final = "lexical"
    batch: Final = 10_000  # so that each passage is read once

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """Return one judgement a pair, in order."""
        claims = {claim: _read(claim) for claim in {pair.claim for pair in pairs}}
        found: dict[Pair, Judgement] = {}
        for pair in sorted(pairs, key=lambda pair: pair.premise):
            found[pair] = _judged(claims[pair.claim], pair.premise)
        return [found[pair] for pair in pairs]


def _read(text: str) -> _Claim:
    figures = figures_in(text)
    words = {(stem,): None for stem, _, _ in stems_in(text) if not stem[0].isdigit()}
    counts = {
        tuple(f"#{reading.value}" for reading in figure.readings): None for figure in figures
    }
    found = dict.fromkeys(match[0] for match in _NAME.finditer(text))
    names = tuple((name, tuple(stem for stem, _, _ in stems_in(name))) for name in found)
    return _Claim(text, figures, (*words, *counts), is_negated(text), names)


def _judged(claim: _Claim, premise: str) -> Judgement:
    if not claim.features:
        return Judgement(
            "unsure", None, None, ("the claim has no words to compare",), is_hint=True
        )
    passage = passage_of(premise)
    window = passage.best_window(claim.features)
    count, whole = window.words if window else 0, len(claim.features)
    share, where = count / whole, (window.start, window.end) if window else None
    hard = tuple(islice(_contradictions(claim, passage), MAX_TOLD))
    if hard:
        return Judgement("unsupported", share * CONTRADICTED, where, hard)
    if share < LOW and tongue_of(claim.text).is_foreign_to(passage.tongue):
        why = "the claim and the passage are in different languages, it seems"
        return Judgement("unsure", share, where, (why,), is_hint=True)
    if share < LOW:
        why = f"{count} of its {whole} words are in the passage"
        return Judgement("unsupported", share, where, (why,), is_hint=True)
    soft = tuple(islice(_doubts(claim, passage, window), MAX_TOLD))
    if soft or share < HIGH:
        some = () if share >= HIGH else (f"{count} of its {whole} words stand together",)
        score = share * DOUBTED if soft else share
        return Judgement("unsure", score, where, (*soft, *some), is_hint=not soft)
    return Judgement("supported", share, where)


def _contradictions(claim: _Claim, passage: Passage) -> Iterator[str]:
    """Yield what speaks against a claim by itself."""
    for figure in claim.figures:
        written = claim.text[figure.start : figure.end]
        unit = figure.readings[0].unit
        if passage.misses(figure):
            if not figure.is_word or passage.counts_alike(figure):
                yield f"the figure {written} is not in the passage"
        elif passage.counts_other(figure) and unit.startswith("day of month"):
            yield f"the passage has {written} with another month"
        elif passage.counts_other(figure):
            yield f"the passage has {written} with another unit"


def _doubts(claim: _Claim, passage: Passage, window: Window | None) -> Iterator[str]:
    """Yield what may speak against it."""
    for figure in claim.figures:
        if figure.is_word and passage.misses(figure):
            yield f"the word {claim.text[figure.start : figure.end]} is not in the passage"
        if passage.has_other_sign(figure):
            yield f"the passage has {claim.text[figure.start : figure.end]} with another sign"
    nearest = [passage.text[start:end] for start, end in window.nearest] if window else []
    if nearest and all(claim.is_negated != is_negated(text) for text in nearest):
        yield "one of the two is negated"
    for name, stems in claim.names:
        month = None if stems else month_of(name)  # "May" is no content word
        if not all(map(passage.holds, stems)) or (month and month not in passage.months):
            yield f"the name {name} is not in the passage"
