"""What the objects of the stored form have to be: a test for each field, and words for it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias, get_args

from citemark.errors import shortened
from citemark.model import Unit

__all__ = [
    "ANSWER",
    "ASIDE",
    "CITATION",
    "CITATION_SEGMENT",
    "ISSUE",
    "LOCATION",
    "MARKER",
    "PROOF",
    "SOURCE",
    "TEXT_SEGMENT",
    "VERSION",
    "Shape",
    "is_whole",
    "shown_value",
    "wrong_field",
]

VERSION: Final = 1
"""Version of the stored form, see ``Answer.to_dict``."""

MAX_WHOLE: Final = 2**53
"""JSON readers of other languages know no greater whole number."""

Check: TypeAlias = tuple[Callable[[Any], bool], str]
"""A test, and words for what passes it."""

Shape: TypeAlias = Mapping[str, Check]
"""The fields of an object."""


def is_whole(value: object, least: int = 0) -> bool:
    """Tell whether a value is a whole number that every reader of JSON keeps."""
    if not isinstance(value, int) or isinstance(value, bool):
        return False
    return least <= value < MAX_WHOLE


def _is_finite(value: object) -> bool:
    return math.isfinite(value) if isinstance(value, float) else is_whole(value, -MAX_WHOLE)


def _or_none(check: Check) -> Check:
    is_right, expected = check
    return lambda value: value is None or is_right(value), f"{expected} or null"


_TEXT: Final[Check] = (lambda value: isinstance(value, str), "a string")
_COUNT: Final[Check] = (is_whole, "a whole number from 0")
_NUMBER: Final[Check] = (lambda value: is_whole(value, 1), "a whole number from 1")
_LIST: Final[Check] = (lambda value: isinstance(value, list | tuple), "a list")
_OBJECT: Final[Check] = (lambda value: isinstance(value, Mapping), "an object")
_PAGE: Final[Check] = (
    lambda value: isinstance(value, str) or is_whole(value, -MAX_WHOLE),
    "a whole number, a string",
)

SOURCE: Final[Shape] = {
    "id": _TEXT,
    "title": _TEXT,
    "url": _or_none(_TEXT),
    "text": _TEXT,
    "page": _or_none(_PAGE),
    "kind": _or_none(_TEXT),
    "score": _or_none((_is_finite, "a number")),
    "metadata": _OBJECT,
}
"""What the fields of a ``Source`` have to be: a test, and words for it."""

ANSWER: Final[Shape] = {
    "version": (
        lambda value: is_whole(value) and value == VERSION,
        f"{VERSION}, the only version that is known",
    ),
    "segments": _LIST,
    "sources": _LIST,
    "unresolved": _LIST,
    "issues": _LIST,
    "listed": _LIST,
    "consulted": _LIST,
    "asides": _LIST,
    "fingerprint": _or_none(_TEXT),
}
ASIDE: Final[Shape] = {
    "channel": (
        lambda value: isinstance(value, str) and value in {"thinking", "plan"},
        '"thinking" or "plan"',
    ),
    "segments": _LIST,
}
TEXT_SEGMENT: Final[Shape] = {
    "type": (
        lambda value: isinstance(value, str) and value in {"text", "citation"},
        '"text" or "citation"',
    ),
    "text": _TEXT,
}
CITATION_SEGMENT: Final[Shape] = {
    "type": TEXT_SEGMENT["type"],
    "marker": _OBJECT,
    "citations": _LIST,
    "blank": _TEXT,
}
MARKER: Final[Shape] = {
    "start": _COUNT,
    "end": _COUNT,
    "raw": _TEXT,
    "format": _TEXT,
    "keys": _LIST,
    "words": _TEXT,
    "span": _or_none(_LIST),
    "locations": _LIST,
}
CITATION: Final[Shape] = {
    "key": _TEXT,
    "source": _or_none(_COUNT),
    "number": _or_none(_NUMBER),
    "occurrence": _COUNT,
    "locations": _LIST,
}
PROOF: Final[Shape] = {
    "quote": _TEXT,
    "confidence": _or_none((_is_finite, "a number")),
    "repaired": _TEXT,
    "raw": _or_none(_OBJECT),
}
"""Fields of a citation that are stored only if they say something."""

LOCATION: Final[Shape] = {
    "unit": (
        lambda value: isinstance(value, str) and value in get_args(Unit),
        " or ".join(f'"{unit}"' for unit in get_args(Unit)),
    ),
    "start": _COUNT,
    "end": _COUNT,
}
ISSUE: Final[Shape] = {
    "code": _TEXT,
    "message": _TEXT,
    "start": _COUNT,
    "end": _COUNT,
    "key": _TEXT,
}


def wrong_field(fields: Mapping[str, Any], shape: Shape) -> tuple[str, str] | None:
    """Return the name of the first field that is not as it should be, and why; or None."""
    for name, (is_right, expected) in shape.items():
        if not is_right(fields[name]):
            return name, f"expected {expected}, not {shown_value(fields[name])}"
    return None


def shown_value(value: object) -> str:
    """Return a value for a message: short, and whatever it is."""
    if isinstance(value, str):
        return repr(shortened(value))
    if isinstance(value, float | bool) or is_whole(value, -MAX_WHOLE):
        return shortened(repr(value))
    return "null" if value is None else type(value).__name__
