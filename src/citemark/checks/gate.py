"""The gate before an answer is shown: it is as good as is asked, or an error says why not."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, TypedDict

from citemark._whole import require_whole
from citemark.checks.codes import NO_CITATION
from citemark.checks.model import SEVERITIES
from citemark.checks.report import check
from citemark.checks.reports import percent
from citemark.checks.reports._lines import Lines
from citemark.errors import CitemarkError, RequirementError, shortened
from citemark.renderers._display import cut, glance_at, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from citemark.answer import Answer
    from citemark.checks.hearing import Hearing
    from citemark.checks.judging import Judge
    from citemark.checks.model import Finding, Scope, Severity
    from citemark.checks.report import Report
    from citemark.checks.splitting import Splitter
    from citemark.model import Source

__all__ = ["Requirements", "require"]

UNCITED: Final = frozenset(
    {"uncited", "cited_unresolved", "not_followed", "unknown_keys", "nothing_to_cite",
     "no_provider_data"}
)  # fmt: skip
"""Findings that make the coverage low."""

UNRESOLVED: Final = frozenset({"unresolved", "cited_unresolved", "unknown_keys"})
"""Findings that tell of keys without a source."""

FALSE_QUOTES: Final = frozenset({"quote_altered", "quote_misattributed", "quote_rejected"})
"""Findings of quotes that do not stand in their source."""

UNSUPPORTED: Final = frozenset({"unsupported", "not_judged"})
"""Findings of claims that no judge stands for: one that fails lets nothing pass.

Claims that merely share few words with their passages (``few_shared_words``) are not among
them: that is a hint, and true paraphrases have it too.
"""

UNSURE: Final = frozenset({"unsure", "not_judged"})
"""Findings of claims that a judge leaves open; as above, one that fails lets nothing pass."""

MAX_KEYS: Final = 5
"""Keys that the message repeats."""

MAX_WORDS: Final = 60
"""Code points of the words of a claim that the message repeats."""

MAX_MESSAGE: Final = 600
"""Code points of what the message tells of a finding: all that checks say, unless it is odd."""


class Requirements(TypedDict, total=False):
    """What else ``Answer.require`` takes; each may be left out."""

    false_quotes: int
    """Most quotes that are altered, from another source, or nowhere."""

    unsupported: int
    """Most claims that the judge finds unsupported, or does not judge because it fails; that a
    claim merely shares few words with its passages is a hint, and does not count."""

    unsure: int
    """Most claims that the judge is not sure of, or does not judge because it fails: words are
    there but for a negation, a name or a sign, say.  Merely missing words do not count."""

    fail_on: Severity
    """No finding is as bad as that, or worse."""

    sources: Iterable[Source | Mapping[str, Any]] | None
    """What the model was given; see ``check``."""

    scope: Scope
    """Whether a later citation of its paragraph covers a claim; see ``coverage``."""

    judge: Judge | None
    """Who decides what supports what; see ``check``."""

    hearing: Hearing | None
    """How it is asked; see ``Hearing``."""

    splitter: Splitter | None
    """See ``sentences``."""


def require(  # noqa: PLR0913  options, all by keyword
    answer: Answer,
    *,
    coverage: float | None = None,
    unresolved: int | None = None,
    false_quotes: int | None = None,
    unsupported: int | None = None,
    unsure: int | None = None,
    fail_on: Severity | None = None,
    sources: Iterable[Source | Mapping[str, Any]] | None = None,
    scope: Scope = "strict",
    judge: Judge | None = None,
    hearing: Hearing | None = None,
    splitter: Splitter | None = None,
) -> Answer:
    """Return an answer that is as good as is asked for; see ``Answer.require``."""
    counts = {
        "unresolved": unresolved,
        "false_quotes": false_quotes,
        "unsupported": unsupported,
        "unsure": unsure,
    }
    _require_options(coverage, counts, fail_on)
    report = check(
        answer,
        sources=sources,
        scope=scope,
        support=any(one is not None for one in (unsupported, unsure, fail_on)),
        judge=judge,
        hearing=hearing,
        splitter=splitter,
    )
    gate = _Gate(report)
    gate.require_coverage(coverage)
    gate.require_resolved(unresolved)
    gate.require_few(false_quotes, FALSE_QUOTES, "quotes that do not stand in their source")
    gate.require_few(unsupported, UNSUPPORTED, "claims that are not supported, or not judged")
    gate.require_few(unsure, UNSURE, "claims that the judge is not sure of, or not judged")
    gate.require_none_of(fail_on)
    gate.close()
    return answer


class _Gate:
    """Collects what is missing.

    Args:
        report: What was found.
    """

    def __init__(self, report: Report) -> None:
        """Begin with nothing missing."""
        self._report = report
        self._reasons: list[str] = []
        self._bad: set[Finding] = set()

    def require_coverage(self, least: float | None) -> None:
        """Ask for a share of the claims; an answer without a claim has all of them."""
        covered = self._report.coverage
        if least is None or covered.coverage is None or covered.coverage >= least:
            return
        cited = f"{len(covered.cited)} of {covered.claims} claims cited"
        found = f"{percent(covered.coverage)} ({cited})"
        self._miss(f"coverage: {found}, at least {100 * least:.6g} %", UNCITED)

    def require_resolved(self, most: int | None) -> None:
        """Ask for few keys without a source."""
        keys = self._report.answer.unresolved
        if most is None or len(keys) <= most:
            return
        told = [repr(shortened(key)) for key in keys[:MAX_KEYS]]
        more = [f"and {len(keys) - MAX_KEYS} more"] if len(keys) > MAX_KEYS else []
        named = ", ".join([*told, *more])
        self._miss(f"unresolved keys: {len(keys)} ({named}), at most {most}", UNRESOLVED)

    def require_few(self, most: int | None, codes: frozenset[str], what: str) -> None:
        """Ask for few places with findings of some kinds."""
        found = {(one.start, one.end) for one in self._report.findings if one.code in codes}
        if most is not None and len(found) > most:
            self._miss(f"{what}: {len(found)}, at most {most}", codes)

    def require_none_of(self, severity: Severity | None) -> None:
        """Ask for no finding that is so bad."""
        found = () if severity is None else self._report.at_least(severity)
        if found:
            codes = frozenset(one.code for one in found)
            self._miss(
                f"findings of severity {severity!r}, or worse: {len(found)}, at most 0", codes
            )

    def close(self) -> None:
        """Refuse the answer if anything is missing.

        Raises:
            RequirementError: It is.
        """
        if self._reasons:
            findings = tuple(one for one in self._report.findings if one in self._bad)
            said = _said(self._report.answer.text, findings)
            raise RequirementError(tuple(self._reasons), findings, said)

    def _miss(self, reason: str, codes: frozenset[str]) -> None:
        self._reasons.append(reason)
        self._bad.update(one for one in self._report.findings if one.code in codes)


def _said(text: str, findings: Iterable[Finding]) -> tuple[str, ...]:
    """Return each finding in one line: line and column from 1, what it says, of what words."""
    lines = Lines(text)
    said = []
    for one in findings:
        line, column = lines.place(one.start)
        told = f"{line}:{column} {one.code}: {cut(one_line(one.message), MAX_MESSAGE)}"
        words = "" if one.code in NO_CITATION.values() else text[one.start : one.end]
        shown = glance_at(words, MAX_WORDS)
        said.append(f"{told}: “{shown}”" if shown else told)
    return tuple(said)


def _require_options(coverage: object, counts: Mapping[str, object], fail_on: object) -> None:
    """Refuse what would let all answers pass, or none.

    Raises:
        CitemarkError: An option has a value that is none, or nothing is asked for.
    """
    if coverage is None and fail_on is None and all(n is None for n in counts.values()):
        message = (
            "require(): nothing is asked for; give it coverage=0.9, unresolved=0 or the like"
        )
        raise CitemarkError(message)
    if coverage is not None and not _is_share(coverage):
        message = f"coverage={coverage!r}: expected a number from 0 to 1"
        raise CitemarkError(message)
    for name, most in counts.items():
        if most is not None:
            require_whole(name, most, 0)
    if fail_on is not None and fail_on not in SEVERITIES:
        message = f"fail_on={fail_on!r}: expected one of {', '.join(map(repr, SEVERITIES))}"
        raise CitemarkError(message)


def _is_share(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value) and 0 <= value <= 1
