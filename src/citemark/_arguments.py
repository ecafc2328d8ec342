"""What a caller gives: refused at once, in one way, if it is of a type that cannot be used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from citemark.errors import ArgumentTypeError, UnknownArgumentError

__all__ = ["require_callable", "require_each", "require_iterable", "require_known"]

T = TypeVar("T")


def require_callable(name: str, value: object, expected: str) -> None:
    """Refuse what cannot be called.

    Raises:
        ArgumentTypeError: It cannot.  So do those below.
    """
    if not callable(value):
        raise ArgumentTypeError(value, name, expected)


def require_iterable(
    name: str, value: Iterable[T], expected: str, mend: str = ""
) -> Iterable[T]:
    """Return what can be iterated over, but no text, bytes or mapping.

    Those would give letters, numbers or names.

    >>> require_iterable("fields", ["title"], "a list of names")
    ['title']
    """
    is_one = isinstance(value, str | bytes | bytearray | Mapping)
    if is_one or not isinstance(value, Iterable):
        raise ArgumentTypeError(value, name, expected, mend)
    return value


def require_each(name: str, values: Iterable[T], type_: type[T], expected: str) -> list[T]:
    """Return what an iterable holds, all of one type."""
    found = [*require_iterable(name, values, expected)]
    for value in found:
        if not isinstance(value, type_):
            raise ArgumentTypeError(value, name, expected)
    return found


def require_known(
    function: str, options: Mapping[str, Any], known: Iterable[str], mends: Mapping[str, str]
) -> None:
    """Refuse keyword arguments that a function does not take.

    Args:
        function: Its name.
        options: What was given.
        known: The names that it takes.
        mends: What to do instead, for names that others may expect.

    Raises:
        UnknownArgumentError: One of them is not known.
    """
    names = tuple(sorted(known))
    for name in options:
        if name not in names:
            raise UnknownArgumentError(function, name, names, mends.get(name, ""))
