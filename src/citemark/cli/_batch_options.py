"""Options of ``citemark batch``, and what they say of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from citemark.cli._io import BadInputError, caller_mistakes, read_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from citemark.batch import BatchOptions, SourcesTable

__all__ = ["batch_options", "read_options", "read_table"]

_RUN = (
    click.option("--output", "-o", metavar="OUT", help="File or folder; - is stdout."),
    click.option("--workers", type=click.IntRange(0), metavar="N", help="Processes.  "
                 "[default: one for each CPU; 0 works without any]"),
    click.option("--resume", is_flag=True, help="Go on where a run ended."),
    click.option("--overwrite", is_flag=True, help="Replace what is there."),
    click.option("--limit", type=click.IntRange(0), metavar="N",
                 help="Take N rows of each file."),
    click.option("--where", "-w", multiple=True, metavar="EXPR", help="Take rows with "
                 "column=value, column!=value, column~text or column!~text.  All if repeated."),
    click.option("--dry-run", is_flag=True, help="Say what would be done."),
    click.option("--explain", metavar="ID", help="Show what becomes of one row, in full."),
    click.option("--table", default="answers", show_default=True, metavar="NAME",
                 help="Databases: the table of the answers."),
    click.option("--column", multiple=True, metavar="NAME=COLUMN", help="Databases: which "
                 "column is id, answer, sources, ...: answer=body.  Can be repeated."),
    click.option("--into", metavar="NAME", help="Databases: the table that is written.  "
                 "[default: TABLE_citations]"),
)  # fmt: skip

_ROWS = (
    click.option("--sources", "-s", metavar="FILE", help="Records that rows name by id or set, "
                 "and those of rows that have none: JSON, JSON Lines or CSV."),
    click.option("--to", "-t", default="", metavar="NAMES", help="Renderers: html,json."),
    click.option("--check", is_flag=True, help="Add the figures of the checks."),
    click.option("--dialect", default="DEFAULT", show_default=True, metavar="NAMES",
                 help="Sets of formats, joined: DEFAULT,RAGFLOW."),
    click.option("--provider", metavar="NAME", help="Answers are responses of this provider; "
                 "auto finds out which."),
    click.option("--unresolved", type=click.Choice(["keep", "mark", "drop"]),
                 help="Keys that name no source."),
    click.option("--label", type=click.Choice(["number", "id"]),
                 help="What the prompts called the sources."),
    click.option("--lenient", is_flag=True, help="Let case, dashes, file extensions and a "
                 "wrong letter not count in keys."),
    click.option("--source-list", type=click.Choice(["keep", "drop", "parse"]), default="keep",
                 show_default=True, help="A list of sources that the model wrote."),
)  # fmt: skip


def batch_options(command: Callable[..., object]) -> Callable[..., object]:
    """Add the options to a command."""
    for option in reversed((*_RUN, *_ROWS)):
        command = option(command)
    return command


def read_options(given: dict[str, Any]) -> BatchOptions:
    """Return how rows are read and shown.

    Raises:
        BadInputError: A renderer, a dialect or a provider is not known.
    """
    from citemark.batch import BatchOptionError, BatchOptions

    names = ("check", "dialect", "provider", "unresolved", "label", "lenient", "source_list")
    to = tuple(filter(None, (name.strip() for name in given["to"].split(","))))
    try:
        return BatchOptions(to=to, **{name: given[name] for name in names if name in given})
    except BatchOptionError as error:
        option = f"--{error.name.replace('_', '-')}"
        raise BadInputError(option, error.reason) from None


def read_table(name: str | None) -> SourcesTable:
    """Return the sources that rows refer to.

    Raises:
        BadInputError: The file cannot be read, or a record of it cannot be used.
    """
    from citemark.batch import SourcesTable
    from citemark.cli._records import read_records

    if name is None:
        return SourcesTable()
    with caller_mistakes(name):
        return SourcesTable(record.value for record in read_records(read_text(name), name))  # type: ignore[misc]
