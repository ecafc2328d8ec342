"""What keeps a run over a database from going on, told apart; no message holds a password."""

from __future__ import annotations

from typing import Literal, TypeAlias

from citemark._addresses import hidden, shown_address
from citemark.errors import CitemarkError

__all__ = ["RowRefusedError", "SqlError", "SqlFault", "hidden", "others_write", "shown_url"]

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


class SqlError(CitemarkError, OSError):
    """A database that a run cannot read or write, or must not.

    ``fault`` is ``"url"``: it cannot be read; ``"driver"``: a library is not installed;
    ``"unreachable"``: there is no connection; ``"stopped"``: it was lost; ``"refused"``: the
    user may not; ``"missing"``: a table, a column or the file; ``"names"``: they cannot be
    used; ``"keys"``: ids that are not unique, or no text; ``"read-only"``; ``"full"``: the
    disk; ``"locked"``: another process holds the file, or a run with other options writes into
    the table; ``"format"``: it is no database; ``"failed"``: anything else, in the database's
    own words.
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


def others_write(url: str, who: str = "") -> SqlError:
    """Return what is raised where a run of another kind writes.

    Args:
        url: Of the database.
        who: What is known of it.
    """
    more = f" ({who})" if who else ""
    reason = f"another run, with other options, is writing there{more}; wait for it to end"
    return SqlError(url, "locked", reason)


def shown_url(url: str) -> str:
    """Return a URL without password and parameters.

    >>> shown_url("postgresql://ann:p@ss@db.example.org/chat?sslmode=require")
    'postgresql://ann@db.example.org/chat'
    """
    return shown_address(url)
