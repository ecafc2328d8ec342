"""Stored answers by the million: rows in, rows out, over files, tables and engines."""

from __future__ import annotations

from citemark.batch.options import BatchOptionError, BatchOptions
from citemark.batch.rows import INPUT, OUTPUT, SCHEMA, annotate_row, content_digest
from citemark.batch.sources import RowSourcesError, SourcesTable

__all__ = [
    "INPUT",
    "OUTPUT",
    "SCHEMA",
    "BatchOptionError",
    "BatchOptions",
    "RowSourcesError",
    "SourcesTable",
    "annotate_row",
    "content_digest",
]
