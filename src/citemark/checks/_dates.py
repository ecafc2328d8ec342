"""Days in a text: the figure before or after the name of a month, and dates in figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from citemark._lazy import lazy_re
from citemark.checks._measures import is_other_word, table

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

__all__ = ["Day", "days_in"]

LAST_DAY: Final = 31
LAST_MONTH: Final = 12


class Day(NamedTuple):
    """A day of a month."""

    day: int
    """1 to 31."""

    month: int
    """1 to 12."""

    year: str
    """As it is written, if it is part of the date; "" if not."""

    start: int
    """First code point of its figures."""

    end: int
    """Code point after the last one."""


_DATE: Final = lazy_re(
    r"(?<![\d.,/-])(?:"
    r"(?P<iso>(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d))(?![\d-])"
    r"|(?P<dots>(?P<dd>\d{1,2})\.(?P<dm>\d{1,2})\.(?P<dy>\d{4}))(?![\d-])"
    r"|(?:(?P<cy>\d{4})年)?(?P<cm>\d{1,2})月(?P<cd>\d{1,2})[日号]"
    r"|(?P<before>\d{1,2})(?:st|nd|rd|th|er|º|ª|°|\.)?[ \u00a0\u202f](?:(?:of|de)[ \u00a0])?"
    r"(?P<month>[^\W\d_]{3,12})(?![^\W_])"
    r")"
    r"|(?<![^\W_])(?P<named>[^\W\d_]{3,12})[ \u00a0\u202f]"
    r"(?P<after>\d{1,2})(?:st|nd|rd|th)?(?![\w%]|[.,:/-]\d)"
)


def days_in(text: str) -> Iterator[Day]:
    """Yield the days of a text, in order.

    >>> [found[:3] for found in days_in("May 7th, 7 May, 2019-05-07, 7.5.2019, 2019年5月7日")]
    [(7, 5, ''), (7, 5, ''), (7, 5, '2019'), (7, 5, '2019'), (7, 5, '2019')]
    """
    for match in _DATE.finditer(text):
        found = _numeric(match) or _named(match)
        if found and 0 < found.day <= LAST_DAY and 0 < found.month <= LAST_MONTH:
            yield found


def _numeric(match: re.Match[str]) -> Day | None:
    for year, month, day in (("y", "m", "d"), ("dy", "dm", "dd"), ("cy", "cm", "cd")):
        if match[day]:
            return Day(int(match[day]), int(match[month]), match[year] or "", *match.span())
    return None


def _named(match: re.Match[str]) -> Day | None:
    word = match["month"] or match["named"]
    month = table("months").get(word.casefold())
    if month is None or is_other_word(word):
        return None
    which = "before" if match["before"] else "after"
    return Day(int(match[which]), int(month), "", *match.span(which))
