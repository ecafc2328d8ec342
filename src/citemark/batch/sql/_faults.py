"""What keeps a run over a database from going on, told apart; no message holds a password."""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias
from urllib.parse import parse_qsl, unquote

from citemark.errors import CitemarkError

__all__ = ["RowRefusedError", "SqlError", "SqlFault", "hidden", "shown_url"]

SqlFault: TypeAlias = Literal[
    "url",
    "driver",
    "unreachable",
    "stopped",
    "refused",
    "missing",
    "names",
    "keys",
    "read-only",
    "full",
    "locked",
    "format",
    "failed",
]

SECRETS: Final = {"password", "sslpassword", "oauth_client_secret"}
"""Parameters of a URL that are not shown."""

_USER: Final = re.compile(
    r"^(?P<scheme>[^:/]*://)(?P<user>[^:]*)(:(?P<password>.*))?@", re.DOTALL
)


class SqlError(CitemarkError, OSError):
    """A database that a run cannot read or write, or must not.

    ``fault`` is ``"url"``: it cannot be read; ``"driver"``: a library is not installed;
    ``"unreachable"``: there is no connection; ``"stopped"``: it was lost; ``"refused"``: the
    user may not; ``"missing"``: a table, a column or the file; ``"names"``: they cannot be
    used; ``"keys"``: ids that are not unique, or no text; ``"read-only"``; ``"full"``: the
    disk; ``"locked"``: another process holds the file; ``"format"``: it is no database;
    ``"failed"``: anything else, in the database's own words.
    """

    def __init__(self, url: str, fault: SqlFault, reason: str) -> None:
        """Keep where, what kind of fault it is, and what can be said of it."""
        shown, reason = shown_url(url), hidden(reason, url)
        super().__init__(f"{shown}: {reason}")
        self.url, self.fault, self.reason = shown, fault, reason

    def __str__(self) -> str:
        """Return the message: an ``OSError`` would show a number with it."""
        return str(self.args[0])


class RowRefusedError(CitemarkError, ValueError):
    """A value that the database does not take; others it may."""


def shown_url(url: str) -> str:
    """Return a URL without password and parameters.

    >>> shown_url("postgresql://ann:p@ss@db.example.org/chat?sslmode=require")
    'postgresql://ann@db.example.org/chat'
    """
    if url.startswith("sqlite:"):
        return url
    bare = _USER.sub(lambda found: f"{found['scheme']}{found['user']}@", url)
    return bare.partition("?")[0]


def hidden(text: str, url: str) -> str:
    """Return a text without the secrets of a URL, as they stand there or decoded."""
    found = _USER.match(url)
    secrets = [found["password"]] if found and found["password"] else []
    query = url.partition("?")[2]
    secrets += [value for name, value in parse_qsl(query) if name in SECRETS]
    for secret in sorted({*secrets, *map(unquote, secrets)}, key=len, reverse=True):
        text = text.replace(secret, "***")
    return text
