"""How far a long run is: a bar in a terminal, else a line now and then; on stderr."""

from __future__ import annotations

import contextlib
import sys
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

import click

from citemark.cli._io import is_terminal
from citemark.errors import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from citemark.batch.run import Tally

__all__ = ["Far", "interruptible", "progress", "said"]

EVERY: Final = 10.0
"""Seconds between two lines."""


class Far(NamedTuple):
    """How far a run is."""

    done: int
    """Of ``size``."""

    size: int | None
    """All that there is to do; None if that is not known."""

    rows: int
    errors: int
    what: str = "row"
    """What ``rows`` counts."""

    note: str = ""
    """What else is to be said."""


def _far_of_files(tally: Tally) -> Far:
    """Return how far the bytes of the input are read: they are known before the rows are."""
    return Far(tally.taken, tally.size, tally.rows, tally.errors)


@contextlib.contextmanager
def progress(far_of: Callable[[Any], Far] = _far_of_files) -> Iterator[Callable[[Any], None]]:
    """Give a function that is told how far the run is.

    Args:
        far_of: What reads that from what the function is told.
    """
    shown = _Bar() if is_terminal(sys.stderr) else _Lines()
    try:
        yield lambda tally: shown.show(far_of(tally))
    finally:
        shown.close()


class _Lines:
    """A line now and then."""

    def __init__(self) -> None:
        self._start = self._last = time.monotonic()

    def show(self, far: Far) -> None:
        now = time.monotonic()
        if now - self._last >= EVERY:
            self._last = now
            share = f"{far.done / far.size:.0%}, " if far.size else ""
            rate = f"{far.rows / (now - self._start):,.0f} a second"
            done = f"{share}{counted(far.rows, far.what)}, {rate}"
            click.echo(f"{done}, {far.errors:,} failed{far.note}", err=True)

    def close(self) -> None:
        pass


class _Bar:
    """A bar, with the time that is left if the size is known."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._bar: Any = None
        self._done = 0

    def show(self, far: Far) -> None:
        if self._bar is None:
            self._bar = click.progressbar(
                length=far.size or 0,
                label="Batch",
                file=sys.stderr,
                show_eta=far.size is not None,
                show_percent=far.size is not None,
                item_show_func=lambda shown: shown,
            )
            self._bar.__enter__()
        rate = far.rows / max(time.monotonic() - self._start, 0.001)
        done = f"{counted(far.rows, far.what)}, {rate:,.0f}/s"
        shown = f"{done}, {far.errors:,} failed{far.note}"
        self._bar.update(max(far.done - self._done, 0), shown)
        self._done = far.done

    def close(self) -> None:
        if self._bar is not None:
            self._bar.__exit__(None, None, None)


@contextlib.contextmanager
def interruptible(kept: Callable[[], str]) -> Iterator[None]:
    """Say in a line what is left if the run is interrupted.

    Args:
        kept: What says it.
    """
    try:
        yield
    except KeyboardInterrupt:
        click.echo(f"interrupted; {kept()}", err=True)
        raise


class _Counts(Protocol):
    """What all runs count."""

    rows: int
    kept: int
    nulls: int
    errors: int
    kept_errors: int


def said(tally: _Counts, seconds: float, more: Iterable[tuple[int, str, str]] = ()) -> str:
    """Return what was done, in one line: first by this run, then by earlier ones.

    Args:
        tally: What was counted.
        seconds: How long it took.
        more: Further counts, each with the words behind 1, and those behind other numbers if
            they are others; counts of 0 are not said.
    """
    rate = tally.rows / seconds if seconds else 0.0
    counts = [
        (tally.nulls, "without an answer", ""),
        (tally.errors, "failed", ""),
        *more,
        (tally.kept, "was there already", "were there already"),
        (tally.kept_errors, "had failed before", ""),
    ]
    parts = [f"{counted(tally.rows, 'row')} in {seconds:,.1f} s ({rate:,.0f} a second)"]
    parts += [counted(number, one, many or one) for number, one, many in counts if number]
    return ", ".join(parts)
