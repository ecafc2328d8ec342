"""Days in a text: the figure before or after the name of a month, and dates in figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from citemark._lazy import lazy_re
from citemark.checks._measures import is_other_word, table

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Day", "days_in", "month_of", "months_in"]

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


_LETTERS: Final = lazy_re(r"[^\W\d_]{3,12}")
_DIGITS: Final = lazy_re(r"\d+")
_DATE: Final = lazy_re(
    r"(?<![\d.,/-])(?:"
    r"(?P<iso>(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d))(?![\d-])"
    r"|(?P<dots>(?P<dd>\d{1,2})\.(?P<dm>\d{1,2})\.(?P<dy>\d{4}))(?![\d-])"
    r"|(?:(?P<cy>\d{4})年)?(?P<cm>\d{1,2})月(?P<cd>\d{1,2})[日号]"
    r"|(?P<day>\d{1,2})(?:st|nd|rd|th|er|º|ª|°|\.)?[ \u00a0\u202f](?:(?:of|de)[ \u00a0])?"
    r"(?P<month>[^\W\d_]{3,12})(?![^\W_])"
    r")"
)
_WORD_BEFORE: Final = lazy_re(r"(?<![^\W_])([^\W\d_]{3,12})[ \u00a0\u202f]\Z")
_DAY_AFTER: Final = lazy_re(r"(\d{1,2})(?:st|nd|rd|th)?(?![\w%]|[.,:/-]\d)")
_NEAR: Final = 13
"""Code points of a month and the blank behind it."""


def days_in(text: str) -> Iterator[Day]:
    """Yield the days of a text, in order.

    >>> [found[:3] for found in days_in("May 7th, 7 May, 2019-05-07, 7.5.2019, 2019年5月7日")]
    [(7, 5, ''), (7, 5, ''), (7, 5, '2019'), (7, 5, '2019'), (7, 5, '2019')]
    """
    pos = 0
    for digits in _DIGITS.finditer(text):
        start = digits.start()
        if start < pos:
            continue
        found, end = _after_month(text, pos, start) or _before_month(text, start)
        pos = max(pos, end)
        if found and 0 < found.day <= LAST_DAY and 0 < found.month <= LAST_MONTH:
            yield found


def _after_month(text: str, pos: int, start: int) -> tuple[Day, int] | None:
    """Return the day of "May 7", and where it ends; None if no month stands before."""
    word = _WORD_BEFORE.search(text, max(start - _NEAR, pos), start)
    month = month_of(word[1]) if word else None
    match = _DAY_AFTER.match(text, start) if month else None
    if month is None or match is None:
        return None
    return Day(int(match[1]), month, "", *match.span(1)), match.end()


def _before_month(text: str, start: int) -> tuple[Day | None, int]:
    """Return the day of "7 May" or "2019-05-07", if it is one, and where it ends."""
    match = _DATE.match(text, start)
    if match is None:
        return None, start
    for year, month, day in (("y", "m", "d"), ("dy", "dm", "dd"), ("cy", "cm", "cd")):
        if match[day]:
            found = Day(int(match[day]), int(match[month]), match[year] or "", *match.span())
            return found, match.end()
    named = month_of(match["month"])
    if named is None:
        return None, start
    return Day(int(match["day"]), named, "", *match.span("day")), match.end()


def months_in(text: str) -> frozenset[int]:
    """Return the months that a text names, alone or in a date.

    >>> sorted(months_in("In May, on 2019-06-07; it may rain in July."))
    [5, 6, 7]
    """
    named = (month_of(word) for word in _LETTERS.findall(text))
    dated = (day.month for day in days_in(text))
    return frozenset(month for month in (*named, *dated) if month)


def month_of(word: str) -> int | None:
    """Return the number of a month; None of any other word."""
    month = table("months").get(word.casefold())
    return None if month is None or is_other_word(word) else int(month)
