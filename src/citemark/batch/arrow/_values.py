"""Values of a column as those of JSON: what a file of it would hold for them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import pyarrow as pa

from citemark.batch._record import Unread
from citemark.batch._strict import encode, plain
from citemark.batch.rows import INPUT

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["values_of"]

READ: Final = INPUT[1:]
"""Columns whose values are looked into.  In those, an empty field of a struct is one that is
not there, and bytes are texts: of files whose writer did not say so."""

Mend: TypeAlias = "Callable[[Any], Any]"


def values_of(column: pa.Array, name: str) -> list[Any]:
    """Return the values of a column; ``Unread`` for each that cannot be had.

    Args:
        column: Part of it.
        name: What it is called.
    """
    kind, is_read = column.type, name in READ
    is_text = _is_bytes(kind) or pa.types.is_fixed_size_binary(kind)
    mend = _decoded if is_read and is_text else _mending(kind, is_read=is_read)
    try:
        values = column.to_pylist()
        return values if mend is None else [mend(value) for value in values]
    except Exception:  # noqa: BLE001  one cell of them: a date of the year 10000, no UTF-8
        return [_value(cell, mend) for cell in column]


def _value(cell: pa.Scalar, mend: Mend | None) -> Any:  # noqa: ANN401  a value or ``Unread``
    try:
        value = cell.as_py()
        return value if mend is None else mend(value)
    except Exception as error:  # noqa: BLE001  it is told in the row
        return Unread(f"{type(error).__name__}: {error}")


def _mending(kind: pa.DataType, *, is_read: bool) -> Mend | None:
    """Return what makes a value one of JSON: maps become objects, bytes and times texts.

    None if there is nothing to do.

    Args:
        kind: Type of the value.
        is_read: Whether it is of a column of ``READ``.
    """
    if pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
        return _mending(kind.value_type, is_read=is_read)
    if pa.types.is_map(kind):
        return partial(_object, mend=_mending(kind.item_type, is_read=is_read))
    if pa.types.is_struct(kind):
        fields = [kind.field(index) for index in range(kind.num_fields)]
        mends = {field.name: _mending(field.type, is_read=is_read) for field in fields}
        return _struct_mending(mends, is_bare=is_read)
    if pa.types.is_nested(kind) and kind.num_fields == 1:
        mend = _mending(kind.field(0).type, is_read=is_read)
        return None if mend is None else partial(_list, mend=mend)
    if is_read and _is_bytes(kind):
        return _text
    return None if _is_of_json(kind) else plain


def _is_bytes(kind: pa.DataType) -> bool:
    """Whether values are bytes that may be a text; an id of a certain length is none."""
    return bool(
        pa.types.is_binary(kind)
        or pa.types.is_large_binary(kind)
        or pa.types.is_binary_view(kind)
    )


def _is_of_json(kind: pa.DataType) -> bool:
    is_text = (
        pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_string_view(kind)
    )
    is_number = pa.types.is_integer(kind) or pa.types.is_floating(kind)
    return bool(is_text or is_number or pa.types.is_boolean(kind) or pa.types.is_null(kind))


def _decoded(value: bytes | None) -> str | None:
    return None if value is None else value.decode()


def _text(value: bytes | None) -> Any:  # noqa: ANN401  as ``plain`` has it
    try:
        return _decoded(value)
    except UnicodeDecodeError:
        return plain(value)


def _list(value: list[Any] | None, mend: Mend) -> list[Any] | None:
    return None if value is None else [mend(one) for one in value]


def _object(value: list[Any] | None, mend: Mend | None) -> dict[str, Any] | None:
    """Return pairs as an object, or None."""
    if value is None:
        return None
    return {_key(key): one if mend is None else mend(one) for key, one in value}


def _key(key: object) -> str:
    found = plain(key)
    return found if isinstance(found, str) else encode(found).decode()


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
