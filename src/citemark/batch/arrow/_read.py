"""Rows out of Arrow batches: a few at once, as rows of a file of JSON would be."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from citemark.batch.arrow._values import values_of
from citemark.batch.rows import INPUT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Row", "cells_of", "chosen", "plain"]

MAX_ROWS: Final = 256
MAX_BYTES: Final = 4 << 20
"""Of rows that are read at once.  One may have more: it is read alone then."""

Row: TypeAlias = dict[str, Any]
"""Columns of a row, with ``Unread`` for a cell that cannot be read."""


def cells_of(batch: pa.RecordBatch, names: Sequence[str] = INPUT) -> Iterator[list[Row]]:
    """Yield the rows of a batch, in order, few at once.

    Args:
        batch: Any.
        names: Columns that are read, if they are there.
    """
    names = [name for name in names if name in batch.schema.names]
    read = batch.select(names)
    for start in range(0, batch.num_rows, MAX_ROWS):
        columns = [_textual(plain(one)) for one in read.slice(start, MAX_ROWS).columns]
        for first, count in _parts(columns, 0, min(MAX_ROWS, batch.num_rows - start)):
            parts = [
                values_of(column.slice(first, count), name)
                for name, column in zip(names, columns, strict=True)
            ]
            rows = zip(*parts, strict=True) if parts else [()] * count
            yield [dict(zip(names, cells, strict=True)) for cells in rows]


def chosen(batch: pa.RecordBatch, mask: pa.BooleanArray) -> pa.RecordBatch:
    """Return the rows of a batch for which a mask is true."""
    try:
        return batch.filter(mask)
    except pa.ArrowNotImplementedError:  # views
        first = [index for index, is_chosen in enumerate(mask.to_pylist()) if is_chosen]
    columns = [
        pa.concat_arrays([column.slice(0, 0), *(column.slice(index, 1) for index in first)])
        for column in batch.columns
    ]
    return pa.RecordBatch.from_arrays(columns, schema=batch.schema)


def _textual(column: pa.Array) -> pa.Array:
    """Return a column with dates, times and decimals as texts: JSON has none of them.

    Python has no nanoseconds, and no year 10000.
    """
    if _is_texted(column.type):
        with suppress(pa.ArrowException):  # a time zone that nobody knows
            return _texts(column)
    return column


def _is_texted(kind: pa.DataType) -> bool:
    is_time = pa.types.is_temporal(kind) and not pa.types.is_duration(kind)
    return is_time or pa.types.is_decimal(kind)


def _texts(column: pa.Array) -> pa.Array:
    texts = column.cast(pa.string())
    if not pa.types.is_timestamp(column.type):
        return texts
    return pc.replace_substring_regex(texts, r"^(\S{10}) ", r"\1T")  # as ISO 8601 has it


def plain(column: pa.Array) -> pa.Array:
    """Return a column whose slices have no more bytes than their values."""
    if isinstance(column, pa.ExtensionArray):
        column = column.storage if _has_views(column.type.storage_type) else column
    if isinstance(column, pa.DictionaryArray):
        return _decoded(column)
    if pa.types.is_string_view(column.type):
        return _large(column)
    return column


def _decoded(column: pa.DictionaryArray) -> pa.Array:
    """Return a column of codes as one of values, if Arrow can."""
    try:
        return plain(column.dictionary).take(column.indices)
    except pa.ArrowNotImplementedError:  # views of bytes
        return column


def _large(column: pa.Array) -> pa.Array:
    """Return a column of views as one of texts, if all are."""
    try:
        return column.cast(pa.large_string())
    except pa.ArrowNotImplementedError:  # pyarrow 16
        pass
    except pa.ArrowInvalid:
        return column
    try:
        return pa.array(column.to_pylist(), pa.large_string())
    except ValueError:  # no UTF-8
        return column


def _parts(columns: list[pa.Array], first: int, count: int) -> Iterator[tuple[int, int]]:
    weighed = [column for column in columns if not _has_views(column.type)]
    weight = sum(column.slice(first, count).nbytes for column in weighed)
    if count <= 1 or weight <= MAX_BYTES:
        yield first, count
        return
    half = count // 2
    yield from _parts(columns, first, half)
    yield from _parts(columns, first + half, count - half)


def _has_views(kind: pa.DataType) -> bool:
    """Whether slices share all bytes, so that these tell nothing."""
    is_view = pa.types.is_string_view(kind) or pa.types.is_binary_view(kind)
    return is_view or any(_has_views(inner) for inner in _inner(kind))


def _inner(kind: pa.DataType) -> list[pa.DataType]:
    if isinstance(kind, pa.BaseExtensionType):
        return [kind.storage_type]
    if pa.types.is_dictionary(kind):
        return [kind.value_type]
    return [kind.field(index).type for index in range(kind.num_fields)]
