"""Units right behind a figure, whose capitals count: 5 mW are not 5 MW."""

from __future__ import annotations

from typing import Final

from citemark._lazy import lazy_re
from citemark._quotes._characters import CURRENCIES

__all__ = ["other_units"]

_UNIT: Final = lazy_re(
    rf"(?<![{CURRENCIES}\d.,])\d[\d.,]*+[ \u00a0\u202f-]?([a-zA-Zµμ]{{1,3}})(?![^\W_])"
)
"""Behind a figure; $5m and $5M are the same."""

_METRIC: Final = lazy_re(
    r"[yzafpnµmcdhkMGTPEZY]?(?:[mgsANJWCVTSH]|Pa|Hz|mol|eV|Wb|Bq|Gy|Sv)|[MGT]?[tl]|[mcdhµn]l"
    r"|[kMGTPEZ]i?[bB]|[lMG]"
)
"""Units and their prefixes, small and large."""


def other_units(quote: str, passage: str) -> tuple[str, str] | None:
    """Return the first two units that are not the same for their capitals; None if all are.

    A quote all in capitals does not tell.  Capitals by which a unit becomes none ("5 KM") are
    a matter of print.

    Args:
        quote: The words as they are written.
        passage: The same words of the passage, as it has them.

    >>> other_units("a 5 mW laser", "a 5 MW laser"), other_units("it is 5 Km", "it is 5 km")
    (('mW', 'MW'), None)
    """
    if quote.isupper() or passage.isupper():
        return None
    mine, theirs = _UNIT.findall(quote), _UNIT.findall(passage)
    pairs = zip(mine, theirs, strict=True) if len(mine) == len(theirs) else ()
    return next((pair for pair in pairs if _are_other(*pair)), None)


def _are_other(one: str, other: str) -> bool:
    if one == other or one.casefold() != other.casefold():
        return False
    plain, same = _plain(one), _plain(other)
    return plain != same and all(map(_METRIC.fullmatch, (plain, same)))


def _plain(unit: str) -> str:
    """Return a unit that is written in two ways in one: ``mL`` as ``ml``, ``KB`` as ``kB``."""
    unit = unit.replace("\u03bc", "µ").replace("L", "l")
    return f"k{unit[1:]}" if len(unit) > 1 and unit[0] == "K" else unit
