"""Fields by name: those that a source keeps, and those of records of the caller's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citemark.providers._node import Node

__all__ = ["first_of", "kept", "lines_of"]

MAX_FIELDS: Final = 50
"""Fields of a record that are read."""

MAX_NUMBER: Final = 10**18
"""Greatest number that is told; Python does not write out those of thousands of digits."""


def kept(node: Node, *names: str) -> dict[str, Any]:
    """Return some fields of an object, those that it has and that are not empty."""
    found = ((name, node.get(name)) for name in names)
    return {name: value for name, value in found if value not in (None, "", [], {})}


def first_of(record: Node, names: Iterable[str]) -> str:
    """Return the first of some fields that is a text, whatever others are; "" if none is."""
    found = (record.get(name) for name in names)
    return next((value for value in found if isinstance(value, str) and value), "")


def lines_of(record: Node) -> str:
    """Return the fields of a record that are texts or numbers as lines ``name: value``.

    They are in alphabetical order, and whole numbers without a point: protocol buffers keep
    neither the order nor the kind of number.
    """
    lines = []
    for name in sorted(record.fields()[:MAX_FIELDS]):
        value = record.get(name)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        is_number = isinstance(value, int | float) and abs(value) < MAX_NUMBER
        if (is_number or isinstance(value, str)) and name not in {"id", "type"}:
            lines.append(f"{name}: {value}")
    return "\n".join(lines)
