"""``citemark batch sqlite:///FILE`` and ``postgresql://...``: answers in a table."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

import click

from citemark.cli._batch_hint import hint_of_columns
from citemark.cli._batch_options import read_options, read_table
from citemark.cli._batch_progress import Far, interruptible, progress, said
from citemark.cli._batch_sql_options import read_names
from citemark.cli._io import BadInputError, as_json, printable, write_text
from citemark.errors import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from citemark.batch.sql import SqlDryRun, SqlRun, SqlTally
    from citemark.batch.stats import Stats
    from citemark.model import Source

__all__ = ["count_table", "is_table", "run_table"]

WHY: Final = {
    "new": "new",
    "content": "changed, or their sources",
    "options": "made with other options",
    "sources": "made with other --sources",
    "schema": "made with an older schema",
    "error": "failed before",
}
"""What is said of answers whose rows are made."""


def is_table(name: str) -> bool:
    """Whether an input is the URL of a database."""
    return name.startswith(("sqlite:", "postgresql:", "postgres:"))


def run_table(url: str, given: dict[str, Any]) -> int:
    """Make rows of the answers in a database; return how many failed.

    Raises:
        SqlError: The database or its tables cannot be used.
        UsageError: An option is for files.
    """
    _refuse_files_options(given)
    run = _run(url, given)
    if given["explain"] is not None:
        _explain(run, given["explain"])
        return 0
    if given["dry_run"]:
        with progress(_far) as run.report:
            found = run.dry_run()
        write_text("\n".join(_plan(found, run)))
        return 0
    return _go(run, given)


def _run(url: str, given: dict[str, Any]) -> SqlRun:
    from citemark.batch.sql import SqlRun
    from citemark.batch.where import read_where

    return SqlRun(
        url,
        read_options(given),
        read_names(given),
        read_table(given["sources"]),
        where=[read_where(text) for text in given["where"]],
        limit=given["limit"],
        workers=given["workers"],
        resume=given["resume"],
        retry_errors=given["retry_errors"],
    )


def count_table(
    outputs: Sequence[str], tables: Mapping[str, Any], known: Iterable[Source]
) -> Stats:
    """Return the figures of a side table.

    Args:
        outputs: The URL of the database.
        tables: What ``table_options`` say.
        known: Sources that could be cited.

    Raises:
        SqlError: The database or the table cannot be used.
        UsageError: There are other outputs.
    """
    from citemark.batch.sql import SqlNames
    from citemark.batch.sql.outputs import stats_of_table

    if len(outputs) > 1:
        raise click.UsageError("a database is the only OUT")
    names = SqlNames(tables["table"], into=tables["into"])
    with progress(_far) as report:
        return stats_of_table(outputs[0], names, given=known, report=report)


def _refuse_files_options(given: dict[str, Any]) -> None:
    for name in ("output", "overwrite"):
        if given[name]:
            reason = f"--{name} is for files; what is made of a table stands in one beside it"
            raise click.UsageError(reason)


def _go(run: SqlRun, given: Mapping[str, Any]) -> int:
    start = time.monotonic()
    run.begin = _say_resumed
    with interruptible(lambda: _kept(run)), progress(_far) as run.report:
        tally = run.go()
    more = (
        (tally.left_out, "left out by --where", ""),
        (tally.again, "was looked at again", "were looked at again"),
        (tally.without_id, "without an id was left out", "without an id were left out"),
        (tally.deleted, "of an answer that is gone", "of answers that are gone"),
    )
    click.echo(said(tally, time.monotonic() - start, more), err=True)
    if further := hint_of_columns(run, tally, given):
        click.echo(printable(further), err=True)
    failed = tally.errors + tally.kept_errors
    if failed:
        click.echo(printable(f"Rows that failed are shown by: {run.failed_rows()};"), err=True)
        click.echo("--retry-errors makes them again.", err=True)
    return failed


def _say_resumed(tally: SqlTally) -> None:
    if tally.goes_on:
        left = counted(tally.total, "answer is", "answers are")
        click.echo(f"resume: about {left} left", err=True)


def _kept(run: SqlRun) -> str:
    """Say what is there after a run was interrupted: pages of ranges that it had begun too."""
    from citemark.batch.sql import SqlError

    try:
        made = counted(run.state().made, "row is", "rows are")
    except SqlError:
        made = "pages that were written are"
    return f"{made} kept, --resume goes on"


def _far(tally: SqlTally) -> Far:
    note = ", waiting for another run" if tally.waiting else ""
    return Far(tally.done, tally.total, tally.done, tally.errors, "answer", note)


def _plan(found: SqlDryRun, run: SqlRun) -> list[str]:
    """Return what would be done, a fact in a line."""
    why = ", ".join(f"{count:,} {WHY[name]}" for name, count in found.why.items())
    failed = f", {found.kept_errors:,} with an error" if found.kept_errors else ""
    state, makes = found.state, " and ".join(found.makes)
    goes_on = "goes on there" if run.resume else "looks at all anew; --resume goes on"
    ranges = f"{counted(state.unfinished, 'range')} of an earlier run; this one {goes_on}"
    lines = {
        f"{counted(state.answers, 'answer')}, {counted(state.made, 'row')} made so far": True,
        f"would be made: {counted(found.rows, 'row')} ({why})": found.rows,
        "would be made: nothing": not found.rows,
        f"would stay: {counted(found.kept, 'row')}{failed}": found.kept,
        f"left out by --where: {counted(found.left_out, 'answer')}": found.left_out,
        f"left out for want of an id: {counted(found.without_id, 'answer')}": found.without_id,
        f"unfinished: {ranges}": state.unfinished,
        f"{'table' if len(found.makes) == 1 else 'tables'} that would be made: {makes}": makes,
    }
    return [printable(line) for line, is_said in lines.items() if is_said]


def _explain(run: SqlRun, id_: str) -> None:
    from citemark.errors import shortened

    found = run.explain(id_)
    if found is None:
        raise BadInputError("--explain", f"no answer has the id {shortened(id_)!r}")
    write_text(as_json(found))
