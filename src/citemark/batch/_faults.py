"""What keeps a run from going on, told apart."""

from __future__ import annotations

import errno
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from citemark._addresses import is_address, scheme_of, shown_address
from citemark.errors import CitemarkError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["BatchFileError", "Fault", "reading", "refuse_address", "writing"]

Fault: TypeAlias = Literal[
    "missing",
    "unreadable",
    "unwritable",
    "format",
    "truncated",
    "changed",
    "full",
    "read-only",
    "locked",
    "exists",
]

FULL: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
REFUSED: Final = {errno.EACCES, errno.EPERM, errno.EROFS}


class BatchFileError(CitemarkError, OSError):
    """A file that a run cannot read or write, or must not.

    ``fault`` is ``"missing"``; ``"unreadable"``, ``"unwritable"``: what the system says is in
    ``reason``; ``"format"``: it is none that can be read;
    ``"truncated"``: its end is missing; ``"changed"``: it, or how it is read, is not as before;
    ``"full"``: the disk, or what it allows; ``"read-only"``; ``"locked"``: another run writes
    there; ``"exists"``: it would be written over.
    """

    def __init__(self, path: str, fault: Fault, reason: str) -> None:
        """Keep which file, what kind of fault it is, and what can be said of it."""
        if is_address(path):  # which may hold a password
            path = shown_address(path)
        super().__init__(f"{path}: {reason}")
        self.path, self.fault, self.reason = path, fault, reason

    def __str__(self) -> str:
        """Return the message: an ``OSError`` would show a number with it."""
        return str(self.args[0])


def refuse_address(name: str) -> None:
    """Refuse an address where a file or folder is named: it would be taken for a path.

    Raises:
        BatchFileError: It is one.
    """
    if is_address(name):
        reason = f"is an address ({scheme_of(name)}:), and no file; see citemark.batch.sql"
        raise BatchFileError(name, "format", f"{reason} for databases")


@contextmanager
def reading(path: str) -> Iterator[None]:
    """Tell apart why a file cannot be read.

    Raises:
        BatchFileError: It cannot.
    """
    try:
        yield
    except BatchFileError:
        raise
    except FileNotFoundError:
        raise BatchFileError(path, "missing", "no such file") from None
    except EOFError:
        reason = "ends in the middle of its compressed data; it was cut off"
        raise BatchFileError(path, "truncated", reason) from None
    except OSError as error:
        reason = f"cannot be read: {error.strerror or error}"
        raise BatchFileError(path, "unreadable", reason) from None


@contextmanager
def writing(path: str) -> Iterator[None]:
    """Tell apart why a file cannot be written.

    Raises:
        BatchFileError: It cannot.
    """
    try:
        yield
    except (BatchFileError, BrokenPipeError):
        raise
    except OSError as error:
        said = error.strerror or str(error)
        if error.errno in FULL:
            raise BatchFileError(path, "full", f"cannot be written: {said}") from None
        if error.errno in REFUSED:
            raise BatchFileError(path, "read-only", f"cannot be written: {said}") from None
        raise BatchFileError(path, "unwritable", f"cannot be written: {said}") from None
