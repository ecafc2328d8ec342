"""What a marker names: the text of its key read as one key, a list, or numbers and ranges."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from citemark._lazy import lazy_re
from citemark._places import is_place, may_be_place, split_place
from citemark.catalogue import AND, SEPARATOR, ZEROS, Key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import regex

    from citemark.catalogue import Format
    from citemark.sources import Sources

__all__ = ["MAX_KEYS", "key_text", "may_be_key", "names_source", "read_keys", "read_words"]

MAX_KEYS: Final = 50
"""Most keys of one marker, and the longest range that is spelled out without known labels."""

MAX_KEY: Final = 200
"""Longest id or title, in code points."""

ASCII_DIGITS: Final = {
    ord(zero) + value: str(value) for zero in ZEROS for value in range(10)
} | dict.fromkeys([*range(0x2010, 0x2016), 0x2212, 0xFF0D], "-")
_SEPARATOR: Final = lazy_re(rf"[ ]*{SEPARATOR}[ ]*")
_OR_AND: Final = lazy_re(rf"[ ]*{SEPARATOR}[ ]*(?:and |& )?|[ ]+(?:and|&)[ ]+")
_INNER: Final = lazy_re(r"[ ]?\[[ ]?[0-9][0-9,;\u2013 -]{0,40}\]")
_DIGITS: Final = lazy_re("[0-9]+")
_NUMBER: Final = lazy_re("[0-9]{1,6}")
_RANGE: Final = lazy_re("([0-9]{1,6})[ ]?-[ ]?([0-9]{1,6})")
_PLAIN: Final = lazy_re("[1-9][0-9]{0,2}(?: ?[,;] ?[1-9][0-9]{0,2})*")
"""Numbers that are neither ranges nor years nor nought: the common case."""

_TAG: Final = lazy_re(r"[A-Za-z]{2,10}[ ]?[:\uff1a][ ]?(?!/)")
_WORD_BEFORE: Final = lazy_re(r"[^\W\d_][^0-9]{0,30}(?=[0-9])")
"""A word before a number: ``Source 1``, ``doc1``."""

_BETWEEN: Final = lazy_re(
    rf"[ ]*{SEPARATOR}[ ]*(?:{AND}[ ]+)?|[ ]+{AND}[ ]+|\][ ]?\[", re.VERBOSE
)
"""Between two numbers."""

_BARE: Final = lazy_re(rf"(?:[0-9 -]|{SEPARATOR})*")

YEARS: Final = range(1_000, 3_000)


def read_keys(
    row: Format, written: str | None, known: Sources | None, *, late: bool
) -> tuple[Key, ...]:
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
            return tuple(Key(number) for number in _DIGITS.findall(written))
        plain = written.translate(ASCII_DIGITS)
        return tuple(Key(number) for number in _numbers(row, plain, known, late=late))
    if callable(row.keys):
        keys = tuple(islice(row.keys(written), MAX_KEYS + 1))
    else:
        keys = tuple(_read_text(row, written.strip(), known))
    if not 0 < len(keys) <= MAX_KEYS or (row.tier != "candidate" and _too_long(row, keys)):
        return ()
    if row.tier == "candidate" and known is not None:
        return keys if all(_names(row, key.name, known) for key in keys) else ()
    return keys


def key_text(row: Format, match: re.Match[str] | regex.Match[str], group: str) -> str:
    """Return the text from which the keys of a marker are read; "" if it has none."""
    if "(?P<key>" in row.pattern:
        return match[group] or ""
    return match[0] if callable(row.keys) else ""


def read_words(row: Format, match: re.Match[str] | regex.Match[str], group: str) -> str:
    r"""Return the words of the answer that stay when a marker is shown as a number.

    >>> import re
    >>> from citemark.catalogue import DEFAULT
    >>> link = next(row for row in DEFAULT if row.name == "link")
    >>> match = re.match(rf"\[{link.pattern}", "[1](https://example.org)", re.VERBOSE)
    >>> read_words(link, match, "words")  # a number is no words
    ''
    """
    words = match[group] or "" if "(?P<words>" in row.pattern else ""
    if row.covers:
        return words
    if "[" in words:  # numbers of the model's own would be read as ours
        words = _INNER.sub("", words)
    return "" if not words.strip() or words.strip().isdecimal() else words


def may_be_key(row: Format, written: str, known: Sources) -> bool:
    """Whether the start of a candidate's key may become one that names a source."""
    if callable(row.keys):
        return True
    if any(known.may_begin(written, lookup, base=row.base) for lookup in row.lookup):
        return True
    if row.keys != "list":
        return False
    *before, last = _OR_AND.split(written)
    if not all(_is_member(row, key, known) for key in before):
        return False
    return _may_end(row, last, known) or (bool(before) and may_be_place(last))


def _may_end(row: Format, member: str, known: Sources) -> bool:
    """Whether the start of the last member of a list may become a key, or has a place."""
    if any(known.may_begin(member, lookup, base=row.base) for lookup in row.lookup):
        return True
    return any(
        may_be_place(member[at:]) and _names(row, member[:at].rstrip(), known)
        for at in range(max(len(member) - 90, 1), len(member) + 1)
        if at == len(member) or member[at] in "#:,; ("
    )


def _is_member(row: Format, key: str, known: Sources) -> bool:
    split = split_place(key)
    return (
        _names(row, key, known)
        or is_place(key) is not None
        or (split is not None and _names(row, split[0], known))
    )


def names_source(row: Format, keys: Iterable[Key], known: Sources) -> bool:
    """Whether one of the keys names a source."""
    return any(_names(row, key.name, known) for key in keys)


def _names(row: Format, key: str, known: Sources) -> bool:
    return any(known.find(key, lookup, base=row.base) for lookup in row.lookup) or (
        bool(known.lenient)
        and any(known.near(key, lookup, base=row.base) for lookup in row.lookup)
    )


def _too_long(row: Format, keys: Iterable[Key]) -> bool:
    return "url" not in row.lookup and any(len(key.name) > MAX_KEY for key in keys)


def _read_text(row: Format, whole: str, known: Sources | None) -> Iterable[Key]:
    """Return the one key that a text is, or the members of a list."""
    if row.keys == "one" or (known is not None and _names(row, whole, known)):
        return (Key(whole),)
    separator = _OR_AND if row.tier == "candidate" else _SEPARATOR
    members = separator.split(whole)
    if len(members) == 1:
        return _spelled(row, whole, known)
    return _members(row, members, known)


def _members(row: Format, members: list[str], known: Sources | None) -> Iterator[Key]:
    """Return the keys of a list, in which tags may be repeated and places follow."""
    last: Key | None = None
    for member in members:
        text = (_TAG.sub("", member, count=1) if row.tier != "candidate" else member).strip()
        found = is_place(text) if last is not None and known is not None else None
        if last is not None and found is not None and not (known and _names(row, text, known)):
            last = last._replace(locations=(*last.locations, found))
            continue
        if last is not None:
            yield last
        *before, last = _spelled(row, text, known) if text else (last,)
        yield from (key for key in before if key is not None)
    if last is not None:
        yield last


def _spelled(row: Format, text: str, known: Sources | None) -> tuple[Key, ...]:
    """Return a key, without the place at its end if only then it names a source; or a range."""
    if known is None or _names(row, text, known):
        return (Key(text),)
    split = split_place(text)
    if split is not None and _names(row, split[0], known):
        return (Key(split[0], (split[1],)),)
    ends = _RANGE.fullmatch(text.translate(ASCII_DIGITS)) if "label" in row.lookup else None
    if ends is not None and row.base is not None:
        labels = _labels(row, int(ends[1]), int(ends[2]), known)
        if labels:
            return tuple(Key(label) for label in labels)
    return (Key(text),)


def _numbers(
    row: Format, written: str, known: Sources | None, *, late: bool
) -> tuple[str, ...]:
    keys: list[str] = []
    for member in _number_members(written):
        first, dash, last = (part.strip() for part in member.partition("-"))
        if not (_NUMBER.fullmatch(first) and (not dash or _NUMBER.fullmatch(last))):
            return ()  # a row of the user's may let other text through
        if not dash:
            keys.append(first)
            continue
        spelled = _spell(row, int(first), int(last), known, late=late)
        if spelled is None:
            return ()
        keys.extend(spelled or [f"{first}-{last}"])
    if len(keys) > MAX_KEYS or ("id" not in row.lookup and _is_prose(row, keys, known)):
        return ()
    return tuple(keys)


def _number_members(written: str) -> list[str]:
    """Return the numbers and ranges of a list, without the words before them."""
    if _BARE.fullmatch(written):
        return _SEPARATOR.split(written.strip())
    return [
        _WORD_BEFORE.sub("", member.strip(), count=1).rstrip("]")
        for member in _BETWEEN.split(written.strip(" []"))
    ]


def _spell(
    row: Format, first: int, last: int, known: Sources | None, *, late: bool
) -> list[str] | None:
    """Return the labels from first to last; [] if they are unknown; None if it is no range."""
    if last < first:
        return None
    if known is not None and (labels := _labels(row, first, last, known)):
        return labels
    if first in YEARS and last in YEARS:
        return None
    if known is None or late:
        return None if last - first >= MAX_KEYS else [str(n) for n in range(first, last + 1)]
    return []


def _labels(row: Format, first: int, last: int, known: Sources) -> list[str]:
    """Return the labels from first to last if both are labels, in one base or the other."""
    labels = known.numbers_between(first, last, base=row.base)
    if labels and labels[0] == first and labels[-1] == last:
        return [str(label) for label in labels]
    return []


def _is_prose(row: Format, keys: list[str], known: Sources | None) -> bool:
    """Whether numbers in brackets are rather a year or an interval: ``[2024]``, ``[0, 1]``.

    Ranges are markers only if both of their ends are labels.
    """
    unknown = [
        key for key in keys if known is None or not known.find(key, "label", base=row.base)
    ]
    if len(unknown) == len(keys) and all(key.isdecimal() and int(key) in YEARS for key in keys):
        return True
    if all("-" in key for key in keys):
        return True
    return len(keys) > 1 and any(key.strip("0") == "" for key in unknown)
