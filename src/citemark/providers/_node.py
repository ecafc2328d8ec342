"""What a provider sent, read with care: a dictionary or an object of its SDK, whole or damaged.

Names are asked for as the provider's documentation writes them in snake case; the camel case of
the wire is found too.  What is missing, null or of another type is its default, and what is of
another type is noted.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Node", "camel", "plain"]

MAX_DEPTH: Final = 60
"""Levels of objects that are turned into plain ones."""

MAX_WHOLE: Final = 2**53
"""Greatest number that is an offset or an index."""

_MISSING: Final = object()


class Node:
    """One object of a response.

    Args:
        value: A mapping, an object with attributes, or whatever stands in its place.
        note: Told what is wrong: the name of a field, and what it should be.
    """

    __slots__ = ("_note", "value")

    def __init__(self, value: object, note: Callable[[str, str], None]) -> None:
        """Keep the object."""
        self.value = value
        self._note = note

    def __bool__(self) -> bool:
        """Whether there is an object at all."""
        return self.value is not None

    def has(self, name: str) -> bool:
        """Whether a field is there and not null."""
        return _field(self.value, name) not in (_MISSING, None)

    def get(self, name: str) -> Any:  # noqa: ANN401  whatever the provider sent
        """Return a field as it is; None if it is missing."""
        found = _field(self.value, name)
        return None if found is _MISSING else found

    def text(self, *names: str) -> str:
        """Return the first of some fields that is a text and not empty; "" if none is."""
        for name in names:
            found = self.get(name)
            if isinstance(found, str) and found:
                return found
            if found is not None and not isinstance(found, str):
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
        if found is not None and not _is_object(found):
            self._note(name, "an object")
            found = None
        return Node(found, self._note)

    def items(self, name: str) -> list[Any]:
        """Return a list as it is; an empty one if it is none."""
        found = self.get(name)
        if found is None:
            return []
        if isinstance(found, str | bytes | Mapping) or not isinstance(found, Iterable):
            self._note(name, "a list")
            return []
        return list(found)

    def nodes(self, name: str) -> Iterator[Node]:
        """Return the objects of a list, each; what is none of them is left out and noted."""
        for item in self.items(name):
            if _is_object(item):
                yield Node(item, self._note)
            else:
                self._note(name, "a list of objects")

    def plain(self) -> dict[str, Any] | None:
        """Return the object as JSON would have it, to be kept; None if there is none."""
        found = plain(self.value)
        return found if isinstance(found, dict) else None

    def fields(self) -> list[str]:
        """Return the names of the fields that are there and not null."""
        found = plain(self.value, depth=MAX_DEPTH)
        if not isinstance(found, dict):
            return []
        return [name for name, value in found.items() if value is not None]


def plain(value: object, *, depth: int = 0) -> Any:  # noqa: ANN401  whatever the provider sent
    """Return a value as JSON would have it: objects of an SDK as dictionaries of their fields.

    Below ``MAX_DEPTH`` levels values stay as they are.
    """
    if (
        value is None
        or isinstance(value, str | int | float | bool | bytes)
        or depth > MAX_DEPTH
    ):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(item, depth=depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item, depth=depth + 1) for item in value]
    dumped = _dumped(value)
    if dumped is not None:
        return plain(dumped, depth=depth + 1)
    return (
        [plain(item, depth=depth + 1) for item in value]
        if isinstance(value, Iterable)
        else value
    )


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
    fields = getattr(value, "__dict__", None)
    if isinstance(fields, Mapping):
        return {name: item for name, item in fields.items() if not name.startswith("_")}
    return None


def _field(value: object, name: str) -> Any:  # noqa: ANN401  whatever the provider sent
    """Return a field by its name in snake case, or as it is on the wire."""
    wire = camel(name)
    if isinstance(value, dict) or isinstance(value, Mapping):  # noqa: SIM101  the first is fast
        found = value.get(name, _MISSING)
        return value.get(wire, _MISSING) if found is _MISSING and wire != name else found
    found = getattr(value, name, _MISSING)
    return getattr(value, wire, _MISSING) if found is _MISSING and wire != name else found


@lru_cache(maxsize=1_024)
def camel(name: str) -> str:
    """Return a name in snake case as it is on the wire.

    >>> camel("start_index")
    'startIndex'
    """
    first, *rest = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in rest)
