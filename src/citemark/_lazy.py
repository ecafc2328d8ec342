"""Patterns that are compiled when they are first used.

There are over a hundred of them: compiling took longer than all the rest of the import.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

__all__ = ["lazy_re"]


class _LazyPattern:
    """Becomes like the compiled pattern, attribute by attribute."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self._source = pattern, flags

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  whatever a pattern has
        """Compile, and keep what was asked for: the next use is that of a plain attribute."""
        found = getattr(re.compile(*self._source), name)  # ``re`` keeps what it has compiled
        setattr(self, name, found)
        return found


if TYPE_CHECKING:
    lazy_re = re.compile
else:
    lazy_re = _LazyPattern
