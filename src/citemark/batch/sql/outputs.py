"""Figures over a side table: its rows are rows of an output."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

from citemark.batch._arguments import require_type
from citemark.batch.rows import VERSION, text_of_id
from citemark.batch.sql._database import open_database
from citemark.batch.sql._faults import SqlError
from citemark.batch.sql._names import SqlNames, columns_of, side_name, side_tables
from citemark.batch.sql._pages import PAGE, bounded
from citemark.batch.sql._tables import SIDE
from citemark.batch.sql._tally import SqlTally
from citemark.batch.stats import Stats

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from citemark.batch.sql._database import Database
    from citemark.model import Source

__all__ = ["stats_of_table"]

READ: Final = tuple(name for name in SIDE if name != "rendered")
"""Columns that figures need."""


def stats_of_table(
    url: str,
    names: SqlNames | None = None,
    *,
    given: Iterable[Source] = (),
    report: Callable[[SqlTally], None] = lambda tally: None,  # noqa: ARG005  nobody listens
) -> Stats:
    """Return the figures of all rows of a side table that this version of the library made.

    Rows of answers that were deleted are counted with the others.

    Args:
        url: Of the database.
        names: Of these, ``table`` and ``into`` say which table it is.
        given: Sources that could be cited.
        report: Called after each page.

    Raises:
        ArgumentTypeError: The URL is no text, or the names are none.
        SqlError: The database or the table cannot be used, or it has no rows of this version.
    """
    names = SqlNames() if names is None else names
    require_type("names", names, SqlNames, "SqlNames(...)")
    stats = Stats(given)
    with closing(open_database(url)) as database, database.telling():
        side = _Side(database, names)
        tally = SqlTally(total=side.count())
        for page in side.pages():
            for row in page:
                stats.add(row, name=f"{side.name}, {row['id']}")
            tally.rows, tally.errors = stats.rows, stats.unread
            report(tally)
    return stats


class _Side:
    """A side table, to be read."""

    def __init__(self, database: Database, names: SqlNames) -> None:
        self._database = database
        self._table, _ = side_tables(database, names)
        self.name = side_name(names)
        known = columns_of(database, self._table, self.name)
        if missing := [name for name in SIDE if name not in known]:
            reason = f"{self.name} is not what a run writes: it has no column {missing[0]!r}"
            raise SqlError(database.url, "names", reason)

    def count(self) -> int:
        """Return how many rows there are of this version.

        Raises:
            SqlError: There are rows, but of other versions only.
        """
        found = self._database.run(
            f"SELECT version, count(*) FROM {self._table} GROUP BY version ORDER BY version"
        )
        counts = dict(found)
        if counts and VERSION not in counts:
            others = ", ".join(counts)
            reason = f"{self.name} has rows of citemark {others} only; run batch with {VERSION}"
            raise SqlError(self._database.url, "missing", reason)
        return int(counts.get(VERSION, 0))

    def pages(self) -> Iterator[list[dict[str, Any]]]:
        """Yield the rows of this version, a page at a time, in order of the ids."""
        mark, after = self._database.mark, None
        while True:
            condition, values = f"a.version = {mark}", [VERSION]
            if after is not None:
                condition, values = f"{condition} AND a.answer_id > {mark}", [VERSION, after]
            with self._database.reading():
                found = self._database.run(self._statement(condition), [*values, PAGE])
            if not found:
                return
            yield [_row(values) for values in found]
            after = found[-1][0]

    def _statement(self, condition: str) -> str:
        columns = [self._database.as_key("p.c0"), *(f"p.c{n}" for n in range(1, len(READ)))]
        rows = bounded(self._database, self._table, READ, condition)
        return f"SELECT {', '.join(columns)} FROM {rows} AS p ORDER BY p.c0"


def _row(values: tuple[Any, ...]) -> dict[str, Any]:
    row = dict(zip(READ, values, strict=True))
    return {"id": text_of_id(row.pop("answer_id")), **row}
