"""Judgements as they are kept in a cache: text under text, so that anything can store them."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, TypeGuard, get_args

from citemark.checks.judging import Judgement
from citemark.checks.model import SupportVerdict

if TYPE_CHECKING:
    from collections.abc import MutableMapping

    from citemark.checks.judging import Pair

__all__ = ["Memory", "makes_sense"]

_VERDICTS: Final = frozenset(get_args(SupportVerdict))
_FIELDS: Final = {"verdict", "score", "window", "reasons", "is_hint"}


def makes_sense(judgement: object, premise: str) -> TypeGuard[Judgement]:
    """Whether it is a judgement: verdict known, score from 0 to 1, window in the premise."""
    if not isinstance(judgement, Judgement):
        return False
    score, window, reasons = judgement.score, judgement.window, judgement.reasons
    return (
        isinstance(judgement.verdict, str)
        and judgement.verdict in _VERDICTS
        and (score is None or _is_share(score))
        and (window is None or _is_range(window, len(premise)))
        and isinstance(reasons, tuple)
        and all(isinstance(reason, str) for reason in reasons)
    )


def _is_share(score: object) -> bool:
    return isinstance(score, (int, float)) and not isinstance(score, bool) and 0 <= score <= 1


def _is_range(window: object, length: int) -> bool:
    if not isinstance(window, tuple) or len(window) != 2:  # noqa: PLR2004  start and end
        return False
    return all(type(end) is int for end in window) and 0 <= window[0] <= window[1] <= length


class Memory:
    """A cache of one judge.  If it raises it is not used any further."""

    def __init__(self, name: str, cache: MutableMapping[str, Any] | None) -> None:
        """Take the name of the judge, and what keeps text under text; None keeps nothing."""
        self._name = name
        self._cache = cache
        self._digests: dict[str, bytes] = {}

    def recall(self, pair: Pair) -> Judgement | None:
        """Return what was judged before; None if nothing, or nothing that makes sense."""
        if self._cache is None:
            return None
        key = self._key(pair)
        try:
            stored = self._cache.get(key)
        except Exception:  # noqa: BLE001  a cache is any code, over any disk or network
            self._cache = None
            return None
        return None if stored is None else _read(stored, pair.premise)

    def keep(self, pair: Pair, judgement: Judgement) -> None:
        """Keep a judgement; one that failed is asked for again."""
        if self._cache is None or judgement.failed:
            return
        key, written = self._key(pair), _written(judgement)
        try:
            self._cache[key] = written
        except Exception:  # noqa: BLE001  as above: what was judged is not lost to it
            self._cache = None

    def _key(self, pair: Pair) -> str:
        """Return a short key; a premise that many claims cite is digested once."""
        digest = self._digests.get(pair.premise)
        if digest is None:
            digest = self._digests[pair.premise] = _digest(pair.premise)
        return sha256(_digest(self._name) + digest + _digest(pair.claim)).hexdigest()


def _digest(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def _written(judgement: Judgement) -> str:
    return json.dumps({field: getattr(judgement, field) for field in sorted(_FIELDS)})


def _read(stored: object, premise: str) -> Judgement | None:
    """Return a judgement from what a cache gives, which may be damaged."""
    try:
        data = json.loads(stored)  # type: ignore[arg-type]  # by trying
        window, reasons = data["window"], data["reasons"]
        window = window if window is None else tuple(window)
        is_hint = data["is_hint"] is True
        judgement = Judgement(
            data["verdict"], data["score"], window, tuple(reasons), is_hint=is_hint
        )
    except (TypeError, ValueError, KeyError, IndexError, RecursionError):
        return None
    return judgement if makes_sense(judgement, premise) else None
