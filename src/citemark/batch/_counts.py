"""How many rows or processes a caller asks for: refused if there cannot be so many."""

from __future__ import annotations

from citemark.batch.options import BatchOptionError
from citemark.errors import ArgumentTypeError

__all__ = ["require_count"]


def require_count(name: str, value: int | None) -> None:
    """Refuse what counts nothing: less than none, a fraction, a text.

    Args:
        name: Of the argument.
        value: None if the caller leaves it open.

    Raises:
        ArgumentTypeError: It is no whole number; a bool is none either.
        BatchOptionError: It is below 0.
    """
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int):
        raise ArgumentTypeError(value, name, "a whole number from 0, or None")
    if value < 0:
        raise BatchOptionError(name, "expected a whole number from 0, or None, not less")
