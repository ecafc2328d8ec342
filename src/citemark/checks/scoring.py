"""A judge around any model that gives a score: a cross-encoder, an NLI model, an embedding."""

from __future__ import annotations

import math
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from citemark._whole import require_whole
from citemark.checks.judging import Judgement, failed
from citemark.errors import CitemarkError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence

    from citemark.checks.judging import Pair

    Scores: TypeAlias = Iterable[Any]

__all__ = ["AsyncScoreJudge", "ScoreJudge"]

SLACK: Final = 1e-5
"""By how much a score may leave its range: sums of 32-bit floats are no better."""


class _Thresholds:
    def __init__(
        self, name: str, *, supported: float, unsupported: float | None, batch: int
    ) -> None:
        low = supported if unsupported is None else unsupported
        known = [_number(low), _number(supported)]
        if None in known or not 0 <= low <= supported <= 1:
            message = (
                f"thresholds must be 0 <= unsupported <= supported <= 1: {low!r}, {supported!r}"
            )
            raise CitemarkError(message)
        require_whole("batch", batch, 1)
        self.batch = batch
        self._low, self._high = low, supported
        below = "" if low == supported else f", unsupported below {low:g}"
        self.name = f"{name}, supported from {supported:g}{below}"

    def _judgements(self, scores: Scores, pairs: Sequence[Pair]) -> list[Judgement]:
        if isinstance(scores, Mapping | AbstractSet):  # whose order says nothing
            return [failed("gave no list of scores")] * len(pairs)
        return [self._judgement(score) for score in islice(scores, len(pairs) + 1)]

    def _judgement(self, score: object) -> Judgement:
        value = _number(score)
        if value is None:
            return failed("gave no number as score")
        if not -SLACK <= value <= 1 + SLACK:
            return failed(f"gave a score that is not from 0 to 1: {value:g}")
        value = min(max(value, 0.0), 1.0)
        if value >= self._high:
            return Judgement("supported", value)
        return Judgement("unsupported" if value < self._low else "unsure", value)


class ScoreJudge(_Thresholds):
    """Asks a function for scores.

    >>> from citemark.checks import Pair
    >>> judge = ScoreJudge("equal", lambda pairs: [float(p == c) for p, c in pairs])
    >>> judge.name, judge.judge([Pair("Wet.", "Wet."), Pair("Wet.", "Dry.")])[1].verdict
    ('equal, supported from 0.5', 'unsupported')
    """

    def __init__(
        self,
        name: str,
        score: Callable[[Sequence[Pair]], Scores],
        *,
        supported: float = 0.5,
        unsupported: float | None = None,
        batch: int = 32,
    ) -> None:
        """Take a function from pairs (premise, claim) to a score from 0 to 1 for each.

        Args:
            name: Of the model and its version; the thresholds are added to it.
            score: Whatever can be turned into a ``float`` will do: an array, say.
            supported: From this score on a claim is supported.
            unsupported: Below this one it is unsupported, and unsure between the two; the same
                as ``supported`` if not given.
            batch: Pairs a call.

        Raises:
            CitemarkError: The thresholds are not in order, or not from 0 to 1; the batch is no
                whole number from 1.
        """
        super().__init__(name, supported=supported, unsupported=unsupported, batch=batch)
        self._score = score

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """Return one judgement a pair, in order."""
        return self._judgements(self._score(pairs), pairs)


class AsyncScoreJudge(_Thresholds):
    """Asks a function that answers later."""

    def __init__(
        self,
        name: str,
        score: Callable[[Sequence[Pair]], Awaitable[Scores]],
        *,
        supported: float = 0.5,
        unsupported: float | None = None,
        batch: int = 32,
    ) -> None:
        """Take the same as ``ScoreJudge``, with a coroutine function."""
        super().__init__(name, supported=supported, unsupported=unsupported, batch=batch)
        self._score = score

    async def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """Return one judgement a pair, in order."""
        return self._judgements(await self._score(pairs), pairs)


def _number(score: object) -> float | None:
    if isinstance(score, (str, bytes, bytearray)):
        return None
    try:
        value = float(score)  # type: ignore[arg-type]  # by trying
    except (TypeError, ValueError, OverflowError):
        return None
    return value if math.isfinite(value) else None
