"""JSON that every reader takes: no NaN, no lone half of a surrogate pair, nothing unknown.

The writer of the standard library does the work; only what it refuses is looked at closely.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterable, Mapping
from datetime import date, time
from typing import Any, Final

from citemark._chunks import well_formed
from citemark.batch._record import Unread

__all__ = ["encode", "is_strict", "plain"]

MAX_DEPTH: Final = 100
"""Levels of lists and objects that are kept: many readers take no more than a few hundred."""

_STRICT: Final[dict[str, Any]] = {
    "ensure_ascii": False,
    "allow_nan": False,
    "check_circular": False,  # the limit of recursion finds them, and costs nothing
    "separators": (",", ":"),
}
_PLAIN: Final = json.JSONEncoder(**_STRICT)
_SORTED: Final = json.JSONEncoder(**_STRICT, sort_keys=True)


def encode(value: object, *, sort_keys: bool = False) -> bytes:
    r"""Return a value as JSON in UTF-8, on one line, without blanks.

    What JSON has not becomes what comes nearest: NaN and infinity null, bytes Base64, dates
    their ISO form, lone surrogates U+FFFD, all else its text.  It raises nothing.

    >>> encode({"a": float("nan"), 1: b"x", "b": "\ud800"})
    b'{"a":null,"1":"eA==","b":"\xef\xbf\xbd"}'
    """
    try:
        return _dumped(value, sort_keys=sort_keys)
    except (TypeError, ValueError, RecursionError):  # UnicodeEncodeError is a ValueError
        return _dumped(plain(value), sort_keys=sort_keys)


def is_strict(value: object) -> bool:
    """Whether JSON holds a value as it is.

    >>> is_strict([1.5, "é"]), is_strict(float("inf")), is_strict(chr(0xD800))
    (True, False, False)
    """
    try:
        _dumped(value, sort_keys=False)
    except (TypeError, ValueError, RecursionError):
        return False
    return True


def plain(value: object, depth: int = 0) -> Any:  # noqa: ANN401  whatever JSON has
    """Return a value of dicts with texts as keys, lists, texts, finite numbers, bool, None."""
    if isinstance(value, str):
        return well_formed(value)
    if value is None or isinstance(value, (bool, int, float)):
        return _number(value)
    if depth < MAX_DEPTH and isinstance(value, Mapping):
        return {_key(key): plain(one, depth + 1) for key, one in value.items()}
    if depth < MAX_DEPTH and isinstance(value, (list, tuple)):
        return [plain(one, depth + 1) for one in value]
    return _other(value, depth)


def _dumped(value: object, *, sort_keys: bool) -> bytes:
    return (_SORTED if sort_keys else _PLAIN).encode(value).encode()


def _number(value: object) -> Any:  # noqa: ANN401  a number, True, False or None
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, int) and not isinstance(value, bool):
        try:
            str(value)
        except ValueError:  # thousands of digits: Python neither shows nor reads them
            return hex(value)
        return int(value)
    return value


def _key(key: object) -> str:
    found = plain(key, MAX_DEPTH)
    return found if isinstance(found, str) else encode(found).decode()


def _other(value: object, depth: int) -> Any:  # noqa: ANN401  whatever JSON has
    if isinstance(value, Unread):
        return None
    if isinstance(value, (bytes, bytearray, memoryview)):
        return base64.b64encode(value).decode()
    if isinstance(value, (date, time)):
        return value.isoformat()
    if depth < MAX_DEPTH and isinstance(value, Iterable) and hasattr(value, "__len__"):
        ones = [plain(one, depth + 1) for one in value]
        is_set = isinstance(value, (set, frozenset))
        return sorted(ones, key=encode) if is_set else ones
    return _shown(value)


def _shown(value: object) -> str:
    try:
        return well_formed(str(value))
    except Exception:  # noqa: BLE001  the type of somebody else
        return type(value).__name__
