"""What a provider sent, read with care: a dictionary or an object of its SDK, whole or damaged.

Names are asked for as the provider's documentation writes them in snake case; the camel case of
the wire is found too.  What is missing, null or of another type is its default, and what is of
another type is noted.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from citemark._frozen import FrozenMapping, frozen_metadata

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Node", "camel", "plain"]

MAX_DEPTH: Final = 60
"""Levels of objects that are turned into plain ones."""

MAX_WHOLE: Final = 2**53
"""Greatest number that is an offset or an index."""

_MISSING: Final = object()
_SCALARS: Final = frozenset({str, int, bool, type(None)})
"""Types of values that hold no others: asked for by identity, as each event has dozens."""


class Node:
    """One object of a response.

    Args:
        value: A mapping, an object with attributes, or whatever stands in its place.
        note: Told what is wrong: the name of a field, and what it should be.
    """

    __slots__ = ("_note", "_plain", "value")

    def __init__(self, value: object, note: Callable[[str, str], None]) -> None:
        """Keep the object."""
        self.value = value
        self._note = note
        self._plain: FrozenMapping | None = None

    def __bool__(self) -> bool:
        """Whether there is an object at all."""
        return self.value is not None

    def has(self, name: str) -> bool:
        """Whether a field is there and not null."""
        return self.get(name) is not None

    def get(self, name: str) -> Any:  # noqa: ANN401  whatever the provider sent
        """Return a field as it is; None if it is missing."""
        value = self.value
        if value is None:
            return None
        if type(value) is dict or isinstance(value, Mapping):
            found = value.get(name, _MISSING)
            if found is _MISSING:
                found = value.get(camel(name)) if "_" in name else None
            return found
        found = getattr(value, name, _MISSING)
        if found is _MISSING:
            found = getattr(value, camel(name), None) if "_" in name else None
        return found

    def text(self, *names: str) -> str:
        """Return the first of some fields that is a text and not empty; "" if none is."""
        for name in names:
            found = self.get(name)
            if isinstance(found, str):
                if found:
                    return found
            elif found is not None:
                self._note(name, "a string")
        return ""

    def name(self, *names: str) -> str:
        """Return the first of some fields that is a name: a text, or a whole number."""
        for name in names:
            found = self.get(name)
            if isinstance(found, str) and found:
                return found
            if isinstance(found, int) and not isinstance(found, bool):
                return str(found) if abs(found) < MAX_WHOLE else ""
        return ""

    def whole(self, name: str) -> int | None:
        """Return a whole number, also one that is written as a text; None if it is none."""
        found = self.get(name)
        if found is None:
            return None
        if isinstance(found, str) and found.removeprefix("-").isdecimal() and found.isascii():
            found = int(found) if len(found) < len(str(MAX_WHOLE)) else None
        if isinstance(found, float) and found.is_integer():
            found = int(found)
        if isinstance(found, int) and not isinstance(found, bool) and abs(found) < MAX_WHOLE:
            return found
        if found is not None:
            self._note(name, "a whole number")
        return None

    def number(self, name: str) -> float | None:
        """Return a finite number; None if it is none."""
        found = self.get(name)
        if isinstance(found, int | float) and not isinstance(found, bool):
            if abs(found) < MAX_WHOLE or (isinstance(found, float) and math.isfinite(found)):
                return float(found)
        elif found is not None:
            self._note(name, "a number")
        return None

    def node(self, name: str) -> Node:
        """Return an object; an empty one if it is none."""
        found = self.get(name)
        if type(found) is not dict and found is not None and not _is_object(found):
            self._note(name, "an object")
            found = None
        return Node(found, self._note)

    def items(self, name: str) -> list[Any]:
        """Return a list as it is; an empty one if it is none."""
        found = self.get(name)
        if found is None:
            return []
        if type(found) is list:
            return found[:]
        if isinstance(found, str | bytes | Mapping) or not isinstance(found, Iterable):
            self._note(name, "a list")
            return []
        return list(found)

    def nodes(self, name: str) -> Iterator[Node]:
        """Return the objects of a list, each; what is none of them is left out and noted."""
        for item in self.items(name):
            if type(item) is dict or _is_object(item):
                yield Node(item, self._note)
            else:
                self._note(name, "a list of objects")

    def plain(self) -> FrozenMapping | None:
        """Return the object as JSON would have it, to be kept; None if there is none.

        It is made once: all citations of an object share it.
        """
        if self._plain is None:
            found = plain(self.value)
            self._plain = frozen_metadata(found) if isinstance(found, dict) else None
        return self._plain

    def fields(self) -> list[str]:
        """Return the names of the fields that are there and not null."""
        value = self.value
        found = value if type(value) is dict else plain(value, depth=MAX_DEPTH)
        if not isinstance(found, dict):
            return []
        return [str(name) for name, value in found.items() if value is not None]


def plain(value: object, *, depth: int = 0) -> Any:  # noqa: ANN401  whatever the provider sent
    """Return a value as JSON would have it: objects of an SDK as dictionaries of their fields.

    What JSON has no form for is a text: bytes, times, numbers of other kinds.  Numbers that are
    not finite are None.  Below ``MAX_DEPTH`` levels values stay as they are.
    """
    if type(value) in _SCALARS or depth > MAX_DEPTH:
        return value
    if type(value) is dict or isinstance(value, Mapping):
        return {
            str(key): item if type(item) in _SCALARS else plain(item, depth=depth + 1)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item, depth=depth + 1) for item in value]
    if isinstance(value, Enum):
        return plain(value.value, depth=depth + 1)
    if isinstance(value, str | int):
        return value
    return _plain_other(value, depth)


def _plain_other(value: object, depth: int) -> Any:  # noqa: ANN401  whatever the provider sent
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).decode("utf-8", "replace")
    dumped = _dumped(value)
    if dumped is not None:
        return plain(dumped, depth=depth + 1)
    if isinstance(value, Iterable):
        return [plain(item, depth=depth + 1) for item in value]
    with suppress(Exception):  # a ``__str__`` may fail
        return str(value)
    return type(value).__name__


def _is_object(value: object) -> bool:
    if isinstance(value, Mapping):
        return True
    if isinstance(value, str | bytes | int | float | bool | list | tuple | set | frozenset):
        return False
    return value is not None


def _dumped(value: object) -> Mapping[str, Any] | None:
    """Return the fields of an object: of Pydantic, attrs, a dataclass, or any other."""
    for method in ("model_dump", "to_dict", "as_dict"):
        # Of the type: messages of Google have it on their metaclass.
        dump = getattr(type(value), method, None)
        if callable(dump):
            with suppress(Exception):  # a method of that name may want arguments, or fail
                dumped = dump(value)
                if isinstance(dumped, Mapping):
                    return dumped
    if callable(getattr(value, "ListFields", None)):  # a protocol buffer
        with suppress(Exception):
            return {field.name: item for field, item in value.ListFields()}  # type: ignore[attr-defined]
    fields = getattr(value, "__dict__", None)
    if isinstance(fields, Mapping):
        return {name: item for name, item in fields.items() if not name.startswith("_")}
    return None


@lru_cache(maxsize=1_024)
def camel(name: str) -> str:
    """Return a name in snake case as it is on the wire.

    >>> camel("start_index")
    'startIndex'
    """
    first, *rest = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in rest)
