"""Figures in a text with their units, folded so that they compare: ``1,204`` is ``1204``."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from typing import TYPE_CHECKING, Final, NamedTuple

from citemark._lazy import lazy_re
from citemark.checks._dates import days_in
from citemark.checks._measures import meaning_of, table
from citemark.checks._stems import stems_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from citemark.checks._dates import Day

__all__ = ["Figure", "Reading", "figures_in"]

NEAR: Final = 12
"""Code points before a figure in which its sign may stand."""

MAX_DIGITS: Final = 40
"""Digits of a figure that are compared."""


class Reading(NamedTuple):
    """What a figure may mean."""

    value: str
    """Without marks of thousands, with a decimal point."""

    scale: str = ""
    """By what it is multiplied: ``"1000000"``; "" if by nothing."""

    unit: str = ""
    """What is counted: ``"euro"``, ``"%"``, ``"day of month 5"``; "" if unknown."""

    def differs(self, other: Reading) -> bool:
        """Whether the same value counts something else there."""
        if not (other.scale or other.unit):
            return False
        is_other_unit = bool(self.unit and other.unit) and self.unit != other.unit
        return is_other_unit or (bool(self.scale or self.unit) and self.scale != other.scale)


class Figure(NamedTuple):
    """A figure as it stands in a text."""

    readings: tuple[Reading, ...]
    """What it may mean: ``1.204`` is both 1204 and 1.204."""

    start: int
    """First code point."""

    end: int
    """Code point after the last digit."""

    is_word: bool = False
    """Whether it is written in letters: many such words mean something else as well."""

    is_negative: bool = False
    """Whether a minus stands before it."""

    thing: str = ""
    """What is counted, as a content word: ``"arche"``; "" if no noun follows."""

    @property
    def counted(self) -> tuple[str, ...]:
        """What is counted, as a unit and as a word; a year or a plain number counts nothing."""
        return tuple(filter(None, (self.readings[0].unit, self.thing)))


_BLANK: Final = r"[ \u00a0\u202f]"
_NUMBER: Final = lazy_re(
    r"(?P<before>[$€£¥₹₽])?\s?(?<![A-Za-z_\d])(?P<digits>"  # not the 2 of CO2, or of p_2
    rf"\d{{1,3}}(?:{_BLANK}\d{{3}}){{1,6}}(?!\d)(?:[.,]\d{{1,40}})?"
    r"|\d{1,40}(?:[.,'’\u00a0\u202f]\d{1,40}){0,12})"
)
_AFTER: Final = lazy_re(
    rf"(?:{_BLANK}|-)?(?P<one>%|‰|°[CF]?|[$€£¥₹₽]|[^\W\d_]{{1,20}})"
    rf"(?:{_BLANK}(?:d['’]|(?:of|de|di){_BLANK})?(?P<two>[$€£¥₹₽]|[^\W\d_]{{1,20}}))?"
)
_WORD: Final = lazy_re(
    r"(?<![^\W_])(?P<word>[^\W\d_]{2,12})(?:-(?P<rest>[^\W\d_]{3,5}))?(?![^\W_])"
)
_MINUS: Final = lazy_re(
    r"(?:(?<![\w)\]}%])(?<!\d )[-\u2012\u2013\u2212][$€£¥₹₽]?"
    r"|(?i:\b(?:minus|moins|menos|meno|минус)\s|负|負|マイナス))\Z"
)
_NOUN: Final = lazy_re(rf"(?:{_BLANK}|-)(?P<noun>[^\W\d_]{{2,40}})")
_DENSE: Final = lazy_re(r"[〇零一二三四五六七八九十百千两]{1,9}")
_DENSE_DIGITS: Final = {sign: value for value, sign in enumerate("零一二三四五六七八九")}
_DENSE_TENS: Final = {"十": 10, "百": 100, "千": 1000}
_GROUPED: Final = lazy_re(r"\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3})+\Z")
_SEPARATORS: Final = lazy_re(r"[.,'’ \u00a0\u202f]")


def figures_in(text: str) -> list[Figure]:
    """Return the figures of a text, in digits and in words, in order.

    >>> [found.readings[0] for found in figures_in("Two weeks, £1,204.50 or 5 %")][:2]
    [Reading(value='2', scale='', unit='week'), Reading(value='1204.5', scale='', unit='pound')]
    """
    days = [*days_in(text)]
    ends = [day.end for day in days]
    found = [_day(day) for day in days]
    found += [_year(day) for day in days if day.year]
    for figure in (*_in_digits(text), *_in_words(text), *_in_dense_words(text)):
        at = bisect_right(ends, figure.start)
        if at == len(days) or figure.end <= days[at].start:
            found.append(figure)
    return sorted(found, key=lambda figure: figure.start)


def _day(day: Day) -> Figure:
    return Figure((Reading(str(day.day), "", f"day of month {day.month}"),), day.start, day.end)


def _year(day: Day) -> Figure:
    return Figure((Reading(day.year),), day.start, day.end)


def _in_digits(text: str) -> Iterator[Figure]:
    for match in _NUMBER.finditer(text):
        scale, unit = _counted(text, match.end())
        unit = unit or table("units").get(match["before"] or "", "")
        readings = _readings(_values(match["digits"]), scale, unit)
        thing = _thing(text, match.end())
        start, end = match.span("digits")
        is_negative = _MINUS.search(text, max(start - NEAR, 0), start) is not None
        yield Figure(readings, start, end, is_negative=is_negative, thing=thing)


def _in_words(text: str) -> Iterator[Figure]:
    numbers = table("numbers")
    for match in _WORD.finditer(text):
        value, end = numbers.get(match["word"].casefold()), match.end()
        if value is None:
            continue
        rest = numbers.get((match["rest"] or "").casefold(), "")
        if match["rest"] and not rest:
            end = match.end("word")
        total = str(int(value) + int(rest or 0))
        readings = _readings((total,), *_counted(text, end))
        yield Figure(readings, match.start(), end, is_word=True, thing=_thing(text, end))


def _in_dense_words(text: str) -> Iterator[Figure]:
    """Yield Chinese and Japanese words for figures; without a unit they are letters."""
    for match in _DENSE.finditer(text):
        scale, unit = _counted(text, match.end())
        if unit or scale:
            readings = _readings((_dense_value(match[0]),), scale, unit)
            yield Figure(readings, *match.span(), is_word=True)


def _dense_value(word: str) -> str:
    total, digit = 0, 0
    for sign in word.replace("两", "二").replace("〇", "零"):
        if sign in _DENSE_TENS:
            total += max(digit, 1) * _DENSE_TENS[sign]
            digit = 0
        else:
            digit = digit * 10 + _DENSE_DIGITS[sign]
    return str(total + digit)


def _thing(text: str, end: int) -> str:
    """Return the content word right after a figure; "" if there is none."""
    match = _NOUN.match(text, end)
    return next((stem for stem, _, _ in stems_in(match["noun"])), "") if match else ""


def _counted(text: str, end: int) -> tuple[str, str]:
    """Return the scale and the unit that follow a figure."""
    match = _AFTER.match(text, end)
    if match is None:
        return "", ""
    one = match["one"]
    scale, length = meaning_of("scales", one)
    unit, _ = meaning_of("units", one)
    if not scale or (unit and length < len(one)):
        return "", unit
    rest = one[length:] or match["two"] or ""
    return scale, meaning_of("units", rest)[0]


def _readings(values: tuple[str, ...], scale: str, unit: str) -> tuple[Reading, ...]:
    """Return what a figure may mean: ``1.2 million`` is 1200000, too."""
    found = [Reading(value, scale, unit) for value in values]
    if scale:
        found += [Reading(_shifted(value, len(scale) - 1), "", unit) for value in values]
    return tuple(found)


def _shifted(value: str, places: int) -> str:
    whole, _, decimals = value.partition(".")
    return _canonical(whole + decimals[:places].ljust(places, "0"), decimals[places:])


def _values(digits: str) -> tuple[str, ...]:
    """Return what a figure may mean, without marks of thousands, with a decimal point."""
    plain = "".join(str(unicodedata.decimal(sign, sign)) for sign in digits[:MAX_DIGITS])
    parts, marks = _SEPARATORS.split(plain), _SEPARATORS.findall(plain)
    values: dict[str, None] = {}
    if _GROUPED.match(plain):
        values[_canonical("".join(parts), "")] = None
    if not marks:
        values[_canonical(plain, "")] = None
    elif marks[-1] in ".," and marks[-1] not in marks[:-1]:  # before the decimals
        values[_canonical("".join(parts[:-1]), parts[-1])] = None
    return tuple(values) or (".".join(parts),)


def _canonical(integer: str, decimals: str) -> str:
    whole = integer.lstrip("0") or "0"
    rest = decimals.rstrip("0")
    return f"{whole}.{rest}" if rest else whole
