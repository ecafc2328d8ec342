"""Options of ``citemark batch`` for databases, and what they say of tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource

if TYPE_CHECKING:
    from collections.abc import Callable

    from citemark.batch.sql import SqlNames, SqlSources

__all__ = ["read_names", "refuse_sql_options", "sql_options", "table_options"]

_TABLES = (
    click.option("--table", default="answers", show_default=True, metavar="NAME",
                 help="Databases: the table of the answers."),
    click.option("--into", metavar="NAME", help="Databases: the table that is written.  "
                 "[default: TABLE_citations]"),
)  # fmt: skip

_READ = (
    click.option("--column", multiple=True, metavar="NAME=COLUMN", help="Databases: which "
                 "column is id, answer, sources, ...: answer=body.  Can be repeated."),
    click.option("--sources-table", metavar="NAME", help="Databases: a table of the sources, "
                 "a record each.  Answers name a set of them or their ids."),
    click.option("--sources-column", multiple=True, metavar="NAME=COLUMN", help="Databases: "
                 "which column of it is set, id, order (in the prompt), title, text, ...: "
                 "order=rank.  Can be repeated."),
    click.option("--retry-errors", is_flag=True, help="Databases: make rows that failed "
                 "again too."),
)  # fmt: skip

_NAMES: Final = ("table", "into", "column", "sources_table", "sources_column", "retry_errors")

ROLES: Final = ("set", "id", "order")
"""Columns of a table of sources that say more than a field of a source."""


def sql_options(command: Callable[..., object]) -> Callable[..., object]:
    """Add the options to a command."""
    for option in reversed((*_TABLES, *_READ)):
        command = option(command)
    return command


def table_options(command: Callable[..., object]) -> Callable[..., object]:
    """Add the options that say which table is written, to a command that reads it."""
    for option in reversed(_TABLES):
        command = option(command)
    return command


def refuse_sql_options() -> None:
    """Refuse, where files are read, the options that were given for databases.

    Raises:
        UsageError: There is one.
    """
    context = click.get_current_context()
    for name in _NAMES:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name.replace('_', '-')} is for databases")


def read_names(given: dict[str, Any]) -> SqlNames:
    """Return what tables and columns are called.

    Raises:
        UsageError: The options do not go together, or cannot be read.
    """
    from citemark.batch.sql import SqlNames

    columns = _columns(given["column"], "--column", "answer=body")
    key = columns.pop("id", None) or "id"
    return SqlNames(given["table"], key, columns, given["into"], _sources(given))


def _sources(given: dict[str, Any]) -> SqlSources | None:
    from citemark.batch.sql import SqlSources

    columns = _columns(given["sources_column"], "--sources-column", "order=rank")
    if given["sources_table"] is None:
        if columns:
            raise click.UsageError("--sources-column needs --sources-table")
        return None
    if given["sources"] is not None:
        raise click.UsageError("--sources and --sources-table do not go together")
    roles = {name: column for name in ROLES if (column := columns.pop(name, None))}
    return SqlSources(given["sources_table"], **roles, columns=columns)


def _columns(texts: tuple[str, ...], option: str, example: str) -> dict[str, str | None]:
    """Return columns by what they are; None for what is not to be read."""
    columns: dict[str, str | None] = {}
    for text in texts:
        name, sign, column = text.partition("=")
        if not sign:
            raise click.BadParameter(f"{text!r} is none of {example}", param_hint=option)
        columns[name.strip()] = column.strip() or None
    return columns
