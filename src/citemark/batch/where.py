"""Which rows are taken: a small filter, that runs nothing.

``column=value``, ``column!=value``; ``column~text`` if the text is in it, in any case, and
``column!~text`` if not.  Dots lead into objects, also those that a cell holds as JSON text:
``meta.lang=de``.  An empty value is null.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from citemark._chunks import well_formed
from citemark.batch._columns import INPUT
from citemark.batch._strict import encode
from citemark.batch.options import BatchOptionError
from citemark.batch.rows import is_null
from citemark.errors import ArgumentTypeError

__all__ = ["Where", "missed_columns", "read_where", "unknown_column"]

_FORM: Final = re.compile(r"\s*([^=!~]*[^=!~\s])\s*(!?[=~])\s?(.*)", re.DOTALL)

MAX_NAMES: Final = 1_000
"""From so many names on, no more are kept to find like ones."""

MAX_LENGTH: Final = 60
"""Code points of a name that is compared: difflib takes long for long ones."""

_NONE: Final = object()
"""What no row has."""


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


def missed_columns(conditions: Iterable[Where], rows: Iterable[object]) -> dict[str, str]:
    """Return the columns of conditions that no row has, each with a like one; "" for none.

    What a row may leave out, as ``dialect``, is null there; what is no object has no columns.
    No more rows are read than it takes to meet all columns.

    >>> conditions = [read_where("meta.lagn=de"), read_where("taem=billing")]
    >>> missed_columns(conditions, [{"meta": {"lang": "de"}, "team": "billing"}])
    {'meta.lagn': 'meta.lang', 'taem': 'team'}
    """
    missed = {one.column: "" for one in conditions if one.column not in INPUT}
    names: dict[str, None] = {}
    for row in rows if missed else ():
        missed = {name: "" for name in missed if _cell(row, name) is _NONE}
        if not missed:
            break
        if len(names) < MAX_NAMES:
            names |= dict.fromkeys(_names(row))
    return {name: _like(name, names) for name in missed}


def _like(name: str, names: Iterable[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415  for mistakes alone

    others = [  # what the path begins with is there, and not meant
        one for one in names if len(one) <= MAX_LENGTH and not name.startswith(f"{one}.")
    ]
    return "".join(get_close_matches(name, others, n=1))


def _found(row: object, path: str) -> object:
    """Return what a path names; None if it names nothing."""
    found = _cell(row, path)
    return None if found is _NONE else found


def _cell(row: object, path: str) -> object:
    """Return what a path names, or ``_NONE``; a column that is called so comes first."""
    row = _object(row)
    if path in row:
        return row[path]
    name, dot, rest = path.partition(".")
    return _cell(row.get(name), rest) if dot else _NONE


def _object(value: object) -> Mapping[str, object]:
    """Return an object, be it as JSON text: cells of CSV hold no other; {} if it is none."""
    if isinstance(value, str) and value.lstrip()[:1] == "{":
        with suppress(ValueError, RecursionError):
            value = json.loads(value)
    return value if isinstance(value, Mapping) else {}


def _names(row: object) -> Iterator[str]:
    """Yield the names of columns, and the paths to what objects in them have."""
    for name, value in _object(row).items():
        yield name
        yield from (f"{name}.{inner}" for inner in _object(value))


def _text(value: object) -> str:
    if is_null(value):
        return ""
    return well_formed(value) if isinstance(value, str) else encode(value).decode()
