"""Figures over one answer or many: coverage, citation recall and precision, unresolved keys.

Recall and precision are those of ALCE (Gao et al., "Enabling Large Language Models to Generate
Text with Citations", 2023): a sentence is recalled if what it cites, taken together, supports
it; a citation is precise if its sentence is recalled, and the citation supports it alone or the
others do not without it.  Ours differ in two things by which the way of writing changed the
figures: only claims count, and a key that names no source counts against precision.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from citemark.answer import Answer, as_answer
from citemark.checks._sums import Sums
from citemark.checks._tally import Asked, tally
from citemark.checks.coverage import require_scope
from citemark.checks.hearing import Hearing
from citemark.checks.lexical import LexicalJudge
from citemark.errors import NotAnAnswerError

if TYPE_CHECKING:
    from citemark.checks.judging import Judge
    from citemark.checks.model import Scope
    from citemark.checks.splitting import Splitter

__all__ = ["Mean", "Metrics", "metrics"]


@dataclass(frozen=True, slots=True)
class Mean:
    """A share, 0 to 1; None where it is not defined."""

    micro: float | None
    """Over all that is counted, whatever answer it is in."""

    macro: float | None
    """Mean of the shares of the answers that have one."""


@dataclass(frozen=True, slots=True)
class Metrics:
    """Figures over some answers."""

    answers: int
    """How many there are."""

    claims: int
    """Claims in them."""

    citations: int
    """Citations of claims, each source once a claim, keys that name no source among them."""

    sentences: int
    """Sentences in all, headings left out: those that are no claims among them."""

    pairs: int
    """Claims with passages that the judge was asked about, each once an answer."""

    unjudged: int
    """Those of them on which the judge failed; they count as not supported."""

    judge: str
    """Who decided what supports what."""

    coverage: Mean
    """Claims that are cited, of all claims."""

    recall: Mean
    """Claims that what they cite supports, of all claims."""

    precision: Mean
    """Citations that their claim needs, of all citations."""

    f1: Mean
    """Harmonic mean of recall and precision."""

    unresolved_rate: Mean
    """Citations whose key names no source, of all citations."""

    quote_rate: Mean
    """Quotes that stand in their source, but for slips of spelling, of all that can be told."""

    alce_recall: float | None
    """Recall as ALCE has it: over all sentences but headings, mean over the answers."""

    alce_precision: float | None
    """Precision as ALCE has it: of sentences with unknown keys no citation counts, and an
    answer without any has 0; mean over the answers."""

    alce_f1: float | None
    """Harmonic mean of the two."""

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form, each ``Mean`` as ``{"micro": ..., "macro": ...}``."""
        return asdict(self)


def metrics(
    answers: Answer | Iterable[Answer],
    *,
    scope: Scope = "strict",
    judge: Judge | None = None,
    hearing: Hearing | None = None,
    splitter: Splitter | None = None,
) -> Metrics:
    """Return figures over one answer or many, which are read one after the other.

    Nothing is kept of an answer but its counts: memory does not grow with their number.

    Args:
        answers: With the passages of their sources.
        scope: ``"paragraph"``: a claim without citations has those of the next claim in its
            paragraph that has some.  The figures of ALCE are strict.
        judge: Who decides what supports what; by default words are compared, which is strict.
        hearing: How it is asked.
        splitter: See ``citemark.checks.sentences``.

    Raises:
        NotAnAnswerError: The answer, or one of them, is none, but a text, say.
        CitemarkError: The scope is none.

    >>> from citemark import cite
    >>> sources = [{"id": "a", "text": "A wet quay."}]
    >>> answer = cite("The quay is wet [1]. Boats rot [9].", sources)
    >>> found = metrics(answer)
    >>> found.coverage.micro, found.recall.micro, found.precision.micro
    (0.5, 0.5, 0.5)
    """
    require_scope(scope)
    asked = Asked(judge or LexicalJudge(), hearing or Hearing(), splitter, scope)
    sums = Sums()
    for answer in _answers(answers):
        sums.add(tally(as_answer(answer), asked))
    return _result(sums, asked.judge.name)


def _answers(given: Answer | Iterable[Answer]) -> Iterable[Answer]:
    if isinstance(given, Answer):
        return (given,)
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise NotAnAnswerError(given, "an Answer, as cite(text, sources) makes it, or several")
    return given


def _result(sums: Sums, judge: str) -> Metrics:
    means = {name: Mean(*sums.mean(name)) for name in sums.names}
    recall, precision = means["recall"], means["precision"]
    alce = sums.average("alce_recall"), sums.average("alce_precision")
    return Metrics(
        answers=sums.answers,
        claims=sums.claims,
        citations=sums.citations,
        sentences=sums.sentences,
        pairs=sums.pairs,
        unjudged=sums.unjudged,
        judge=judge,
        **means,
        f1=Mean(_f1(recall.micro, precision.micro), _f1(recall.macro, precision.macro)),
        alce_recall=alce[0],
        alce_precision=alce[1],
        alce_f1=_f1(*alce),
    )


def _f1(recall: float | None, precision: float | None) -> float | None:
    if recall is None or precision is None:
        return None
    both = recall + precision
    return 2 * recall * precision / both if both else 0.0
