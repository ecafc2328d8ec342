"""All checks of an answer at once, and what they found, worst first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from citemark.answer import as_answer
from citemark.checks._findings import findings_of
from citemark.checks._together import checks_of_claims
from citemark.checks.coverage import coverage
from citemark.checks.hearing import Hearing
from citemark.checks.lexical import LexicalJudge
from citemark.checks.model import SEVERITIES
from citemark.checks.quotes import verify_quotes
from citemark.checks.reports import as_dict, figures_of, percent, severities
from citemark.checks.support import support_of_claims
from citemark.records import as_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from citemark.answer import Answer
    from citemark.checks.judging import Judge
    from citemark.checks.model import (
        ClaimCheck,
        Coverage,
        Finding,
        QuoteCheck,
        Scope,
        Severity,
        SupportCheck,
    )
    from citemark.checks.splitting import Splitter
    from citemark.model import Source

__all__ = ["Report", "check"]


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """What the checks found in one answer."""

    answer: Answer
    """The answer."""

    coverage: Coverage
    """Which of its claims are cited."""

    quotes: tuple[QuoteCheck, ...]
    """Its quotes, held against their sources."""

    support: tuple[SupportCheck, ...]
    """Its claims, held against each passage that they cite."""

    by_claim: tuple[ClaimCheck, ...]
    """The same, one for each claim that cites anything."""

    findings: tuple[Finding, ...]
    """What a reader should not have to find out alone, in order of position."""

    judge: str
    """Who decided what supports what; "" if nobody was asked."""

    scope: Scope = "strict"
    """Which citations counted for a claim."""

    @property
    def figures(self) -> dict[str, Any]:
        """Counts of claims, quotes, support and findings, by name; see ``to_dict``."""
        return figures_of(self)

    @property
    def worst(self) -> Severity | None:
        """The worst severity of a finding; None if there is none."""
        found = {finding.severity for finding in self.findings}
        return next((severity for severity in SEVERITIES if severity in found), None)

    def at_least(self, severity: Severity) -> tuple[Finding, ...]:
        """Return the findings that are as bad as that, or worse."""
        bad = SEVERITIES[: SEVERITIES.index(severity) + 1]
        return tuple(finding for finding in self.findings if finding.severity in bad)

    def __repr__(self) -> str:
        """Return counts: all that is held would fill many screens."""
        figures = self.figures
        cited = f"{figures['cited']} of {figures['claims']} claims cited"
        share = percent(figures["coverage"])
        return f"<Report: {cited} ({share}), {severities(figures)}>"

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form: figures, findings with line and column, and all checks.

        Offsets are in code points, half-open; lines and columns count from 1.  Strict JSON
        holds it.
        """
        return as_dict(self)


def check(  # noqa: PLR0913  options, all by keyword
    answer: Answer,
    *,
    sources: Iterable[Source | Mapping[str, Any]] | None = None,
    scope: Scope = "strict",
    support: bool = True,
    judge: Judge | None = None,
    hearing: Hearing | None = None,
    splitter: Splitter | None = None,
) -> Report:
    """Return what all checks find in an answer.

    Args:
        answer: With the passages of its sources, for quotes and support.
        sources: What the model was given: a quote is looked for in all of it, and an answer
            that had nothing to cite is told from one that cites nothing.
        scope: Whether a later citation of its paragraph covers a claim; see ``coverage``.
        support: Whether claims are held against the passages that they cite.
        judge: Who decides what supports what; by default words are compared, which is a hint.
        hearing: How it is asked; see ``Hearing``.
        splitter: See ``sentences``.

    Raises:
        NotAnAnswerError: The answer is none, but a text, say.
        SourceError: A record cannot be used.

    >>> from citemark import cite
    >>> report = check(cite("Tides rise. The moon pulls [1].", [{"id": "a", "text": "Moon."}]))
    >>> [(finding.severity, finding.code) for finding in report.findings][0]
    ('warning', 'uncited')
    """
    answer = as_answer(answer)
    given = None if sources is None else _records(sources)
    judge = judge or LexicalJudge()
    covered = coverage(
        answer, scope=scope, given=None if given is None else len(given), splitter=splitter
    )
    quotes = verify_quotes(answer, sources=given or ())
    pairs: tuple[SupportCheck, ...] = ()
    by_claim: tuple[ClaimCheck, ...] = ()
    if support:
        hearing = hearing or Hearing()
        claims = [one for one in covered.sentences if one.role == "claim"]
        pairs = support_of_claims(claims, judge, hearing)
        by_claim = checks_of_claims(pairs, judge, hearing)
    findings = findings_of(answer, covered, quotes, by_claim)
    name = judge.name if support else ""
    return Report(answer, covered, quotes, pairs, by_claim, findings, name, scope)


def _records(sources: Iterable[Source | Mapping[str, Any]]) -> tuple[Source, ...]:
    return tuple(as_source(record, position) for position, record in enumerate(sources, 1))
