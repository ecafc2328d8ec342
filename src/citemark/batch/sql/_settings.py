"""What all processes of a run are told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from citemark.batch.rows import SCHEMA

if TYPE_CHECKING:
    from citemark.batch.options import BatchOptions
    from citemark.batch.sources import SourcesTable
    from citemark.batch.sql._names import SqlNames
    from citemark.batch.sql._pages import StoredRow
    from citemark.batch.where import Where

__all__ = ["Settings", "Why"]

Why: TypeAlias = Literal["new", "options", "sources", "schema", "content", "error"]
"""Why a row is made: there is none; or it was made with other options, other sources of the
run, an older schema; or the answer is another, or a record of its own; or it failed."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What all processes of a run are told."""

    url: str = field(repr=False)
    names: SqlNames
    options: BatchOptions
    sources: SourcesTable
    sources_digest: str
    where: tuple[Where, ...]
    retry_errors: bool
    run: str
    """Digest of all that the result depends on."""

    @property
    def more(self) -> list[str]:
        """Columns that conditions may mean."""
        return [n for one in self.where for n in (one.column, one.column.partition(".")[0])]

    def why(self, stored: StoredRow, digest: str) -> Why | None:
        """Return why the row of an answer is to be made; None if it is there, and the same.

        Args:
            stored: The answer.
            digest: Of its content, with the sources that it has.
        """
        content, options, sources, schema = stored.made_with
        if content is None and options is None:
            return "new"
        same: dict[Why, bool] = {
            "options": options == self.options.digest,
            "sources": sources == self.sources_digest,
            "schema": schema == SCHEMA,
            "content": content == digest,
            "error": not (self.retry_errors and stored.had_error),
        }
        return next((why for why, is_same in same.items() if not is_same), None)
