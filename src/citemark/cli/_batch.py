"""``citemark batch``: stored answers, as many as there are, in files or tables."""

from __future__ import annotations

import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from citemark.cli._batch_hint import hints, if_made, missed
from citemark.cli._batch_options import batch_options, read_options, read_table
from citemark.cli._batch_progress import interruptible, progress, said
from citemark.cli._batch_sql import is_table, run_table
from citemark.cli._batch_sql_options import refuse_sql_options, sql_options
from citemark.cli._file_names import FileName
from citemark.cli._io import STDIO, BadInputError, as_json, printable, write_text
from citemark.errors import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from citemark.batch.run import Run, Step, Tally

__all__ = ["SOME_FAILED", "batch", "batch_mistakes", "go"]

SOME_FAILED: Final = 3
"""Exit code if there are rows with an error."""


@click.command()
@click.argument("inputs", nargs=-1, metavar="IN...", type=FileName(or_database=True))
@batch_options
@sql_options
def batch(inputs: tuple[str, ...], **given: Any) -> None:  # noqa: ANN401  of ``batch_options``
    """Resolve, render and check the stored answers in IN.

    IN is a file or folder of JSON Lines or CSV, perhaps compressed (.gz, .zst), or of Parquet
    or Arrow IPC; - is stdin; or sqlite:///FILE or postgresql://USER@HOST/NAME.

    Each row has an id, an answer and its sources; each becomes a row in OUT.  Exit code 3 says
    that some rows failed: they are in OUT with an error, and a rejects file beside it holds
    them as they were.  Mend them there, and give that file as IN.
    """
    if not inputs:
        raise click.UsageError("name a file, a folder or - for stdin")
    if any(map(is_table, inputs)):
        _go_table(inputs, given)
        return
    refuse_sql_options()
    if given["sources"] == STDIO and STDIO in inputs:
        raise click.UsageError("only one of IN and --sources can be stdin")
    run = _run(inputs, given)
    with batch_mistakes(if_made):
        if given["explain"] is not None:
            _explain(run, given["explain"])
        elif given["output"] is None:
            raise click.MissingParameter(param_hint="'--output' / '-o'", param_type="option")
        elif given["dry_run"]:
            _say_steps(run.steps())
        else:
            go(run, lambda tally: hints(run, tally, given))


def _go_table(inputs: tuple[str, ...], given: dict[str, Any]) -> None:
    if len(inputs) > 1:
        raise click.UsageError("a database is the only IN")
    with batch_mistakes():
        failed = run_table(inputs[0], given)
    if failed:
        click.get_current_context().exit(SOME_FAILED)


def _run(inputs: tuple[str, ...], given: dict[str, Any]) -> Run:
    from citemark.batch.run import Run
    from citemark.batch.where import read_where

    with batch_mistakes():
        return Run(
            inputs,
            STDIO if given["output"] is None else given["output"],
            read_options(given),
            read_table(given["sources"]),
            where=[read_where(text) for text in given["where"]],
            limit=given["limit"],
            workers=given["workers"],
            resume=given["resume"],
            overwrite=given["overwrite"],
            more=[name for name in (given["sources"],) if name is not None],
        )


@contextmanager
def batch_mistakes(further: Callable[[str], str] = lambda path: "") -> Iterator[None]:  # noqa: ARG005
    """Report what keeps a run from going on: one line, exit code 2.

    Args:
        further: What else is to be said of a file that has not the form that is read.
    """
    from citemark.batch._faults import BatchFileError
    from citemark.batch.options import BatchOptionError
    from citemark.errors import CitemarkError

    try:
        yield
    except BatchOptionError as error:
        raise BadInputError(f"--{error.name.replace('_', '-')}", error.reason) from None
    except BatchFileError as error:
        more = further(error.path) if error.fault == "format" else ""
        where = "stdin" if error.path == STDIO else error.path
        raise BadInputError(where, "; ".join(filter(None, [error.reason, more]))) from None
    except CitemarkError as error:
        if said := getattr(error, "url", None):
            raise BadInputError(said, getattr(error, "reason", str(error))) from None
        where, _, reason = str(error).partition(": ")
        raise BadInputError(where, reason) from None
    except BrokenPipeError:
        raise
    except OSError as error:  # as of a name that is too long
        if not isinstance(error.filename, str):
            raise
        raise BadInputError(error.filename, f"cannot be used: {error.strerror}") from None


def go(run: Run, hint: Callable[[Tally], str] = lambda tally: "") -> None:  # noqa: ARG005
    """Make all outputs, and say how far it is, and in the end what was done.

    Args:
        run: What is to be done.
        hint: What is to be said after that; "" for nothing.
    """
    start = time.monotonic()
    run.begin = _say_resumed
    with interruptible(lambda: _kept(run)), progress() as run.report:
        tally = run.go()
    more = [
        (
            tally.failed_before,
            "had failed when it was made, and stays so",
            "had failed when they were made, and stay so",
        )
    ]
    click.echo(said(tally, time.monotonic() - start, more), err=True)
    if further := hint(tally):
        click.echo(further, err=True)
    if tally.errors or tally.kept_errors:
        _say_rejects(run, tally)
        click.get_current_context().exit(SOME_FAILED)


def _say_resumed(tally: Tally) -> None:
    for step in tally.steps:
        if step.action == "resume":
            after = f"resume after {counted(step.start.rows, 'row')}"
            click.echo(printable(f"{after}: {_names(step)}"), err=True)


def _names(step: Step) -> str:
    target = step.target
    source = "stdin" if target.input == STDIO else target.input
    return f"{source} -> {'stdout' if target.output == STDIO else target.output}"


def _kept(run: Run) -> str:
    """Say what is left of a run that was interrupted."""
    if run.output == STDIO:
        return "nothing is kept; with -o FILE a run can go on"
    if run.tally is None:
        return "no row had been made yet"
    made = counted(run.tally.kept + run.tally.saved, "row is", "rows are")
    return f"{made} kept, --resume goes on"


def _say_rejects(run: Run, tally: Tally) -> None:
    if run.output == STDIO:
        click.echo("With -o FILE, rows that fail are kept in a rejects file.", err=True)
        return
    places = [step.target.rejects for step in tally.steps if step.target.rejects.exists()]
    if not places:
        return
    named = ", ".join(map(str, places[:3]))
    more = f", and in {counted(len(places) - 3, 'more file')}" if places[3:] else ""
    click.echo(
        printable(f"Rows that failed are kept, as they were, in {named}{more}"), err=True
    )


def _say_steps(steps: list[Step]) -> None:
    lines = []
    for step in steps:
        size = "" if step.target.input == STDIO else f", {_bytes(step.target.input)}"
        done = f" after {counted(step.start.rows, 'row')}" if step.action == "resume" else ""
        why = f" ({step.reason})" if step.reason else ""
        lines.append(printable(f"{step.action}{done}{why}: {_names(step)}{size}"))
    write_text("\n".join(lines))


def _bytes(name: str) -> str:
    return counted(Path(name).stat().st_size, "byte")


def _explain(run: Run, id_: str) -> None:
    """Show the first row that has an id: what it was, and what becomes of it."""
    from citemark.batch.run import find_row
    from citemark.errors import shortened

    found = find_row(run, id_)
    if found is None:
        raise BadInputError("--explain", f"no row has the id {shortened(id_)!r}")
    for line in missed(run.where, [found["input"]]):
        click.echo(printable(line), err=True)
    is_wanted = all(one.takes(found["input"]) for one in run.where)
    place = {name: found.pop(name) for name in ("file", "line")}
    write_text(as_json(place | {"action": "make" if is_wanted else "leave out"} | found))
