"""Figures over all rows of an output, in one pass and in bounded memory."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from citemark._lazy import lazy_re
from citemark.batch._dialects import dialects_of
from citemark.batch._record import RecordError
from citemark.batch.stats._facts import facts_of
from citemark.batch.stats._text import stats_text
from citemark.batch.stats._view import stats_view
from citemark.checks.reports._data import COUNTED
from citemark.checks.reports._frequent import Frequent
from citemark.checks.reports._page import MAX_TITLE, self_contained
from citemark.checks.reports._shares import Shares
from citemark.checks.reports._source_counts import MAX_LISTED, SourceCounts
from citemark.renderers._display import cut, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from citemark.batch.stats._facts import Facts
    from citemark.model import Source

__all__ = ["STATS_VERSION", "Stats"]

STATS_VERSION: Final = 1
"""Rises when the meaning of a figure changes."""

MAX_NAMES: Final = 1_000
"""Names of formats, issues and the like that are counted for certain."""

MAX_NAME: Final = 80
"""Code points of such a name."""

MAX_REASON: Final = 300
"""Code points of what is told of a row that failed."""

_START: Final = lazy_re(r"(?i)\A(?:line|row|record) \d{1,20}: ")
"""A place in front of an error."""

_PLACE: Final = lazy_re(
    r"(?i)\b(line|row|record|column|char|character|byte|position|offset|page|item|index)s?"
    r" (?:number )?#?\d[\d,._]{0,20}"
)
"""Where something is: a word for it, and a number."""

TABLES: Final = ("without_citation", "formats", "dialects", "issues", "errors_by_kind")


class Stats:
    """Adds up rows of an output, one after the other.

    Args:
        given: Sources that could be cited, for those that no row cites.

    >>> from citemark.batch import annotate_row
    >>> stats = Stats()
    >>> for text in ("Tides rise [1].", "They fall [7].", "Why?"):
    ...     stats.add(annotate_row({"answer": text, "sources": [{"id": "a"}]}))
    >>> found = stats.to_dict()
    >>> found["answers"], found["citations"], found["unresolved"], found["unresolved_rate"]
    (3, 1, 1, 0.5)
    """

    def __init__(self, given: Iterable[Source] = ()) -> None:
        """Start with no row."""
        self._totals: Counter[str] = Counter()
        self._checks: Counter[str] = Counter()
        self._shares = Shares()
        self._tables = {name: Frequent[str](MAX_NAMES) for name in TABLES}
        self._made_by: Frequent[tuple[int, str, str]] = Frequent(MAX_NAMES)
        self._sources = SourceCounts(most_given=None)
        self._sources.give(given)
        self._error_rows: list[dict[str, str]] = []
        self._unread_rows: list[dict[str, str]] = []

    @classmethod
    def of_part(cls) -> Stats:
        """Return figures to be merged: sources are counted exactly, for parts of few rows."""
        part = cls()
        part._sources = SourceCounts(most_given=None, kept=sys.maxsize)
        return part

    @property
    def rows(self) -> int:
        """Rows that were read."""
        return self._totals["rows"]

    @property
    def unread(self) -> int:
        """Rows that could not be read."""
        return self._totals["unread"]

    def add(self, row: Mapping[str, Any], *, name: str = "") -> None:
        """Add a row.  One that is none of an output is counted as not read.

        Args:
            row: Of an output; nested columns may be JSON text.
            name: What it is called if it has no id, or cannot be read.
        """
        try:
            facts = facts_of(row)
        except RecordError as error:
            self.add_unread(name, str(error))
            return
        self._totals["rows"] += 1
        self._made_by.add(_shown_each(facts.made_by))
        if facts.error:
            self._totals["errors"] += 1
            self._tables["errors_by_kind"].add(_kind(facts.error))
            _list(self._error_rows, facts.id or name, facts.error)
        if facts.is_answer:
            self._add_answer(facts)
        elif not facts.error:
            self._totals["nulls"] += 1

    def add_unread(self, name: str, reason: str) -> None:
        """Add a row that could not be read."""
        self._totals["unread"] += 1
        _list(self._unread_rows, name, reason)

    def merge(self, other: Stats) -> None:
        """Add the figures of other rows, of which these come first."""
        self._totals.update(other._totals)
        self._checks.update(other._checks)
        self._shares.merge(other._shares)
        for name, table in self._tables.items():
            table.merge(other._tables[name])
        self._made_by.merge(other._made_by)
        self._sources.merge(other._sources)
        self._error_rows = [*self._error_rows, *other._error_rows][:MAX_LISTED]
        self._unread_rows = [*self._unread_rows, *other._unread_rows][:MAX_LISTED]

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        totals, claims = self._totals, self._checks["claims"]
        citations, unresolved = totals["citations"], totals["unresolved"]
        all_ = citations + unresolved
        return {
            "version": STATS_VERSION,
            **{name: totals[name] for name in ("rows", "nulls", "errors", "unread", "answers")},
            "citations": citations,
            "unresolved": unresolved,
            "unresolved_rate": unresolved / all_ if all_ else None,
            "cite_nothing": totals["cite_nothing"],
            "answers_with_unresolved": totals["answers_with_unresolved"],
            "checked": totals["checked"],
            "figures": {
                **{name: self._checks[name] for name in COUNTED},
                "coverage": self._checks["cited"] / claims if claims else None,
            },
            "mean_coverage": self._shares.mean,
            "distribution": self._shares.to_dict() if totals["checked"] else {},
            **{
                name: dict(table.most_common(MAX_LISTED))
                for name, table in self._tables.items()
            },
            "too_low": {
                name: table.too_low
                for name, table in self._tables.items()
                if not table.is_exact
            },
            **self._sources.to_dict(),
            "made_by": [
                {"schema": schema, "version": version, "options_digest": digest, "rows": rows}
                for (schema, version, digest), rows in self._made_by.most_common(MAX_LISTED)
            ],
            "error_rows": list(self._error_rows),
            "unread_rows": list(self._unread_rows),
        }

    def to_text(self, *, width: int | None = None) -> str:
        """Return a table and plots for a terminal of so many columns, 80 by default."""
        return stats_text(self.to_dict(), width)

    def to_html(self, *, title: str = "Citations in figures") -> str:
        """Return a page with figures, plots and lists: one file that needs nothing."""
        return self_contained("report/stats.html", title, stats=stats_view(self.to_dict()))

    def _add_answer(self, facts: Facts) -> None:
        totals, tables = self._totals, self._tables
        totals["answers"] += 1
        for source, number in facts.cited:
            totals["citations"] += number
            self._sources.cite(source, number)
        totals["unresolved"] += facts.unresolved
        totals["answers_with_unresolved"] += facts.unresolved > 0
        if facts.reason:
            totals["cite_nothing"] += 1
            tables["without_citation"].add(_name(facts.reason))
        _add(tables["formats"], facts.formats)
        _add(tables["issues"], facts.issues)
        if facts.formats:
            for dialect in dialects_of(frozenset(facts.formats)):
                tables["dialects"].add(dialect)
        if facts.checks is not None:
            totals["checked"] += 1
            self._checks.update(facts.checks)
            self._shares.add(facts.coverage)


def _add(table: Frequent[str], counts: Mapping[str, int] | None) -> None:
    for name, number in (counts or {}).items():
        if number:
            table.add(_name(name), number)


def _list(rows: list[dict[str, str]], name: str, reason: str) -> None:
    if len(rows) < MAX_LISTED:
        name, reason = cut(one_line(name), MAX_TITLE), cut(one_line(reason), MAX_REASON)
        rows.append({"name": name, "reason": reason})


def _kind(error: str) -> str:
    """Return the kind of an error: what stands before the first colon, if that is short.

    Where it is, is left out: "line 21 is not JSON" is of one kind with line 22.

    >>> _kind("line 21 is not JSON: Expecting value at column 1"), _kind("line 3: HTTP 404: no")
    ('line is not JSON', 'HTTP 404')
    """
    what = _START.sub("", error[:MAX_REASON])
    return _name(_PLACE.sub(r"\1", what).partition(":")[0])


def _name(text: str) -> str:
    return (
        text
        if text.isascii() and text.isidentifier() and len(text) <= MAX_NAME
        else _shown(text)
    )


def _shown(text: str) -> str:
    return cut(one_line(text), MAX_NAME)


def _shown_each(made_by: tuple[int, str, str]) -> tuple[int, str, str]:
    schema, version, digest = made_by
    return schema, _name(version), _name(digest)
