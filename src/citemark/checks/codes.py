"""Every kind of finding: how bad it is, what it means, and what to do about it."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from citemark.checks.model import NoCitation, Severity

__all__ = ["CODES", "NO_CITATION", "Kind", "kind_of"]


class Kind(NamedTuple):
    """A kind of finding."""

    severity: Severity
    """How bad it is."""

    meaning: str
    """What it says of the answer, in one sentence without a full stop."""

    mend: str
    """What to do about it; "" if there is nothing to say."""


CODES: Final[Mapping[str, Kind]] = MappingProxyType(
    {
        "nothing_to_cite": Kind(
            "warning",
            "The answer cites nothing: there were no sources",
            "give the model sources, or say that the answer is from its own knowledge",
        ),
        "not_followed": Kind(
            "error",
            "The answer cites nothing, though it makes claims",
            "ask for citations in the prompt (citemark.instructions), or ask again",
        ),
        "unknown_keys": Kind(
            "error",
            "The answer cites nothing that was given",
            "resolve it against the sources of its own prompt",
        ),
        "no_provider_data": Kind(
            "error",
            "The provider sent no sources for what it cites",
            "check that citations are switched on in the request",
        ),
        "uncited": Kind(
            "warning",
            "This claim has no citation",
            "add a citation, or leave the claim out",
        ),
        "cited_unresolved": Kind(
            "error",
            "This claim is cited only by what names no source",
            "do not show the claim as cited",
        ),
        "unresolved": Kind(
            "warning",
            "A marker names no source",
            "look at the sources that the model was given",
        ),
        "quote_altered": Kind(
            "error",
            "The quote has other figures, names, signs or negation than the source",
            "correct it to what the source says, or drop the quotation marks",
        ),
        "quote_misattributed": Kind(
            "error",
            "The quote stands in another source than the cited one",
            "cite the source where it stands",
        ),
        "quote_rejected": Kind(
            "error",
            "The quote does not stand in the source",
            "drop the quotation marks, or the quote",
        ),
        "quote_denied": Kind(
            "warning",
            "The passage denies what is quoted",
            "quote the words that deny it too, or say so beside the quote",
        ),
        "quote_fuzzy": Kind(
            "note",
            "The quote stands in the source but for spelling, punctuation, or what is left out"
            " or put in",
            "correct the spelling, or quote more of the source",
        ),
        "quote_unverifiable": Kind(
            "note",
            "The quote cannot be looked up: its source has no passage",
            "keep the passages of the sources with the answer",
        ),
        "unsupported": Kind(
            "warning",
            "What it cites does not seem to support this claim",
            "read the passage beside it, and correct the claim or the citation",
        ),
        "few_shared_words": Kind(
            "note",
            "Few words of this claim are in what it cites: a paraphrase, or another subject",
            "read the passage beside it; a judge that understands tells the two apart",
        ),
        "unsure": Kind(
            "note",
            "It is not sure that what it cites supports this claim",
            "read the passage beside it: a negation, a name or a sign may be another one",
        ),
        "extra_citation": Kind(
            "note",
            "One passage that is cited supports this claim, and another does not seem to",
            "leave the other citation out, or move it to the claim that it is for",
        ),
        "not_judged": Kind(
            "note",
            "A judge did not say whether this claim is supported",
            "ask again, or with a larger budget",
        ),
    }
)
"""By code.  A code that is not here is that of an issue of the answer."""

NO_CITATION: Final[Mapping[NoCitation, str]] = MappingProxyType(
    {
        "no_sources": "nothing_to_cite",
        "not_followed": "not_followed",
        "unknown_keys": "unknown_keys",
        "no_provider_data": "no_provider_data",
    }
)
"""Codes of what is found of an answer as a whole."""

_ISSUE: Final = Kind("note", "Something was odd in the answer or in what a provider sent", "")


def kind_of(code: str) -> Kind:
    """Return the kind of a finding; that of a note for the code of an issue.

    >>> kind_of("uncited").severity, kind_of("span_shifted").severity
    ('warning', 'note')
    """
    return CODES.get(code, _ISSUE)
