"""What the caller gives for a text."""

from __future__ import annotations

from citemark.errors import TextTypeError

__all__ = ["as_text"]


def as_text(value: object, what: str = "the text as str") -> str:
    """Return a text as plain ``str``: a subclass such as ``Markup`` may escape what it joins.

    Raises:
        TextTypeError: It is no ``str``.
    """
    if type(value) is str:
        return value
    if isinstance(value, str):
        return str.__str__(value)
    raise TextTypeError(value, what)
