"""Which rows are taken: a small filter, that runs nothing.

``column=value``, ``column!=value``; ``column~text`` if the text is in it, in any case, and
``column!~text`` if not.  Dots lead into objects: ``meta.lang=de``.  An empty value is null.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from citemark._chunks import well_formed
from citemark.batch._columns import INPUT
from citemark.batch._strict import encode
from citemark.batch.options import BatchOptionError
from citemark.batch.rows import is_null
from citemark.errors import ArgumentTypeError

__all__ = ["Where", "read_where", "unknown_column"]

_FORM: Final = re.compile(r"\s*([^=!~]*[^=!~\s])\s*(!?[=~])\s?(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Where:
    """A condition on a column.

    >>> read_where("meta.lang != de").takes({"meta": {"lang": "fr"}})
    True
    """

    column: str
    """Name of the column, or the path to a field in it."""

    sign: str
    """``=``, ``!=``, ``~`` or ``!~``."""

    value: str
    """What it is compared with, as text."""

    def takes(self, row: Mapping[str, Any]) -> bool:
        """Whether a row meets the condition."""
        text = _text(_found(row, self.column))
        is_met = (
            text == self.value
            if self.sign[-1] == "="
            else self.value.casefold() in text.casefold()
        )
        return is_met != self.sign.startswith("!")


def read_where(text: str) -> Where:
    """Return the condition that a text says.

    Raises:
        ArgumentTypeError: It is no text.
        BatchOptionError: It says none.
    """
    if not isinstance(text, str):
        raise ArgumentTypeError(text, "where", "a text, as in 'team=billing'")
    found = _FORM.fullmatch(text)
    if found is None:
        reason = f"{text!r} is none of column=value, column!=value, column~text, column!~text"
        raise BatchOptionError("where", reason)
    return Where(*found.groups())


def unknown_column(conditions: Iterable[Where], columns: Iterable[str]) -> str | None:
    """Return the column of a condition that a header has not; None if it has all.

    What a row may leave out, as ``dialect``, is null there.

    >>> conditions = [read_where("meta.lang=de"), read_where("taem=billing")]
    >>> unknown_column(conditions, ["answer", "meta", "team"])
    'taem'
    """
    known = {*columns, *INPUT}
    for one in conditions:
        parts = one.column.split(".")
        if not any(".".join(parts[: n + 1]) in known for n in range(len(parts))):
            return one.column
    return None


def _found(row: object, path: str) -> object:
    """Return what a path names; a column that is called so comes first."""
    if not isinstance(row, Mapping):
        return None
    if path in row:
        return row[path]
    name, dot, rest = path.partition(".")
    return _found(row.get(name), rest) if dot else None


def _text(value: object) -> str:
    if is_null(value):
        return ""
    return well_formed(value) if isinstance(value, str) else encode(value).decode()
