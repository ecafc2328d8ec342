"""Figures of a run over a database: what it has done, and what it would do."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from citemark.batch.sql._settings import Why

__all__ = ["SqlDryRun", "SqlState", "SqlTally"]


@dataclass(slots=True)
class SqlTally:
    """How far a run is."""

    total: int = 0
    """Answers to look at; about, if an earlier run had begun."""

    goes_on: bool = False
    """Whether it does only what an earlier run left."""

    rows: int = 0
    """Rows that were written, by this run."""

    errors: int = 0
    """Of these, rows with an ``error``."""

    nulls: int = 0
    """Of these, rows without an answer."""

    kept: int = 0
    """Answers whose row was there, and the same; none of them is of this run."""

    kept_errors: int = 0
    """Of these, rows with an ``error``; and in the end such rows that other runs wrote, or a
    process that died before it told of them."""

    left_out: int = 0
    """Answers that do not meet the conditions."""

    again: int = 0
    """Answers that were looked at once more, since an equal run began anew meanwhile, and left
    as they were; their rows may be those that this run made, which ``kept`` does not count."""

    waiting: int = 0
    """Ranges that another run has; this one waits for it."""

    without_id: int = 0
    """Answers whose id is null: they are left out.  Known at the end."""

    deleted: int = 0
    """Rows of answers that are gone; they stay.  Known at the end."""

    deleted_ids: tuple[str, ...] = ()
    """Some of their ids."""

    @property
    def done(self) -> int:
        """Answers that were looked at."""
        return self.rows + self.kept + self.left_out + self.again


@dataclass(frozen=True, slots=True)
class SqlState:
    """What a run would find."""

    answers: int
    """Rows of the table of answers with an id."""

    made: int
    """Rows of the side table, of this version of the library."""

    unfinished: int
    """Ranges that an earlier run of the same kind left."""


@dataclass(frozen=True, slots=True)
class SqlDryRun:
    """What a run would do."""

    state: SqlState
    """What it would find."""

    makes: tuple[str, ...] = ()
    """Tables that it would make, as they stand in statements."""

    rows: int = 0
    """Rows that it would write."""

    why: Mapping[Why, int] = field(default_factory=dict)
    """How many of them for which reason: ``"new"``; ``"content"``, the answer or its sources
    changed; ``"options"``; ``"sources"``, those that the run is given; ``"schema"``;
    ``"error"``, rows that failed and are to be made again."""

    kept: int = 0
    """Answers whose row is there, and the same."""

    kept_errors: int = 0
    """Of these, rows with an ``error``."""

    left_out: int = 0
    """Answers that do not meet the conditions."""

    without_id: int = 0
    """Answers whose id is null; they are left out."""
