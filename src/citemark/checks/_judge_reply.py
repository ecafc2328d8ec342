"""What a judge that talks said, read strictly: what is not as it was asked for is nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NoReturn, get_args

from citemark._lazy import lazy_re
from citemark.checks.judging import Judgement, failed
from citemark.checks.model import SupportVerdict
from citemark.context._clean import one_line
from citemark.errors import shortened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citemark.checks.judging import Pair

__all__ = ["read_reply"]

MAX_REPLY: Final = 1_000_000
"""Code points of a reply that is read."""

MAX_REASON: Final = 200
"""Code points of a reason that is kept."""

_FENCE: Final = lazy_re(r"^[ \t]*```[^\n`]*$", 8)  # re.MULTILINE
_VERDICTS: Final = frozenset(get_args(SupportVerdict))


def read_reply(reply: object, pairs: Sequence[Pair]) -> list[Judgement]:
    """Return one judgement a pair.

    A reply is JSON, bare or in a code fence that is all of it: an object with a list of
    judgements, that list, or for one pair its judgement.  Words beside it may take it back.
    """
    if not isinstance(reply, str):
        return [failed("gave no text as reply")] * len(pairs)
    try:
        rows = _rows(_data(reply), len(pairs))
    except (ValueError, RecursionError):  # JSON errors are ValueErrors
        what = shortened(one_line(reply[: MAX_REASON * 2]))
        return [failed(f"did not answer in JSON as asked: {what!r}")] * len(pairs)
    if rows is None:
        return [failed(f"did not answer each of {len(pairs)} pairs once")] * len(pairs)
    return [_judgement(row, pair) for row, pair in zip(rows, pairs, strict=True)]


def _data(reply: str) -> Any:  # noqa: ANN401  whatever JSON holds
    if len(reply) > MAX_REPLY:
        raise ValueError
    fences = [*_FENCE.finditer(reply)]
    if len(fences) == 2:  # noqa: PLR2004  where a block starts and ends
        if (reply[: fences[0].start()] + reply[fences[1].end() :]).strip():
            raise ValueError
        reply = reply[fences[0].end() : fences[1].start()]
    return json.loads(reply, object_pairs_hook=_object, parse_constant=_refuse)


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(members)
    if len(found) != len(members):
        raise ValueError  # which of two verdicts is meant, nobody knows
    return found


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)


def _rows(data: object, count: int) -> list[dict[str, Any]] | None:
    """Return the judgements in order of the pairs; None if there is not one for each."""
    if isinstance(data, dict):
        data = [data] if "verdict" in data else data.get("judgements")
    if not isinstance(data, list) or len(data) != count:
        return None
    rows: dict[int, dict[str, Any]] = {}
    for row in data:
        number = row.get("pair", 1 if count == 1 else None) if isinstance(row, dict) else None
        if type(number) is not int or not 1 <= number <= count:
            return None
        rows[number] = row
    return [rows[number] for number in sorted(rows)] if len(rows) == count else None


def _judgement(row: dict[str, Any], pair: Pair) -> Judgement:
    verdict, score = row.get("verdict"), row.get("score")
    if not isinstance(verdict, str) or verdict not in _VERDICTS:
        return failed(
            f"gave no known verdict: {shortened(one_line(repr(verdict)[:MAX_REASON]))}"
        )
    if score is not None and not _is_share(score):
        return failed(f"gave a score that is not from 0 to 1: {shortened(repr(score))}")
    reason = row.get("reason")
    told = one_line(reason[: MAX_REASON * 2])[:MAX_REASON] if isinstance(reason, str) else ""
    window = _window(row.get("quote"), pair.premise)
    known: Any = verdict
    return Judgement(known, score, window, (told,) if told else ())


def _is_share(score: object) -> bool:
    return isinstance(score, (int, float)) and not isinstance(score, bool) and 0 <= score <= 1


def _window(quote: object, premise: str) -> tuple[int, int] | None:
    """Return where a quote stands, letter by letter: an invented one is nowhere."""
    if not isinstance(quote, str) or not quote.strip():
        return None
    start = premise.find(quote)
    return None if start < 0 else (start, start + len(quote))
