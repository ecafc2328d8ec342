"""``citemark rerender`` and ``citemark upgrade``: outputs of earlier runs."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any, Final

import click

from citemark.cli._batch import batch_mistakes, go
from citemark.cli._batch_hint import hint_of_raw, if_raw
from citemark.cli._batch_options import read_options
from citemark.cli._file_names import FILE, FileName
from citemark.cli._html import answer_options

if TYPE_CHECKING:
    from collections.abc import Callable

    from citemark.batch import BatchOptions

__all__ = ["rerender", "upgrade"]

RUN: Final = ("output", "workers", "resume", "overwrite")

AGAIN: Final = (
    "only files of rows are read again; citemark batch, with the options that are wanted, "
    "makes the rows of its table anew"
)
"""What to do with a database."""

_OPTIONS: Final = (
    click.option(
        "--output",
        "-o",
        metavar="NEW",
        type=FILE,
        required=True,
        help="File or folder; - is stdout.",
    ),
    click.option(
        "--workers",
        type=click.IntRange(0),
        metavar="N",
        help="Processes.  [default: one for each CPU; 0 works without any]",
    ),
    click.option("--resume", is_flag=True, help="Go on where a run ended."),
    click.option("--overwrite", is_flag=True, help="Replace what is there; not with --resume."),
)


def _run_options(command: Callable[..., object]) -> Callable[..., object]:
    return reduce(lambda made, option: option(made), reversed(_OPTIONS), command)


@click.command()
@click.argument("outputs", nargs=-1, metavar="OUT...", type=FileName(AGAIN), required=True)
@click.option(
    "--to",
    "-t",
    default="",
    metavar="NAMES",
    help="What to render: html, markdown, text, json, csv or installed ones, joined: "
    "html,json.  [default: what each row has]",
)
@answer_options
@_run_options
def rerender(outputs: tuple[str, ...], to: str, **given: Any) -> None:  # noqa: ANN401  of ``_OPTIONS``
    """Render the answers of OUT again, from what is stored, without their sources.

    OUT are files or folders that `citemark batch` wrote, of this version or an older one.  What
    is cited stays as it is, and so do rows with an error.  Exit code 3 says that rows failed
    now that had none.
    """
    from citemark.batch.history import rerender_row

    run = {name: given.pop(name) for name in RUN}
    _go(outputs, read_options({"to": to, **given}), rerender_row, run)


@click.command()
@click.argument("outputs", nargs=-1, metavar="OUT...", type=FileName(AGAIN), required=True)
@_run_options
def upgrade(outputs: tuple[str, ...], **given: Any) -> None:  # noqa: ANN401  of ``_OPTIONS``
    """Bring the rows of OUT to the columns of this version, with nothing made again.

    OUT are files or folders that `citemark batch` wrote, of this version or an older one.  Rows
    with an error stay as they are.  Exit code 3 says that rows failed now that had none.
    """
    from citemark.batch import BatchOptions
    from citemark.batch.history import upgrade_row

    _go(outputs, BatchOptions(), upgrade_row, given)


def _go(
    outputs: tuple[str, ...],
    options: BatchOptions,
    make: Callable[..., dict[str, Any]],
    given: dict[str, Any],
) -> None:
    from citemark.batch.run import Run

    with batch_mistakes(if_raw):
        run = Run(outputs, options=options, make=make, **given)
        go(run, lambda tally: hint_of_raw(run, tally))
