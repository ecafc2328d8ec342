"""Where a report goes: to stdout or a file, a piece at a time."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

import click

from citemark.cli._io import STDIO, BadInputError, same_file, utf_8, write_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["opened", "refuse_overwriting"]


def refuse_overwriting(output: str, *inputs: str | None) -> None:
    """Refuse to write over what is read.

    Raises:
        UsageError: The output is one of the inputs.
    """
    if output == STDIO:
        return
    for name in inputs:
        if name is not None and name != STDIO and same_file(name, output):
            reason = f"-o {output} would write over {name}; name another file"
            raise click.UsageError(reason)


@contextlib.contextmanager
def opened(output: str) -> Iterator[Callable[[str], None]]:
    """Give a function that writes a text, with a newline at its end; "" writes nothing.

    Raises:
        BadInputError: It cannot be written.
    """
    if output == STDIO:
        yield lambda text: write_text(text) if text else None
        return
    try:
        with Path(output).open("wb") as file:

            def write(text: str) -> None:
                if text:
                    file.write(utf_8(text if text.endswith("\n") else f"{text}\n"))

            yield write
    except OSError as error:
        raise BadInputError(output, f"cannot be written: {error.strerror}") from None
