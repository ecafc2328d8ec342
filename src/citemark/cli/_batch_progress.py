"""How far a run over files is: a bar in a terminal, else a line now and then; on stderr."""

from __future__ import annotations

import contextlib
import sys
import time
from typing import TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from citemark.batch.run import Tally

__all__ = ["progress", "said"]

EVERY: Final = 10.0
"""Seconds between two lines."""


@contextlib.contextmanager
def progress() -> Iterator[Callable[[Tally], None]]:
    """Give a function that is told how far the run is."""
    if not sys.stderr.isatty():
        yield _Lines()
        return
    bar = _Bar()
    try:
        yield bar
    finally:
        bar.close()


class _Lines:
    """A line now and then."""

    def __init__(self) -> None:
        self._start = self._last = time.monotonic()

    def __call__(self, tally: Tally) -> None:
        now = time.monotonic()
        if now - self._last >= EVERY:
            self._last = now
            share = f"{tally.taken / tally.size:.0%}, " if tally.size else ""
            rate = tally.rows / (now - self._start)
            line = f"{share}{tally.rows:,} rows, {rate:,.0f} a second, {tally.errors:,} failed"
            click.echo(line, err=True)


class _Bar:
    """A bar of the input's bytes: they are known before the rows are."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._bar: Any = None
        self._taken = 0

    def __call__(self, tally: Tally) -> None:
        if self._bar is None:
            self._bar = click.progressbar(
                length=tally.size or 0,
                label="Batch",
                file=sys.stderr,
                show_eta=tally.size is not None,
                show_percent=tally.size is not None,
                item_show_func=lambda shown: shown,
            )
            self._bar.__enter__()
        rate = tally.rows / max(time.monotonic() - self._start, 0.001)
        shown = f"{tally.rows:,} rows, {rate:,.0f}/s, {tally.errors:,} failed"
        self._bar.update(max(tally.taken - self._taken, 0), shown)
        self._taken = tally.taken

    def close(self) -> None:
        if self._bar is not None:
            self._bar.__exit__(None, None, None)


def said(tally: Tally, seconds: float) -> str:
    """Return what was done, in one line."""
    rate = tally.rows / seconds if seconds else 0.0
    parts = [f"{tally.rows:,} rows in {seconds:,.1f} s ({rate:,.0f} a second)"]
    if tally.kept:
        parts.append(f"{tally.kept:,} were there already")
    if tally.nulls:
        parts.append(f"{tally.nulls:,} without an answer")
    failed = tally.errors + tally.kept_errors
    if failed:
        parts.append(f"{failed:,} failed")
    return ", ".join(parts)
