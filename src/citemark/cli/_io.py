"""How the commands read, write, show and complain.

Files are bytes here: no newline is translated, so that offsets are those of the file, and the
encoding is UTF-8 whatever the locale says.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, NoReturn, TextIO
from unicodedata import east_asian_width

import click

from citemark.errors import CitemarkError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = [
    "STDIO",
    "BadInputError",
    "as_json",
    "caller_mistakes",
    "forget_stdout",
    "is_terminal",
    "opened_stdin",
    "printable",
    "read_text",
    "same_file",
    "table",
    "utf_8",
    "write_text",
]

STDIO: Final = "-"
"""Stands for stdin where a file is read, for stdout where one is written."""

UTF_16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
"""How files start that PowerShell and some editors write."""


class BadInputError(click.ClickException):
    """Input that cannot be used: one line on stderr, exit code 2."""

    exit_code = 2

    def __init__(self, where: str, reason: str) -> None:
        """Keep what is wrong, and where: a file name, perhaps with a place in it."""
        super().__init__(printable(f"{where}: {reason}"))


def read_text(name: str) -> str:
    """Return the text of a file, or of stdin for ``-``; without byte order mark.

    Raises:
        BadInputError: It cannot be read, or is not UTF-8.
    """
    data = _read_bytes(name)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        _refuse_encoding(_shown(name), data, error)


def _read_bytes(name: str) -> bytes:
    try:
        if name == STDIO:
            return opened_stdin().read()
        return Path(name).read_bytes()
    except FileNotFoundError:
        raise BadInputError(name, "no such file; check the path, or give - for stdin") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise BadInputError(_shown(name), f"cannot be read: {_why(error)}") from None


def _refuse_encoding(where: str, data: bytes, error: UnicodeDecodeError) -> NoReturn:
    if data.startswith(UTF_16_MARKS):
        raise BadInputError(where, "is UTF-16; save it as UTF-8") from None
    line = data.count(b"\n", 0, error.start) + 1
    reason = f"is not UTF-8 (byte 0x{data[error.start]:02x} in line {line}); save it as UTF-8"
    raise BadInputError(where, reason) from None


def write_text(text: str, name: str = STDIO) -> None:
    """Write a text as UTF-8 to a file, or to stdout for ``-``, with a newline at its end.

    Raises:
        BadInputError: It cannot be written.
        BrokenPipeError: Nobody reads stdout any more.
    """
    data = utf_8(text if text.endswith("\n") else text + "\n")
    try:
        if name == STDIO:
            stream = _opened(sys.stdout, "stdout").buffer
            stream.write(data)
            stream.flush()
        else:
            Path(name).write_bytes(data)
    except BrokenPipeError:
        forget_stdout()
        raise
    except (OSError, ValueError) as error:
        if name == STDIO:
            forget_stdout()
        where = "stdout" if name == STDIO else name
        raise BadInputError(where, f"cannot be written: {_why(error)}") from None


def forget_stdout() -> None:
    """Keep the interpreter from writing again, when it ends, what could not be written."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def opened_stdin() -> BinaryIO:
    """Return the bytes of stdin.

    Raises:
        BadInputError: The shell closed it.
    """
    return _opened(sys.stdin, "stdin").buffer


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person sees what is written to stdout or stderr; None is a closed one."""
    return stream is not None and stream.isatty()


def same_file(one: str | Path, other: str | Path) -> bool:
    """Whether two names are of one file, by links of any kind too; it need not be there."""
    try:
        return Path(one).samefile(other)
    except (OSError, ValueError):
        return os.path.realpath(one) == os.path.realpath(other)


def _opened(stream: TextIO | None, name: str) -> TextIO:
    if stream is None:  # the shell closed it: ``<&-``
        raise BadInputError(name, "is closed")
    return stream


def utf_8(text: str) -> bytes:
    """Encode a text: surrogate halves are joined, and shown as U+FFFD if they are alone."""
    utf_16 = text.encode("utf-16-le", "surrogatepass")
    return utf_16.decode("utf-16-le", "replace").encode("utf-8")


def printable(text: str) -> str:
    r"""Return a text in one line, safe for a terminal: what does not print is escaped.

    >>> printable("a\n\x1b[31m")
    'a\\n\\x1b[31m'
    """
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in text
    )


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return aligned columns, two spaces apart, below a line of heads."""
    cells = [tuple(head), *(tuple(printable(str(cell)) for cell in row) for row in rows)]
    widths = [max(map(_width, column)) for column in zip(*cells, strict=True)]
    lines = (
        "  ".join(
            cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in cells
    )
    return "\n".join(lines)


def _width(text: str) -> int:
    """Return the columns that a text takes in a terminal: ``【`` takes two."""
    return len(text) + sum(map("WF".count, map(east_asian_width, text)))


def as_json(value: object) -> str:
    """Return JSON for people and programs: indented, letters of all scripts as they are."""
    return json.dumps(value, ensure_ascii=False, indent=2, default=_plain)


def _plain(value: object) -> object:
    return sorted(map(str, value)) if isinstance(value, set | frozenset) else str(value)


@contextlib.contextmanager
def caller_mistakes(where: str) -> Iterator[None]:
    """Report an exception of citemark as bad input."""
    try:
        yield
    except CitemarkError as error:
        raise BadInputError(where, str(error)) from None


def _shown(name: str) -> str:
    return "stdin" if name == STDIO else name


def _why(error: Exception) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error)
