"""Checks of options that several renderers have: a mistake of the caller is told at once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from string import Formatter
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_args

from citemark.errors import RendererOptionError
from citemark.renderers._clean import clean
from citemark.renderers._urls import host_of
from citemark.renderers._words import LANGUAGES, words_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from jinja2 import BaseLoader

    from citemark.renderers._shown import Repeats

__all__ = [
    "LinkPolicy",
    "checked_choice",
    "checked_flag",
    "checked_id",
    "checked_level",
    "checked_links",
    "checked_loader",
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

_ID: Final = re.compile(r"[^\s\x00-\x1f\x7f]{1,200}")
"""What HTML lets an id be: two with a blank between them would be two elements."""


def require(condition: object, name: str, expected: str) -> None:
    """Raise if a condition does not hold.

    Raises:
        RendererOptionError: It does not; the message names the option and what it expects.
    """
    if not condition:
        raise RendererOptionError(name, f"expected {expected}")


def checked_choice(value: Any, name: str, choices: Any) -> Any:  # noqa: ANN401  a literal of the choices
    """Return a value that is one of the choices of a ``Literal``."""
    known = get_args(choices)
    if value not in known:
        *others, last = (f'"{choice}"' for choice in known)
        require(False, name, f"{', '.join(others)} or {last}")  # noqa: FBT003  the condition
    return value


def checked_flag(value: bool, name: str) -> bool:  # noqa: FBT001  checked, not obeyed
    """Return a truth value, which nothing else may stand for: "no" would mean yes."""
    require(isinstance(value, bool), name, "True or False")
    return value


def checked_id(value: str | None, name: str) -> str | None:
    """Return the id of an element of the page, which may be None."""
    fits = value is None or (isinstance(value, str) and _ID.fullmatch(value))
    require(fits, name, "an id: 1 to 200 characters and no blank")
    return value


def checked_level(value: int, name: str, allowed: range) -> int:
    """Return a whole number within a range."""
    fits = isinstance(value, int) and not isinstance(value, bool) and value in allowed
    if not fits:
        require(fits, name, f"{allowed[0]} to {allowed[-1]}")
    return value


def checked_loader(loader: BaseLoader | None, name: str) -> BaseLoader | None:
    """Return a loader of templates, which may be None."""
    if loader is not None:
        from jinja2 import BaseLoader  # noqa: PLC0415  60 ms, which few callers need

        require(isinstance(loader, BaseLoader), name, "a loader of Jinja templates")
    return loader


def checked_links(links: LinkPolicy) -> str | frozenset[str]:
    """Return the link policy: a word, or hosts in lower case.

    What is no host would match nothing, or links of no host, and nobody would notice.
    """
    expected = '"sources", "safe" or a collection of hosts, such as "docs.example.org"'
    if isinstance(links, str):
        require(links in {"sources", "safe"}, "links", expected)
        return links
    require(isinstance(links, Iterable), "links", expected)
    hosts = list(links)
    for host in hosts:
        is_host = isinstance(host, str) and host_of(f"https://{host}") == host.lower() != ""
        require(is_host, "links", f"{expected}, not {host!r}")
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


def checked_words(words: Mapping[str, str] | None, language: str) -> dict[str, str]:
    """Return the words of a language, with others in place of those that are given.

    A pattern may hold the fields of the one it replaces, by name alone: with an attribute or
    an index it could show what is no one's business.
    """
    known = words_of(language) if isinstance(language, str) else None
    if known is None:
        raise RendererOptionError("language", f"expected one of {', '.join(LANGUAGES)}")  # noqa: EM101  not a message
    if words is None:
        return dict(known)
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
