"""What findings and outcomes are called on a page: the same beside text, figures and lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citemark.renderers._display import cut, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["LABELS", "in_words", "label_of"]

LABELS: Final[Mapping[str, str]] = {
    "uncited": "no citation",
    "cited_unresolved": "only unknown sources",
    "unresolved": "unknown source",
    "unsupported": "not supported",
    "few_shared_words": "few shared words",
    "unsure": "unsure",
    "extra_citation": "extra citation",
    "quote_altered": "altered quote",
    "quote_misattributed": "quote from elsewhere",
    "quote_rejected": "quote not found",
    "quote_denied": "denied in the source",
    "quote_fuzzy": "quote not exact",
    "quote_unverifiable": "quote not checked",
    "not_judged": "not judged",
}
"""What stands behind a mark, by the code of the finding."""

_NOUNS: Final = frozenset({"some_shared_words", "few_shared_words", "no_passage"})
"""Outcomes whose label is something that a claim has."""

MAX_LABEL: Final = 40
"""Code points of a label."""


def label_of(code: str) -> str:
    """Return what a code is called; an answer that was stored may hold any.

    >>> label_of("unsupported"), label_of("some_shared_words")
    ('not supported', 'some shared words')
    """
    return LABELS.get(code) or cut(one_line(code.replace("_", " ")), MAX_LABEL)


def in_words(outcomes: Mapping[str, int]) -> Iterator[str]:
    """Yield how many claims are not supported, by outcome, without those that none has.

    >>> [*in_words({"supported": 4, "unsure": 0, "few_shared_words": 3, "unsupported": 1_200})]
    ['3 with few shared words', '1,200 not supported']
    """
    for outcome, number in outcomes.items():
        if number and outcome != "supported":
            joint = " with " if outcome in _NOUNS else " "
            yield f"{number:,}{joint}{label_of(outcome)}"
