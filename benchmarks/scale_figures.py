"""What a row costs, in processor time and bytes, and what a source of a table does.

    python benchmarks/scale_figures.py [ROWS]

``docs/scale.md`` reckons with these figures.  Words come in random order, so that they pack no
better than those of real texts do.
"""

from __future__ import annotations

import json
import pickle
import random
import sys
import time
import tracemalloc
from functools import partial
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
from corpus import slices
from measure import best

from citemark.batch import BatchOptions, SourcesTable
from citemark.batch.arrow import annotate_batches

if TYPE_CHECKING:
    from collections.abc import Sequence

ANSWER, PASSAGE, SOURCES = 250, 130, 8
"""Words of an answer and of a passage, and sources of an answer."""

TABLE = 20_000
KINDS = {
    "resolved": BatchOptions(label="number"),
    "resolved, text": BatchOptions(to=("text",), label="number"),
    "resolved, html": BatchOptions(to=("html",), label="number"),
    "resolved, html, checked": BatchOptions(to=("html",), check=True, label="number"),
}


def main() -> None:
    """Print all figures as JSON."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    rng = random.Random(7)  # noqa: S311  no secret
    words = " ".join(slices()).split()
    rows = [_row(rng, words, number) for number in range(count)]
    given = pa.Table.from_pylist(rows).to_batches()
    works = [partial(_made, given, options) for options in KINDS.values()]
    seconds = best(works, 3, time.process_time)
    figures: dict[str, Any] = {
        "rows": count,
        "bytes_in": _sizes(given, count),
        "bytes_of_answer": sum(len(row["answer"].encode()) for row in rows) // count,
        "bytes_of_joined_sources": sum(len(json.dumps(row["sources"])) for row in rows)
        // count,
    }
    for (name, options), spent in zip(KINDS.items(), seconds, strict=True):
        out = _sizes(_made(given, options), count)
        figures[name] = {"us_a_row": round(spent / count * 1e6), "bytes_out": out}
    print(json.dumps(figures | {"table": _table(rng, words)}, indent=1))


def _row(rng: random.Random, words: Sequence[str], number: int) -> dict[str, Any]:
    parts = [
        f"{_text(rng, words, ANSWER // 10).rstrip('.')} [{rng.randint(1, SOURCES)}]."
        for _ in range(10)
    ]
    sources = [_source(rng, words, f"{number}-{place}") for place in range(SOURCES)]
    return {"id": number, "answer": " ".join(parts), "sources": sources}


def _source(rng: random.Random, words: Sequence[str], name: str) -> dict[str, Any]:
    url = f"https://example.org/documents/{name}"
    title, text = _text(rng, words, 5), _text(rng, words, PASSAGE)
    return {"id": f"chunk-{name}", "title": title, "url": url, "text": text}


def _text(rng: random.Random, words: Sequence[str], count: int) -> str:
    plain = (word for word in rng.choices(words, k=2 * count) if word.isalpha())
    return " ".join(list(plain)[:count])


def _made(given: list[pa.RecordBatch], options: BatchOptions) -> list[pa.RecordBatch]:
    return list(annotate_batches(given, options))


def _sizes(batches: list[pa.RecordBatch], count: int) -> dict[str, int]:
    """Return the bytes of a row in memory, and in a Parquet file."""
    sink = pa.BufferOutputStream()
    table = pa.Table.from_batches(batches)
    pq.write_table(table, sink, compression="zstd")
    return {"arrow": round(table.nbytes / count), "parquet": sink.getvalue().size // count}


def _table(rng: random.Random, words: Sequence[str]) -> dict[str, int]:
    """Return what a source of a table takes, in memory and on its way to a worker."""
    records = [_source(rng, words, str(number)) for number in range(TABLE)]
    tracemalloc.start()
    table = SourcesTable(pickle.loads(pickle.dumps(records)))  # noqa: S301  texts of its own
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    start = time.process_time()
    sent = pickle.dumps(table)
    pickle.loads(sent)  # noqa: S301  our own
    spent = time.process_time() - start
    return {
        "bytes_held": held // TABLE,
        "bytes_sent": len(sent) // TABLE,
        "us_sent_and_read": round(spent / TABLE * 1e6),
    }


if __name__ == "__main__":
    main()
