"""Which dialects read all the formats that an answer has."""

from __future__ import annotations

from functools import lru_cache

from citemark.formats import DIALECTS

__all__ = ["dialects_of"]


@lru_cache(maxsize=1024)
def dialects_of(formats: frozenset[str]) -> tuple[str, ...]:
    """Return the names of the dialects that have all of some formats.

    >>> dialects_of(frozenset({"openai_file"}))
    ()
    """
    return tuple(
        name for name, rows in DIALECTS.items() if formats <= {row.name for row in rows}
    )
