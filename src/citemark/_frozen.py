"""A mapping that cannot change, so that a source with metadata can be hashed and shared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

__all__ = ["FrozenMapping", "freeze", "thaw"]


class FrozenMapping(Mapping[str, Any]):
    """Read-only mapping whose nested values are read-only too.

    ``types.MappingProxyType`` would do, could it be hashed (Python 3.11) and pickled.
    """

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[str, Any]) -> None:
        """Copy the items, freezing what they hold."""
        self._items = {str(key): freeze(value) for key, value in items.items()}

    def __getitem__(self, key: str) -> Any:  # noqa: ANN401  metadata may hold anything
        """Return one value."""
        return self._items[key]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the keys in their given order."""
        return iter(self._items)

    def __len__(self) -> int:
        """Return how many keys there are."""
        return len(self._items)

    def __hash__(self) -> int:
        """Hash the keys alone: values may be of types that cannot be hashed."""
        return hash(frozenset(self._items))

    def __repr__(self) -> str:
        """Show the items."""
        return f"FrozenMapping({self._items!r})"


def freeze(value: Any) -> Any:  # noqa: ANN401  metadata may hold anything
    """Return a read-only copy: mappings, sequences and sets all the way down."""
    if isinstance(value, FrozenMapping | str | bytes):
        return value
    if isinstance(value, Mapping):
        return FrozenMapping(value)
    if isinstance(value, Sequence | AbstractSet):
        return tuple(freeze(item) for item in value)
    return value


def thaw(value: Any) -> Any:  # noqa: ANN401  metadata may hold anything
    """Return the plain ``dict`` and ``list`` form of a frozen value, as JSON wants it."""
    if isinstance(value, Mapping):
        return {key: thaw(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [thaw(item) for item in value]
    return value
