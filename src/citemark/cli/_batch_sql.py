"""``citemark batch sqlite:///FILE`` and ``postgresql://...``: answers in a table."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import click

from citemark.cli._batch_options import read_options, read_table
from citemark.cli._io import printable

if TYPE_CHECKING:
    from citemark.batch.sql import SqlNames, SqlTally

__all__ = ["is_table", "run_table"]

EVERY = 10.0
"""Seconds between two lines."""


def is_table(name: str) -> bool:
    """Whether an input is the URL of a database."""
    return name.startswith(("sqlite:", "postgresql:", "postgres:"))


def run_table(url: str, given: dict[str, Any]) -> int:
    """Make rows of the answers in a database; return how many failed.

    Raises:
        SqlError: The database or its tables cannot be used.
        UsageError: An option is for files.
    """
    from citemark.batch.sql import SqlRun
    from citemark.batch.where import read_where

    _refuse_files_options(given)
    run = SqlRun(
        url,
        read_options(given),
        _names(given),
        read_table(given["sources"]),
        where=[read_where(text) for text in given["where"]],
        limit=given["limit"],
        workers=given["workers"],
        resume=given["resume"],
        report=_Lines(),
    )
    if given["dry_run"]:
        state = run.state()
        click.echo(f"{state.answers:,} answers, {state.made:,} rows made of them")
        return 0
    start = time.monotonic()
    tally = run.go()
    click.echo(_said(tally, time.monotonic() - start), err=True)
    return tally.errors + tally.kept_errors


def _refuse_files_options(given: dict[str, Any]) -> None:
    for name in ("output", "overwrite", "explain"):
        if given[name]:
            reason = f"--{name} is for files; what is made of a table stands in one beside it"
            raise click.UsageError(reason)


def _names(given: dict[str, Any]) -> SqlNames:
    from citemark.batch.sql import SqlNames

    columns: dict[str, str | None] = {}
    key = "id"
    for text in given["column"]:
        name, sign, column = text.partition("=")
        if not sign:
            raise click.BadParameter(f"{text!r} is none of answer=body", param_hint="--column")
        if name == "id":
            key = column
        else:
            columns[name] = column or None
    return SqlNames(given["table"], key, columns, given["into"])


class _Lines:
    """A line now and then."""

    def __init__(self) -> None:
        self._start = self._last = time.monotonic()

    def __call__(self, tally: SqlTally) -> None:
        now = time.monotonic()
        if now - self._last >= EVERY:
            self._last = now
            done = tally.rows + tally.kept
            rate = done / (now - self._start)
            line = f"{done:,} of {tally.total:,} answers, {rate:,.0f} a second"
            click.echo(f"{line}, {tally.errors:,} failed", err=True)


def _said(tally: SqlTally, seconds: float) -> str:
    counts = {
        f"{tally.rows:,} rows in {seconds:,.1f} s": 1,
        f"{tally.kept:,} were there already": tally.kept,
        f"{tally.nulls:,} without an answer": tally.nulls,
        f"{tally.without_id:,} without an id were left out": tally.without_id,
        f"{tally.deleted:,} of answers that are gone": tally.deleted,
        f"{tally.errors + tally.kept_errors:,} failed": tally.errors + tally.kept_errors,
    }
    return printable(", ".join(text for text, count in counts.items() if count))
