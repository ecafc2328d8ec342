"""Rows out of Arrow batches: a few at once, as rows of a file of JSON would be."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from citemark.batch._record import Unread
from citemark.batch.rows import INPUT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = ["Row", "cells_of", "chosen", "plain", "textual"]

MAX_ROWS: Final = 256
MAX_BYTES: Final = 4 << 20
"""Of rows that are read at once.  One may have more: it is read alone then."""

Mend: TypeAlias = "Callable[[Any], Any]"

Row: TypeAlias = dict[str, Any]
"""Columns of a row, with ``Unread`` for a cell that cannot be read."""


def cells_of(batch: pa.RecordBatch, names: Sequence[str] = INPUT) -> Iterator[list[Row]]:
    """Yield the rows of a batch, in order, few at once.

    Args:
        batch: Any.
        names: Columns that are read, if they are there.  In those of ``INPUT``, an empty field
            of a struct is one that is not there.
    """
    names = [name for name in names if name in batch.schema.names]
    read = batch.select(names)
    for start in range(0, batch.num_rows, MAX_ROWS):
        columns = [plain(column) for column in read.slice(start, MAX_ROWS).columns]
        for first, count in _parts(columns, 0, min(MAX_ROWS, batch.num_rows - start)):
            parts = [
                _values(column.slice(first, count), is_bare=name in INPUT)
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


def textual(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return a batch with dates, times and decimals as texts: JSON has none of them.

    Python has no nanoseconds, and no year 10000.
    """
    for index, column in enumerate(batch.schema):
        if _is_texted(column.type):
            with suppress(pa.ArrowException):  # a time zone that nobody knows
                batch = batch.set_column(index, column.name, _texts(batch.column(index)))
    return batch


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


def _values(column: pa.Array, *, is_bare: bool) -> list[Any]:
    """Return the values of a column; ``Unread`` for each that Python cannot have."""
    mend = _mending(column.type, is_bare=is_bare)
    try:
        values = column.to_pylist()
    except Exception:  # noqa: BLE001  one cell of them: a date of the year 10000, no UTF-8
        return [_value(cell, mend) for cell in column]
    return values if mend is None else [mend(value) for value in values]


def _value(cell: pa.Scalar, mend: Mend | None) -> Any:  # noqa: ANN401  a value or ``Unread``
    try:
        value = cell.as_py()
    except Exception as error:  # noqa: BLE001  it is told in the row
        return Unread(f"{type(error).__name__}: {error}")
    return value if mend is None else mend(value)


def _mending(kind: pa.DataType, *, is_bare: bool) -> Mend | None:
    """Return what makes a value one of JSON: maps become objects.

    None if there is nothing to do.

    Args:
        kind: Type of the value.
        is_bare: Whether empty fields of structs are left out.
    """
    if pa.types.is_map(kind):
        return _map_mending(_mending(kind.item_type, is_bare=is_bare))
    if pa.types.is_struct(kind):
        fields = [kind.field(index) for index in range(kind.num_fields)]
        mends = {field.name: _mending(field.type, is_bare=is_bare) for field in fields}
        return _struct_mending(mends, is_bare=is_bare)
    if pa.types.is_nested(kind) and kind.num_fields == 1:
        mend = _mending(kind.field(0).type, is_bare=is_bare)
        if mend is not None:
            return lambda value: None if value is None else [mend(one) for one in value]
    return None


def _map_mending(mend: Mend | None) -> Mend:
    def mended(value: Any) -> Any:  # noqa: ANN401  pairs, or None
        if value is None or mend is None:
            return None if value is None else dict(value)
        return {key: mend(one) for key, one in value}

    return mended


def _struct_mending(mends: dict[str, Mend | None], *, is_bare: bool) -> Mend | None:
    todo = [(name, mend) for name, mend in mends.items() if mend is not None]
    if not todo and not is_bare:
        return None

    def mended(value: Any) -> Any:  # noqa: ANN401  fields, or None
        if value is None:
            return None
        found = {name: one for name, one in value.items() if not is_bare or one is not None}
        for name, mend in todo:
            if name in found:
                found[name] = mend(found[name])
        return found

    return mended
