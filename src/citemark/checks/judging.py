"""What a judge is: it takes claims with passages, and says how well each is supported.

A judge is a lexical rule (``LexicalJudge``), a model that gives scores (``ScoreJudge``) or one
that talks (``ChatJudge``).  It may fail or answer nonsense: then the verdict is "unsure", and
the reason says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from citemark._lazy import lazy_re

if TYPE_CHECKING:
    from collections.abc import Awaitable, Sequence

    from citemark.checks.model import SupportVerdict

__all__ = ["FAILED", "AsyncJudge", "Judge", "Judgement", "Pair", "failed", "pair_of"]

FAILED: Final = "the judge "
"""How the reason starts that a pair was not judged."""

_INDEX: Final = lazy_re(
    r"(?<=[A-Za-z0-9_)\]`])\[[^\[\]\n]{0,40}\]"
    r"|[ \t]?[\[【［][\s,;:.–-]{0,10}\d[\s\d,;:.–-]{0,60}[\]】］]"
)
"""What no source can hold: ``[0]`` of ``values[0]``, and brackets of figures that are no
marker, such as ``[2024]``."""


class Pair(NamedTuple):
    """A claim, and what is to support it."""

    premise: str
    """A passage, or several that are cited together, joined by blank lines."""

    claim: str
    """The claim, without markers."""


def pair_of(premise: str, claim: str) -> Pair:
    """Return a pair; indexes, and figures in brackets that are no markers, are left out.

    >>> pair_of("", "`values[0]` is set, as in [2024]").claim
    '`values` is set, as in'
    """
    words = _INDEX.sub("", claim)
    return Pair(premise, words if words.strip() else claim)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge says of a pair."""

    verdict: SupportVerdict
    """In one word."""

    score: float | None = None
    """How well it is supported, 0 to 1, as this judge reckons."""

    window: tuple[int, int] | None = None
    """The words of the premise that say most of it, in code points, if it tells."""

    reasons: tuple[str, ...] = ()
    """Why, one sentence each."""

    failed: bool = False
    """Whether the pair was not judged: the judge failed, or what it said makes no sense."""

    is_hint: bool = False
    """Whether nothing speaks against the claim but that words of it are not there, which is so
    of a paraphrase as well."""


def failed(why: str) -> Judgement:
    """Return what is said of a pair that was not judged.

    >>> failed("refused").reasons
    ('the judge refused',)
    """
    return Judgement("unsure", None, None, (FAILED + why,), failed=True)


class Judge(Protocol):
    """Says how well claims are supported.

    It may have a number ``batch``: how many pairs it wants at a time.
    """

    @property
    def name(self) -> str:
        """What it is called in reports, and in a cache: a model and its thresholds, say."""
        ...

    def judge(self, pairs: Sequence[Pair]) -> Sequence[Judgement]:
        """Return one judgement a pair, in order."""
        ...


class AsyncJudge(Protocol):
    """Says the same, later."""

    @property
    def name(self) -> str:
        """What it is called in reports, and in a cache."""
        ...

    def judge(self, pairs: Sequence[Pair]) -> Awaitable[Sequence[Judgement]]:
        """Return one judgement a pair, in order."""
        ...
