"""Answers with their sources, and whether their rows are to be made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from citemark.batch.rows import INPUT, annotate_row, content_digest, failed_row
from citemark.batch.sql._database import UndecodedText, open_database
from citemark.batch.sql._faults import SqlError
from citemark.batch.sql._pages import Made, Pages
from citemark.batch.sql._plan import Plan
from citemark.batch.sql._sources import StoredSources
from citemark.batch.sql._tables import Tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from citemark.batch.sql._pages import StoredRow
    from citemark.batch.sql._settings import Settings, Why

__all__ = ["Read", "Reader"]


@dataclass(frozen=True, slots=True)
class Read:
    """An answer as it was read, with its sources."""

    stored: StoredRow
    digest: str
    """Of its content."""

    why: Why | None
    """Why its row is to be made; None if it is there, and the same."""

    fault: str | None
    """Why it cannot be annotated: a text is none, or what it refers to is not there."""

    is_wanted: bool
    """Whether it meets the conditions."""


class Reader:
    """A connection, and what is read with it.

    Raises:
        SqlError: The database or its tables cannot be used.
    """

    def __init__(self, settings: Settings) -> None:
        """Connect, and look at the tables."""
        self.settings = settings
        self.database = open_database(settings.url)
        try:
            self._look()
        except SqlError:
            self.close()
            raise

    def _look(self) -> None:
        settings, database = self.settings, self.database
        self.tables = Tables(database, settings.names, settings.more)
        self._require_columns()
        self.plan = Plan(database, self.tables, settings.run)
        self.pages = Pages(database, self.tables)
        has_table = settings.names.sources is not None
        self._sources = StoredSources(database, self.tables) if has_table else None

    def _require_columns(self) -> None:
        settings = self.settings
        known = {"id", *self.tables.read, *self.tables.more}
        for one in settings.where:
            if not {one.column, one.column.partition(".")[0]} & known:
                reason = f"where: no column {one.column!r} is read"
                raise SqlError(settings.url, "missing", reason)
        if settings.names.sources and len(settings.sources):
            reason = "sources stand in a table of the database, or are given, not both"
            raise SqlError(settings.url, "names", reason)

    def read(self, page: Sequence[StoredRow]) -> Iterator[Read]:
        """Yield the answers of a page with their sources.

        Raises:
            SqlError: An id could not be found again.
        """
        self.plan.require_text(*(stored.key for stored in page))
        texts = [_undecoded(stored.row) for stored in page]  # before sources take their places
        faults = self._sources.resolve(page) if self._sources else {}
        where = self.settings.where
        for index, stored in enumerate(page):
            fault = faults.get(index)
            # A row without sources is another one than that with those that were found.
            row = {**stored.row, "sources": fault} if fault else stored.row
            digest = content_digest(row)
            why = self.settings.why(stored, digest)
            asked = stored.more | stored.row
            is_wanted = all(condition.takes(asked) for condition in where)
            yield Read(stored, digest, why, texts[index] or fault, is_wanted)

    def made(self, read: Read, failure: str | None = None) -> Made:
        """Return what becomes of an answer; nothing is written.

        Args:
            read: The answer.
            failure: Why it cannot be annotated, if it cannot.
        """
        settings, row = self.settings, read.stored.row
        failure = failure or read.fault
        if failure is None:
            found = annotate_row(row, settings.options, settings.sources)
        else:
            found = failed_row(row, settings.options, failure)
            found["content_digest"] = read.digest
        return Made(read.stored, found, settings.sources_digest)

    def close(self) -> None:
        """End the connection."""
        self.database.close()


def _undecoded(row: Mapping[str, Any]) -> str | None:
    """Return which text of a row is no UTF-8; None if all are."""
    for name in INPUT:
        value = row.get(name)
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, UndecodedText):
                return f"TextTypeError: {name}: {text.fault}"
    return None
