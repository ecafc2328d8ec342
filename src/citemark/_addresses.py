"""Addresses of databases, where names of files may stand too: told apart, and shown safely.

What holds ``://`` is no name of a file: a path would be made of its password.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import unquote_plus

from citemark._lazy import lazy_re

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "DATABASES",
    "hidden",
    "is_address",
    "scheme_of",
    "secrets_of",
    "shown_address",
    "without",
]

DATABASES: Final = ("sqlite", "postgresql", "postgres")
"""Schemes that are read."""

HIDDEN: Final = "***"

MIN_PIECE: Final = 3
"""Characters of a secret, or a piece of one, that is hidden wherever it stands: messages are
full of shorter ones."""

_LONE_COLON: Final = lazy_re(r"(?i)\s*(?:sqlite|postgres(?:ql)?)(?:\+\w{1,40})?:")
"""How an address begins whose slashes were forgotten."""

_HOSTS: Final = lazy_re(
    r"(?:\[[0-9A-Fa-f:.%]*\]|[^\[\]:,@]*)(?::[0-9]*)?"
    r"(?:,(?:\[[0-9A-Fa-f:.%]*\]|[^\[\]:,@]*)(?::[0-9]*)?)*"
)
"""Hosts, each perhaps with a port: a word behind the colon is a password without its host."""

_USER: Final = lazy_re(r"[\w.%+-]+")
_SCHEME: Final = lazy_re(r"\s*[A-Za-z][A-Za-z0-9+.-]{0,40}")
_CUTS: Final = lazy_re(r"[@/?:#&]")
_SECRET_SIGNS: Final = lazy_re(r"[@:=]")
"""What stands before a colon is more than a scheme, or a part of a path."""

_PASSWORD: Final = lazy_re(r"(?i)\bpassword\s*=\s*'?([^&\s']+)")
"""A password in what is no address, as libpq reads it too."""

_PARAMETER: Final = lazy_re(r"(?i)(?:pass|pwd|secret|token|key|sig)\w*\s*=\s*([^&\s]+)")


def is_address(name: str) -> bool:
    """Whether what is given as a file is an address: one of a database, or any other.

    >>> is_address("mysql://host/chat"), is_address("SQLite:chat.db"), is_address("a:b.jsonl")
    (True, True, False)
    """
    return "://" in name or _LONE_COLON.match(name) is not None


def scheme_of(address: str) -> str:
    """Return what stands before the colon, in small letters; stars if that is no scheme."""
    scheme = _parts(address)[0]
    return scheme.strip().lower() if _SCHEME.fullmatch(scheme) else HIDDEN


def shown_address(address: str) -> str:
    """Return an address without password and parameters; in doubt, without more than that.

    >>> shown_address("postgresql://ann:p@ss@db.example.org/chat?sslmode=require")
    'postgresql://ann@db.example.org/chat'
    >>> shown_address("https://token@example.org/a?key=5"), shown_address("postgres://ann:word")
    ('https://***@example.org/a', 'postgres://***')
    """
    scheme, sign, rest = _parts(address)
    if scheme_of(address) == "sqlite" and (rest.startswith("/") or "@" not in rest):
        return address  # a file: it has no user
    scheme = scheme if _SCHEME.fullmatch(scheme) else HIDDEN
    place, _, parameters = rest.partition("?")
    info, at, host = place.rpartition("@")
    if "@" in parameters or not _HOSTS.fullmatch(host.partition("/")[0]):
        return f"{scheme}{sign}{HIDDEN}"
    return f"{scheme}{sign}{_user(scheme, info)}{at}{host}"


def secrets_of(text: str) -> list[str]:
    """Return what is not to be shown of an address, as it stands there and decoded."""
    named = _PARAMETER if is_address(text) else _PASSWORD
    found = [one[1] for one in named.finditer(text)]
    if is_address(text) and shown_address(text) != text:
        found += _secrets_of_parts(*_parts(text), shown_address(text))
    found += [piece for one in found for piece in _pieces(one)]
    return sorted({*found, *map(unquote_plus, found)} - {""}, key=len, reverse=True)


def _secrets_of_parts(scheme: str, _sign: str, rest: str, shown: str) -> list[str]:
    info, _, _ = (rest, "", "") if shown.endswith(HIDDEN) else rest.rpartition("@")
    user, _, password = info.partition(":")
    if not password:  # a key may stand for both
        password = user if _user(scheme, user) == HIDDEN else ""
    return [password, scheme if _SECRET_SIGNS.search(scheme) else ""]


def hidden(text: str, given: str) -> str:
    """Return a text with an address as it may be shown, and without its secrets elsewhere.

    The address stays readable, though its user or database is called as its password is.

    >>> hidden("no postgres://ann:ann@host/ann for ann", "postgres://ann:ann@host/ann")
    'no postgres://ann@host/ann for ***'
    """
    secrets = [secret for secret in secrets_of(given) if len(secret) >= MIN_PIECE]
    if not is_address(given):
        return without(secrets, text)
    shown = shown_address(given)
    parts = text.replace(given, shown).split(shown)
    return shown.join(without(secrets, part) for part in parts)


def without(secrets: Iterable[str], text: str) -> str:
    """Return a text with its secrets hidden, the longest first."""
    for secret in secrets:
        text = text.replace(secret, HIDDEN)
    return text


def _parts(address: str) -> tuple[str, str, str]:
    sign = "://" if "://" in address else ":"
    return address.partition(sign)


def _user(scheme: str, info: str) -> str:
    """Return the user of a database that is known; others may be keys, or whole secrets."""
    user = info.partition(":")[0]
    is_known = scheme.strip().lower() in DATABASES and _USER.fullmatch(user)
    return user if is_known or not info else HIDDEN


def _pieces(secret: str) -> list[str]:
    """Return the pieces of a secret that a library may take for a host, a port or a name."""
    return [piece for piece in _CUTS.split(secret) if len(piece) >= MIN_PIECE]
