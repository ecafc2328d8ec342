"""What a caller gives besides rows: refused at once, and not in the error of each row."""

from __future__ import annotations

from typing import Any

from citemark.batch.options import BatchOptions
from citemark.batch.sources import SourcesTable
from citemark.errors import ArgumentTypeError

__all__ = ["options_of", "require_row", "table_of"]


def options_of(options: BatchOptions | None) -> BatchOptions:
    """Return options, those of the default for None.

    Raises:
        ArgumentTypeError: They are none.  So do those below.
    """
    if options is None:
        return BatchOptions()
    if not isinstance(options, BatchOptions):
        raise ArgumentTypeError(options, "options", "BatchOptions or None")
    return options


def table_of(table: SourcesTable | None) -> SourcesTable:
    """Return a table of sources, an empty one for None."""
    if table is None:
        return SourcesTable()
    if not isinstance(table, SourcesTable):
        raise ArgumentTypeError(
            table, "table", "a SourcesTable or None", "give SourcesTable(records)"
        )
    return table


def require_row(row: Any) -> None:  # noqa: ANN401  of any library
    """Refuse what is no row."""
    if not (hasattr(row, "keys") and hasattr(row, "get")):
        raise ArgumentTypeError(row, "row", "a mapping of columns")
