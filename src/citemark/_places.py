"""Pages and lines that models write behind an id: ``plan.pdf#page=2``, ``app.py:10-20``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from citemark._lazy import lazy_re
from citemark.catalogue import DASH, PAGE, place

if TYPE_CHECKING:
    from citemark.model import Location

__all__ = ["is_place", "may_be_place", "split_place"]

_TO: Final = rf"(?: [ ]?+ {DASH} [ ]?+ L?+ (?P<last>[0-9]{{1,6}}+) )?+"
_LINE: Final = r"(?i: lines? | ll?[.] | zeilen? | lignes? | l\u00edneas? | \u884c )"
_PLACE: Final = lazy_re(
    rf"""[ ]?+ [(]?+ (?: (?P<page> \#[ ]?+ p (?: age )?+ [ ]?+ =?+ | {PAGE} )
                       | (?P<line> {_LINE} | \#?+ L | : L?+ ) )
         [ ]?+ (?P<first>[0-9]{{1,6}}+) {_TO} [页ペ]?+ [)]?+ (?: \( [^()]{{0,60}}+ \) )?+""",
    re.VERBOSE,
)
_START: Final = lazy_re(r"[#:,; (]")
_PARTIAL: Final = lazy_re(
    rf"[#:,; (]?+[ ]?+[^\W\d_]{{0,8}}[.=]?[ ]?[L0-9]{{0,7}}[ ]?{DASH}?[ ]?[L0-9]{{0,7}}"
    r"[页ペ]?[)]?(?:\([^()]{0,60}\)?)?"
)
"""What may become a place: any start of one, and a little more."""

MAX_STARTS: Final = 20
"""Most positions at which a place may begin that are tried."""


def is_place(text: str) -> Location | None:
    """Return the place that a whole text is, or None.

    >>> is_place("p. 12-14")
    Location(unit='page', start=12, end=15)
    """
    match = _PLACE.fullmatch(text)
    if match is None:
        return None
    found = place("page" if match["page"] else "line", match["first"], match["last"])
    return found[0] if found else None


def split_place(key: str) -> tuple[str, Location] | None:
    """Return a key without the place at its end, and the place; None if it ends in none.

    >>> split_place("plan.pdf#page=2")
    ('plan.pdf', Location(unit='page', start=2, end=3))
    """
    for start in list(_START.finditer(key))[-MAX_STARTS:]:
        at = start.start()
        separator = key[at] in ",;"
        found = is_place(key[at + separator :].strip() if separator else key[at:])
        if found is not None and key[:at].strip():
            return key[:at].rstrip(), found
    return None


def may_be_place(text: str) -> bool:
    """Whether a text may be the start of a place."""
    return bool(_PARTIAL.fullmatch(text))
