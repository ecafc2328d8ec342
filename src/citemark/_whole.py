"""Options that are whole numbers: read in one way, refused in one way."""

from __future__ import annotations

from citemark.errors import CitemarkError

__all__ = ["require_whole"]


def require_whole(name: str, value: object, least: int) -> None:
    """Refuse an option that is no whole number, or a smaller one.

    Raises:
        CitemarkError: It is.

    >>> require_whole("attempts", 1, 1)
    """
    if type(value) is not int or value < least:
        message = f"{name}={value!r}: expected a whole number from {least}"
        raise CitemarkError(message)
