"""What is said where nothing is wrong, and yet nothing comes of it: rows without sources."""

from __future__ import annotations

from contextlib import closing, suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from citemark.cli._io import STDIO

if TYPE_CHECKING:
    from collections.abc import Mapping

    from citemark.batch.run import Run, Tally
    from citemark.batch.sql import SqlRun, SqlTally

__all__ = ["hint_of_columns", "hint_of_sources"]

LOOKED_AT: Final = 100
"""Rows that are looked at."""

_ANSWERED_BY: Final = ("sources", "provider", "options")
"""Columns of a row that may say where its sources are."""


def hint_of_sources(run: Run, tally: Tally, given: Mapping[str, Any]) -> str:
    """Return what is to be said if no row has sources, so that no marker names one; else "".

    Args:
        run: What was done.
        tally: What was made of it.
        given: The options.
    """
    if _are_elsewhere(given) or tally.rows == tally.errors + tally.nulls:
        return ""
    rows = _first_rows(tally.steps[0].target.input, run)
    if not rows or not all(_lacks_sources(row) for row in rows):
        return ""
    which = "the first row has" if len(rows) == 1 else f"the first {len(rows):,} rows have"
    return f'{which} no "sources", so no key names one; --sources FILE gives them to all'


def hint_of_columns(run: SqlRun, tally: SqlTally, given: Mapping[str, Any]) -> str:
    """Return what is to be said if no answer of a table has a column for sources; else "".

    Args:
        run: What was done.
        tally: What was made of it.
        given: The options.
    """
    from citemark.batch.sql import SqlError
    from citemark.batch.sql._database import open_database
    from citemark.batch.sql._tables import Tables

    has_table = given["sources_table"] is not None
    if has_table or _are_elsewhere(given) or tally.rows == tally.errors + tally.nulls:
        return ""
    with suppress(SqlError), closing(open_database(run.url)) as database:
        if not {*_ANSWERED_BY} & {*Tables(database, run.names).read}:
            said = f"{run.names.table!r} has no column 'sources', so no key names one; "
            return f"{said}--column sources=NAME, --sources-table or --sources gives them"
    return ""


def _are_elsewhere(given: Mapping[str, Any]) -> bool:
    """Whether the options say where sources are, for all rows."""
    has_others = given["provider"] is not None or given["source_list"] == "parse"
    return has_others or given["sources"] is not None


def _first_rows(name: str, run: Run) -> list[dict[str, Any]]:
    """Return rows of a file that were taken; none of a pipe, which cannot be read again."""
    from citemark.batch._faults import BatchFileError
    from citemark.batch.files import read_rows

    if name == STDIO or not Path(name).is_file():
        return []
    with suppress(BatchFileError):  # was told
        rows = (row for _, row in islice(read_rows(name), LOOKED_AT))
        return [
            row
            for row in rows
            if isinstance(row, dict) and all(one.takes(row) for one in run.where)
        ]
    return []


def _lacks_sources(row: Mapping[str, Any]) -> bool:
    from citemark.batch.rows import is_null

    return all(is_null(row.get(name)) for name in _ANSWERED_BY)
