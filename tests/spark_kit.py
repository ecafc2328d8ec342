"""Rows that the tests of Spark share, and a table that ends a worker: workers import it."""

from __future__ import annotations

import hashlib
import json
import os
import signal
from pathlib import Path
from typing import Any

import pyarrow as pa

from citemark.batch import SourcesTable

COUNT = 1_000
SETS = ("may", "june", "july")


def answers(count: int = COUNT) -> list[dict[str, Any]]:
    """Rows that cite both sources of their set, and one that is not there."""
    return [
        {
            "id": number,
            "answer": f"Order {number} takes five days [1]. The label is in the box [2] [9].",
            "sources": SETS[number % len(SETS)],
            "team": f"t{number % 7}",
        }
        for number in range(count)
    ]


def records() -> list[dict[str, Any]]:
    """Two sources of each set, whose ids tell which, and which is the first."""
    return [
        {"id": f"{name}-{place}", "title": f"{name}, part {place}", "set": name, "place": place}
        for name in SETS
        for place in (1, 2)
    ]


def frame(spark: Any, rows: list[dict[str, Any]], partitions: int = 4) -> Any:
    """Return rows as a frame."""
    return spark.createDataFrame(pa.Table.from_pylist(rows)).repartition(partitions)


def collected(made: Any) -> list[dict[str, Any]]:
    """Return the rows of a frame, in any order."""
    found: list[dict[str, Any]] = made.toArrow().to_pylist()
    return found


def digest(rows: list[dict[str, Any]]) -> str:
    """Return a digest of rows whatever their order."""
    lines = sorted(json.dumps(row, sort_keys=True) for row in rows)
    return hashlib.blake2b("\n".join(lines).encode()).hexdigest()


class DeadlyTable(SourcesTable):
    """Kills the process that looks up the sources of one row, the first time."""

    def __init__(self, records: Any = (), mark: str = "") -> None:
        super().__init__(records)
        self.mark, self.seen = mark, 0

    def __reduce__(self) -> tuple[Any, ...]:
        return DeadlyTable, (self._records, self.mark)

    def for_row(self, given: object, options: Any) -> Any:
        self.seen += 1
        if self.seen > COUNT // 4 and not Path(self.mark).exists():
            Path(self.mark).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().for_row(given, options)
