"""What is said where nothing is wrong, and yet nothing comes of it.

Rows without sources, conditions on columns that no row has, files of another kind of rows.
"""

from __future__ import annotations

from contextlib import closing, suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from citemark.cli._io import STDIO, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from citemark.batch.run import Run, Tally
    from citemark.batch.sql import SqlRun, SqlTally
    from citemark.batch.where import Where

__all__ = ["hint_of_columns", "hint_of_raw", "hints", "if_made", "if_raw", "missed"]

LOOKED_AT: Final = 100
"""Rows that are looked at."""

LOOKED_FOR: Final = 1_000
"""Rows in which a column is looked for: those of JSON leave out what is null."""

AGAIN: Final = (
    "`citemark rerender` renders it again, `citemark upgrade` brings it to the columns of this "
    "version"
)

MADE: Final = f"is an output of `citemark batch`, whose rows have no answers; {AGAIN}"

RAW: Final = "is no output of `citemark batch`; make one of it first"

_ANSWERED_BY: Final = ("sources", "provider", "options")
"""Columns of a row that may say where its sources are."""


def hints(run: Run, tally: Tally, given: Mapping[str, Any]) -> str:
    """Return what is to be said after a run over files, a line each; "" for nothing.

    Args:
        run: What was done.
        tally: What was made of it.
        given: The options.
    """
    of_rows = _hint_of_made(run, tally) or _hint_of_sources(run, tally, given)
    return "\n".join(map(printable, filter(None, [*_hints_of_where(run, tally), of_rows])))


def missed(where: Sequence[Where], rows: Iterable[object]) -> list[str]:
    """Return a line for each column of a condition that no row has; none if there are no rows.

    Args:
        where: The conditions.
        rows: Where it is looked for; no more than the first ones are.
    """
    from citemark.batch.where import missed_columns

    looked = 0

    def first() -> Iterator[object]:
        nonlocal looked
        for row in islice(rows, LOOKED_FOR):
            looked += 1
            yield row

    found = missed_columns(where, first())
    which = f"first {LOOKED_FOR:,} rows have" if looked == LOOKED_FOR else "rows have"
    which = "row has" if looked == 1 else which
    return [
        f"The {which} no column {name!r}, which --where names"
        + (f"; did you mean {like!r}?" if like else "")
        for name, like in found.items()
        if looked
    ]


def if_made(path: str) -> str:
    """Return what is to be said of a file that is refused as answers, if it is an output."""
    return MADE if any(_is_made(row) for _, row in islice(_rows_of(path), 1)) else ""


def if_raw(path: str) -> str:
    """Return what is to be said of a file that is refused as output, if it is none."""
    return RAW if any("cited" not in row for _, row in islice(_rows_of(path), 1)) else ""


def hint_of_raw(run: Run, tally: Tally) -> str:
    """Return what is to be said if rows are no output, where those of one are read; else ""."""
    if not tally.rows or tally.rows > tally.errors:
        return ""
    if STDIO in run.inputs:
        return "All rows failed; is stdin an output of `citemark batch`?"
    rows = [*islice(_rows(run, tally), LOOKED_AT)]
    if not rows or any("cited" in row for _, row in rows):
        return ""
    return printable(f"{rows[0][0]}: {RAW}")


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
            lacking = f"The table {run.names.table!r} has no column 'sources'"
            given_by = "--column sources=NAME, or give --sources-table or --sources"
            return f"{lacking}, so its citations are not resolved; name it with {given_by}"
    return ""


def _hints_of_where(run: Run, tally: Tally) -> list[str]:
    """Return what is to be said if no row has a column of a condition, or none is taken."""
    if lines := missed(run.where, (row for _, row in _rows(run, tally))):
        return lines
    if not run.where or tally.rows or tally.kept or not tally.taken or run.limit == 0:
        return []
    conditions = " and ".join(f"{one.column}{one.sign}{one.value}" for one in run.where)
    return [f"No row that was read meets --where {conditions}"]


def _hint_of_made(run: Run, tally: Tally) -> str:
    """Return what is to be said if rows have no answer since they are an output; else ""."""
    if not tally.nulls:
        return ""
    for name, row in islice(_rows(run, tally), LOOKED_AT):
        if _is_made(row):
            return f"{name}: {MADE}"
    if STDIO in run.inputs and tally.rows == tally.nulls:
        return f"No row has an answer; if stdin is an output of `citemark batch`, {AGAIN}"
    return ""


def _hint_of_sources(run: Run, tally: Tally, given: Mapping[str, Any]) -> str:
    """Return what is to be said if no row has sources, so that no marker names one; else ""."""
    if _are_elsewhere(given) or tally.rows == tally.errors + tally.nulls:
        return ""
    taken = (row for _, row in _rows(run, tally) if all(one.takes(row) for one in run.where))
    rows = [*islice(taken, LOOKED_AT)]
    if not rows or not all(map(_lacks_sources, rows)):
        return ""
    which, whose = "row has", "its"
    if len(rows) > 1:
        which, whose = f"{len(rows):,} rows have", "their"
    lacking = f'The first {which} no "sources", so {whose} citations are not resolved'
    return f"{lacking}; add that column, or name a file of sources with --sources"


def _are_elsewhere(given: Mapping[str, Any]) -> bool:
    """Whether the options say where sources are, for all rows."""
    has_others = given["provider"] is not None or given["source_list"] == "parse"
    return has_others or given["sources"] is not None


def _rows(run: Run, tally: Tally) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the rows that were read, each with the name of its file."""
    for step in tally.steps:
        yield from islice(_rows_of(step.target.input), run.limit)


def _rows_of(name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the rows of a file; none of a pipe, which cannot be read again."""
    from citemark.batch._faults import BatchFileError
    from citemark.batch.files import read_rows
    from citemark.errors import MissingExtraError

    if name == STDIO or not Path(name).is_file():
        return
    with suppress(BatchFileError, MissingExtraError):  # was told, or is what a table needs
        for _, row in read_rows(name):
            if isinstance(row, dict):
                yield name, row


def _is_made(row: Mapping[str, Any]) -> bool:
    """Whether a row is one of an output; one that gets an answer beside it is none."""
    from citemark.batch.rows import is_null

    return {"cited", "schema"} <= row.keys() and is_null(row.get("answer"))


def _lacks_sources(row: Mapping[str, Any]) -> bool:
    from citemark.batch.rows import is_null

    return all(is_null(row.get(name)) for name in _ANSWERED_BY)
