"""What a caller gives besides rows: refused at once, and not in the error of each row."""

from __future__ import annotations

from typing import Any, Final

from citemark.batch.options import BatchOptions
from citemark.batch.sources import SourcesTable
from citemark.errors import ArgumentTypeError

__all__ = [
    "CONDITIONS",
    "options_of",
    "require_options",
    "require_row",
    "require_table",
    "require_type",
    "table_of",
]

CONDITIONS: Final = 'conditions, as [read_where("lang=de")]'
"""What is expected of ``where``."""


def require_type(name: str, value: object, type_: type, expected: str, mend: str = "") -> None:
    """Refuse what is of another type.

    Raises:
        ArgumentTypeError: It is.  So do those below.
    """
    if not isinstance(value, type_):
        raise ArgumentTypeError(value, name, expected, mend)


def require_options(options: object) -> None:
    """Refuse what are no options."""
    require_type("options", options, BatchOptions, "BatchOptions")


def require_table(name: str, table: object) -> None:
    """Refuse what is no table of sources."""
    require_type(name, table, SourcesTable, "a SourcesTable", "give SourcesTable(records)")


def options_of(options: BatchOptions | None) -> BatchOptions:
    """Return options, those of the default for None."""
    if options is None:
        return BatchOptions()
    require_options(options)
    return options


def table_of(table: SourcesTable | None) -> SourcesTable:
    """Return a table of sources, an empty one for None."""
    if table is None:
        return SourcesTable()
    require_table("table", table)
    return table


def require_row(row: Any) -> None:  # noqa: ANN401  of any library
    """Refuse what is no row."""
    if not (hasattr(row, "keys") and hasattr(row, "get")):
        raise ArgumentTypeError(row, "row", "a mapping of columns")
