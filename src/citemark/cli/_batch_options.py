"""Options of ``citemark batch``, and what they say of a run."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any, Final

import click

from citemark.cli._choice import formats_option, read_formats
from citemark.cli._file_names import FileName
from citemark.cli._html import answer_options, read_answer_options
from citemark.cli._io import BadInputError, caller_mistakes, read_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from citemark.batch import BatchOptions, SourcesTable

__all__ = ["batch_options", "read_options", "read_table"]

OUTPUT: Final = "OUT is a file or folder; what is made of answers in a table stands beside it"
SOURCES: Final = "--sources is a file; --sources-table names a table of the database that is IN"

_RUN: Final[tuple[Callable[[Any], Any], ...]] = (
    click.option("--output", "-o", type=FileName(OUTPUT), metavar="OUT",
                 help="File or folder; - is stdout."),
    click.option("--workers", type=click.IntRange(0), metavar="N", help="Processes.  "
                 "[default: one for each CPU; 0 works without any]"),
    click.option("--resume", is_flag=True, help="Go on where a run ended."),
    click.option("--overwrite", is_flag=True, help="Replace what is there; not with --resume."),
    click.option("--limit", type=click.IntRange(0), metavar="N",
                 help="Read the first N rows of each file, or answers of a table."),
    click.option("--where", "-w", multiple=True, metavar="EXPR", help="Take rows with "
                 "column=value, column!=value, column~text (contains it) or column!~text.  "
                 "If repeated, all have to be met."),
    click.option("--dry-run", is_flag=True, help="Say what would be done; do nothing."),
    click.option("--explain", metavar="ID", help="Show what becomes of one row, in full."),
)  # fmt: skip

_ROWS: Final[tuple[Callable[[Any], Any], ...]] = (
    click.option("--sources", "-s", type=FileName(SOURCES), metavar="FILE",
                 help="Records that rows name by id or set, and those of rows that have none: "
                 "JSON, JSON Lines or CSV."),
    click.option("--to", "-t", default="", metavar="NAMES",
                 help="What to render: html, markdown, text, json, csv or installed ones, "
                 "joined: html,json.  [default: nothing]"),
    click.option("--check", is_flag=True, help="Add the figures of the checks."),
    formats_option,
    click.option("--provider", metavar="NAME", help="Answers are responses of this provider; "
                 "auto finds out which."),
    click.option("--unresolved", type=click.Choice(["keep", "mark", "drop"]),
                 help="Keys that name no source: left as written, shown as not found, or "
                 "removed.  By default [9] is kept and [doc:9] marked."),
    click.option("--label", type=click.Choice(["number", "id"]),
                 help="What the prompts called the sources."),
    click.option("--lenient", is_flag=True, help="Let case, dashes, file extensions and a "
                 "wrong letter not count in keys."),
    click.option("--source-list", type=click.Choice(["keep", "drop", "parse"]), default="keep",
                 show_default=True, help="A list of sources that the model wrote: left as "
                 "text, hidden, or hidden and, without sources, taken for the sources."),
    answer_options,
)  # fmt: skip


def batch_options(command: Callable[..., object]) -> Callable[..., object]:
    """Add the options to a command."""
    return reduce(lambda made, option: option(made), reversed((*_RUN, *_ROWS)), command)


def read_options(given: dict[str, Any]) -> BatchOptions:
    """Return how rows are read and shown.

    Raises:
        BadInputError: A renderer, a set of formats or a provider is not known.
        UsageError: An option is for HTML, and that is not asked for.
    """
    from citemark.batch import BatchOptionError, BatchOptions

    names = ("check", "provider", "unresolved", "label", "lenient", "source_list")
    options = {name: given[name] for name in names if name in given}
    to = tuple(filter(None, (name.strip() for name in given["to"].split(","))))
    if given.get("formats") is not None:
        read_formats(given["formats"])
        options["dialect"] = given["formats"]
    if html := read_answer_options(to, given):
        options["renderer_options"] = {"html": html}
    try:
        return BatchOptions(to=to, **options)
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
