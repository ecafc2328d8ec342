"""What a marker names: the text of its key read as one key, a list, or numbers and ranges."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from citemark.formats import SEPARATOR, ZEROS

if TYPE_CHECKING:
    from collections.abc import Iterator

    import regex

    from citemark.formats import Format
    from citemark.sources import Sources

__all__ = ["MAX_KEYS", "may_be_key", "read_keys", "read_words"]

MAX_KEYS: Final = 50
"""Most keys of one marker, and the longest range that is spelled out without known labels."""

MAX_KEY: Final = 200
"""Longest id or title, in code points."""

ASCII_DIGITS: Final = {
    ord(zero) + value: str(value) for zero in ZEROS for value in range(10)
} | dict.fromkeys([*range(0x2010, 0x2016), 0x2212, 0xFF0D], "-")
_SEPARATOR: Final = re.compile(rf"[ ]*{SEPARATOR}[ ]*")
_DIGITS: Final = re.compile("[0-9]+")
_NUMBER: Final = re.compile("[0-9]{1,6}")
_PLAIN: Final = re.compile("[1-9][0-9]{0,2}(?: ?[,;] ?[1-9][0-9]{0,2})*")
"""Numbers that are neither ranges nor years nor nought: the common case."""

_TAG: Final = re.compile(r"[A-Za-z]{2,10}[ ]?[:\uff1a][ ]?(?!/)")
YEARS: Final = range(1_000, 3_000)


def read_keys(
    row: Format, written: str | None, known: Sources | None, *, late: bool
) -> tuple[str, ...]:
    """Return the keys of a marker, in written order; none if it is no marker after all.

    Args:
        row: Format that matched.
        written: What its group ``key`` matched, if it did.
        known: Sources, or None if they are not known.
        late: Whether sources may still come, so that a key may be one that is not yet known.
    """
    if not written:
        return ()
    if row.keys == "numbers":
        if _PLAIN.fullmatch(written):
            return tuple(_DIGITS.findall(written))
        return _numbers(written.translate(ASCII_DIGITS), known, late=late)
    whole = written.strip()
    if row.keys == "one" or not _SEPARATOR.search(whole):
        keys: tuple[str, ...] = (whole,)
    elif known is not None and _names(row, whole, known):
        keys = (whole,)
    else:
        keys = tuple(_members(whole, has_tag=row.tier != "candidate"))
    if not 0 < len(keys) <= MAX_KEYS or (row.tier != "candidate" and _too_long(row, keys)):
        return ()
    if row.tier == "candidate" and known is not None:
        return keys if all(_names(row, key, known) for key in keys) else ()
    return keys


def read_words(row: Format, match: re.Match[str] | regex.Match[str], group: str) -> str:
    r"""Return the words of the answer that stay when a marker is shown as a number.

    >>> import re
    >>> from citemark.formats import DEFAULT
    >>> link = next(row for row in DEFAULT if row.name == "link")
    >>> match = re.match(rf"\[{link.pattern}", "[1](https://example.org)", re.VERBOSE)
    >>> read_words(link, match, "words")  # a number is no words
    ''
    """
    words = match[group] if "(?P<words>" in row.pattern else ""
    return "" if words.strip().isdecimal() else words


def may_be_key(row: Format, written: str, known: Sources) -> bool:
    """Whether the start of a candidate's key may become one that names a source."""
    *before, last = _SEPARATOR.split(written) if row.keys == "list" else [written]
    return any(known.may_begin(written, lookup) for lookup in row.lookup) or (
        all(_names(row, key, known) for key in before)
        and any(known.may_begin(last, lookup) for lookup in row.lookup)
    )


def _names(row: Format, key: str, known: Sources) -> bool:
    return any(known.find(key, lookup) for lookup in row.lookup)


def _too_long(row: Format, keys: tuple[str, ...]) -> bool:
    return "url" not in row.lookup and any(len(key) > MAX_KEY for key in keys)


def _members(whole: str, *, has_tag: bool) -> Iterator[str]:
    """Return the keys of a list.  A tag may be repeated: ``[doc:a, doc:b]``."""
    for member in _SEPARATOR.split(whole):
        if key := (_TAG.sub("", member, count=1) if has_tag else member).strip():
            yield key


def _numbers(written: str, known: Sources | None, *, late: bool) -> tuple[str, ...]:
    keys: list[str] = []
    members = _SEPARATOR.split(written.strip())
    for member in members:
        first, dash, last = (part.strip() for part in member.partition("-"))
        if not (_NUMBER.fullmatch(first) and (not dash or _NUMBER.fullmatch(last))):
            return ()  # a row of the user's may let other text through
        if not dash:
            keys.append(first)
            continue
        spelled = _spell(int(first), int(last), known, late=late)
        if spelled is None:
            return ()
        keys.extend(spelled or [f"{first}-{last}"])
    if _is_prose(keys, known) or all("-" in key for key in keys):
        return ()  # ranges are markers if both ends are labels
    return tuple(keys)


def _spell(first: int, last: int, known: Sources | None, *, late: bool) -> list[str] | None:
    """Return the labels from first to last; [] if they are unknown; None if it is no range."""
    if last < first:
        return None
    if known is not None:
        labels = known.numbers_between(first, last)
        if labels and labels[0] == first and labels[-1] == last:
            return [str(label) for label in labels]
    if first in YEARS and last in YEARS:
        return None
    if known is None or late:
        return None if last - first >= MAX_KEYS else [str(n) for n in range(first, last + 1)]
    return []


def _is_prose(keys: list[str], known: Sources | None) -> bool:
    """Whether numbers in brackets are rather a year or an interval: ``[2024]``, ``[0, 1]``."""
    unknown = [key for key in keys if known is None or not known.find(key, "label")]
    if len(unknown) == len(keys) and all(key.isdecimal() and int(key) in YEARS for key in keys):
        return True
    return len(keys) > 1 and any(key.strip("0") == "" for key in unknown)
