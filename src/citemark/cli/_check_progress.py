"""How far a long run is, on stderr: a bar in a terminal, else a line now and then."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Final

import click

from citemark.cli._io import is_terminal
from citemark.errors import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["EVERY", "progress"]

EVERY: Final = 1_000
"""Rows between two lines."""


@contextlib.contextmanager
def progress(size: int | None, *, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Give a function that is told how many bytes of a row are done.

    Args:
        size: Bytes in all, if known.
        quiet: Whether rows are seen as they come: then a bar would stand between them.
    """
    if quiet:
        yield lambda _: None
    elif size and is_terminal(sys.stderr):
        with click.progressbar(length=size, label="Checking", file=sys.stderr) as bar:
            yield bar.update
    else:
        yield _counter()


def _counter() -> Callable[[int], None]:
    rows = 0

    def advance(_: int) -> None:
        nonlocal rows
        rows += 1
        if rows % EVERY == 0:
            click.echo(f"{counted(rows, 'row')} checked", err=True)

    return advance
