"""``citemark stats``: figures over all rows of an output."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING, Any, Final

import click

from citemark.cli._batch import SOME_FAILED, batch_mistakes
from citemark.cli._batch_options import read_table
from citemark.cli._batch_progress import progress
from citemark.cli._batch_sql import count_table, is_table
from citemark.cli._batch_sql_options import refuse_sql_options, table_options
from citemark.cli._check_out import opened, refuse_overwriting
from citemark.cli._file_names import FILE, FileName
from citemark.cli._io import STDIO, as_json, is_terminal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citemark.batch.stats import Stats
    from citemark.model import Source

__all__ = ["stats"]

LARGE: Final = 32 << 20
"""Bytes from which on it pays to start processes."""


@click.command()
@click.argument(
    "outputs", nargs=-1, metavar="OUT...", type=FileName(or_database=True), required=True
)
@click.option(
    "--sources",
    "-s",
    metavar="FILE",
    type=FILE,
    help="Records that could be cited, for those that never are: JSON, JSON Lines or CSV.",
)
@click.option(
    "--format",
    "-f",
    "format_",
    type=click.Choice(["table", "json", "html"]),
    default="table",
    show_default=True,
    help="A table with plots for people, data, or a page with plots.",
)
@click.option("--output", "-o", default=STDIO, metavar="FILE", type=FILE, help="Write it here.")
@click.option("--title", metavar="TEXT", help="html: title of the page.")
@click.option(
    "--width", type=click.IntRange(min=40), metavar="COLUMNS", help="table: its width."
)
@click.option(
    "--workers",
    type=click.IntRange(0),
    metavar="N",
    help="Processes.  [default: one for each CPU, if there is much to read]",
)
@table_options
def stats(
    *,
    outputs: tuple[str, ...],
    sources: str | None,
    format_: str,
    output: str,
    title: str | None,
    width: int | None,
    workers: int | None,
    **tables: Any,  # noqa: ANN401  of ``table_options``
) -> None:
    """Count what stands in OUT: files, folders or tables that `citemark batch` wrote.

    Answers, citations, unresolved keys, coverage, formats, the sources that are cited most and
    never, errors.  Exit code 3 says that some rows could not be read.
    """
    _check_usage(outputs, sources, {"title": title, "width": width}, format_)
    refuse_overwriting(output, sources, *outputs)
    found = _counted(outputs, read_table(sources), workers, tables)
    with opened(output) as write:
        if format_ == "json":
            write(as_json(found.to_dict()))
        elif format_ == "html":
            write(found.to_html(title=title or "Citations in figures"))
        else:
            write(found.to_text(width=width or _width(output)))
    if found.unread and not found.rows:
        click.echo(
            "No row is read: `citemark stats` counts those that `citemark batch` wrote",
            err=True,
        )
    if found.unread:
        click.get_current_context().exit(SOME_FAILED)


def _width(output: str) -> int | None:
    is_seen = output == STDIO and is_terminal(sys.stdout)
    return shutil.get_terminal_size().columns if is_seen else None


def _check_usage(
    outputs: tuple[str, ...], sources: str | None, given: dict[str, object], format_: str
) -> None:
    for name, needed in {"title": "html", "width": "table"}.items():
        if given[name] is not None and format_ != needed:
            raise click.UsageError(f"--{name} is for --format {needed}")
    if [*outputs, sources].count(STDIO) > 1:
        raise click.UsageError("only one of OUT and --sources can be stdin")


def _counted(
    outputs: tuple[str, ...],
    known: Iterable[Source],
    workers: int | None,
    tables: dict[str, Any],
) -> Stats:
    from citemark.batch.outputs import output_files, size_of, stats_of
    from citemark.batch.pool import cpu_count

    with batch_mistakes():
        if any(map(is_table, outputs)):
            return count_table(outputs, tables, known)
        refuse_sql_options()
        paths = output_files(outputs)
        if workers is None:
            workers = cpu_count() if (size_of(paths) or 0) >= LARGE else 0
        with progress() as report:
            return stats_of(paths, given=known, workers=workers, report=report)
