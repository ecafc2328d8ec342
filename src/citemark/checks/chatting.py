"""A judge around any language model: a function from a prompt to a reply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from citemark._whole import require_whole
from citemark.checks._judge_prompt import INSTRUCTIONS, prompt_for
from citemark.checks._judge_reply import read_reply
from citemark.checks.judging import failed

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from citemark.checks.judging import Judgement, Pair

__all__ = ["AsyncChatJudge", "ChatJudge"]

LIMIT: Final = 50_000
"""Code points of a passage that is judged: a model that cuts a longer one does not say so."""


class _Chat:
    def __init__(self, name: str, *, batch: int, limit: int, instructions: str) -> None:
        require_whole("batch", batch, 1)
        require_whole("limit", limit, 1)
        self.name = name
        self.batch = batch
        self._limit = limit
        self._instructions = instructions

    def _prompt(self, pairs: Sequence[Pair]) -> str:
        """Return the prompt for those that can be judged; "" if there are none."""
        short = [*filter(self._is_short, pairs)]
        return prompt_for(short, self._instructions) if short else ""

    def _judgements(self, reply: object, pairs: Sequence[Pair]) -> list[Judgement]:
        short = [*filter(self._is_short, pairs)]
        judged = iter(read_reply(reply, short))
        too_long = failed(f"was not asked: a text has more than {self._limit:,} characters")
        return [next(judged) if self._is_short(pair) else too_long for pair in pairs]

    def _is_short(self, pair: Pair) -> bool:
        return len(pair.premise) <= self._limit and len(pair.claim) <= self._limit


class ChatJudge(_Chat):
    """Asks a language model.

    >>> from citemark.checks import Pair
    >>> def ask(prompt: str) -> str:
    ...     return '{"pair": 1, "verdict": "unsupported", "score": 0.1, "reason": "not 421"}'
    >>> found = ChatJudge("echo-1", ask).judge([Pair("It cost £412.", "It cost £421.")])[0]
    >>> found.verdict, found.reasons
    ('unsupported', ('not 421',))
    """

    def __init__(
        self,
        name: str,
        ask: Callable[[str], Any],
        *,
        batch: int = 1,
        limit: int = LIMIT,
        instructions: str = INSTRUCTIONS,
    ) -> None:
        """Take a function that sends a prompt and returns the reply as a ``str``.

        Args:
            name: Of the model and its version; other instructions are another name.
            ask: May raise anything: what it raises becomes the reason.
            batch: Pairs a prompt.  With one, no passage has a say in the verdict on another.
            limit: Code points of a passage or claim; a longer one is not judged.
            instructions: What the judge is asked to do; how it is to answer is added.

        Raises:
            CitemarkError: The batch or the limit is no whole number from 1.
        """
        super().__init__(name, batch=batch, limit=limit, instructions=instructions)
        self._ask = ask

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """Return one judgement a pair, in order."""
        prompt = self._prompt(pairs)
        return self._judgements(self._ask(prompt) if prompt else "", pairs)


class AsyncChatJudge(_Chat):
    """Asks a language model that answers later."""

    def __init__(
        self,
        name: str,
        ask: Callable[[str], Awaitable[Any]],
        *,
        batch: int = 1,
        limit: int = LIMIT,
        instructions: str = INSTRUCTIONS,
    ) -> None:
        """Take the same as ``ChatJudge``, with a coroutine function."""
        super().__init__(name, batch=batch, limit=limit, instructions=instructions)
        self._ask = ask

    async def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        """Return one judgement a pair, in order."""
        prompt = self._prompt(pairs)
        return self._judgements(await self._ask(prompt) if prompt else "", pairs)
