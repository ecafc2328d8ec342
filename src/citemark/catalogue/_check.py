"""Whether a row can be used: what is wrong with it is said when it is first used."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, get_args

from citemark.catalogue._row import KeyForm, Note, Tier
from citemark.errors import FormatError
from citemark.sources import LOOKUPS

if TYPE_CHECKING:
    from citemark.catalogue._row import Format

__all__ = ["WORDS", "before_key", "check_row", "keyed", "up_to_key"]

WORDS: Final = "_words"
"""Ending of the group of words of a row, after the name of its key's group."""


def check_row(row: Format) -> None:
    """Check all that does not depend on other rows.

    Raises:
        FormatError: The row does not compile or does not match its example, has other groups
            than ``words`` and ``key``, or a field with an unknown value.
    """
    if not row.name.isidentifier():
        raise FormatError(row.name, "the name is not an identifier")
    if not row.opening:
        raise FormatError(row.name, "has no opening character")
    _check_values(row)
    compiled = _compiled(row)
    _check_groups(row, compiled)
    # Some look behind: at a word, or at anything but one.
    found = any(
        compiled.fullmatch(before + row.example, len(before) + 1) for before in ("", "word")
    )
    if row.example[:1] not in row.opening or not found:
        raise FormatError(row.name, f"its example {row.example!r} does not match")


def _check_values(row: Format) -> None:
    checks: list[tuple[str, object, tuple[object, ...]]] = [
        ("tier", row.tier, get_args(Tier)),
        ("base", row.base, (0, 1, None)),
        ("note", row.note, get_args(Note)),
        ("half", row.half, ("", "start", "end")),
        *(("lookup", lookup, LOOKUPS) for lookup in row.lookup),
    ]
    if not callable(row.keys):
        checks.append(("keys", row.keys, get_args(KeyForm)))
    for field, value, known in checks:
        if value not in known:
            expected = ", ".join(map(str, known))
            raise FormatError(row.name, f"{field} {value!r} is none of {expected}")


def _compiled(row: Format) -> re.Pattern[str]:
    try:
        for pattern in (row.pattern, row.shortcut):  # as they will stand among the others
            re.compile(f"x (?: {keyed(pattern, 'group')} )", re.VERBOSE)
        re.compile(f"x (?={row.guard})")
        return re.compile(row.pattern, re.VERBOSE)
    except re.error as error:
        raise FormatError(row.name, str(error)) from error


def _check_groups(row: Format, compiled: re.Pattern[str]) -> None:
    groups = tuple(sorted(compiled.groupindex))
    may_lack_key = (row.silent or callable(row.keys)) and not groups
    if not (may_lack_key or groups in (("key",), ("key", "words"))) or (
        compiled.groups != len(groups)
    ):
        raise FormatError(row.name, "its groups must be key, or words and key")


def keyed(pattern: str, group: str) -> str:
    """Return a pattern whose groups have names of their own among those of all rows."""
    return (
        pattern.replace("(?P<key>", f"(?P<{group}>").replace(
            "(?P<words>", f"(?P<{group}{WORDS}>"
        )
        + "\n"
    )  # which ends a comment


_PAREN: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()]", re.DOTALL)
"""What matters to count parentheses: escapes and classes are passed over."""


def before_key(pattern: str) -> str | None:
    """Return what comes before the key of a pattern; None if it has none."""
    before, has_key, _ = pattern.replace("(?P<words>", "(?:").partition("(?P<key>")
    return before if has_key else None


def up_to_key(pattern: str) -> str | None:
    """Return a pattern as far as the end of its key; None if it has none.

    >>> up_to_key(r"cite> (?P<key> [^()]+ ) </cite>")
    'cite> (?P<key> [^()]+ )'
    """
    start = pattern.find("(?P<key>")
    depth = 0
    for token in _PAREN.finditer(pattern, max(start, 0)):
        depth += {"(": 1, ")": -1}.get(token[0], 0)
        if depth == 0 and token[0] == ")":
            return pattern[: token.end()] if start >= 0 else None
    return None
