"""The values of figures in digits: ``1,204``, ``1.204``, ``.5``, ``2½``, ``10⁶``, ``1e6``."""

from __future__ import annotations

import unicodedata
from fractions import Fraction
from typing import Final

from citemark._lazy import lazy_re

__all__ = ["canonical", "shifted", "values_of", "with_tail"]

MAX_DIGITS: Final = 40
"""Digits of a figure that are compared."""

_GROUPED: Final = lazy_re(r"\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3})+\Z")
_SEPARATORS: Final = lazy_re(r"[.,'’ \u00a0\u202f]")
_TAIL: Final = lazy_re(
    r"[eE](?P<places>[+-]?\d{1,2})(?![^\W_])"
    r"|(?P<power>[\u207a\u207b]?[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]{1,3})"
    r"|(?P<part>[\u00bc-\u00be\u2150-\u215e])"
    r"|(?P<item>\([a-z]\))"
)
_TAILS: Final = frozenset(
    "eE(\u207a\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"
    "\u00bc\u00bd\u00be\u2150\u2151\u2152\u2153\u2154\u2155\u2156\u2157\u2158\u2159\u215a\u215b"
    "\u215c\u215d\u215e"
)
"""What the pattern above may begin with."""


def values_of(digits: str) -> tuple[str, ...]:
    """Return what a figure may mean, without marks of thousands, with a decimal point.

    >>> values_of("1,204.50"), values_of("1.204"), values_of("12,000")
    (('1204.5',), ('1204', '1.204'), ('12000', '12.000'))
    """
    plain = digits[:MAX_DIGITS]
    if not plain.isascii():
        plain = "".join(str(unicodedata.decimal(sign, sign)) for sign in plain)
    if plain.isdigit():
        return (canonical(plain, ""),)
    parts, marks = _SEPARATORS.split(plain), _SEPARATORS.findall(plain)
    values: dict[str, None] = {}
    is_grouped = _GROUPED.match(plain) is not None
    if is_grouped:
        values[canonical("".join(parts), "")] = None
    if not marks:
        values[canonical(plain, "")] = None
    elif marks[-1] in ".," and marks[-1] not in marks[:-1]:  # before the decimals
        whole, decimals = "".join(parts[:-1]), parts[-1]
        # "12,000" is no 12: nobody writes zeros in threes behind a point.
        values[f"{whole}.{decimals}" if is_grouped else canonical(whole, decimals)] = None
    return tuple(values) or (".".join(parts),)


def with_tail(values: tuple[str, ...], text: str, end: int) -> tuple[tuple[str, ...], int]:
    """Return what a figure means with what hangs on it, and where that ends.

    >>> with_tail(("10",), "10⁶", 2), with_tail(("3",), "3(a)", 1)
    ((('1000000', '10^6'), 3), (('3(a)',), 4))
    """
    match = _TAIL.match(text, end) if text[end : end + 1] in _TAILS else None
    if match is None:
        return values, end
    if match["places"]:
        return tuple(shifted(value, int(match["places"])) for value in values), match.end()
    if match["power"]:
        return _powers(values, match["power"]), match.end()
    if match["part"]:
        part = Fraction(unicodedata.numeric(match["part"])).limit_denominator(10)
        return tuple(_sum(value, part) for value in values), match.end()
    return tuple(f"{value}{match['item']}" for value in values), match.end()


def _powers(values: tuple[str, ...], signs: str) -> tuple[str, ...]:
    power = unicodedata.normalize("NFKC", signs).replace("\u2212", "-").lstrip("+")
    written = tuple(f"{value}^{power}" for value in values)
    return (shifted("1", int(power)), *written) if values == ("10",) else written


def _sum(value: str, part: Fraction) -> str:
    total = Fraction(value) + part
    tenths = str(float(total)).partition(".")
    is_exact = Fraction(str(float(total))) == total
    return canonical(tenths[0], tenths[2]) if is_exact else str(total)


def shifted(value: str, places: int) -> str:
    """Return a value times ten to a power.

    >>> shifted("1.5", 3), shifted("1.5", -2)
    ('1500', '0.015')
    """
    whole, _, decimals = value.partition(".")
    if places < 0:
        filled = whole.rjust(1 - places, "0")
        return canonical(filled[:places], filled[places:] + decimals)
    return canonical(whole + decimals[:places].ljust(places, "0"), decimals[places:])


def canonical(integer: str, decimals: str) -> str:
    """Return a value without zeros that say nothing."""
    whole = integer.lstrip("0") or "0"
    rest = decimals.rstrip("0")
    return f"{whole}.{rest}" if rest else whole
