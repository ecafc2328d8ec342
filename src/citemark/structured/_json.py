"""JSON as models write it: in a fence, with words around it, cut off at the end.

Nothing in it raises.  Numbers are read as their digits: a label is no amount.
"""

from __future__ import annotations

import json
import re
from json import decoder
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from citemark._lazy import lazy_re

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Cut", "Found", "Repeated", "find_json", "unquoted"]

MAX_DEPTH: Final = 32
"""Objects and lists within each other that are read; the forms have four."""

MAX_TRIED: Final = 8
"""Places in a text at which an object is looked for."""

MAX_SCALAR: Final = 400
"""Characters of a number, or of another word without quotation marks."""

_OPENING: Final = lazy_re(r'\{\s*+["}]|\[\s*+[\[{"]')
"""What begins an object, or a list of them, in the midst of words."""

_SCALAR: Final = lazy_re(rf"[^\s,:\[\]{{}}\"]{{1,{MAX_SCALAR}}}+")
_GAP: Final = lazy_re(r"[\s,]*+")
_CONSTANTS: Final = {"true": True, "false": False, "null": None, "None": None}
_ESCAPE: Final = lazy_re(
    r"""\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})  # as JSON has them
      | (?P<half>\\(?:u[0-9A-Fa-f]{0,3})?+\Z)
      | \\""",
    re.VERBOSE,
)
_MISSING: Final = object()
"""In place of a value that cannot be read."""

_read_string: Final[Callable[[str, int, bool], tuple[str, int]]] = vars(decoder)["scanstring"]
"""Reads a string from after its quotation mark; gives it and where it ends."""

_WORDS_AFTER: Final = lazy_re(
    r"""[ \t]*+(?:(?!(?:true|false|null)\b)[\w.!?%()\[*<…–—-]
      |,[ \t]++(?!(?:true|false|null|None)\b)[^\W\d][\w'’-]*+[ \t.!?;])""",
    re.VERBOSE,
)
"""What follows a quotation mark that ends no string: words, or a marker."""

_FRACTION: Final = lazy_re(r"\.0++\Z")


def _whole(number: str) -> str:
    """Return the digits of a number: ``2.0`` is the label 2."""
    return _FRACTION.sub("", number)


class Cut(str):
    """A text whose end is missing."""

    __slots__ = ()


class Repeated(list[Any]):
    """All values of a field that an object has more than once, in order."""

    __slots__ = ()


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of which nothing is lost."""
    items = dict(members)
    if len(items) == len(members):
        return items
    values: dict[str, list[Any]] = {}
    for name, value in members:
        values.setdefault(name, []).append(value)
    return {
        name: Repeated(found) if len(found) > 1 else found[0] for name, found in values.items()
    }


_DECODER: Final = json.JSONDecoder(
    strict=False, parse_int=str, parse_float=_whole, object_pairs_hook=_object
)


class Found(NamedTuple):
    """A value that was found in a text."""

    value: Any
    """Objects, lists, texts, booleans and None.  Numbers are texts, fields that are there more
    than once ``Repeated``."""

    before: str
    """What stands before it."""

    rest: str
    """What follows it."""

    is_cut: bool
    """Whether it ends before it should, or cannot be read from there on."""


def find_json(text: str) -> Iterator[Found]:
    """Yield the objects and lists in a text, the most likely first; few at most.

    >>> [found.value for found in find_json('Here: {"answer": "Five", "citations": [1, 2')]
    [{'answer': 'Five', 'citations': ['1']}]
    """
    start = len(text) - len(text.lstrip(" \t\r\n\ufeff"))
    at = start if text[start : start + 1] in {"{", "["} else _next(text, start)
    for _ in range(MAX_TRIED):
        if at < 0:
            return
        found = _read(text, at)
        yield found
        at = _next(text, max(len(text) - len(found.rest), at + 1))


def unquoted(text: str) -> str:
    """Return what a text says that is a JSON string as a whole; else the text itself."""
    if text.strip()[:1] != '"':
        return text
    try:
        value = json.loads(text, strict=False)
    except ValueError:
        return text
    return value if isinstance(value, str) else text


def _next(text: str, start: int) -> int:
    match = _OPENING.search(text, start)
    return match.start() if match else -1


def _read(text: str, at: int) -> Found:
    try:
        value, end = _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        loose = _Loose(text, at)
        value = loose.value()
        return Found(value, text[:at], loose.rest, loose.is_cut)
    return Found(value, text[:at], text[end:], is_cut=False)


class _Loose:
    """Reads as much of a value as there is.

    Args:
        text: What holds it.
        start: Where it begins.
    """

    def __init__(self, text: str, start: int) -> None:
        """Make of backslashes that escape nothing what they were meant to be."""
        self._text = _ESCAPE.sub(_escaped, text[start:])
        self._at = 0
        self.is_cut = False
        """Whether there is no way to read on."""

    @property
    def rest(self) -> str:
        """What follows the value, if it could be read to its end."""
        return "" if self.is_cut else self._text[self._at :]

    def value(self, depth: int = 0) -> Any:  # noqa: ANN401  whatever JSON holds
        """Return the next value; ``_MISSING`` if it cannot be read."""
        sign = self._sign()
        if sign in {"{", "["} and depth < MAX_DEPTH:
            self._at += 1
            return self._object(depth) if sign == "{" else self._list(depth)
        if sign == '"':
            return self._string()
        match = _SCALAR.match(self._text, self._at)
        if match is None or match.end() == len(self._text):
            self.is_cut = True  # "1" may be the start of "12"
            return _MISSING
        self._at = match.end()
        return _CONSTANTS.get(match[0], _whole(match[0]))

    def _sign(self) -> str:
        match = _GAP.match(self._text, self._at)
        self._at = match.end() if match else self._at
        return self._text[self._at : self._at + 1]

    def _object(self, depth: int) -> dict[str, Any]:
        items: list[tuple[str, Any]] = []
        while not self.is_cut:
            sign = self._sign()
            if sign == "}":
                self._at += 1
                break
            name = self._string() if sign == '"' else None
            if name is None or isinstance(name, Cut) or self._sign() != ":":
                self.is_cut = True
                break
            self._at += 1
            value = self.value(depth + 1)
            if value is not _MISSING:
                items.append((name, value))
        return _object(items)

    def _list(self, depth: int) -> list[Any]:
        items: list[Any] = []
        while not self.is_cut:
            if self._sign() == "]":
                self._at += 1
                break
            value = self.value(depth + 1)
            if value is not _MISSING:
                items.append(value)
        return items

    def _string(self) -> str:
        pieces: list[str] = []
        while True:
            start = self._at + 1
            try:
                value, self._at = _read_string(self._text, start, False)  # noqa: FBT003  positional
            except ValueError:
                self.is_cut = True
                rest = _read_string(self._text[start:] + '"', 0, False)[0]  # noqa: FBT003
                return Cut('"'.join([*pieces, rest]))
            pieces.append(value)
            if not _WORDS_AFTER.match(self._text, self._at):
                return '"'.join(pieces)
            self._at -= 1  # a quotation mark of the words, without its backslash


def _escaped(match: re.Match[str]) -> str:
    if match["half"] is not None:
        return ""
    return match[0] if len(match[0]) > 1 else r"\\"
