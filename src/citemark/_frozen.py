"""A mapping that cannot change, so that a source with metadata can be hashed and shared."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final

__all__ = ["FrozenMapping", "freeze", "frozen_metadata", "thaw"]

MAX_DEPTH: Final = 100
"""Levels of mappings and sequences: far below what recursion can do, in any caller."""

_SCALARS: Final = frozenset({str, int, float, bool, bytes, type(None), range})
"""Types of values that hold no others: asked for first, by identity."""


class FrozenMapping(Mapping[str, Any]):
    """Read-only mapping whose nested values are read-only too.

    ``types.MappingProxyType`` would do, could it be hashed (Python 3.11) and pickled.

    Raises:
        RecursionError: The items are nested too deeply, or hold themselves.
    """

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[str, Any], *, depth: int = 0) -> None:
        """Copy the items, freezing what they hold; ``depth`` is how deep they are already."""
        self._items = {
            str(key): value if type(value) in _SCALARS else freeze(value, depth + 1)
            for key, value in items.items()
        }

    def __getitem__(self, key: str) -> Any:  # noqa: ANN401  metadata may hold anything
        """Return one value."""
        return self._items[key]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the keys in their given order."""
        return iter(self._items)

    def __len__(self) -> int:
        """Return how many keys there are."""
        return len(self._items)

    def __eq__(self, other: object) -> bool:
        """Whether the items are the same; values that cannot be compared are not."""
        if not isinstance(other, Mapping):
            return NotImplemented
        try:
            return self._items == dict(other)
        except Exception:  # noqa: BLE001  an array compares to an array, which has no truth
            return False

    def __hash__(self) -> int:
        """Hash the keys alone: values may be of types that cannot be hashed."""
        return hash(frozenset(self._items))

    def __repr__(self) -> str:
        """Show the items."""
        return f"FrozenMapping({self._items!r})"


def frozen_metadata(items: Mapping[Any, Any]) -> FrozenMapping:
    """Return a read-only copy; an empty one of what cannot be copied, as it has no end."""
    try:
        return FrozenMapping(items)
    except Exception:  # noqa: BLE001  a RecursionError, or one of a strange value's own
        return FrozenMapping({})


def freeze(value: Any, depth: int = 0) -> Any:  # noqa: ANN401  metadata may hold anything
    """Return a read-only copy: mappings, sequences and sets all the way down.

    Raises:
        RecursionError: The value is nested too deeply, or holds itself.
    """
    kind = type(value)
    if kind in _SCALARS or isinstance(value, str | bytes | range):
        return value
    is_mapping = kind is dict or isinstance(value, Mapping)
    if not (is_mapping or kind is list or isinstance(value, Sequence | AbstractSet)):
        return value
    if depth > MAX_DEPTH:
        raise RecursionError
    if is_mapping:
        return FrozenMapping(value, depth=depth)
    return tuple([freeze(item, depth + 1) for item in value])


def thaw(value: Any) -> Any:  # noqa: ANN401  metadata may hold anything
    """Return the form that strict JSON can hold: ``dict``, ``list``, ``str``, numbers, None.

    NaN and infinity become None, all other values a string.
    """
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: thaw(item) for key, item in value.items()}
    if isinstance(value, tuple | range):
        return [thaw(item) for item in value]
    return _plain(value)


def _plain(value: object) -> int | str:
    try:
        if isinstance(value, bytes):
            return value.decode("utf-8", "replace")
        shown = str(value)
    except Exception:  # noqa: BLE001  thousands of digits, or a ``__str__`` that fails
        return type(value).__name__
    return value if isinstance(value, int) else shown
