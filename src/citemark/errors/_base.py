"""The base of all exceptions, and how their messages repeat what comes from elsewhere."""

from __future__ import annotations

from typing import Any, Final

__all__ = ["CitemarkError", "counted", "shortened"]

MAX_SHOWN: Final = 80
"""Code points of a key or an id that a message repeats: they come from elsewhere."""


def shortened(text: str) -> str:
    """Return a text as a message may repeat it: a long one ends in an ellipsis.

    >>> len(shortened("x" * 5_000))
    80
    """
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + "…"


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with what it counts.

    Args:
        number: How many.
        one: What stands behind 1.
        many: What stands behind all others; the same with an s if it is not said.

    >>> counted(1, "row is", "rows are"), counted(2_000, "row")
    ('1 row is', '2,000 rows')
    """
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


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
