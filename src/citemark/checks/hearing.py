"""Asks a judge: in batches, each pair once, again if it fails, no more than the budget.

Whatever a judge does, each pair gets a judgement: one that fails, answers nonsense or runs out
of budget makes it "unsure", and says so.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from inspect import isawaitable, iscoroutine
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from citemark._whole import require_whole
from citemark.checks._remembered import Memory, makes_sense
from citemark.checks.judging import FAILED, failed
from citemark.context._clean import one_line
from citemark.errors import shortened

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, MutableMapping, Sequence

    from citemark.checks.budget import Budget
    from citemark.checks.judging import AsyncJudge, Judge, Judgement, Pair

    Cache: TypeAlias = MutableMapping[str, Any]
    Backoff: TypeAlias = Callable[[int, Exception | None], float | None]
    Tries: TypeAlias = Generator[list[Pair] | float, object, list[Judgement]]

__all__ = ["FAILED", "Hearing"]

BATCH: Final = 32
"""Pairs a call, if neither the caller nor the judge says how many."""


@dataclass(frozen=True, slots=True)
class Hearing:
    """How a judge is asked.

    Raises:
        CitemarkError: ``batch``, ``attempts`` or ``concurrent`` is no whole number from 1.

    >>> from citemark.checks import LexicalJudge, Pair
    >>> pairs = [Pair("The quay is wet.", "The quay is wet.")]
    >>> [found.verdict for found in Hearing().ask(LexicalJudge(), pairs)]
    ['supported']
    """

    batch: int | None = None
    """Pairs a call; None for as many as the judge wants (its attribute ``batch``), or 32."""

    attempts: int = 2
    """Calls for a batch, the first one among them; only what failed is asked again."""

    backoff: Backoff | None = None
    """Called before a batch is asked again, with the number of calls so far and what the judge
    raised (None if it answered nonsense): seconds to wait, or None to give up.  Without it
    nothing ever waits."""

    budget: Budget | None = None
    """What is left, over all that share it; None for no bound."""

    cache: Cache | None = None
    """Any mapping of ``str`` to ``str``, read and added to: a ``dict``, ``shelve``, ...  The
    key is made of the judge's name, the passage and the claim.  One that raises is not used any
    further in that call."""

    concurrent: int = 4
    """Calls at the same time, of a judge that answers later."""

    def __post_init__(self) -> None:
        """Refuse numbers with which nothing would be asked."""
        for name in ("batch", "attempts", "concurrent"):
            value = getattr(self, name)
            if name != "batch" or value is not None:
                require_whole(name, value, 1)

    def ask(self, judge: Judge, pairs: Sequence[Pair]) -> list[Judgement]:
        """Return one judgement a pair, in order."""
        memory = Memory(judge.name, self.cache)
        known = _recalled(memory, pairs)
        for batch in self._batches(judge, pairs, known):
            tries, answer = self._tries(batch), None
            while True:
                try:
                    step = tries.send(answer)
                except StopIteration as end:
                    _keep(memory, known, batch, end.value)
                    break
                if isinstance(step, float):
                    time.sleep(step)
                    answer = None
                else:
                    answer = _called(judge, step)
        return [known[pair] for pair in pairs]

    async def ask_later(self, judge: AsyncJudge, pairs: Sequence[Pair]) -> list[Judgement]:
        """Return the same from a judge that answers later."""
        import asyncio  # noqa: PLC0415  slow to import

        memory = Memory(judge.name, self.cache)
        known = _recalled(memory, pairs)
        batches = self._batches(judge, pairs, {**known})
        workers = [
            asyncio.create_task(self._work(judge, batches, memory, known))
            for _ in range(self.concurrent)
        ]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
        return [known[pair] for pair in pairs]

    async def _work(
        self,
        judge: AsyncJudge,
        batches: Iterator[list[Pair]],
        memory: Memory,
        known: dict[Pair, Judgement],
    ) -> None:
        """Take batches as long as there are any."""
        from asyncio import sleep  # noqa: PLC0415  slow to import

        for batch in batches:
            tries, answer = self._tries(batch), None
            while True:
                try:
                    step = tries.send(answer)
                except StopIteration as end:
                    _keep(memory, known, batch, end.value)
                    break
                if isinstance(step, float):
                    await sleep(step)
                    answer = None
                else:
                    answer = await _called_later(judge, step)

    def _batches(
        self, judge: object, pairs: Sequence[Pair], known: dict[Pair, Judgement]
    ) -> Iterator[list[Pair]]:
        """Return what is to be judged, each pair once, as many at a time as are wanted."""
        wanted = [pair for pair in dict.fromkeys(pairs) if pair not in known]
        size = self.batch
        if size is None:
            own = getattr(judge, "batch", BATCH)
            size = own if isinstance(own, int) else BATCH
        size = max(size, 1)
        return (wanted[first : first + size] for first in range(0, len(wanted), size))

    def _tries(self, batch: Sequence[Pair]) -> Tries:
        """Yield the pairs to be judged, take what came of them; yield seconds to wait."""
        found = [failed("is out of budget")] * len(batch)
        left, attempt = [*range(len(batch))], 0
        while True:
            attempt += 1
            count = self.budget.take(len(left)) if self.budget is not None else len(left)
            if not count:
                break
            asked = [batch[at] for at in left[:count]]
            answer = yield asked
            for at, judgement in zip(left, _read(answer, asked), strict=False):
                found[at] = judgement
            left = [at for at in left if found[at].failed]
            if not left or attempt >= self.attempts:
                break
            pause = self._pause(attempt, answer)
            if pause is None:
                break
            if pause > 0:
                yield pause
        return found

    def _pause(self, attempt: int, answer: object) -> float | None:
        if self.backoff is None:
            return 0.0
        seconds = self.backoff(attempt, answer if isinstance(answer, Exception) else None)
        return None if seconds is None else float(seconds)


def _recalled(memory: Memory, pairs: Sequence[Pair]) -> dict[Pair, Judgement]:
    found = ((pair, memory.recall(pair)) for pair in dict.fromkeys(pairs))
    return {pair: judgement for pair, judgement in found if judgement is not None}


def _keep(
    memory: Memory,
    known: dict[Pair, Judgement],
    batch: Sequence[Pair],
    judgements: Sequence[Judgement],
) -> None:
    for pair, judgement in zip(batch, judgements, strict=True):
        known[pair] = judgement
        memory.keep(pair, judgement)


def _called(judge: Judge, pairs: list[Pair]) -> object:
    """Return what a judge answers, or what it raises."""
    try:
        answer: object = judge.judge(pairs)
    except Exception as error:  # noqa: BLE001  a judge is any code, over any network
        return error
    if isawaitable(answer):
        if iscoroutine(answer):
            answer.close()
        return TypeError("it answers later: await support_later")
    return answer


async def _called_later(judge: AsyncJudge, pairs: list[Pair]) -> object:
    try:
        answer = judge.judge(pairs)
        return await answer if isawaitable(answer) else answer
    except Exception as error:  # noqa: BLE001  as above
        return error


def _shown(error: Exception) -> str:
    """Return what an exception says, on one line."""
    name = type(error).__name__
    try:
        text = f"{name}: {error}"
    except Exception:  # noqa: BLE001  its ``__str__`` is any code, too
        text = name
    return shortened(one_line(text))


def _read(answer: object, pairs: Sequence[Pair]) -> list[Judgement]:
    """Return what a judge said of a batch, what makes no sense replaced."""
    count = len(pairs)
    if isinstance(answer, Exception):
        return [failed(f"failed: {_shown(answer)}")] * count
    try:
        if isinstance(answer, Mapping | AbstractSet):
            raise TypeError  # noqa: TRY301  as of what is no list at all
        given: list[Any] = [*islice(answer, count + 1)]  # type: ignore[call-overload]
    except Exception:  # noqa: BLE001  no list, without order, or one that fails halfway
        given = []
    if len(given) != count:
        return [failed(f"did not answer each of {count} pairs")] * count
    return [
        one if makes_sense(one, pair.premise) else failed("answered nonsense")
        for one, pair in zip(given, pairs, strict=True)
    ]
