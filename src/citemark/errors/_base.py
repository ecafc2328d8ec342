"""The base of all exceptions, and how their messages repeat what comes from elsewhere."""

from __future__ import annotations

from typing import Any, Final

__all__ = ["CitemarkError", "shortened"]

MAX_SHOWN: Final = 80
"""Code points of a key or an id that a message repeats: they come from elsewhere."""


def shortened(text: str) -> str:
    """Return a text as a message may repeat it: a long one ends in an ellipsis.

    >>> len(shortened("x" * 5_000))
    80
    """
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + "…"


class CitemarkError(Exception):
    """Base of every exception that citemark raises on purpose.

    All can be copied and pickled, so that they pass from one process to another.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        """Keep class, message and attributes: what the constructor takes is not kept."""
        return _rebuild, (type(self), self.args), self.__dict__


def _rebuild(class_: type[CitemarkError], args: tuple[Any, ...]) -> CitemarkError:
    error = class_.__new__(class_, *args)
    super(CitemarkError, error).__init__(*args)  # some built-in errors keep more than args
    return error
