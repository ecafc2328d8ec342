"""Columns of annotated rows, as Arrow and as Spark have them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pyarrow as pa

from citemark.batch.rows import OUTPUT, passed_names
from citemark.checks.reports._data import COUNTED
from citemark.errors import CitemarkError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "OUTPUT_SCHEMA",
    "RowSchemaError",
    "output_schema",
    "require_columns",
    "spark_schema",
    "stored_schema",
]

CITATION: Final = pa.struct({"number": pa.int64(), "id": pa.string(), "count": pa.int64()})

ISSUE: Final = pa.struct(
    {
        "code": pa.string(),
        "message": pa.string(),
        "start": pa.int64(),
        "end": pa.int64(),
        "key": pa.string(),
    }
)

CHECKS: Final = pa.struct(
    {name: pa.int64() for name in COUNTED}
    | {"coverage": pa.float64(), "no_citation": pa.string()}
)

_TYPES: Final = {
    # JSON, since sources have metadata of any form: ``Answer.from_dict`` reads it.
    "cited": pa.string(),
    # The schema is the same whichever forms are asked for.
    "rendered": pa.map_(pa.string(), pa.string()),
    "citations": pa.list_(CITATION),
    "unresolved": pa.list_(pa.string()),
    "issues": pa.list_(ISSUE),
    "formats": pa.map_(pa.string(), pa.int64()),
    "checks": CHECKS,
    "schema": pa.int32(),
}

OUTPUT_SCHEMA: Final = pa.schema({name: _TYPES.get(name, pa.string()) for name in OUTPUT})
"""What each row has, whatever the options; columns that pass through come after it."""

_SPARK: Final = {
    pa.string(): "STRING",
    pa.int32(): "INT",
    pa.int64(): "BIGINT",
    pa.float64(): "DOUBLE",
}


class RowSchemaError(CitemarkError, ValueError):
    """A table has no column ``answer``, or several of one name, or one that cannot be read."""


def output_schema(given: pa.Schema) -> tuple[pa.Schema, list[int]]:
    """Return the schema of what becomes of a table, and which columns of it pass through.

    Raises:
        RowSchemaError: It has no ``answer``, or two columns of one name.
    """
    names = given.names
    require_columns(names)
    passed = passed_names(names)
    fields = [given.field(name).with_name(free) for free, name in passed.items()]
    return pa.schema([*OUTPUT_SCHEMA, *fields]), [names.index(n) for n in passed.values()]


def require_columns(names: Sequence[str], *, any_of: Sequence[str] = ("answer",)) -> None:
    """Refuse a table that cannot be read.

    Raises:
        RowSchemaError: It has no ``answer``, or none of others; or two columns of one name.
    """
    if not set(any_of) & set(names):
        raise RowSchemaError(
            f'no column is called "{any_of[0]}", only {", ".join(names) or "none"}'
        )
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise RowSchemaError(f'{names.count(twice[0])} columns are called "{twice[0]}"')


def stored_schema(given: pa.Schema) -> tuple[pa.Schema, list[int]]:
    """Return the schema of an output that is made again, and which columns of it pass through.

    Raises:
        RowSchemaError: It is none of an output, or two columns have one name.
    """
    names = given.names
    require_columns(names, any_of=("cited",))
    passed = [index for index, name in enumerate(names) if name not in OUTPUT]
    return pa.schema([*OUTPUT_SCHEMA, *(given.field(index) for index in passed)]), passed


def spark_schema() -> str:
    """Return ``OUTPUT_SCHEMA`` as the text that Spark makes a schema of.

    >>> spark_schema()[:60]
    '`id` STRING, `cited` STRING, `rendered` MAP<STRING, STRING>,'
    """
    return ", ".join(f"`{field.name}` {_spark_type(field.type)}" for field in OUTPUT_SCHEMA)


def _spark_type(kind: pa.DataType) -> str:
    if pa.types.is_map(kind):
        return f"MAP<{_spark_type(kind.key_type)}, {_spark_type(kind.item_type)}>"
    if pa.types.is_list(kind):
        return f"ARRAY<{_spark_type(kind.value_type)}>"
    if pa.types.is_struct(kind):
        fields = (kind.field(index) for index in range(kind.num_fields))
        inner = ", ".join(f"`{field.name}`: {_spark_type(field.type)}" for field in fields)
        return f"STRUCT<{inner}>"
    return _SPARK[kind]
