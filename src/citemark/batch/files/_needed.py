"""Whether rows of JSON have the column that is read: a misspelt one is told, as in tables.

Rows may leave out what is null, so one of the first batch is enough.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from citemark.batch._faults import BatchFileError
from citemark.batch.files._lines import MAX_BYTES, MAX_ROWS

if TYPE_CHECKING:
    from citemark.batch.files._lines import Lines

__all__ = ["Needed"]

NEEDED: Final = ("answer", "cited")
"""What a row has: one that was made has the second."""

WRITTEN: Final = re.compile(rb'"(?:%b)"\s*:' % "|".join(NEEDED).encode())
"""How such a name is written; deeper in a row, it counts too: that is seldom."""

REJECT: Final = "citemark_reject"
"""Column of a row that may stand as text in a rejects file."""

MAX_TOLD: Final = 10
"""Columns that a message names."""


class Needed:
    """Looks at the first rows of a file, until one has an answer, or all of a batch have none.

    Args:
        lines: The file.
    """

    def __init__(self, lines: Lines) -> None:
        """Nothing is known yet."""
        self._lines = lines
        self._rows = 0
        self._only: list[str] | None = None

    def is_told(self, data: bytes) -> bool:
        """Look at a row, and return whether no more have to be looked at.

        Raises:
            BatchFileError: The first batch is over, and no row of it has an answer.
        """
        if WRITTEN.search(data) or self._has_other(data):
            return True
        self._rows += 1
        if self._rows >= MAX_ROWS or self._lines.offset >= MAX_BYTES:
            self.require()
        return False

    def require(self) -> None:
        """Refuse a file whose rows, all that were looked at, have no answer.

        Raises:
            BatchFileError: There are such rows.
        """
        if self._only is None:
            return
        only = ", ".join(self._only[:MAX_TOLD]) + (", …" if self._only[MAX_TOLD:] else "")
        first = f"the first {self._rows:,} rows have" if self._rows > 1 else "the row has"
        lacking = f'{first} no "{NEEDED[0]}", only {only or "nothing"}'
        reason = f"{lacking}; rename a column, or write null there"
        raise BatchFileError(self._lines.path, "format", reason)

    def _has_other(self, data: bytes) -> bool:
        """Whether a row has it, spelled in another way; what is no row is told later."""
        try:
            row = json.loads(data)
        except (ValueError, RecursionError):
            return False
        if not isinstance(row, dict):
            return False
        if self._only is None:
            self._only = [*row]
        return any(name in row for name in (*NEEDED, REJECT))
