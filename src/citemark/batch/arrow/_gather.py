"""A table out of annotated rows that stand as lines of JSON, when all of them are there."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

import pyarrow as pa

from citemark.batch._columns import OTHERS, OUTPUT, others_of
from citemark.batch._strict import encode
from citemark.batch.arrow._build import Rows, fitted
from citemark.batch.arrow._schema import OUTPUT_SCHEMA
from citemark.batch.arrow._write import TableWriter
from citemark.batch.files._jsonl import JsonLinesWriter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

__all__ = ["GatheredWriter", "gather"]


@dataclass(frozen=True, slots=True)
class GatheredWriter:
    """Writes rows as lines that become a table: what it cannot hold is told with each row."""

    head: bytes = b""
    """What stands before the first row."""

    def encode(self, row: Mapping[str, Any]) -> tuple[bytes, Mapping[str, Any]]:
        """Return a row as a line, and as it stands there: see ``fitted``."""
        return JsonLinesWriter().encode(fitted(row))


def gather(lines: IO[bytes], part: Path, output: str, columns: Sequence[str] | None) -> int:
    """Write a table of lines, and put it on the disk; return its bytes.

    Columns that pass through are texts, as those of CSV are; if it is not known which there
    are, they stand in one, as JSON.

    Args:
        lines: As ``JsonLinesWriter`` writes them.
        part: Where the table is while it is made.
        output: What its name will be.
        columns: Names of those that pass through; None if they are not known.

    Raises:
        BatchFileError: It cannot be written.
    """
    passed = _Passed(columns)
    schema = pa.schema(
        [*OUTPUT_SCHEMA, *(pa.field(name, pa.string()) for name in passed.names)]
    )
    with TableWriter(part, output, schema) as table:
        rows = Rows()
        for line in lines:
            row = json.loads(line)
            rows.add({name: row[name] for name in OUTPUT})
            passed.add(row)
            if rows.is_full:
                table.write(rows.batch(passed.taken(), schema))
                rows = Rows()
        table.write(rows.batch(passed.taken(), schema))
        return table.finish()


class _Passed:
    """Columns that pass through, as texts."""

    def __init__(self, columns: Sequence[str] | None) -> None:
        self.names = [OTHERS] if columns is None else [*columns]
        self._is_known = columns is not None
        self._columns: list[list[Any]] = [[] for _ in self.names]

    def add(self, row: dict[str, Any]) -> None:
        """Add the columns of a row."""
        found = row if self._is_known else {self.names[0]: others_of(row)}
        for name, column in zip(self.names, self._columns, strict=True):
            value = found.get(name)
            text = value if value is None or isinstance(value, str) else encode(value).decode()
            column.append(text)

    def taken(self) -> list[pa.Array]:
        """Return what was added since the last time."""
        taken, self._columns = self._columns, [[] for _ in self.names]
        return [pa.array(column, pa.string()) for column in taken]
