"""Figures in a text with their units, folded so that they compare: ``1,204`` is ``1204``."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final, NamedTuple

from citemark._lazy import lazy_re
from citemark.checks._dates import days_in
from citemark.checks._measures import meaning_of, table
from citemark.checks._stems import stems_in
from citemark.checks._values import shifted, values_of, with_tail

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from citemark.checks._dates import Day

__all__ = ["Figure", "Reading", "Sign", "also_in", "figures_in"]

NEAR: Final = 12
"""Code points before a figure in which its sign may stand."""


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


class Sign(NamedTuple):
    """What stands before a figure."""

    is_negative: bool = False
    """Whether it is a minus."""

    bound: str = ""
    """``"<"`` or ``">"`` if the figure is an upper or a lower bound; "" if neither."""

    def differs(self, other: Sign) -> bool:
        """Whether the same value means something else there; no bound goes with either."""
        is_other_bound = bool(self.bound and other.bound) and self.bound != other.bound
        return self.is_negative != other.is_negative or is_other_bound


class Figure(NamedTuple):
    """A figure as it stands in a text."""

    readings: tuple[Reading, ...]
    """What it may mean: ``1.204`` is both 1204 and 1.204."""

    start: int
    """First code point."""

    end: int
    """Code point after the last digit."""

    sign: Sign = Sign()

    is_word: bool = False
    """Whether it is written in letters: many such words mean something else as well."""

    thing: str = ""
    """What is counted, as a content word: ``"arche"``; "" if no noun follows."""

    @property
    def counted(self) -> tuple[str, ...]:
        """What is counted, as a unit and as a word; a year or a plain number counts nothing."""
        return tuple(filter(None, (self.readings[0].unit, self.thing)))


_BLANK: Final = r"[ \u00a0\u202f]"
_CURRENCIES: Final = "$€£¥₹₽"
_LETTER_SCALES: Final = {"k": "1000", "K": "1000", "M": "1000000", "B": "1000000000"}
"""Right behind the last digit: ``$5M`` is no metre."""

_BOUNDS: Final = {"<": "<", "≤": "<", "⩽": "<", ">": ">", "≥": ">", "⩾": ">"}
_ORDINAL: Final = lazy_re(r"(?:st|nd|rd|th|er|ème|e|º|ª)(?![^\W_])")
_PARTS: Final = lazy_re(r"(?<!\d)[\u00bc-\u00be\u2150-\u215e]")
_DIGITS: Final = lazy_re(r"\d+")
_NUMBER: Final = lazy_re(
    r"(?:(?<![A-Za-z_\d])|(?<=\b[vV]))(?:"  # not the 2 of CO2, or of p_2; that of v2
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
_LETTERS: Final = lazy_re(r"[^\W\d_]{2,12}")
_MINUS: Final = lazy_re(
    r"(?:(?<![\w)\]}%])(?<!\d )[-\u2012\u2013\u2212][$€£¥₹₽]?"
    r"|(?i:\b(?:minus|moins|menos|meno|минус)\s|负|負|マイナス))\Z"
)
_BEFORE_FIGURE: Final = f"-\u2012\u2013\u2212{_CURRENCIES}负負ス"
"""What the pattern above may end with, but for blanks."""

_NOUN: Final = lazy_re(rf"(?:{_BLANK}|-)(?P<noun>[^\W\d_]{{2,40}})")
_DENSE: Final = lazy_re(r"[〇零一二三四五六七八九十百千两]{1,9}")
_DENSE_DIGITS: Final = {sign: value for value, sign in enumerate("零一二三四五六七八九")}
_DENSE_TENS: Final = {"十": 10, "百": 100, "千": 1000}


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


def also_in(text: str) -> list[Figure]:
    """Return what a claim about the text may write in figures: 50 % for half, 3rd for third."""
    words = {match[0] for match in _LETTERS.finditer(text.casefold())}
    if words.isdisjoint(table("shares")) and words.isdisjoint(table("ordinals")):
        return []
    return [figure for match in _WORD.finditer(text) for figure in _also(match)]


def _also(match: re.Match[str]) -> Iterator[Figure]:
    word, span = match["word"].casefold(), match.span("word")
    share, ordinal = table("shares").get(word), table("ordinals").get(word)
    if share:
        yield Figure(
            (Reading(share, "", "%"), Reading(shifted(share, -2))), *span, is_word=True
        )
    if ordinal:
        yield Figure((Reading(f"nth {ordinal}"),), *span, is_word=True)


def _day(day: Day) -> Figure:
    return Figure((Reading(str(day.day), "", f"day of month {day.month}"),), day.start, day.end)


def _year(day: Day) -> Figure:
    return Figure((Reading(day.year),), day.start, day.end)


def _in_digits(text: str) -> Iterator[Figure]:
    end = 0
    for digits in _DIGITS.finditer(text):
        match = _NUMBER.match(text, digits.start()) if digits.start() >= end else None
        if match is None:
            continue
        start, end = match.span()
        is_part = _is_decimal_part(text, start)
        values = values_of(f"0.{match[0]}" if is_part and match[0].isdigit() else match[0])
        for figure in _with_unit(text, start - is_part, end, values):
            yield figure
            end = figure.end
    for part in _PARTS.finditer(text):
        yield from _with_unit(text, part.start(), part.start(), ("0",))


def _with_unit(text: str, start: int, end: int, values: tuple[str, ...]) -> Iterator[Figure]:
    """Yield a figure with what hangs on it; with ``3(a)`` the 3, too."""
    whole, tail = with_tail(values, text, end)
    if whole[0].endswith(")"):
        yield Figure(_readings(values, "", ""), start, end)
    scale, unit = _counted(text, tail)
    unit = unit or table("units").get(_currency_before(text, start), "")
    readings = _readings(whole, scale, unit)
    if _ORDINAL.match(text, tail):  # "second" and "secondo" have other meanings, "2nd" has none
        readings += (Reading(f"nth {whole[0]}"),)
    before = text[max(start - NEAR, 0) : start].rstrip(f" \u00a0\u202f{_CURRENCIES}")
    yield Figure(
        readings,
        start,
        tail,
        Sign(_is_negative(text, start), _BOUNDS.get(before[-1:], "")),
        thing=_thing(text, tail),
    )


def _is_decimal_part(text: str, start: int) -> bool:
    """Whether only a point stands before a figure: ``.5``."""
    if text[start - 1 : start] != ".":
        return False
    before = text[start - 2 : start - 1]
    return not (before.isalnum() or (before and before in ".)]"))


def _currency_before(text: str, start: int) -> str:
    """Return the sign of a currency before a figure; "" if there is none."""
    before = text[max(start - 2, 0) : start]
    sign = before[:-1] if before[-1:].isspace() else before[-1:]
    return sign if sign in _CURRENCIES else ""


def _is_negative(text: str, start: int) -> bool:
    last = text[start - 1 : start]
    if not (last in _BEFORE_FIGURE or last.isspace()):
        return False
    return _MINUS.search(text, max(start - NEAR, 0), start) is not None


def _in_words(text: str) -> Iterator[Figure]:
    numbers = table("numbers")
    if numbers.keys().isdisjoint(_LETTERS.findall(text.casefold())):
        return
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
    letter = _LETTER_SCALES.get(text[end : end + 1])
    if letter and not text[end + 1 : end + 2].isalnum():
        return letter, ""
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
        found += [Reading(shifted(value, len(scale) - 1), "", unit) for value in values]
    return tuple(found)
