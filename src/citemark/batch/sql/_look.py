"""What a run would do, without a line written: over all answers, or for one of them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from citemark.batch._strict import plain
from citemark.batch.rows import VERSION
from citemark.batch.sql._pages import PAGE
from citemark.batch.sql._plan import Range
from citemark.batch.sql._tally import SqlDryRun, SqlState, SqlTally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from citemark.batch.sql._database import Database
    from citemark.batch.sql._pages import StoredRow
    from citemark.batch.sql._reader import Read, Reader

__all__ = ["dry_run", "explained", "failed_rows_of", "state_of"]

ALL: Final = Range(number=0, after=None, last=None, step=0)


def state_of(reader: Reader) -> SqlState:
    """Return what a run would find.

    Raises:
        SqlError: It cannot be counted.
    """
    tables, mark = reader.tables, reader.database.mark
    return SqlState(
        _count(reader.database, tables.answers, f"{tables.key} IS NOT NULL"),
        _count(reader.database, tables.side, f"version = {mark}", VERSION),
        _count(reader.database, tables.work, f"run LIKE {mark}", f"{reader.settings.run}%"),
    )


def failed_rows_of(reader: Reader) -> int:
    """Return how many rows of the side table have an ``error``.

    Raises:
        SqlError: They cannot be counted.
    """
    condition = f"version = {reader.database.mark} AND error IS NOT NULL"
    return _count(reader.database, reader.tables.side, condition, VERSION)


def dry_run(
    reader: Reader, limit: int | None, report: Callable[[SqlTally], None], *, resume: bool
) -> SqlDryRun:
    """Read what a run would read, and return what it would do.

    Args:
        reader: Of the run.
        limit: The greatest number of answers.
        report: Called after each page.
        resume: Whether only ranges that an earlier run left are looked at, if there are any.

    Raises:
        SqlError: An answer cannot be read.
    """
    makes = tuple(reader.tables.lacking())
    state = state_of(reader)
    ranges = [ALL]
    total = state.answers if limit is None else min(limit, state.answers)
    if resume and state.unfinished and reader.plan.find():
        with reader.database.reading():
            ranges = [one for n in reader.plan.ranges() if (one := reader.plan.look(n))]
        total, limit = reader.plan.left()[1], None
    tally, why = SqlTally(total=total), Counter[Any]()
    for page in _pages(reader, ranges, limit):
        with reader.database.reading():
            for read in reader.read(page):
                _add(tally, read)
                why.update([read.why] if read.is_wanted and read.why else [])
        report(tally)
    return SqlDryRun(
        state=state,
        makes=makes,
        rows=tally.rows,
        why=dict(why),
        kept=tally.kept,
        kept_errors=tally.kept_errors,
        left_out=tally.left_out,
        without_id=reader.plan.without_id(),
    )


def explained(reader: Reader, id_: str) -> dict[str, Any] | None:
    """Return an answer as it is read, and what becomes of it; None if there is none.

    Args:
        reader: Of the run.
        id_: As it is shown.

    Raises:
        SqlError: It cannot be read.
    """
    with reader.database.reading():
        stored = reader.pages.find(id_)
        if stored is None:
            return None
        given = dict(stored.row)
        [read] = reader.read([stored])
    shown = given if read.fault else stored.row  # which sources were not found
    names = reader.tables.names
    action, why = ("make", read.why) if read.why else ("keep", None)
    if not read.is_wanted:
        action, why = "leave out", None
    return {
        "table": names.table,
        "action": action,
        "why": why,
        "input": plain(shown),
        "output": reader.made(read).found,
    }


def _pages(reader: Reader, ranges: list[Range], limit: int | None) -> Iterator[list[StoredRow]]:
    """Yield the pages of ranges, one after the other."""
    for range_ in ranges:
        after = range_.after
        while limit is None or limit > 0:
            count = PAGE if limit is None else min(limit, PAGE)
            with reader.database.reading():
                page = reader.pages.after(Range(0, after, range_.last, 0), count)
            if not page:
                break
            yield page
            after = page[-1].key
            limit = None if limit is None else limit - len(page)


def _add(tally: SqlTally, read: Read) -> None:
    if not read.is_wanted:
        tally.left_out += 1
    elif read.why is None:
        tally.kept += 1
        tally.kept_errors += read.stored.had_error
    else:
        tally.rows += 1


def _count(database: Database, table: str, condition: str, *values: object) -> int:
    if not database.has_table(table):
        return 0
    [(count,)] = database.run(f"SELECT count(*) FROM {table} WHERE {condition}", values)
    return int(count)
