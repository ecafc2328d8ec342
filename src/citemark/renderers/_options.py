"""Checks of options that several renderers have: a mistake of the caller is told at once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from string import Formatter
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from citemark.errors import RendererOptionError
from citemark.renderers._clean import clean

if TYPE_CHECKING:
    from collections.abc import Collection

    from citemark.renderers._shown import Repeats

__all__ = [
    "LinkPolicy",
    "checked_links",
    "checked_prefix",
    "checked_repeats",
    "checked_text",
    "checked_words",
    "require",
]

LinkPolicy: TypeAlias = "Literal['sources', 'safe'] | Collection[str]"
"""Which links of the answer stay links: those to its sources, all that are safe, or in addition
to those to its sources the ones to these hosts."""

_PREFIX: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")


def require(condition: object, name: str, expected: str) -> None:
    """Raise if a condition does not hold.

    Raises:
        RendererOptionError: It does not; the message names the option and what it expects.
    """
    if not condition:
        raise RendererOptionError(name, f"expected {expected}")


def checked_links(links: LinkPolicy) -> str | frozenset[str]:
    """Return the link policy: a word, or hosts in lower case."""
    expected = '"sources", "safe" or a collection of hosts'
    if isinstance(links, str):
        require(links in {"sources", "safe"}, "links", expected)
        return links
    require(isinstance(links, Iterable), "links", expected)
    hosts = list(links)
    require(all(isinstance(host, str) for host in hosts), "links", expected)
    return frozenset(map(str.lower, hosts))


def checked_prefix(prefix: str | None, name: str) -> str | None:
    """Return the start of ids or labels, which may be None."""
    fits = prefix is None or (isinstance(prefix, str) and _PREFIX.fullmatch(prefix))
    require(fits, name, "a letter, then at most 63 of A-Z a-z 0-9 _ -")
    return prefix


def checked_repeats(repeats: Repeats) -> Repeats:
    """Return how often a number is shown that directly follows itself."""
    require(repeats in ("once", "all"), "repeats", '"once" or "all"')
    return repeats


def checked_text(text: str, name: str) -> str:
    """Return a text that is shown, without what no output should hold."""
    require(isinstance(text, str), name, "a text")
    return clean(text)


def checked_words(words: Mapping[str, str], known: Mapping[str, str]) -> dict[str, str]:
    """Return the known words, translated where a translation is given.

    A pattern may hold the fields of the one it translates, by name alone: with an attribute or
    an index it could show what is no one's business.
    """
    require(isinstance(words, Mapping), "words", f"names among {', '.join(known)}")
    for name, pattern in words.items():
        require(name in known, "words", f"names among {', '.join(known)}, not {name!r}")
        require(isinstance(pattern, str), "words", f"a text for {name}")
        allowed = _fields(known[name], name)
        fits = _fields(pattern, name) <= allowed
        told = ", ".join(sorted(f"{{{field}}}" for field, _, _ in allowed)) or "no fields"
        require(fits, "words", f"{name} to have {told}: {pattern!r}")
    return {**known, **{name: clean(pattern) for name, pattern in words.items()}}


def _fields(pattern: str, name: str) -> set[tuple[str, str | None, str | None]]:
    """Return name, form and conversion of each field."""
    try:
        parts = [*Formatter().parse(pattern)]
    except ValueError as error:
        reason = f"{name}: {error} in {pattern!r}"
        raise RendererOptionError("words", reason) from error  # noqa: EM101  not a message
    return {
        (field, form, conversion) for _, field, form, conversion in parts if field is not None
    }
