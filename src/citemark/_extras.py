"""What is installed only if it is asked for: the extras of the package."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from citemark.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["extra"]


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Say which extra brings what the imports inside do not find.

    Raises:
        MissingExtraError: A package is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if isinstance(error, MissingExtraError) or (error.name or "").startswith("citemark"):
            raise
        raise MissingExtraError(name, error.name or "") from error
