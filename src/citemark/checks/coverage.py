"""Which claims of an answer are cited, and why none is if there is no citation at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark.checks._marks import marks_of
from citemark.checks.claims import sentences
from citemark.checks.model import SCOPES, Coverage
from citemark.errors import CitemarkError, shortened

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citemark.answer import Answer
    from citemark.checks.model import NoCitation, Scope, Sentence
    from citemark.checks.splitting import Splitter

__all__ = ["coverage", "require_scope"]

NO_DATA: Final = frozenset({"no_sources", "no_source"})
"""Codes of the issues by which an adapter says that the provider sent nothing to cite."""


def coverage(
    answer: Answer,
    *,
    scope: Scope = "strict",
    given: int | None = None,
    splitter: Splitter | None = None,
) -> Coverage:
    """Return which claims of an answer are cited.

    Args:
        answer: The answer.
        scope: ``"strict"``: a claim needs a citation of its own.  ``"paragraph"``: one at a
            later claim of its paragraph, list item or row will do, as many models cite.
        given: How many sources the model was given, if known: it tells an answer that had
            nothing to cite from one that does not cite.
        splitter: See ``citemark.checks.sentences``.

    Raises:
        NotAnAnswerError: The answer is none, but a text, say.
        CitemarkError: The scope is none.
        SplitterError: The splitter gave ranges that are none, or left words out.

    >>> from citemark import cite
    >>> found = coverage(cite("Tides rise. The moon pulls [1].", [{"id": "a"}]))
    >>> found.coverage, [sentence.text for sentence in found.uncited]
    (0.5, ['Tides rise.'])
    """
    require_scope(scope)
    found = sentences(answer, splitter=splitter)
    claims = [sentence for sentence in found if sentence.role == "claim"]
    has_source = _ends_of_cited(claims) if scope == "paragraph" else {}
    cited: list[Sentence] = []
    uncited: list[Sentence] = []
    unresolved: list[Sentence] = []
    for at, claim in enumerate(claims):
        is_covered = not claim.unresolved and at <= has_source.get(claim.block, -1)
        if claim.citations or is_covered:
            cited.append(claim)
        else:
            (unresolved if claim.unresolved else uncited).append(claim)
    reason = _reason(answer, given) if claims else None
    return Coverage(found, tuple(cited), tuple(uncited), tuple(unresolved), reason)


def require_scope(scope: object) -> None:
    """Refuse a scope that is none, which would be taken for the strict one.

    Raises:
        CitemarkError: It is none.
    """
    if scope not in SCOPES:
        known = ", ".join(map(repr, SCOPES))
        message = f"scope={shortened(repr(scope))}: expected one of {known}"
        raise CitemarkError(message)


def _ends_of_cited(claims: Iterable[Sentence]) -> dict[int, int]:
    """Return the last claim of each block that has a source."""
    return {claim.block: at for at, claim in enumerate(claims) if claim.citations}


def _reason(answer: Answer, given: int | None) -> NoCitation | None:
    """Return why an answer cites nothing; None if it cites."""
    if any(citation.source is not None for citation in answer.citations):
        return None
    if answer.unresolved or any(mark.unresolved for mark in marks_of(answer)):
        return "unknown_keys"
    if any(issue.code in NO_DATA for issue in answer.issues):
        return "no_provider_data"
    return "no_sources" if given == 0 else "not_followed"
